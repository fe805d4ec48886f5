"""Evaluations by Python functions."""

from __future__ import annotations

import asyncio
import gc
import math
import weakref
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, mancala
from tablemen.draughts import VARIANTS, Position
from tablemen.draughts.evaluation import Evaluation
from tablemen.search import BatchEvaluation, Info, Level, Limit, Searcher, SearchResult
from tests import strategies
from tests.mancala import strategies as mancala_strategies
from tests.processes import interrupt
from tests.reference.minimax import AnyGame, move_values
from tests.search.test_minimax import feasible_depth, to_value

NAMES = ("international", "frisian", "killer", "antidraughts", "turkish", "kalah", "oware")
FILTERS_MUCH = (HealthCheck.filter_too_much,)
ENDLESS = """
from tablemen.draughts import Position
from tablemen.search import Limit, Searcher

def evaluate(position):
    return position.hash_key % 100 / 100

for info in Searcher(table_mb=1, threads={threads}, evaluation=evaluate).analyse(Position.start("international")):
    if info.depth == 3:
        print("thinking", flush=True)
"""


def arbitrary(position: Any) -> float:
    """Return a value that has nothing to do with the position's worth, in hundredths."""
    key: int = position.hash_key
    return (key % 2001 - 1000) / 100


def evaluate_all(positions: list[Any]) -> list[float]:
    return [arbitrary(position) for position in positions]


def start(name: str) -> Any:
    return Position.start(name) if name in VARIANTS else mancala.Position.start(name)


class Log:
    """An evaluation that remembers its calls."""

    def __init__(self) -> None:
        self.calls: list[list[Any]] = []

    def one(self, position: Any) -> float:
        self.calls.append([position])
        return arbitrary(position)

    def batch(self, positions: list[Any]) -> list[float]:
        self.calls.append(positions)
        return evaluate_all(positions)

    def check(self) -> None:
        """Check that no position was evaluated twice."""
        positions = [position for call in self.calls for position in call]
        assert len(set(positions)) == len(positions) > 0


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_without_pruning_the_value_is_that_of_minimax(name: str, data: st.DataObject) -> None:
    if name in VARIANTS:
        position: Any = data.draw(strategies.positions(strategies.by_name([VARIANTS[name]])))
    else:
        position = data.draw(mancala_strategies.positions(st.just(mancala.VARIANTS[name])))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = data.draw(st.integers(0, feasible_depth(position)))
    assume(depth)
    values = move_values(game, depth, arbitrary)
    for evaluation in (arbitrary, BatchEvaluation(evaluate_all)):
        searcher = Searcher(pruning=False, table_mb=1, evaluation=evaluation)
        result = searcher.choose(game, Limit(depth=depth))
        assert to_value(result.score) == max(values.values()), f"{game!r} to depth {depth}"
        assert values[result.move] == max(values.values())
        assert searcher.evaluate(position) == arbitrary(position)


def in_short(result: SearchResult[Any]) -> list[tuple[Any, ...]]:
    return [(info.line, info.score, info.nodes) for info in result.lines]


@pytest.mark.parametrize("name", ["english", "frisian", "thai", "kalah", "oware"])
def test_functions_and_batches_search_the_same_tree(name: str) -> None:
    log, batches, limit = Log(), Log(), Limit(depth=5)
    searchers = [
        Searcher(table_mb=1, evaluation=evaluation) for evaluation in (log.one, BatchEvaluation(batches.batch))
    ]
    results = [searcher.analyse(start(name), limit, multipv=2).result() for searcher in searchers]
    assert in_short(results[0]) == in_short(results[1])
    log.check()
    batches.check()
    assert len(batches.calls) < len(log.calls) * 0.75
    before = len(log.calls)
    searchers[0].choose(start(name), Limit(depth=6))
    log.check()
    searchers[0].clear()
    log.calls.clear()
    assert in_short(searchers[0].analyse(start(name), limit, multipv=2).result()) == in_short(results[0])
    assert len(log.calls) == before


@pytest.mark.parametrize("name", ["english", "frisian", "russian"])
def test_the_function_of_an_evaluation_searches_the_same_tree(name: str) -> None:
    evaluation = Evaluation.default(name)
    results = [
        Searcher(table_mb=1, evaluation=each).choose(start(name), Limit(depth=6))
        for each in (evaluation, evaluation.evaluate)
    ]
    assert in_short(results[0]) == in_short(results[1])


def test_searches_in_other_variants_do_not_mix() -> None:
    """English and Brazilian draughts have positions with the same pieces."""
    seen = []

    def evaluate(position: Any) -> float:
        seen.append(position.variant.name)
        return 1.0 if position.variant.name == "english" else 2.0

    searcher = Searcher(table_mb=1, evaluation=evaluate)
    for name in ("english", "brazilian", "kalah", "english"):
        seen.clear()
        searcher.choose(start(name), Limit(depth=2))
        assert set(seen) == {name}


