"""Draughts of every variant, and mancala: rules as data, every legal move, and whole games to the right ending."""

from tablemen.errors import (
    AmbiguousMoveError,
    ArgumentError,
    GameError,
    GameOverError,
    IllegalMoveError,
    InvalidPositionError,
    InvalidRulesError,
    NotationError,
    PdnError,
    PeerError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
    TablemenError,
    UnknownVariantError,
    UnsolvableError,
)
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination

__version__ = "0.1.0"

__all__ = [
    "AmbiguousMoveError",
    "ArgumentError",
    "Game",
    "GameError",
    "GameOverError",
    "IllegalMoveError",
    "InvalidPositionError",
    "InvalidRulesError",
    "NotationError",
    "Outcome",
    "PdnError",
    "PeerError",
    "PeerGoneError",
    "PeerTimeoutError",
    "ProtocolError",
    "Side",
    "TablemenError",
    "Termination",
    "UnknownVariantError",
    "UnsolvableError",
    "__version__",
]
