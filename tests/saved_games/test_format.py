"""The file format of saved games, and invalid files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tablemen import ArgumentError, InvalidRulesError, NotationError, Side, TablemenError, UnknownVariantError
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import ENGLISH, Position
from tablemen.family import families, get_family
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, RobotPlayer, SearcherPlayer, parse_player
from tablemen.saved_games import SavedGames, format_saved_game, parse_saved_game
from tablemen.session import Session
from tests.fake_players import First
from tests.golden import check_errors
from tests.saved_games.fixtures import BLACK, NOON, WHITE, make_session, only_game, play_random_moves, suffixes

ALL = [rules for family in families() for rules in family.variants.values()]


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_games_of_every_variant_make_a_round_trip(rules: Any) -> None:
    start = get_family(rules).start(rules)
    for position in (start, play_random_moves(make_session(start), 13).game.position):
        session = play_random_moves(make_session(position, black=SearcherPlayer(level=3)), 40, seed=2)
        text = format_saved_game(session, NOON)
        parsed = parse_saved_game(text, Path("game"))
        assert parsed.game.start == session.game.start
        assert parsed.game.moves == session.game.moves
        assert parsed.rules == rules


def test_game_players_and_clock_are_resumed(saved: SavedGames) -> None:
    rules = replace(KALAH, houses=4, seeds=3)
    session = make_session(Pits.start(rules), white=RobotPlayer(), black=SearcherPlayer(depth=2, threads=2))
    session.flip()
    time = [0.0]
    session.clock = GameClock(TimeControl(90, 2), now=lambda: time[0])
    saved.autosave(session)
    session.resume()
    time[0] += 7.5
    session.move("1")
    time[0] += 4.25
    session.close()
    game = only_game(saved)
    assert game.rules == rules
    assert game.players == {WHITE: "robot", BLACK: "searcher:depth=2,threads=2"}
    assert (game.orientation, game.control) == (session.orientation, TimeControl(90, 2))
    assert (game.used, game.added) == ({WHITE: 7.5, BLACK: 4.25}, {WHITE: 2.0, BLACK: 0.0})
    with saved.resume(game) as again:
        assert again.game == session.game
        assert again.players == session.players
        assert again.orientation is session.orientation
        assert [again.clock.left(side) for side in Side] == [84.5, 85.75]
        assert again.clock.running is None
        assert (again.date, again.clocks) == (session.date, (85.0,))  # times of moves are in whole seconds
        again.restart()
        assert [again.clock.left(side) for side in Side] == [90, 90]


@pytest.mark.parametrize(
    ("session", "fact"),
    [
        (make_session(Position.start(replace(ENGLISH, name="mine", title="Mine"))), "Mine has custom rules"),
        (make_session(Position.start(replace(ENGLISH, losing=True))), "custom rules"),
        (make_session(white=First()), "the player first"),
    ],
    ids=["own name", "known name", "player"],
)
def test_custom_rules_and_players_cannot_be_saved(saved: SavedGames, session: Session, fact: str) -> None:
    autosave = saved.autosave(session)
    session.move("11-15")
    assert autosave.problem is not None
    assert fact in autosave.problem
    session.close()
    assert suffixes(saved) == []


Damage: TypeAlias = Callable[[dict[str, Any]], object]


def damage(change: Damage) -> str:
    """Return a saved game after a change of its content."""
    session = make_session(Pits.start("kalah"))
    session.move("1")
    content = json.loads(format_saved_game(session, NOON))
    change(content)
    return json.dumps(content)


TEXTS = {
    "empty": "",
    "list": "[1]",
    "deep": "[" * 100_000,
    "infinite time": damage(lambda content: content["used"].update(white=1)).replace('"white": 1', '"white": 1e400'),
}
FIELDS: dict[str, tuple[str, Damage]] = {  # the name of the invalid argument, and the change
    "no version": ("version", lambda content: content.pop("version")),
    "later version": ("version", lambda content: content.update(version=2)),
    "number as variant": ("variant", lambda content: content.update(variant=1)),
    "no size": ("houses", lambda content: content.pop("houses")),
    "no game": ("game", lambda content: content.update(game="")),
    "missing player": ("players", lambda content: content["players"].pop("white")),
    "unknown side": ("side", lambda content: content["players"].update(red="human")),
    "number as player": ("players", lambda content: content["players"].update(white=1)),
    "list of times": ("used", lambda content: content.update(used=[1, 2])),
    "negative time": ("used", lambda content: content["used"].update(white=-1)),
    "huge time": ("used", lambda content: content["used"].update(white=10**400)),
    "long time": ("added", lambda content: content["added"].update(black=1e300)),
    "bool as time": ("added", lambda content: content["added"].update(white=True)),
    "bad time control": ("time control", lambda content: content.update(control="soon")),
    "bad orientation": ("side", lambda content: content.update(orientation="up")),
    "bad date": ("saved", lambda content: content.update(saved="today")),
    "date without a zone": ("saved", lambda content: content.update(saved="2024-05-01T12:00")),
}
OTHER: dict[str, tuple[type[TablemenError], Damage]] = {
    "unknown variant": (UnknownVariantError, lambda content: content.update(variant="chess")),
    "no houses": (InvalidRulesError, lambda content: content.update(houses=0)),
    "illegal move": (NotationError, lambda content: content.update(game="Moves: 7")),
}
INVALID = TEXTS | {name: damage(change) for name, (_, change) in (FIELDS | OTHER).items()}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_file_is_reported_and_not_changed(saved: SavedGames, name: str) -> None:
    with make_session() as session:
        saved.autosave(session)
        session.move("11-15")
    (saved.folder / "bad.json").write_text(INVALID[name], encoding="utf-8")
    with pytest.raises(TablemenError):
        parse_saved_game(INVALID[name], Path("bad"))
    assert [game.rules.name for game in saved.list()] == ["english"]
    (problem,) = saved.problems
    assert problem.startswith(f"{saved.folder / 'bad.json'}: ")
    assert (saved.folder / "bad.json").read_text(encoding="utf-8") == INVALID[name]


@pytest.mark.parametrize("name", FIELDS)
def test_an_invalid_field_is_named(name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_saved_game(INVALID[name], Path("bad"))
    assert caught.value.name == FIELDS[name][0]


@pytest.mark.parametrize("name", OTHER)
def test_invalid_content_raises_a_specific_error(name: str) -> None:
    with pytest.raises(OTHER[name][0]):
        parse_saved_game(INVALID[name], Path("bad"))


@pytest.mark.golden
def test_error_messages_read_well() -> None:
    kinds: dict[str, type[TablemenError]] = dict.fromkeys(TEXTS, TablemenError) | dict.fromkeys(FIELDS, ArgumentError)
    kinds |= {"infinite time": ArgumentError} | {name: kind for name, (kind, _) in OTHER.items()}
    names = [name for name in INVALID if name != "deep"]  # the message depends on the version of Python
    cases = {name: (kinds[name], partial(parse_saved_game, INVALID[name], Path("bad"))) for name in names}
    check_errors(Path(__file__).with_name("error_messages.txt"), cases)


def test_a_saved_game_is_described_in_one_line() -> None:
    session = make_session(Pits.start("oware"), black=SearcherPlayer(level=5))
    session.move("1")
    here = datetime(2024, 5, 1, 14, 3).astimezone()
    game = parse_saved_game(format_saved_game(session, here), Path("game"))
    assert game.describe(here) == "Oware Abapa (a move, against the computer, level 5, saved today 14:03)"
    assert game.describe(here + timedelta(days=1)).endswith("saved yesterday 14:03)")
    assert game.describe(here + timedelta(days=2)).endswith(f"saved {here.date()} 14:03)")
    both = replace(game, players={WHITE: "robot", BLACK: "random"}, control=TimeControl(300, 3))
    assert both.describe(here) == "Oware Abapa (a move, robot against random, clock 5+3, saved today 14:03)"
    assert "between two people" in replace(game, players={WHITE: "human", BLACK: "human"}).describe()
    odd = replace(game, players={WHITE: "human", BLACK: "\x1b[2J\n"})
    assert odd.describe(here) == "Oware Abapa (a move, against \\x1b[2J\\n, saved today 14:03)"


def test_a_game_against_an_engine_is_resumed(saved: SavedGames) -> None:
    written = 'hub:"sh -c \\"scan, hub\\"",time=0.5'
    with Session(Position.start("frisian"), {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player(written)}) as session:
        saved.autosave(session)
        session.move(str(session.game.legal_moves()[0]))
    (game,) = saved.list()
    assert f"against {written}" in game.describe()
    with saved.resume(game) as again:
        assert again.players == session.players
        assert again.game == session.game


VERSION_0_1 = Path(__file__).parent / "version_0_1"


def test_a_draughts_game_saved_by_version_0_1_is_resumed(saved: SavedGames) -> None:
    saved.folder.mkdir(parents=True)
    shutil.copy(VERSION_0_1 / "english.json", saved.folder)
    game = only_game(saved)
    assert (game.rules, game.orientation, game.control) == (ENGLISH, WHITE, TimeControl(300, 3))
    assert game.players == {WHITE: "human", BLACK: "searcher:level=5,threads=2"}
    with saved.resume(game) as session:
        assert [str(move) for move in session.game.moves] == ["11-15", "22-18", "15x22"]
        assert [session.clock.left(side) for side in Side] == [292.75, 302.5]
        session.move("25x18")
    assert len(only_game(saved).game.moves) == 4


def test_a_mancala_game_saved_by_version_0_1_is_resumed(saved: SavedGames) -> None:
    saved.folder.mkdir(parents=True)
    shutil.copy(VERSION_0_1 / "kalah.json", saved.folder)
    game = only_game(saved)
    assert game.rules == replace(KALAH, houses=4, seeds=3)
    assert (game.control, game.players) == (None, {WHITE: "robot", BLACK: "human"})
    with saved.resume(game) as session:
        assert [str(move) for move in session.game.moves] == ["2", "1"]
        session.move(str(session.game.legal_moves()[0]))
    assert len(only_game(saved).game.moves) == 3
