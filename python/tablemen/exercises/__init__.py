"""Programming exercises with a given specification: each selects a variant, a board format and a move format."""

from tablemen.console import IO
from tablemen.exercises.allowed_moves import allowed_moves
from tablemen.exercises.is_legal_move import is_legal_move
from tablemen.exercises.kalah import Kalah
from tablemen.exercises.valid_turns import valid_turns

__all__ = ["IO", "Kalah", "allowed_moves", "is_legal_move", "valid_turns"]
