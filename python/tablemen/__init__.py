"""Board games of two families, draughts and mancala: rules as data, every legal move, whole games."""

from tablemen.errors import (
    IllegalMoveError,
    InvalidPositionError,
    InvalidRulesError,
    NotationError,
    TablemenError,
    UnknownVariantError,
)
from tablemen.outcome import Outcome, Side, Termination

__version__ = "0.1.0"

__all__ = [
    "IllegalMoveError",
    "InvalidPositionError",
    "InvalidRulesError",
    "NotationError",
    "Outcome",
    "Side",
    "TablemenError",
    "Termination",
    "UnknownVariantError",
    "__version__",
]
