"""Matches: the same games in any number of processes, and failures of players and workers."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, Side, TablemenError, Termination, UnknownVariantError
from tablemen.clock import TimeControl
from tablemen.draughts import Position
from tablemen.match import Match, MatchGame, MatchResults, MatchScore, Openings, Sprt, Verdict
from tablemen.players import Player, RandomPlayer
from tests.fake_engines import FakePlayer, add_fakes
from tests.fake_players import (
    Counting,
    Exiting,
    Failing,
    FailingAtStart,
    First,
    Resigning,
    Reusable,
    Sleeping,
)


def sort_games(games: Any) -> list[MatchGame]:
    return sorted(games, key=lambda each: each.number)


def small_match(**changes: Any) -> Match:
    settings: dict[str, Any] = {"games": 6, "openings": Openings(plies=4), "seed": 3}
    return Match("english", "minimax:depth=1", "random", **(settings | changes))


def test_players_change_sides_and_play_each_opening_twice() -> None:
    games = list(small_match().play())
    assert [each.number for each in games] == [1, 2, 3, 4, 5, 6]
    assert [each.first for each in games] == [Side.WHITE, Side.BLACK] * 3
    for each in games:
        assert each.played.players == {each.first: "minimax:depth=1", each.first.opponent: "random"}
        assert each.points == each.played.points(each.first)
    openings = [each.played.game.moves[:4] for each in games]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) == 3


def test_random_players_with_equal_seeds_play_different_games() -> None:
    games = list(Match("english", "random:seed=1", "random:seed=1", games=4).play())
    assert len({each.played.game.moves for each in games}) == 4


def test_a_match_is_determined_by_its_seed() -> None:
    assert list(small_match().play()) == list(small_match().play())
    assert [each.played for each in small_match().play()] != [each.played for each in small_match(seed=4).play()]
    match = Match("kalah", "random:seed=1", "robot", games=2)
    other = Match("kalah", "random:seed=2", "robot", games=2)
    assert [each.played.game for each in match.play()] != [each.played.game for each in other.play()]


def test_processes_play_the_same_games() -> None:
    match = small_match()
    assert sort_games(match.play(concurrency=2)) == list(match.play())
    assert active_children() == []


def test_searchers_play_the_same_in_any_process() -> None:
    match = Match(
        "russian", "searcher:depth=3,table=1", "searcher:level=1,table=1", games=4, openings=Openings(plies=4)
    )
    assert sort_games(match.play(concurrency=2)) == list(match.play())


def test_a_given_executor_plays_the_same_games() -> None:
    lines = [Game(Position.start("english"), [move]) for move in Position.start("english").legal_moves()]
    match = small_match(openings=Openings(lines, plies=1), games=20)
    with ThreadPoolExecutor(2) as executor:
        assert sort_games(match.play(executor=executor)) == list(match.play())


def test_closing_cancels_pending_games() -> None:
    submitted: list[Future[Any]] = []

    class IdleExecutor(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if not submitted:
                future.set_result(function(*arguments, **named))
            submitted.append(future)
            return future

    games = small_match().play(executor=IdleExecutor())
    assert next(games).number == 1
    games.close()
    assert [future.cancelled() for future in submitted] == [False] + [True] * 5


def test_a_match_and_its_games_can_be_pickled() -> None:
    match = small_match()
    assert pickle.loads(pickle.dumps(match)) == match
    games = list(match.play())
    assert pickle.loads(pickle.dumps(games)) == games


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_failing_player_loses_its_games_and_the_match_continues(concurrency: int) -> None:
    match = Match("international", Failing, First, games=4)
    games = sort_games(match.play(concurrency=concurrency))
    assert [each.points for each in games] == [0] * 4
    assert {each.played.outcome.termination for each in games} == {Termination.FORFEIT}
    assert match.names == ("failing", "first")
    assert ["White" in each.played.note for each in games] == [True, False] * 2


def test_players_are_closed_after_every_game(tmp_path: Path) -> None:
    file = tmp_path / "closed"
    list(Match("english", partial(Counting, file), "random", games=3).play())
    assert file.read_text().split() == ["closed"] * 3


def read_events(file: Path) -> list[str]:
    return file.read_text().split()


def test_reusable_players_are_reused(tmp_path: Path) -> None:
    file = tmp_path / "events"
    games = list(Match("english", partial(Reusable, file), First, games=3).play())
    assert len(games) == 3
    assert read_events(file) == ["opened", *["ended"] * 3, "closed"]


def test_a_failed_player_is_replaced_for_the_next_game(tmp_path: Path) -> None:
    file = tmp_path / "events"
    games = list(Match("english", partial(Reusable, file, fails_at=6), First, games=4).play())
    assert [each.played.outcome.termination is Termination.FORFEIT for each in games] == [False, True] * 2
    assert games[1].played.failure == "RuntimeError: the player fails here"
    assert read_events(file) == ["opened", "ended", "failed", "ended", "closed"] * 2


def test_closing_a_match_closes_its_players(tmp_path: Path) -> None:
    file = tmp_path / "events"
    games = Match("english", partial(Reusable, file), First, games=4).play()
    next(games)
    games.close()
    assert read_events(file)[-1] == "closed"
    assert read_events(file).count("closed") == 1


def test_reusable_players_are_closed_in_every_process(tmp_path: Path) -> None:
    file = tmp_path / "events"
    reusable = partial(Reusable, file, close_time=0.2)  # seconds, longer than a process takes to exit
    games = list(Match("english", reusable, First, games=6).play(concurrency=2))
    assert len(games) == 6
    assert read_events(file).count("ended") == 6
    assert 1 <= read_events(file).count("closed") <= 2
    assert active_children() == []


@pytest.mark.parametrize("concurrency", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_engine_that_cannot_be_started_ends_the_match_before_the_first_game(concurrency: int) -> None:
    match = Match("english", First, partial(FakePlayer, address="refuses"), games=4)
    with pytest.raises(TablemenError, match=r"^fake:refuses: a fake 1 does not play english$"):
        next(match.play(concurrency=concurrency))
    assert active_children() == []


def test_an_executor_starts_engines_before_the_first_game() -> None:
    calls: list[Any] = []
    match = Match("english", partial(FakePlayer, address="named", calls=calls), First, games=2, longest=1)
    with ThreadPoolExecutor(1) as executor:
        games = list(match.play(executor=executor))
    assert calls[:2] == ["open", "close"]
    assert (calls.count("open"), calls.count("close")) == (3, 3)
    assert games[0].played.players[Side.WHITE] == "Fake 1.0"


def test_an_engine_is_started_once() -> None:
    calls: list[Any] = []
    list(Match("english", partial(FakePlayer, address="plays", calls=calls), First, games=3, longest=2).play())
    assert (calls.count("open"), calls.count("close"), calls[0]) == (1, 1, "open")


def test_engines_have_the_names_that_they_report(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)

    def play(first: str, second: str) -> tuple[MatchResults, MatchGame]:
        results, games = MatchResults(), list(Match("english", first, second, games=2, longest=4).play())
        for each in games:
            results.add(each)
        return results, games[1]

    results, second = play("fake:named,time=1", "fake:named,time=2,name=Slow")
    assert (results.names, results.authors) == (("Fake 1.0", "Slow"), ("A. Nonymous", ""))
    assert second.played.players == {Side.WHITE: "Slow", Side.BLACK: "Fake 1.0"}
    assert second.played.authors == {Side.BLACK: "A. Nonymous"}
    assert play("fake:named,time=1", "random:seed=7")[0].names == ("Fake 1.0", "random:seed=7")
    assert play("fake:named", "fake:named")[0].names == ("Fake 1.0", "Fake 1.0")
    assert play("fake:named,time=1", "fake:named,time=2")[0].names == ("fake:named,time=1", "fake:named,time=2")


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_player_that_never_starts_ends_the_match(concurrency: int) -> None:
    played: list[MatchGame] = []
    match = Match("english", First, FailingAtStart, games=40)
    with pytest.raises(TablemenError, match=r"^failing-at-start .* 3 games .*: RuntimeError: cannot start$"):
        played.extend(match.play(concurrency=concurrency))
    assert [each.points for each in played] == [1, 1, 1]
    assert active_children() == []


def test_two_players_that_never_start_end_the_match() -> None:
    # Each wins the games in which the other fails first, without a move.
    played: list[MatchGame] = []
    with pytest.raises(TablemenError, match=r"^failing-at-start .* 3 games"):
        played.extend(Match("english", FailingAtStart, FailingAtStart, games=40).play())
    assert [each.points for each in played] == [0, 1, 0, 1, 0][: len(played)]
    assert len(played) == 5


def test_two_failures_to_start_in_a_row_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = iter(range(9))

    def begin(_player: Player, _game: Game[Any, Any]) -> None:
        if next(attempts) % 3 < 2:
            raise RuntimeError("cannot start")

    monkeypatch.setattr(FailingAtStart, "begin_game", begin)
    games = list(Match("english", First, FailingAtStart, games=9).play())
    assert [each.played.outcome.termination is Termination.FORFEIT for each in games] == [True, True, False] * 3


def test_a_sequential_test_ends_the_match() -> None:
    match = Match("english", Resigning, "random", games=1000, sprt=Sprt(-200, 0), openings=Openings(plies=2))
    games = list(match.play())
    results = MatchResults(match.sprt)
    for each in games:
        results.add(each)
    assert results.verdict is Verdict.H0
    assert len(games) == 2 * sum(results.settled.pairs) < 100
    other = MatchResults(match.sprt)
    for each in match.play(concurrency=2):
        other.add(each)
    assert (other.verdict, other.settled) == (results.verdict, results.settled)
    assert active_children() == []


def test_each_player_keeps_its_time_control_on_either_side() -> None:
    controls = (TimeControl(1000), TimeControl(2000, 1))
    games = list(Match("english", First, "random", games=2, controls=controls, longest=4).play())
    for each in games:
        assert each.played.controls == {each.first: controls[0], each.first.opponent: controls[1]}


def test_a_player_at_a_fixed_address_plays_one_game_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RandomPlayer, "is_single", True)
    match = Match("english", "random", First, games=2)
    assert len(list(match.play())) == 2
    with pytest.raises(TablemenError, match=r"^random .* 2$"):
        next(match.play(concurrency=2))
    with ThreadPoolExecutor(1) as executor, pytest.raises(TablemenError, match=r"^random .* 2$"):
        next(match.play(executor=executor))


def test_a_dead_worker_ends_the_match_with_an_error() -> None:
    with pytest.raises(TablemenError) as caught:
        list(Match("english", Exiting, First, games=2).play(concurrency=2))
    assert isinstance(caught.value.__cause__, BrokenExecutor)
    assert active_children() == []


class ExitingLater(First):
    """A player that exits its whole process as soon as a file exists."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def choose(self, game: Game[Any, Any]) -> Any:
        if self.file.exists():
            os._exit(3)
        return super().choose(game)


