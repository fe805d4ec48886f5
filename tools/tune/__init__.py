"""Weights for the evaluation of draughts, from games that the program plays against itself: `python -m tools.tune`."""
