"""The moves that players choose, their limits and their scores."""

from __future__ import annotations

import io
import math
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from tablemen import Game, GameError, Side, TablemenError
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
    SearchTree,
    parse_player,
)
from tablemen.players import searcher as module
from tablemen.search import Clock, Level, Limit, Searcher, SearchResult
from tests.timeouts import TIMEOUT

VARIANTS = [rules for family in families() for rules in family.variants.values()]


def start_game(rules: Any) -> Game[Any, Any]:
    return Game(get_family(rules).start(rules))


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("text", ["random", "minimax:depth=1", "mcts:simulations=3", "searcher:level=1"])
def test_every_variant_can_be_played_by_every_player(rules: Any, text: str) -> None:
    game = start_game(rules)
    with parse_player(text) as player:
        for _ in range(4):
            before = game.copy()
            move = player.choose(game)
            assert game == before
            game.push(move)


class CustomPlayer(Player):
    """A minimal custom player, which resigns after two moves."""

    name = "custom"

    def choose(self, game: Game[Any, Any]) -> Any:
        return game.legal_moves()[-1] if len(game.moves) < 2 else RESIGN


def test_a_custom_player() -> None:
    game = start_game(VARIANTS[0])
    with CustomPlayer() as player:
        assert game.push(player.choose(game)) == game.start.legal_moves()[-1]
        game.push(player.choose(game))
        assert player.choose(game) is RESIGN
    assert (repr(RESIGN), str(RESIGN)) == ("RESIGN", "resigns")


def test_random_moves_depend_on_the_seed() -> None:
    game = start_game(VARIANTS[0])
    chosen = [RandomPlayer(seed=seed).choose(game) for seed in range(200)]
    assert chosen == [RandomPlayer(seed=seed).choose(game) for seed in range(200)]
    assert set(chosen) == set(game.legal_moves())
    player = RandomPlayer(seed=3)
    assert len({player.choose(game) for _ in range(50)}) > 3


def test_the_robot_plays_only_mancala() -> None:
    assert str(RobotPlayer().choose(Game(Pits.start("kalah")))) == "3"
    with pytest.raises(GameError, match="English draughts"):
        RobotPlayer().choose(Game(Position.start("english")))


def create_human(typed: str) -> tuple[HumanPlayer, io.StringIO]:
    screen = io.StringIO()
    return HumanPlayer(io=StandardIO(io.StringIO(typed), screen)), screen


def test_an_illegal_move_is_explained_and_the_prompt_repeated() -> None:
    player, screen = create_human("hello\n32-29\n19-23\n32-28\nrest")
    assert str(player.choose(Game(Position.start("international")))) == "32-28"
    family, position = get_family(VARIANTS[0]), Position.start("international")
    problems = [family.explain_illegal(text, position) for text in ("hello", "32-29", "19-23")]
    assert screen.getvalue().split("White's move: ")[1:] == [*(f"{problem}\n" for problem in problems), ""]


@pytest.mark.parametrize("typed", ["", "resign\n", " RESIGN \n", "nothing\n"])
def test_a_human_resigns_by_command_or_end_of_input(typed: str) -> None:
    player, _ = create_human(typed)
    assert player.choose(Game(Pits.start("oware"))) is RESIGN


class RecordingSearcher:
    """A searcher that records its calls."""

    created: list[dict[str, int]] = []  # noqa: RUF012 - emptied by each test
    searches: list[object] = []  # noqa: RUF012

    def __init__(self, **settings: int) -> None:
        self.created.append(settings)

    def begin(self, game: Game[Any, Any], effort: object, *, clock: Clock | None) -> RecordingSearcher:
        self.searches.append((effort, clock))
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
    monkeypatch.setattr(module, "Searcher", RecordingSearcher)
    RecordingSearcher.created.clear()
    RecordingSearcher.searches.clear()
    game = start_game(VARIANTS[0])
    player = parse_player(text)
    assert RecordingSearcher.created == []
    player.choose(game)
    player.clock = Clock(30, 2)
    player.choose(game)
    expected = {"table_mb": 16, "threads": 1, "seed": 0, "tablebase": "installed", "evaluation": None}
    assert RecordingSearcher.created == [expected]
    assert RecordingSearcher.searches == [(effort, None), (effort, Clock(30, 2))]
    player.close()
    with pytest.raises(TablemenError, match=r"is closed$"):
        player.choose(game)
    assert len(RecordingSearcher.created) == 1