def test_a_dead_worker_loses_no_finished_game(tmp_path: Path) -> None:
    file = tmp_path / "exit"
    numbers: list[int] = []

    def play() -> None:
        for each in Match("english", partial(ExitingLater, file), First, games=1000).play(concurrency=2):
            numbers.append(each.number)
            if len(numbers) == 5:
                file.touch()

    with pytest.raises(TablemenError) as caught:
        play()
    assert isinstance(caught.value.__cause__, BrokenExecutor)
    assert 5 <= len(numbers) == len(set(numbers)) < 1000
    assert len(set(range(1, max(numbers))) - set(numbers)) <= 2  # the games in play
    assert active_children() == []


def test_finished_games_are_yielded_before_the_error_of_a_broken_executor() -> None:
    class BrokenAfterThree(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            _, number = arguments
            if number > 3:
                raise BrokenExecutor("worker died")
            future: Future[Any] = Future()
            future.set_result(function(*arguments, **named))
            return future

    played: list[MatchGame] = []
    with pytest.raises(TablemenError, match="worker died"):
        played.extend(small_match().play(executor=BrokenAfterThree()))
    assert [each.number for each in played] == [1, 2, 3]


def test_ctrl_c_ends_the_workers_at_once() -> None:
    match = Match("english", Sleeping, "random", games=4)
    games = match.play(concurrency=2)
    with pytest.raises(KeyboardInterrupt):
        interrupt(games)
    assert active_children() == []


def interrupt(games: Any) -> None:
    """Raise SIGINT while games are played."""
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        next(games)
    finally:
        timer.cancel()
        games.close()


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [("minimax:depth=2", "random", 9), ("robot", "random", 6)],
)
def test_the_better_player_wins(first: str, second: str, points: float) -> None:
    variant = "kalah" if first == "robot" else "english"
    match = Match(variant, first, second, games=10, openings=Openings(plies=2))
    assert MatchScore.of(each.points for each in match.play()).points >= points


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["international", "english"])
def test_the_deeper_search_wins(variant: str) -> None:
    match = Match(variant, "searcher:depth=8,table=8", "searcher:depth=4,table=8", games=20, openings=Openings(plies=6))
    score = MatchScore.of(each.points for each in match.play())
    assert score.elo_interval[0] > 0, str(score)
    assert score.losses <= 3, str(score)


