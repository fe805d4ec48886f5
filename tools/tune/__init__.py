"""Tuning of the draughts evaluation by self-play: `python -m tools.tune`."""
