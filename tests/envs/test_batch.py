"""`BatchEnv` against games that are played move by move in Python."""

from __future__ import annotations

import gc
import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, Side, TablemenError, WorkLimitError, work_limit
from tablemen import draughts as dr
from tablemen import mancala as ma
from tablemen.draws import Repetition
from tablemen.envs import Batch, BatchEnv
from tablemen.errors import ActionSpaceError, IllegalActionError
from tests import strategies
from tests.envs.model import GameModel
from tests.mancala import strategies as mancala_strategies

GAMES = 3
ENCODINGS = {"draughts": ("slot", "from-to", "step"), "mancala": ("slot", "house")}
SIDES = list(Side)
MAX_SEEDS = 255


def check_game(batch: Batch, index: int, model: GameModel) -> None:
    """Compare the current position of a game with a model."""
    assert np.array_equal(batch.observation[index], model.observation())
    assert np.flatnonzero(batch.mask[index]).tolist() == model.legal_actions
    assert batch.turn[index] == SIDES.index(model.game.turn)


def play_beside(env: BatchEnv, starts: list[Any], steps: int, **options: Any) -> set[str]:
    """Play random actions in an environment and in models, and compare them. Return how games ended."""
    ends: set[str] = set()
    numbers = list(range(env.games))  # of the game in each place

    def begin(index: int) -> GameModel:
        start = starts[numbers[index] % len(starts)]
        return GameModel(start, env.encoding, **options)

    models = [begin(index) for index in range(env.games)]
    batch = env.batch
    for index, model in enumerate(models):
        check_game(batch, index, model)
    for _ in range(steps):
        actions = env.sample_actions()
        assert env.step(actions) is batch
        for index, action in enumerate(actions):
            model = models[index]
            mover = SIDES.index(model.game.turn)
            assert batch.reward[index] == model.step(int(action))
            assert batch.mover[index] == mover
            assert batch.plies[index] == len(model.game.moves)
            assert bool(batch.terminated[index]) == (model.outcome is not None)
            assert bool(batch.truncated[index]) == model.is_truncated
            winner = None if model.outcome is None else model.outcome.winner
            assert batch.winner[index] == (-1 if winner is None else SIDES.index(winner))
            if model.is_over:
                ends.add(model.outcome.termination.name if model.outcome else "TRUNCATED")
                assert np.array_equal(batch.final_observation[index], model.observation())
                numbers[index] += env.games
                models[index] = begin(index)
            check_game(batch, index, models[index])
    assert env.positions() == [model.game.position for model in models]
    return ends


def check_rules(starts: list[Any], name: str, seed: int, steps: int, *, ends: tuple[int | None, bool]) -> set[str]:
    """Compare an environment with models; positions whose captures are too many to list are skipped."""
    rules, options = starts[0].variant, dict(zip(("max_plies", "claim_draws"), ends, strict=True))
    arguments: dict[str, Any] = {"seed": seed, "actions": name, "start": starts, **options}
    try:
        with work_limit(200_000):
            env = BatchEnv(rules, games=GAMES, **arguments)
            return play_beside(env, starts, steps, **options)
    except (ActionSpaceError, WorkLimitError):
        return set()


@pytest.mark.parametrize("variant", ["english", "russian", "turkish", "frisian", "kalah", "oware"])
def test_variants_agree_with_games(variant: str) -> None:
    check_variant(variant, 100)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*dr.VARIANTS, *ma.VARIANTS])
def test_all_variants_agree_with_games(variant: str) -> None:
    check_variant(variant, 120)


