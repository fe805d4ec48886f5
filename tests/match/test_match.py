"""Whole matches: the same games in any number of processes, and failures of players and workers."""

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
from tests.fake_players import (
    Counting,
    Failing,
    First,
    Lasting,
    Resigning,
    Sleeping,
    Stillborn,
    Vanishing,
)


def in_order(rounds: Any) -> list[MatchGame]:
    return sorted(rounds, key=lambda each: each.number)


def small(**changes: Any) -> Match:
    settings: dict[str, Any] = {"games": 6, "openings": Openings(plies=4), "seed": 3}
    return Match("english", "minimax:depth=1", "random", **(settings | changes))


def test_players_change_sides_and_play_each_opening_twice() -> None:
    rounds = list(small().play())
    assert [each.number for each in rounds] == [1, 2, 3, 4, 5, 6]
    assert [each.first for each in rounds] == [Side.WHITE, Side.BLACK] * 3
    for each in rounds:
        assert each.played.players == {each.first: "minimax:depth=1", each.first.opponent: "random"}
        assert each.points == each.played.points(each.first)
    begun = [each.played.game.moves[:4] for each in rounds]
    assert begun[0::2] == begun[1::2]
    assert len(set(begun)) == 3


def test_games_of_a_pair_differ() -> None:
    """With one seed for both, random players would play the same game twice."""
    rounds = list(Match("english", "random:seed=1", "random:seed=1", games=4).play())
    assert len({each.played.game.moves for each in rounds}) == 4


def test_a_match_is_determined_by_its_seed() -> None:
    assert list(small().play()) == list(small().play())
    assert [each.played for each in small().play()] != [each.played for each in small(seed=4).play()]
    chance = Match("kalah", "random:seed=1", "robot", games=2)
    other = Match("kalah", "random:seed=2", "robot", games=2)
    assert [each.played.game for each in chance.play()] != [each.played.game for each in other.play()]


def test_processes_play_the_same_games() -> None:
    match = small()
    assert in_order(match.play(concurrency=2)) == list(match.play())
    assert active_children() == []


def test_searchers_play_the_same_in_any_process() -> None:
    match = Match(
        "russian", "searcher:depth=3,table=1", "searcher:level=1,table=1", games=4, openings=Openings(plies=4)
    )
    assert in_order(match.play(concurrency=2)) == list(match.play())


def test_a_given_executor_plays_the_same_games() -> None:
    lines = [Game(Position.start("english"), [move]) for move in Position.start("english").legal_moves()]
    match = small(openings=Openings(lines, plies=1), games=20)
    with ThreadPoolExecutor(2) as executor:
        assert in_order(match.play(executor=executor)) == list(match.play())


