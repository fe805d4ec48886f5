"""A game in progress as text, and what is known of one that was saved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tablemen.clock import GameClock, TimeControl, parse_time_control
from tablemen.console import visible
from tablemen.errors import ArgumentError, TablemenError
from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, WrittenPlayer, format_player, parse_player
from tablemen.session import Session
from tablemen.validation import is_number

VERSION = 1
MOST_SECONDS = 1e9  # more than anybody has for a game


@dataclass(frozen=True, kw_only=True)
class SavedGame:
    """A game that can be gone on with: what was played, who plays, and the seconds that they used and were given."""

    path: Path
    game: Game[Any, Any]
    players: Mapping[Side, str]  # as `parse_player` reads them
    orientation: Side
    control: TimeControl | None
    used: Mapping[Side, float]
    added: Mapping[Side, float]
    saved_at: datetime  # with its time zone

    @property
    def rules(self) -> Any:
        """The rules that it is played by."""
        return self.game.start.variant

    def describe(self, now: datetime | None = None) -> str:
        """The game in a line: `Kalah (12 moves, against searcher:level=5, saved today 14:03)`."""
        count = len(self.game.moves)
        told = ["a move" if count == 1 else f"{count} moves", self._describe_players()]
        if self.control is not None:
            told.append(f"clock {self.control}")
        time = _describe_time(self.saved_at, now or datetime.now(UTC))
        return visible(f"{self.rules} ({', '.join(told)}, saved {time})")

    def _describe_players(self) -> str:
        others = [text for text in self.players.values() if text != HumanPlayer.kind]
        if not others:
            return "between two people"
        return f"against {others[0]}" if len(others) == 1 else " against ".join(others)


def _describe_time(time: datetime, now: datetime) -> str:
    """The time here, and the day as people call it."""
    local, today = time.astimezone(), now.astimezone().date()
    days = {today: "today", today - timedelta(days=1): "yesterday"}
    return f"{days.get(local.date(), local.date().isoformat())} {local:%H:%M}"


def format_saved(session: Session, saved_at: datetime) -> str:
    """The session as text. Raises `TablemenError` where no text can say by whom or by what rules it is played."""
    game, clock = session.game, session.clock
    rules = game.start.variant
    content = {
        "version": VERSION,
        "saved": saved_at.astimezone(UTC).isoformat(timespec="microseconds"),
        "variant": _name_of(rules),
        **get_family(rules).board_size(rules),
        "players": {str(side): _format_player(player) for side, player in session.players.items()},
        "orientation": str(session.orientation),
        "control": None if clock.control is None else str(clock.control),
        "used": {str(side): round(clock.used(side), 3) for side in Side},
        "added": {str(side): round(clock.added(side), 3) for side in Side},
        "game": session.family.format_game(session.sheet()),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def parse_saved(text: str, path: Path) -> SavedGame:
    """The game that such a text tells; raises `TablemenError` where it tells none."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TablemenError(f"this is no saved game: {error}") from error
    if not isinstance(content, dict):
        raise TablemenError("this is no saved game")
    if content.get("version") != VERSION:
        raise ArgumentError("version", content.get("version"), f"a game of version {VERSION}")
    rules = _rules_of(content)
    sheets = get_family(rules).parse_games(_get(content, "game", str), rules)
    if len(sheets) != 1:
        raise ArgumentError("game", content["game"], "one game")
    control = content.get("control")
    return SavedGame(
        path=path,
        game=sheets[0].game,
        players=_get_sides(content, "players", lambda value: isinstance(value, str)),
        orientation=_side(_get(content, "orientation", str)),
        control=None if control is None else parse_time_control(control),
        used=_get_sides(content, "used", _is_seconds),
        added=_get_sides(content, "added", _is_seconds),
        saved_at=_get_time(content),
    )


def make_session(saved: SavedGame) -> Session:
    """The game at a table again, its clock standing still; raises `TablemenError` where a player is not known."""
    players = {side: parse_player(text) for side, text in saved.players.items()}
    session = Session(saved.game.copy(), players, control=saved.control)
    session.clock = GameClock(saved.control, used=saved.used, added=saved.added)
    session.orientation = saved.orientation
    return session


def _name_of(rules: Any) -> str:
    """The name that leads to these rules."""
    try:
        named = get_family(find_variant(rules.name)).resize(
            find_variant(rules.name), **get_family(rules).board_size(rules)
        )
    except TablemenError:
        named = None
    if named != rules:
        raise TablemenError(f"{rules} is played by rules of one's own, which have no name")
    return str(rules.name)


def _rules_of(content: Mapping[str, Any]) -> Any:
    rules = find_variant(_get(content, "variant", str))
    return get_family(rules).resize(
        rules, **{name: _get(content, name, int) for name in get_family(rules).board_size(rules)}
    )


def _format_player(player: object) -> str:
    if not isinstance(player, WrittenPlayer):
        raise TablemenError(f"the player {getattr(player, 'name', player)} cannot be written as text")
    return format_player(player)


def _get(content: Mapping[str, Any], name: str, kind: type) -> Any:
    value = content.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ArgumentError(name, value, {str: "a text", int: "a whole number", dict: "a value for each side"}[kind])
    return value


def _get_sides(content: Mapping[str, Any], name: str, accepts: Callable[[object], bool]) -> dict[Side, Any]:
    values = {_side(side): value for side, value in _get(content, name, dict).items()}
    if set(values) != set(Side) or not all(map(accepts, values.values())):
        raise ArgumentError(name, content[name], "a value for each side")
    return values


def _get_time(content: Mapping[str, Any]) -> datetime:
    text = _get(content, "saved", str)
    try:
        time = datetime.fromisoformat(text)
        time.astimezone()  # not every year has one
    except (ValueError, OverflowError) as error:
        raise ArgumentError("saved", text, "a time") from error
    if time.tzinfo is None:
        raise ArgumentError("saved", text, "a time with its zone")
    return time


def _side(text: str) -> Side:
    try:
        return Side(text)
    except ValueError as error:
        raise ArgumentError("side", text, f"{' or '.join(map(str, Side))}") from error


def _is_seconds(value: object) -> bool:
    return is_number(value, most=MOST_SECONDS)
