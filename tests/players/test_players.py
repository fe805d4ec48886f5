"""The choices of players."""

from __future__ import annotations

import io
import math
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from tablemen import Game, GameError, Side
from tablemen.console import StandardIO
from tablemen.draughts import Position
from tablemen.family import families, get_family
from tablemen.mancala import Position as Pits
from tablemen.players import (
    RESIGN,
    HumanPlayer,
    MinimaxPlayer,
    Player,
    RandomPlayer,
    RobotPlayer,
    SearcherPlayer,
    parse_player,
)
from tablemen.players import searcher as module
from tablemen.search import Clock, Level, Limit, Searcher, SearchResult
from tests.timeouts import TIMEOUT

VARIANTS = [rules for family in families() for rules in family.variants.values()]


def started(rules: Any) -> Game[Any, Any]:
    return Game(get_family(rules).start(rules))


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("text", ["random", "minimax:depth=1", "searcher:depth=1", "searcher:level=1"])
def test_every_variant_can_be_played_by_every_player(rules: Any, text: str) -> None:
    game = started(rules)
    with parse_player(text) as player:
        for _ in range(4):
            before = game.copy()
            move = player.choose(game)
            assert game == before
            game.push(move)


class Pair(Player):
    """The smallest custom player."""

    name = "pair"

    def choose(self, game: Game[Any, Any]) -> Any:
        return game.legal_moves()[-1] if len(game.moves) < 2 else RESIGN


def test_a_custom_player() -> None:
    game = started(VARIANTS[0])
    with Pair() as player:
        assert game.push(player.choose(game)) == game.start.legal_moves()[-1]
        game.push(player.choose(game))
        assert player.choose(game) is RESIGN
    assert (repr(RESIGN), str(RESIGN)) == ("RESIGN", "resigns")


def test_random_moves_depend_on_the_seed() -> None:
    game = started(VARIANTS[0])
    chosen = [RandomPlayer(seed=seed).choose(game) for seed in range(200)]
    assert chosen == [RandomPlayer(seed=seed).choose(game) for seed in range(200)]
    assert set(chosen) == set(game.legal_moves())
    player = RandomPlayer(seed=3)
    assert len({player.choose(game) for _ in range(50)}) > 3


def test_the_robot_plays_only_mancala() -> None:
    assert str(RobotPlayer().choose(Game(Pits.start("kalah")))) == "3"
    with pytest.raises(GameError, match="the robot plays games of mancala alone, and not English draughts"):
        RobotPlayer().choose(Game(Position.start("english")))


def person(typed: str) -> tuple[HumanPlayer, io.StringIO]:
    screen = io.StringIO()
    return HumanPlayer(io=StandardIO(io.StringIO(typed), screen)), screen


def test_an_illegal_move_of_a_person_is_explained_and_asked_for_again() -> None:
    player, screen = person("hello\n32-29\n19-23\n32-28\nrest")
    assert str(player.choose(Game(Position.start("international")))) == "32-28"
    assert screen.getvalue().split("White's move: ")[1:] == [
        "expected a square, got 'hello'\n",
        "32 to 29 is not a diagonal step\n",
        "the man on 19 is Black's, and White is to move\n",
        "",
    ]


@pytest.mark.parametrize("typed", ["", "resign\n", " RESIGN \n", "nothing\n"])
def test_a_person_resigns_by_command_or_end_of_input(typed: str) -> None:
    player, _ = person(typed)
    assert player.choose(Game(Pits.start("oware"))) is RESIGN


class Recorded:
    """A searcher that records its calls."""

    made: list[dict[str, int]] = []  # noqa: RUF012 - emptied by each test
    asked: list[object] = []  # noqa: RUF012

    def __init__(self, **settings: int) -> None:
        self.made.append(settings)

    def begin(self, game: Game[Any, Any], how: object, *, clock: Clock | None) -> Recorded:
        self.asked.append((how, clock))
        self.found = game.legal_moves()[0]
        return self

    def result(self) -> SearchResult[Any]:
        return SearchResult(self.found, None, None, ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "effort"),
    [
        ("searcher", Level(5)),
        ("searcher:level=9", Level(9)),
        ("searcher:depth=4", Limit(depth=4)),
        ("searcher:nodes=9,time=0.25", Limit(nodes=9, time=0.25)),
    ],
)
def test_the_searcher_gets_its_limits(monkeypatch: pytest.MonkeyPatch, text: str, effort: object) -> None:
    monkeypatch.setattr(module, "Searcher", Recorded)
    Recorded.made.clear()
    Recorded.asked.clear()
    game = started(VARIANTS[0])
    player = parse_player(text)
    assert Recorded.made == []
    player.choose(game)
    player.clock = Clock(30, 2)
    player.choose(game)
    assert Recorded.made == [{"table_mb": 16, "threads": 1, "seed": 0}]
    assert Recorded.asked == [(effort, None), (effort, Clock(30, 2))]
    player.close()
    player.choose(game)
    assert len(Recorded.made) == 2


