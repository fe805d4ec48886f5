"""Helpers for the tests of saved games: sessions, and the files of a folder."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from tablemen import Side
from tablemen.draughts import Position
from tablemen.players import HumanPlayer, Player
from tablemen.saved_games import SavedGame, SavedGames
from tablemen.session import Session

WHITE, BLACK = Side
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def make_session(start: Any = None, white: Player | None = None, black: Player | None = None) -> Session:
    players = {WHITE: white or HumanPlayer(), BLACK: black or HumanPlayer()}
    return Session(Position.start("english") if start is None else start, players)


def suffixes(saved: SavedGames) -> list[str]:
    """Return the suffixes of the files, without those of finished games."""
    return sorted(path.suffix for path in saved.folder.iterdir() if path.is_file()) if saved.folder.exists() else []


def play_random_moves(session: Session, plies: int, seed: int = 1) -> Session:
    random = Random(seed)
    while len(session.game.moves) < plies and session.game.outcome() is None:
        session.move(str(random.choice(session.game.legal_moves())))
    return session


def only_game(saved: SavedGames) -> SavedGame:
    """Return the only game of a folder."""
    (game,) = saved.list()
    assert (saved.problem, saved.damaged) == (None, ())
    return game