def check_variant(variant: str, steps: int) -> None:
    family = "draughts" if variant in dr.VARIANTS else "mancala"
    start = (dr if family == "draughts" else ma).Position.start(variant)
    for name in ENCODINGS[family]:
        assert check_rules([start], name, 5, steps, ends=(steps // 2, True))


PLIES, SEEDS = st.sampled_from((None, None, 1, 2, 7)), st.integers(0, 99)


@settings(max_examples=30)
@given(data=st.data(), name=st.sampled_from(ENCODINGS["draughts"]), seed=SEEDS, plies=PLIES, claims=st.booleans())
def test_rules_of_draughts(data: st.DataObject, name: str, seed: int, plies: int | None, *, claims: bool) -> None:
    rules = data.draw(strategies.rule_sets())
    positions = strategies.positions(st.just(rules)).filter(lambda position: not is_over(position, claims=claims))
    starts = data.draw(st.lists(positions, min_size=1, max_size=3))
    check_rules(starts, name, seed, 25, ends=(plies, claims))


@settings(max_examples=40)
@given(data=st.data(), name=st.sampled_from(ENCODINGS["mancala"]), seed=SEEDS, plies=PLIES, claims=st.booleans())
def test_rules_of_mancala(data: st.DataObject, name: str, seed: int, plies: int | None, *, claims: bool) -> None:
    rules = data.draw(mancala_strategies.rule_sets())
    if data.draw(st.booleans()):
        times = data.draw(st.sampled_from((2, 3)))
        rules = replace(rules, draws=(Repetition(times, by_claim=data.draw(st.booleans())), *rules.draws))
    positions = mancala_strategies.positions(st.just(rules))
    positions = positions.filter(lambda position: position.legal_moves() and total(position) <= MAX_SEEDS)
    starts = data.draw(st.lists(positions, min_size=1, max_size=3))
    check_rules(starts, name, seed, 60, ends=(plies, claims))


def total(position: ma.Position) -> int:
    return sum(sum(position.houses(side)) + position.stores[side] for side in SIDES)


def is_over(position: dr.Position, *, claims: bool) -> bool:
    game = Game(position)
    return bool(game.outcome() or (claims and game.claims()))


def test_a_rule_without_a_claim_precedes_a_claim() -> None:
    draws = (Repetition(3, by_claim=True), *ma.OWARE.draws)
    rules = ma.OwareRules(name="tiny", houses=1, seeds=1, must_feed=False, majority_ends=False, draws=draws)
    start = ma.Position.from_text("<1,0,0,1,1> south", rules)
    assert play_beside(BatchEnv(rules, games=1, start=start), [start], 10) == {"REPETITION"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "ends"),
    [
        (dr.Position.from_fen("W:WK46,K47,K48:BK5", "international"), {"FEW_AGAINST_KING", "KING_AGAINST_KING"}),
        (dr.Position.from_fen("W:WK29,K30:BK3,K4", "english"), {"REPETITION", "KING_MOVES", "NO_PIECES"}),
        (dr.Position.from_fen("W:WK29,K30:BK3,K4", "italian"), {"REPETITION", "NO_PIECES"}),
        (ma.Position.start(ma.OwareRules(name="small", houses=2, seeds=1)), {"REPETITION"}),
    ],
    ids=lambda it: it.variant.name if hasattr(it, "variant") else "",
)  # fmt: skip
def test_games_end_by_draw_rules(start: Any, ends: set[str]) -> None:
    env = BatchEnv(start.variant, games=6, seed=1, start=start)
    assert ends <= play_beside(env, [start], 300)


def test_men_that_move_sideways_can_repeat_a_position() -> None:
    env = BatchEnv("turkish", games=1, start=dr.Position.from_fen("W:Wa3,h3:Ba6,h6", "turkish"))
    for text in ["a3-b3", "a6-b6", "b3-a3", "b6-a6"] * 2:
        assert not env.batch.terminated[0]
        (position,) = env.positions()
        env.step([env.encoding.encode(position, position.parse_move(text))])
    assert env.batch.terminated[0]
    assert (env.batch.winner[0], env.batch.reward[0], env.batch.plies[0]) == (-1, 0, 8)


def run(steps: int = 150, **options: Any) -> list[Batch]:
    env = BatchEnv("russian", games=200, seed=9, max_plies=60, **options)
    return [env.step_random().copy() for _ in range(steps)]


def assert_equal(one: Batch, other: Batch) -> None:
    for field in fields(one):
        if field.name != "final_observation":  # undefined for games that are not over
            assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name
    ended = one.terminated | one.truncated
    assert np.array_equal(one.final_observation[ended], other.final_observation[ended])


@pytest.mark.parametrize("actions", ["slot", "step"])
def test_threads_do_not_change_the_games(actions: str) -> None:
    for one, three in zip(run(threads=1, actions=actions), run(threads=3, actions=actions), strict=True):
        assert_equal(one, three)


def test_random_steps_are_sampled_actions() -> None:
    one, other = (BatchEnv("kalah", games=30, seed=4) for _ in range(2))
    for _ in range(100):
        assert_equal(one.step_random(), other.step(other.sample_actions()))


def test_seeds_and_episodes_have_their_own_games() -> None:
    def play(env: BatchEnv) -> list[str]:
        for _ in range(20):
            env.step_random()
        return [str(position) for position in env.positions()]

    env = BatchEnv("english", games=4, seed=3)
    first = play(env)
    assert len(set(first)) == 4
    env.reset()
    second = play(env)
    assert not set(first) & set(second)
    env.reset(seed=3)
    assert play(env) == first
    assert play(BatchEnv("english", games=4, seed=2**64 + 3)) == first


def test_games_that_are_over_wait_for_a_reset() -> None:
    env = BatchEnv("kalah", games=40, seed=1, auto_reset=False)
    batch = env.batch
    for _ in range(300):
        before = batch.copy()
        over = before.terminated
        env.step(np.where(over, 77, env.sample_actions()))
        assert not batch.mask[batch.terminated].any()
        assert batch.mask[~batch.terminated].any(axis=1).all()
        assert (batch.mover[over] == -1).all()
        assert (batch.reward[over] == 0).all()
        assert np.array_equal(batch.observation[over], before.observation[over])
        assert (batch.terminated >= over).all()
    assert batch.terminated.all()
    assert set(batch.winner) == {-1, 0, 1}
    kept = batch.copy()
    selected = np.arange(40) < 10
    env.reset_games(selected)
    assert not batch.terminated[:10].any()
    assert (batch.plies[:10] == 0).all()
    assert batch.terminated[10:].all()
    assert np.array_equal(batch.observation[10:], kept.observation[10:])


def test_start_positions_are_used_in_turn() -> None:
    starts = [dr.Position.from_fen(f"W:WK{square}:BK4", "english") for square in (29, 30, 31, 32, 28)]
    env = BatchEnv("english", games=2, start=starts)
    seen = [env.positions()]
    for _ in range(3):
        env.reset()
        seen.append(env.positions())
    assert [position for positions in seen for position in positions] == [*starts, *starts[:3]]
    assert BatchEnv("english", games=2, start=starts[1]).positions() == [starts[1]] * 2


@pytest.mark.parametrize(
    ("variant", "name"),
    [("english", "slot"), ("russian", "step"), ("international", "from-to"), ("oware", "house"), ("kalah", "slot")],
)
def test_states_continue_the_same_games(variant: str, name: str) -> None:
    env = BatchEnv(variant, games=5, seed=2, actions=name, max_plies=30)
    for _ in range(13):
        env.step_random()
    states, before = env.states(), env.batch.copy()
    expected = [env.step_random().copy() for _ in range(60)]
    restored = env.set_states(states)
    for array in ("observation", "mask", "turn", "plies"):
        assert np.array_equal(getattr(restored, array), getattr(before, array))
    for batch in expected:
        assert_equal(env.step_random(), batch)
    # In another environment, in another order.
    other = BatchEnv(variant, games=6, actions=env.encoding.name, max_plies=30)
    order = [4, 0, 4, 2]
    other.set_states(states[order], [1, 2, 3, 5])
    moved = other.batch
    assert np.array_equal(moved.observation[[1, 2, 3, 5]], before.observation[order])
    assert np.array_equal(moved.mask[[1, 2, 3, 5]], before.mask[order])
    assert len(states[order]) == 4
    assert len(states[1]) == 1
    assert len(states[1:3]) == 2


def test_states_include_the_draw_counters() -> None:
    start = dr.Position.from_fen("W:WK29,K30:BK3,K4", "italian")
    env = BatchEnv("italian", games=1, start=start)
    cycle = ["29-25", "3-7", "25-29", "7-3"]
    states = []
    for text in cycle * 2:
        states.append(env.states())
        (position,) = env.positions()
        env.step([env.encoding.encode(position, position.parse_move(text))])
    ends = [env.batch.terminated[0]]
    for state in states:  # each state is one move nearer to the end
        env.set_states(state)
        steps = 0
        while not env.batch.terminated[0]:
            (position,) = env.positions()
            moves = [move for move in position.legal_moves() if str(move) in cycle]
            env.step([env.encoding.encode(position, moves[0])])
            steps += 1
        ends.append(steps)
    assert ends == [False, 12, 11, 10, 9, 8, 7, 6, 5]


def test_states_of_different_environments_are_refused() -> None:
    env = BatchEnv("english", games=2)
    states = env.states()
    for other in (
        BatchEnv("russian", games=2),
        BatchEnv("english", games=2, actions="step"),
        BatchEnv("kalah", games=2),
    ):
        with pytest.raises(ArgumentError) as raised:
            other.set_states(states)
        assert raised.value.name == "states"
    for games in ([0], [0, 2], [0, -1]):
        with pytest.raises(ArgumentError):
            env.set_states(states, games)


def test_a_seed_gives_equal_states_different_games() -> None:
    env = BatchEnv("english", games=8)
    state = env.states([0])[[0] * 8]
    counts = []
    for seed in (None, 7, 7):
        env.set_states(state, seed=seed)
        for _ in range(10):
            env.step_random()
        counts.append([str(position) for position in env.positions()])
    assert [len(set(texts)) for texts in counts] == [1, 8, 8]
    assert counts[1] == counts[2]


@pytest.mark.parametrize(
    ("variant", "name"), [("english", "slot"), ("english", "from-to"), ("english", "step"), ("kalah", "house")]
)
def test_illegal_actions_change_nothing(variant: str, name: str) -> None:
    env = BatchEnv(variant, games=5, actions=name, seed=1)
    for _ in range(9):
        env.step_random()
    before, positions = env.batch.copy(), env.positions()
    illegal = int(np.flatnonzero(~before.mask[3])[-1])
    for wrong in (illegal, -1, env.action_size, 2**40):
        actions = env.sample_actions()
        actions[3] = wrong
        with pytest.raises(IllegalActionError) as raised:
            env.step(actions)
        assert (raised.value.game, raised.value.action, raised.value.position) == (3, wrong, positions[3])
        assert_equal(env.batch, before)
        assert env.positions() == positions


def test_positions_with_too_many_moves_stop_a_game() -> None:
    start = dr.Position.from_fen("W:W31:BK1,K20", "international")
    env = BatchEnv("international", games=2, limit=3, start=start)
    with pytest.raises(ActionSpaceError) as raised:
        env.step([0, 0])
    for _ in range(2):
        assert raised.value.limit == 3
        assert raised.value.position == env.positions()[0]
        assert not env.batch.mask.any()
        with pytest.raises(ActionSpaceError) as raised:
            env.step_random()
    env.reset()
    assert env.batch.mask.any(axis=1).all()
    with pytest.raises(ActionSpaceError):
        BatchEnv("international", limit=3)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"games": 0}, "games"),
        ({"threads": 0}, "threads"),
        ({"max_plies": 0}, "max_plies"),
        ({"actions": "house"}, "name"),
        ({"start": []}, "start"),
        ({"start": [dr.Position.start("russian")]}, "start[0]"),
        ({"start": ma.Position.start("kalah")}, "start"),
        ({"start": [dr.Position.start("english"), dr.Position.from_fen("W:W1:B", "english")]}, "start[1]"),
    ],
)
def test_invalid_arguments(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        BatchEnv("english", **arguments)
    assert raised.value.name == name


def test_invalid_actions_and_games() -> None:
    env = BatchEnv("english", games=3)
    for actions in ([0, 0], [[0, 0, 0]], [0.0, 1.0, 2.0], ["a", "b", "c"], 0):
        with pytest.raises(ArgumentError):
            env.step(actions)
    for selected in ([1, 0, 1], [True], True):
        with pytest.raises(ArgumentError):
            env.reset_games(selected)
    for games in ([3], [-1], [0.5]):
        with pytest.raises(ArgumentError):
            env.positions(games)
    assert env.positions([]) == []


def test_documented_numbers_of_actions() -> None:
    text = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
    documented = set()
    for columns, rows in re.findall(
        r"^\| variants of .*?((?: \| `[a-z-]+`)+) \|\n.*\n((?:\|.*\n)+)", text, re.MULTILINE
    ):
        names = re.findall(r"`([a-z-]+)`", columns)
        for row in rows.splitlines():
            variants, *numbers = row.strip("| ").split(" | ")
            for variant in variants.split(", "):
                for name, number in zip(names, numbers[-len(names) :], strict=True):
                    documented.add((variant, name))
                    assert BatchEnv(variant, games=1, actions=name).action_size == int(number.replace(",", ""))
    variants = [*((name, "draughts") for name in dr.VARIANTS), *((name, "mancala") for name in ma.VARIANTS)]
    assert documented == {(variant, name) for variant, family in variants for name in ENCODINGS[family]}


def test_numpy_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(TablemenError, match="pip install"):
        BatchEnv("english", games=1)


class OwnRule(Repetition):
    """A draw rule that the core cannot count."""


@pytest.mark.parametrize("rules", [dr.ENGLISH, ma.KALAH])
def test_draw_rules_in_python_are_refused(rules: Any) -> None:
    with pytest.raises(ArgumentError) as raised:
        BatchEnv(replace(rules, name="own", draws=(OwnRule(3),)))
    assert raised.value.name == "variant"
    BatchEnv(replace(rules, name="own", draws=(OwnRule(3, by_claim=True),)), games=1, claim_draws=False)


def test_observations_need_few_seeds() -> None:
    with pytest.raises(ArgumentError):
        BatchEnv(replace(ma.KALAH, name="many", seeds=30))


def test_a_step_can_be_interrupted() -> None:
    rules = replace(dr.INTERNATIONAL, name="wide", columns=16, rows=16, start_rows=3, precedence=())
    squares = [(row, column) for row in range(3, 14, 2) for column in range(2, 14, 2)]
    crowded = [square for square in rules.mover.squares if (square.row, square.column) in squares]
    king = next(square for square in rules.mover.squares if square.row == 15)
    start = dr.Position(rules, Side.BLACK, white_kings=[king], black_men=crowded)
    start = start.replace(turn=Side.BLACK)
    env = BatchEnv(rules, games=2, start=start)
    with pytest.raises(WorkLimitError), work_limit(10_000):
        env.step_random()
    for call in (env.step_random, env.states):
        with pytest.raises(TablemenError):
            call()
    env.reset()
    assert env.positions() == [start] * 2


def test_arrays_are_views_of_the_same_memory() -> None:
    env = BatchEnv("kalah", games=4)
    kept, addresses = env.reset(), [getattr(env.batch, field.name).ctypes.data for field in fields(Batch)]
    copied = kept.copy()
    batch = env.step_random()
    assert [getattr(batch, field.name).ctypes.data for field in fields(Batch)] == addresses
    assert not np.array_equal(kept.observation, copied.observation)
    arrays = batch.observation
    del env, batch, kept
    gc.collect()
    assert arrays.sum() == 4 * 48  # the memory exists as long as an array