class ModelError(Exception):
    pass


@pytest.mark.parametrize("error", [ModelError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("name", ["international", "oware"])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_ends_the_search(name: str, error: type[BaseException], threads: int) -> None:
    raised: list[BaseException] = []

    def evaluate(position: Any) -> float:
        if len(calls := calls_of.setdefault(position, [])) == 0 and len(calls_of) > 200:
            raised.append(error("out of memory"))
            raise raised[-1]
        calls.append(position)
        return 0.0

    calls_of: dict[Any, list[Any]] = {}
    searcher = Searcher(table_mb=1, evaluation=evaluate, threads=threads)
    analysis = searcher.analyse(start(name), Limit())
    with pytest.raises(error) as caught:
        analysis.result()
    assert caught.value in raised
    with pytest.raises(error):
        list(analysis)
    # The searcher can be used again.
    calls_of.clear()
    assert searcher.choose(start(name), Limit(depth=1)).move in start(name).legal_moves()


def test_asynchronous_code_gets_the_exception() -> None:
    def evaluate(_position: Any) -> float:
        raise ModelError

    async def search() -> list[Info[Any]]:
        return [info async for info in Searcher(table_mb=1, evaluation=evaluate).analyse(start("english"))]

    with pytest.raises(ModelError):
        asyncio.run(search())


@pytest.mark.parametrize("value", [math.nan, math.inf, -65_535.01, 1e300, 10**400, "1", None, [0.0]])
def test_values_must_be_numbers_within_the_range(value: Any) -> None:
    """Reject the value in a search and in `evaluate`, of a function and in a batch."""
    position = start("english")
    for evaluation in (lambda _position: value, BatchEvaluation(lambda positions: [value] * len(positions))):
        searcher = Searcher(table_mb=1, evaluation=evaluation)
        for search in (lambda: searcher.choose(position, Limit(depth=1)), lambda: searcher.evaluate(position)):  # noqa: B023 - called in the same iteration
            with pytest.raises((ArgumentError, OverflowError)) as caught:
                search()
            if isinstance(caught.value, ArgumentError):
                assert caught.value.name.startswith("evaluation of ")
                assert repr(caught.value.value) == repr(value)


@pytest.mark.parametrize("values", [[], [0.0] * 100, 0.0, None])
def test_a_batch_needs_a_value_for_each_position(values: Any) -> None:
    searcher = Searcher(table_mb=1, evaluation=BatchEvaluation(lambda _positions: values))
    with pytest.raises(ArgumentError) as caught:
        searcher.choose(start("kalah"), Limit(depth=1))
    assert (caught.value.name, caught.value.value) == ("batch evaluation", values)


def test_arrays_are_sequences_of_values() -> None:
    numpy = pytest.importorskip("numpy")
    arrays = BatchEvaluation(lambda positions: numpy.array(evaluate_all(positions)))
    results = [
        Searcher(table_mb=1, evaluation=evaluation).choose(start("english"), Limit(depth=4))
        for evaluation in (arrays, lambda position: numpy.float64(arbitrary(position)))
    ]
    assert in_short(results[0]) == in_short(results[1])


@pytest.mark.parametrize("evaluation", [1.0, "material", [arbitrary]])
def test_an_evaluation_must_be_callable(evaluation: Any) -> None:
    with pytest.raises(ArgumentError):
        Searcher(evaluation=evaluation)
    with pytest.raises(ArgumentError):
        BatchEvaluation(evaluation)


def test_a_slow_function_respects_the_limits() -> None:
    calls = []

    def evaluate(position: Any) -> float:
        calls.append(position)
        if len(calls) == 100:
            analysis.stop()
        return 0.0

    searcher = Searcher(table_mb=1, evaluation=evaluate)
    analysis = searcher.analyse(start("international"), Limit())
    assert analysis.result().move in start("international").legal_moves()
    assert len(calls) == 100


def test_levels_and_threads_use_the_function() -> None:
    searcher = Searcher(table_mb=1, evaluation=arbitrary, threads=2)
    assert searcher.choose(start("english"), Level(3)).move in start("english").legal_moves()


def test_a_searcher_in_its_own_function_is_freed() -> None:
    class Engine:
        def __init__(self) -> None:
            self.searcher = Searcher(table_mb=1, evaluation=self.evaluate)
            self.searcher.choose(start("english"), Limit(depth=2))

        def evaluate(self, position: Any) -> float:
            return arbitrary(position)

    engine = weakref.ref(Engine())
    gc.collect()
    assert engine() is None


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_with_a_function(threads: int) -> None:
    assert interrupt(ENDLESS.format(threads=threads), "thinking")[-1] == "KeyboardInterrupt"