def test_the_searchers_table_threads_and_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Searcher", Recorded)
    Recorded.made.clear()
    SearcherPlayer(depth=1, table=1, threads=2, seed=7).choose(started(VARIANTS[0]))
    assert Recorded.made == [{"table_mb": 1, "threads": 2, "seed": 7}]


def test_the_searcher_finds_a_shot() -> None:
    game = Game(Position.from_fen("W:W24,26,31:B12,32,40", "international"))
    with SearcherPlayer(depth=4, table=1) as player:
        assert str(player.choose(game)) == "31-27"
    assert game.position.turn is Side.WHITE


ENDLESS = ["searcher:time=100000", "searcher:depth=1000", "minimax:depth=40"]


@pytest.mark.parametrize("text", ENDLESS)
def test_a_running_choice_is_stopped_from_another_thread(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    thinks = threading.Event()
    player = parse_player(text)
    for owner, name in ((Searcher, "begin"), (MinimaxPlayer, "_value")):
        monkeypatch.setattr(owner, name, _telling(getattr(owner, name), thinks))
    game = started(VARIANTS[0])
    with player:
        player.stop()  # nothing goes on: the next choice is not concerned
        choice = begin(player, game)
        assert thinks.wait(TIMEOUT)
        assert not choice.done()
        player.stop()
        assert choice.result(TIMEOUT) in game.legal_moves()
    assert game.moves == ()


def begin(player: Player, game: Game[Any, Any]) -> Future[Any]:
    """Start the choice of a player in a daemon thread, so that tests end even if it cannot be stopped."""
    choice: Future[Any] = Future()
    threading.Thread(target=lambda: choice.set_result(player.choose(game)), daemon=True).start()
    return choice


def _telling(method: Any, event: threading.Event) -> Any:
    """Return the method, wrapped so that it also sets an event."""

    def call(*arguments: Any, **options: Any) -> Any:
        event.set()
        return method(*arguments, **options)

    return call


def test_a_search_stopped_while_starting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    player, begin = SearcherPlayer(time=100000, table=1), Searcher.begin

    def stopped(*arguments: Any, **options: Any) -> Any:
        player.stop()
        return begin(*arguments, **options)

    monkeypatch.setattr(Searcher, "begin", stopped)
    game = started(VARIANTS[0])
    assert player.choose(game) in game.legal_moves()


@pytest.mark.parametrize("text", ["searcher:time=100000", "searcher:depth=1000"])
def test_a_searcher_keeps_to_the_clock(text: str) -> None:
    game = started(VARIANTS[0])
    with parse_player(text) as player:
        for left in (0.0, 0.2):
            player.clock = Clock(left)
            assert player.choose(game) in game.legal_moves()


def test_the_scores_of_choices() -> None:
    """Scores are for the side that chose."""
    shot: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))
    ahead: Game[Any, Any] = Game(Position.from_fen("B:W31,32,33:B1", "international"))
    for text in ("searcher:depth=3,table=1", "minimax:depth=2"):
        with parse_player(text) as player:
            said = [player.score]
            for game in (shot, ahead):
                player.choose(game)
                said.append(player.score)
        before, won, lost = (math.nan if score is None else score.value for score in said)
        assert math.isnan(before)
        assert won == math.inf
        assert lost < -1
    assert parse_player("random").score is None


def test_a_level_keeps_to_the_clock_too() -> None:
    position = Position.start("international")
    for level in (Level(6), Level(10)):
        hurried = Searcher(table_mb=1).choose(position, level, clock=Clock(0))
        calm = Searcher(table_mb=1).choose(position, level, clock=Clock(3600))
        assert hurried.lines[0].depth < calm.lines[0].depth


def test_a_custom_player_ignores_stop_and_has_a_clock() -> None:
    player = Pair()
    assert player.clock is None
    player.stop()
    player.clock = Clock(5)
    assert (player.clock, Pair().clock) == (Clock(5), None)
