"""Analyses of positions and games, each with its fair share of the machine."""
