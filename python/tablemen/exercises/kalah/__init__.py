"""The assignment "Kalah": two players, or a robot, at a console whose every character is given."""

from tablemen.exercises.kalah.console import Kalah

__all__ = ["Kalah"]
