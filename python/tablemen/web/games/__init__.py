"""Games between players: kept in a database, played in rooms, with moves of the computer and of programs."""