def test_closing_cancels_pending_games() -> None:
    submitted: list[Future[Any]] = []

    class Idle(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if not submitted:
                future.set_result(function(*arguments, **named))
            submitted.append(future)
            return future

    rounds = small().play(executor=Idle())
    assert next(rounds).number == 1
    rounds.close()
    assert [future.cancelled() for future in submitted] == [False] + [True] * 5


def test_a_match_and_its_games_can_be_pickled() -> None:
    match = small()
    assert pickle.loads(pickle.dumps(match)) == match
    rounds = list(match.play())
    assert pickle.loads(pickle.dumps(rounds)) == rounds


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_failing_player_loses_its_games_and_the_match_continues(concurrency: int) -> None:
    match = Match("international", Failing, First, games=4)
    rounds = in_order(match.play(concurrency=concurrency))
    assert [each.points for each in rounds] == [0] * 4
    assert {each.played.outcome.termination for each in rounds} == {Termination.FORFEIT}
    assert match.names == ("failing", "first")
    notes = [each.played.note.split(": ")[0] for each in rounds]
    assert notes == ["failing failed as White", "failing failed as Black"] * 2


def test_players_are_closed_after_every_game(tmp_path: Path) -> None:
    file = tmp_path / "closed"
    list(Match("english", partial(Counting, file), "random", games=3).play())
    assert file.read_text().split() == ["closed"] * 3


def told(file: Path) -> list[str]:
    return file.read_text().split()


def test_players_that_last_are_reused(tmp_path: Path) -> None:
    file = tmp_path / "told"
    rounds = list(Match("english", partial(Lasting, file), First, games=3).play())
    assert len(rounds) == 3
    assert told(file) == ["begun", *["ended"] * 3, "closed"]


def test_a_player_that_failed_is_replaced_for_the_next_game(tmp_path: Path) -> None:
    file = tmp_path / "told"
    rounds = list(Match("english", partial(Lasting, file, fails_at=6), First, games=4).play())
    assert [each.played.outcome.termination is Termination.FORFEIT for each in rounds] == [False, True] * 2
    assert rounds[1].played.note == "lasting failed as Black: RuntimeError: enough"
    assert told(file) == ["begun", "ended", "failed", "ended", "closed"] * 2


def test_closing_a_match_closes_its_players(tmp_path: Path) -> None:
    file = tmp_path / "told"
    rounds = Match("english", partial(Lasting, file), First, games=4).play()
    next(rounds)
    rounds.close()
    assert told(file)[-1] == "closed"
    assert told(file).count("closed") == 1


def test_players_that_last_are_closed_in_every_process(tmp_path: Path) -> None:
    file = tmp_path / "told"
    lasting = partial(Lasting, file, closes_in=0.2)  # which is longer than a process takes to end
    rounds = list(Match("english", lasting, First, games=6).play(concurrency=2))
    assert len(rounds) == 6
    assert told(file).count("ended") == 6
    assert 1 <= told(file).count("closed") <= 2
    assert active_children() == []


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_player_that_never_starts_ends_the_match(concurrency: int) -> None:
    played: list[MatchGame] = []
    match = Match("english", First, Stillborn, games=40)
    problem = "stillborn failed before its first move in 3 games in a row: RuntimeError: never born"
    with pytest.raises(TablemenError, match=problem):
        played.extend(match.play(concurrency=concurrency))
    assert [each.points for each in played] == [1, 1, 1]
    assert active_children() == []


def test_two_players_that_never_start_end_the_match() -> None:
    """Each wins the games in which the other fails first, without moving."""
    played: list[MatchGame] = []
    with pytest.raises(TablemenError, match="stillborn failed before its first move in 3 games in a row"):
        played.extend(Match("english", Stillborn, Stillborn, games=40).play())
    assert [each.points for each in played] == [0, 1, 0, 1, 0][: len(played)]
    assert len(played) == 5


def test_a_player_that_sometimes_starts_may_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two failures in a row are accepted."""
    games = iter(range(9))

    def begin(_player: Player, _game: Game[Any, Any]) -> None:
        if next(games) % 3 < 2:
            raise RuntimeError("not yet")

    monkeypatch.setattr(Stillborn, "begin_game", begin)
    rounds = list(Match("english", First, Stillborn, games=9).play())
    assert [each.played.outcome.termination is Termination.FORFEIT for each in rounds] == [True, True, False] * 3


def test_a_sequential_test_ends_the_match() -> None:
    match = Match("english", Resigning, "random", games=1000, sprt=Sprt(-200, 0), openings=Openings(plies=2))
    rounds = list(match.play())
    results = MatchResults(match.sprt)
    for each in rounds:
        results.add(each)
    assert results.verdict is Verdict.H0
    assert len(rounds) == 2 * sum(results.settled.pairs) < 100
    other = MatchResults(match.sprt)
    for each in match.play(concurrency=2):
        other.add(each)
    assert (other.verdict, other.settled) == (results.verdict, results.settled)
    assert active_children() == []


def test_each_player_keeps_its_time_control_on_either_side() -> None:
    controls = (TimeControl(1000), TimeControl(2000, 1))
    rounds = list(Match("english", First, "random", games=2, controls=controls, longest=4).play())
    for each in rounds:
        assert each.played.controls == {each.first: controls[0], each.first.opponent: controls[1]}


def test_a_single_player_plays_one_game_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RandomPlayer, "is_single", True)
    match = Match("english", "random", First, games=2)
    assert len(list(match.play())) == 2
    with pytest.raises(TablemenError, match="random can play one game at a time, and not 2"):
        next(match.play(concurrency=2))
    with ThreadPoolExecutor(1) as executor, pytest.raises(TablemenError, match="random can play one game at a time"):
        next(match.play(executor=executor))


def test_a_dead_worker_ends_the_match_with_an_error() -> None:
    with pytest.raises(TablemenError, match="a process that played games has ended"):
        list(Match("english", Vanishing, First, games=2).play(concurrency=2))
    assert active_children() == []


class VanishingLater(First):
    """Ends its whole process as soon as a file exists."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def choose(self, game: Game[Any, Any]) -> Any:
        if self.file.exists():
            os._exit(3)
        return super().choose(game)


def test_a_dead_worker_loses_no_finished_game(tmp_path: Path) -> None:
    file = tmp_path / "vanish"
    numbers: list[int] = []

    def play() -> None:
        for each in Match("english", partial(VanishingLater, file), First, games=1000).play(concurrency=2):
            numbers.append(each.number)
            if len(numbers) == 5:
                file.touch()

    with pytest.raises(TablemenError, match="a process that played games has ended"):
        play()
    assert 5 <= len(numbers) == len(set(numbers)) < 1000
    assert len(set(range(1, max(numbers))) - set(numbers)) <= 2  # the games in play
    assert active_children() == []


def test_finished_games_are_yielded_before_the_error_of_a_broken_executor() -> None:
    class Breaking(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            _, number = arguments
            if number > 3:
                raise BrokenExecutor("gone")
            future: Future[Any] = Future()
            future.set_result(function(*arguments, **named))
            return future

    played: list[MatchGame] = []
    with pytest.raises(TablemenError, match="a process that played games has ended: gone"):
        played.extend(small().play(executor=Breaking()))
    assert [each.number for each in played] == [1, 2, 3]


def test_ctrl_c_ends_the_workers_at_once() -> None:
    match = Match("english", Sleeping, "random", games=4)
    rounds = match.play(concurrency=2)
    with pytest.raises(KeyboardInterrupt):
        interrupt(rounds)
    assert active_children() == []


def interrupt(rounds: Any) -> None:
    """Raise SIGINT while games are played."""
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        next(rounds)
    finally:
        timer.cancel()
        rounds.close()


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
    with pytest.raises(TablemenError, match="there is no player 'nobody'"):
        Match("english", "nobody", "random")
    with pytest.raises(TablemenError, match="a match has no people in it"):
        Match("english", "random", "human")
    with pytest.raises(GameError, match="the robot plays games of mancala alone"):
        Match("english", "random", "robot")
    with pytest.raises(GameError, match="the openings are russian, and the match is english"):
        Match("english", "random", "random", openings=Openings([Game(Position.start("russian"))]))
    with pytest.raises(ArgumentError, match="player is 3: a text such as searcher:depth=6, or what makes a player, is"):
        Match("english", 3, "random")  # type: ignore[arg-type]
    for name, value in (("games", 0), ("longest", 0), ("seed", -1), ("games", 2.5)):
        with pytest.raises(ArgumentError, match=f"{name} is {value}: a whole number from"):
            small(**{name: value})
    for name in ("resign", "draw", "sprt"):
        with pytest.raises(ArgumentError, match=f"{name} is 5: a .* or None is expected"):
            small(**{name: 5})
    with pytest.raises(ArgumentError, match=r"control is '5\+3': a TimeControl or None is expected"):
        small(controls=("5+3", None))
    with pytest.raises(ArgumentError, match="margin is -1"):
        small(margin=-1)
    with pytest.raises(ArgumentError, match="concurrency is 0: a whole number from 1 up is expected"):
        next(small().play(concurrency=0))
