"""Games between players: hosted in rooms, stored in a database, with the computer and engines as opponents."""