def test_the_searcher_gets_table_threads_and_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Searcher", RecordingSearcher)
    RecordingSearcher.created.clear()
    SearcherPlayer(depth=1, table=1, threads=2, seed=7, tablebase="none").choose(start_game(VARIANTS[0]))
    expected = {"table_mb": 1, "threads": 2, "seed": 7, "tablebase": None, "evaluation": None}
    assert RecordingSearcher.created == [expected]


def test_the_searcher_finds_a_shot() -> None:
    game = Game(Position.from_fen("W:W24,26,31:B12,32,40", "international"))
    with SearcherPlayer(depth=4, table=1) as player:
        assert str(player.choose(game)) == "31-27"
    assert game.position.turn is Side.WHITE


ENDLESS = ["searcher:time=100000", "searcher:depth=1000", "minimax:depth=40", "mcts:time=100000"]


@pytest.mark.parametrize("text", ENDLESS)
def test_stop_from_another_thread_ends_the_search(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    is_searching = threading.Event()
    player = parse_player(text)
    for owner, name in ((Searcher, "begin"), (MinimaxPlayer, "_evaluate"), (SearchTree, "select")):
        monkeypatch.setattr(owner, name, _set_on_call(getattr(owner, name), is_searching))
    game = start_game(VARIANTS[0])
    with player:
        player.stop()  # no effect on the next choice
        choice = begin(player, game)
        assert is_searching.wait(TIMEOUT)
        assert not choice.done()
        player.stop()
        assert choice.result(TIMEOUT) in game.legal_moves()
    assert game.moves == ()


def begin(player: Player, game: Game[Any, Any]) -> Future[Any]:
    """Start the choice of a player in a daemon thread, so that tests end even if it cannot be stopped."""
    choice: Future[Any] = Future()
    threading.Thread(target=lambda: choice.set_result(player.choose(game)), daemon=True).start()
    return choice


def _set_on_call(method: Any, event: threading.Event) -> Any:
    """Return the method, wrapped so that it also sets an event."""

    def call(*arguments: Any, **options: Any) -> Any:
        event.set()
        return method(*arguments, **options)

    return call


def test_stop_during_the_start_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    player, begin = SearcherPlayer(time=100000, table=1), Searcher.begin

    def stopped(*arguments: Any, **options: Any) -> Any:
        player.stop()
        return begin(*arguments, **options)

    monkeypatch.setattr(Searcher, "begin", stopped)
    game = start_game(VARIANTS[0])
    assert player.choose(game) in game.legal_moves()


@pytest.mark.parametrize("text", ["searcher:time=100000", "searcher:depth=1000"])
def test_a_searcher_moves_before_its_time_is_up(text: str) -> None:
    game = start_game(VARIANTS[0])
    with parse_player(text) as player:
        for left in (0.0, 0.2):
            player.clock = Clock(left)
            assert player.choose(game) in game.legal_moves()


def test_scores_are_for_the_side_that_moved() -> None:
    shot: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))
    ahead: Game[Any, Any] = Game(Position.from_fen("B:W31,32,33:B1", "international"))
    for text in ("searcher:depth=3,table=1", "minimax:depth=2"):
        with parse_player(text) as player:
            scores = [player.score]
            for game in (shot, ahead):
                player.choose(game)
                scores.append(player.score)
        before, won, lost = (math.nan if score is None else score.value for score in scores)
        assert math.isnan(before)
        assert won == math.inf
        assert lost < -1
    assert parse_player("random").score is None


def test_a_short_clock_reduces_the_depth_of_a_level() -> None:
    position = Position.start("international")
    for level in (Level(6), Level(10)):
        hurried = Searcher(table_mb=1).choose(position, level, clock=Clock(0))
        calm = Searcher(table_mb=1).choose(position, level, clock=Clock(3600))
        assert hurried.lines[0].depth < calm.lines[0].depth


def test_a_custom_player_ignores_stop_and_has_its_own_clock() -> None:
    player = CustomPlayer()
    assert player.clock is None
    player.stop()
    player.clock = Clock(5)
    assert (player.clock, CustomPlayer().clock) == (Clock(5), None)
