"""Programming exercises with a given specification: each selects a variant, a board format and a move format."""

from tablemen.console import IO
from tablemen.exercises.draughts import allowed_moves, is_legal_move, valid_turns
from tablemen.exercises.kalah import Kalah

__all__ = ["IO", "Kalah", "allowed_moves", "is_legal_move", "valid_turns"]
