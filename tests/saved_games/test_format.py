"""The file format of saved games, and invalid files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tablemen import Side, TablemenError
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import ENGLISH, Position
from tablemen.family import families, get_family
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, RobotPlayer, SearcherPlayer, parse_player
from tablemen.saved_games import SavedGames, format_saved_game, parse_saved_game
from tablemen.session import Session
from tests.fake_players import First
from tests.saved_games.fixtures import BLACK, NOON, WHITE, files, only, played, table

ALL = [rules for family in families() for rules in family.variants.values()]


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_a_game_of_every_variant_is_parsed_as_formatted(rules: Any) -> None:
    start = get_family(rules).start(rules)
    for begun in (start, played(table(start), 13).game.position):
        session = played(table(begun, black=SearcherPlayer(level=3)), 40, seed=2)
        text = format_saved_game(session, NOON)
        back = parse_saved_game(text, Path("game"))
        assert back.game.start == session.game.start
        assert back.game.moves == session.game.moves
        assert back.rules == rules


def test_everything_is_resumed(saved: SavedGames) -> None:
    rules = replace(KALAH, houses=4, seeds=3)
    session = table(Pits.start(rules), white=RobotPlayer(), black=SearcherPlayer(depth=2, threads=2))
    session.flip()
    time = [0.0]
    session.clock = GameClock(TimeControl(90, 2), now=lambda: time[0])
    saved.autosave(session)
    session.resume()
    time[0] += 7.5
    session.move("1")
    time[0] += 4.25
    session.close()
    game = only(saved)
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
        again.restart()
        assert [again.clock.left(side) for side in Side] == [90, 90]


@pytest.mark.parametrize(
    ("session", "problem"),
    [
        (table(Position.start(replace(ENGLISH, name="mine"))), "has custom rules, which cannot be saved"),
        (table(Position.start(replace(ENGLISH, losing=True))), "has custom rules, which cannot be saved"),
        (table(white=First()), "the player first cannot be written as text"),
    ],
)
def test_custom_rules_and_players_cannot_be_saved(saved: SavedGames, session: Session, problem: str) -> None:
    autosave = saved.autosave(session)
    session.move("11-15")
    assert autosave.problem is not None
    assert autosave.problem.startswith("the game cannot be saved: ")
    assert autosave.problem.endswith(problem)
    session.close()
    assert files(saved) == []


def damaged(change: Callable[[dict[str, Any]], object]) -> str:
    session = table(Pits.start("kalah"))
    session.move("1")
    content = json.loads(format_saved_game(session, NOON))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is not a saved game"),
        ("[1]", "this is not a saved game"),
        ("[" * 100_000, "this is not a saved game"),
        (damaged(lambda content: content.pop("version")), "version is None: a game of version 1 is expected"),
        (damaged(lambda content: content.update(version=2)), "version is 2"),
        (damaged(lambda content: content.update(variant="chess")), "unknown variant 'chess'"),
        (damaged(lambda content: content.update(variant=1)), "variant is 1: a text is expected"),
        (damaged(lambda content: content.pop("houses")), "houses is None: a whole number is expected"),
        (damaged(lambda content: content.update(houses=0)), "invalid rules"),
        (damaged(lambda content: content.update(game="")), "game is '': one game is expected"),
        (damaged(lambda content: content.update(game="Moves: 7")), "line 1, column 1: move 1: .*7"),
        (damaged(lambda content: content["players"].pop("white")), "a value for each side is expected"),
        (damaged(lambda content: content["players"].update(red="human")), "side is 'red'"),
        (damaged(lambda content: content["players"].update(white=1)), "a value for each side is expected"),
        (damaged(lambda content: content.update(used=[1, 2])), "used is .*: a value for each side is expected"),
        (damaged(lambda content: content["used"].update(white=-1)), "used is"),
        (damaged(lambda content: content["used"].update(white=10**400)), "used is"),
        (damaged(lambda content: content["used"].update(white=1)).replace('"white": 1', '"white": 1e400'), "used is"),
        (damaged(lambda content: content["added"].update(black=1e300)), "added is"),
        (damaged(lambda content: content["added"].update(white=True)), "added is"),
        (damaged(lambda content: content.update(control="soon")), "time control is 'soon'"),
        (damaged(lambda content: content.update(orientation="up")), "side is 'up'"),
        (damaged(lambda content: content.update(saved="today")), "saved is 'today': a time is expected"),
        (damaged(lambda content: content.update(saved="2024-05-01T12:00")), "a time with its zone is expected"),
    ],
)
def test_an_invalid_file_is_reported_and_not_changed(saved: SavedGames, text: str, problem: str) -> None:
    with table() as session:
        saved.autosave(session)
        session.move("11-15")
    (saved.folder / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(TablemenError, match=problem):
        parse_saved_game(text, Path("bad"))
    assert [game.rules.name for game in saved.list()] == ["english"]
    (told,) = saved.problems
    assert told.startswith(f"{saved.folder / 'bad.json'}: ")
    assert (saved.folder / "bad.json").read_text(encoding="utf-8") == text


def test_descriptions() -> None:
    session = table(Pits.start("oware"), black=SearcherPlayer(level=5))
    session.move("1")
    here = datetime(2024, 5, 1, 14, 3).astimezone()
    game = parse_saved_game(format_saved_game(session, here), Path("game"))
    assert game.describe(here) == "Oware Abapa (a move, against searcher:level=5, saved today 14:03)"
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
    game = only(saved)
    assert (game.rules, game.orientation, game.control) == (ENGLISH, WHITE, TimeControl(300, 3))
    assert game.players == {WHITE: "human", BLACK: "searcher:level=5,threads=2"}
    with saved.resume(game) as session:
        assert [str(move) for move in session.game.moves] == ["11-15", "22-18", "15x22"]
        assert [session.clock.left(side) for side in Side] == [292.75, 302.5]
        session.move("25x18")
    assert len(only(saved).game.moves) == 4


def test_a_mancala_game_saved_by_version_0_1_is_resumed(saved: SavedGames) -> None:
    saved.folder.mkdir(parents=True)
    shutil.copy(VERSION_0_1 / "kalah.json", saved.folder)
    game = only(saved)
    assert game.rules == replace(KALAH, houses=4, seeds=3)
    assert (game.control, game.players) == (None, {WHITE: "robot", BLACK: "human"})
    with saved.resume(game) as session:
        assert [str(move) for move in session.game.moves] == ["2", "1"]
        session.move(str(session.game.legal_moves()[0]))
    assert len(only(saved).game.moves) == 3
