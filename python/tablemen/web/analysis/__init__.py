"""Analyses of positions and games, with a fair share of the machine for each client."""