def test_invalid_matches() -> None:
    with pytest.raises(UnknownVariantError):
        Match("nothing", "random", "random")
    with pytest.raises(TablemenError, match="'unknown'"):
        Match("english", "unknown", "random")
    with pytest.raises(TablemenError, match=r"^minimax:depth=0: depth: "):
        Match("english", "random", "minimax:depth=0")
    with pytest.raises(TablemenError, match="human"):
        Match("english", "random", "human")
    with pytest.raises(GameError, match="English draughts"):
        Match("english", "random", "robot")
    with pytest.raises(GameError, match=r"russian.* english"):
        Match("english", "random", "random", openings=Openings([Game(Position.start("russian"))]))
    with pytest.raises(ArgumentError) as caught:
        Match("english", 3, "random")  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("player", 3)
    with pytest.raises(ArgumentError) as caught:
        next(small_match().play(concurrency=0))
    assert (caught.value.name, caught.value.value) == ("concurrency", 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("games", 0),
        ("games", 2.5),
        ("longest", 0),
        ("seed", -1),
        ("resign", 5),
        ("draw", 5),
        ("sprt", 5),
        ("openings", 5),
        ("margin", -1),
    ],
)
def test_invalid_settings(name: str, value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        small_match(**{name: value})
    assert (caught.value.name, caught.value.value) == (name, value)


def test_invalid_time_controls() -> None:
    with pytest.raises(ArgumentError) as caught:
        small_match(controls=("5+3", None))
    assert (caught.value.name, caught.value.value) == ("control", "5+3")
