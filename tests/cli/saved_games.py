"""Saved games for tests of `tablemen play`, and its prompts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablemen import Game, Side
from tablemen.players import HumanPlayer, parse_player
from tablemen.saved_games import SavedGames
from tablemen.session import Session

PEOPLE = ("--plain", "--white", "human", "--black", "human")
SAVED = r"saved (?:today|yesterday) [0-9:]+"  # a test may run past midnight
OFFER_END = "? [Y/n/d] "
MENU = "Choose a number or a name, or q to quit: "
HOUSE = "Player P1's turn - Specify house number or 'q' to quit: "


def saved_moves(data: Path) -> list[int]:
    return [len(game.game.moves) for game in SavedGames(data / "games").list()]


def save_game(data: Path, start: Any, *moves: str, black: str = "human") -> None:
    """Save an unfinished game."""
    players = {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player(black)}
    with Session(Game(start, moves), players) as session:
        SavedGames(data / "games").autosave(session)
