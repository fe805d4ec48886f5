"""The Kalah Game Protocol (KGP): a server asks programs for moves."""
