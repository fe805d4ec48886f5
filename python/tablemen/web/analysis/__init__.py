"""Analyses of positions and reviews of games, with the processor time shared fairly between clients."""
