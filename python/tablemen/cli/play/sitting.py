"""A game that is really played: who sits down, whether one that was left is gone on with, and what saves it."""

from __future__ import annotations

from typing import Any

from tablemen.cli.group import BadQuestion, ended_by_signals
from tablemen.cli.play.table import Table
from tablemen.cli.play.variant import OPPONENT
from tablemen.cli.play.way import Way, find_screen, is_at_terminal, prompts_ended
from tablemen.console import IO, StandardIO
from tablemen.errors import TablemenError
from tablemen.family import Family, get_family
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, Player, parse_player
from tablemen.session import Session


def play_at_table(start: Any, white: str | None, black: str | None, way: Way) -> None:
    """Plays from a position; a player that is not given is a person, or the computer where the other is one.

    A game that was left is offered first, unless players or a clock are named: whoever does that means a new one.
    """
    players = dict(zip(Side, _read_players(get_family(start), white, black), strict=True))
    session = Session(start, players, control=way.control)
    offers = not way.new and white is None and black is None and way.control is None
    screen = find_screen(way)
    if screen is not None:
        from tablemen.saved_games import SavedGames

        with session:
            screen(session, SavedGames(), offer=offers)
        return
    console = StandardIO()
    with prompts_ended(console):
        try:
            play_lines(session, console, offers=offers)
        except EOFError:
            session.close()  # left before the game began


def play_lines(session: Session, console: IO, *, offers: bool) -> None:
    """Plays line by line: at a terminal a game that was left is offered first, and what is played is saved.

    Raises `EOFError` where somebody leaves before the game begins.
    """
    if is_at_terminal() and session.autosave is None:
        from tablemen.cli.play.left import offer_left
        from tablemen.saved_games import SavedGames

        saved = SavedGames()
        former = offer_left(saved, session.game.start.variant, console) if offers else None
        if former is not None:
            session.close()
            session = former
        else:
            saved.autosave(session)
    with ended_by_signals(), session:  # so that programs that play are sent home, whatever ends this one
        Table(session, console).run()


def _read_players(family: Family, *texts: str | None) -> list[Player]:
    """The players of the texts, in their order."""
    players: list[Player | None] = [None, None]
    for number, (side, text) in enumerate(zip(Side, texts, strict=True)):
        if text is not None:
            try:
                players[number] = parse_player(text)
            except TablemenError as error:
                raise BadQuestion(f"--{family.sides[side]}: {error}") from error
    white, black = players
    if white is None:
        white = parse_player(OPPONENT) if isinstance(black, HumanPlayer) else HumanPlayer()
    if black is None:
        black = parse_player(OPPONENT) if isinstance(white, HumanPlayer) else HumanPlayer()
    return [white, black]
