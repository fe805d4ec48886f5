"""Games in progress, kept in files: after every move, so that a program that is killed loses none.

A game is a file of JSON. It is written beside the old one and then takes its place, so that there is always a whole
one; while it is played, its process holds a lock that ends with the process.
"""

from tablemen.saved.games import SavedGames
from tablemen.saved.keeper import Keeper
from tablemen.saved.text import SavedGame

__all__ = ["Keeper", "SavedGame", "SavedGames"]
