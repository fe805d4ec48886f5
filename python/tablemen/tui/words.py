"""What the screens say: of players, of moves, and of what is won."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablemen.console import visible
from tablemen.draughts import DraughtsRules, Kind, Position
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, Player, SearcherPlayer
from tablemen.players.engine import EnginePlayer
from tablemen.search import Level
from tablemen.session import Session


def player_name(player: Player, *, alone: bool) -> str:
    """Who somebody is; a person that plays `alone` against a computer is the one who reads this."""
    if isinstance(player, HumanPlayer):
        return "you" if alone else "player"
    if isinstance(player, SearcherPlayer) and isinstance(player.effort, Level):
        return f"level {player.effort.number}"
    if isinstance(player, EnginePlayer):
        program, *words = player.address.split()
        return visible(" ".join((Path(program).name, *words)))  # without where it lies, there is room for little
    return visible(player.name)


def seat_name(session: Session, side: Side) -> str:
    """A side and who plays it, such as `White, you`."""
    alone = not all(map(session.is_person, Side))
    name = session.family.side_name(side)
    player = player_name(session.players[side], alone=alone)
    return name if player == "player" else f"{name}, {player}"


def turn_text(session: Session) -> str:
    """Whose turn it is, and what must be done."""
    side = session.game.position.turn
    if not session.is_person(side):
        return f"{session.family.side_name(side)} is thinking …"
    alone = not session.is_person(side.opponent)
    whose = "Your move" if alone else f"{session.family.side_name(side)}'s move"
    return f"{whose}{_duty(session.game)}"


def _duty(game: Game[Any, Any]) -> str:
    """What a player may not know: that a capture must be made, or that it is the same side's turn again."""
    position, moves = game.position, game.legal_moves()
    if isinstance(position.variant, DraughtsRules):
        if not moves[0].is_capture:
            return ""
        listed = ", ".join(map(str, moves[:3]))
        return f": you must capture, {listed}{' …' if len(moves) > 3 else ''}"
    again = len(game.moves) > 0 and game.positions[-2].turn is position.turn
    return ", once more" if again else ""


def move_text(game: Game[Any, Any]) -> str:
    """What the last move did."""
    before, move = game.positions[-2], game.moves[-1]
    family = get_family(before)
    who = family.side_name(before.turn)
    if isinstance(before.variant, DraughtsRules):
        return f"{who} played {move}{', and has a king' if move.crowns else ''}"
    if move.is_swap:
        return f"{who} swapped sides"
    captured = f", captured {move.captured}" if move.captured else ""
    return f"{who} sowed house {move.house}{captured}{', and moves again' if move.extra_turn else ''}"


def captured_text(game: Game[Any, Any], side: Side) -> str:
    """What a side has won so far: pieces that its opponent has no more, or seeds in its store."""
    start, position = game.start, game.position
    if not isinstance(position, Position):
        return f"{position.stores[side]} in store"
    gone = _pieces(start, side.opponent) - _pieces(position, side.opponent)
    return f"captured {gone}" if gone > 0 else ""


def _pieces(position: Position, side: Side) -> int:
    return sum(len(position.squares(side, kind)) for kind in Kind)


def move_rows(game: Game[Any, Any]) -> list[tuple[str, str]]:
    """The moves in rows: those of the side that began, and those of the other; several where a side moved again."""
    first = game.start.turn
    rows: list[tuple[list[str], list[str]]] = []
    last = first.opponent
    for position, move in zip(game.positions, game.moves, strict=False):
        if position.turn is first and last is not first:
            rows.append(([], []))
        rows[-1][position.turn is not first].append(str(move))
        last = position.turn
    return [(" ".join(one), " ".join(other)) for one, other in rows]
