"""Draughts in all variants, and mancala: rules as data, legal moves, and games with draw rules and outcomes."""

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
    UnknownValueError,
    UnknownVariantError,
    UnsolvableError,
    WorkLimitError,
)
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.work import work_limit

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
    "UnknownValueError",
    "UnknownVariantError",
    "UnsolvableError",
    "WorkLimitError",
    "__version__",
    "work_limit",
]
