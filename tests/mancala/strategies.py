"""Hypothesis strategies: known and custom rules of mancala, and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tablemen.mancala import (
    NORTH,
    SOUTH,
    VARIANTS,
    Capture,
    End,
    GrandSlam,
    KalahRules,
    MancalaRules,
    OwareRules,
    Position,
    Rest,
    Swap,
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

HOUSES = st.one_of(
    st.integers(1, 8), st.integers(1, 24)
)  # mostly small; rows of up to 7 houses have their own representation
FEW, MANY = st.integers(0, 4), st.integers(0, 60)  # seeds in a pit: for captures, and for laps


def variants() -> SearchStrategy[MancalaRules]:
    """Return a strategy for the known variants."""
    return st.sampled_from(list(VARIANTS)).map(lambda name: VARIANTS[name])


@st.composite
def kalah_rules(draw: DrawFn) -> KalahRules:
    """Draw any rules of the Kalah family."""
    return KalahRules(
        name="custom",
        houses=draw(HOUSES),
        seeds=draw(st.integers(1, 12)),
        capture=draw(st.sampled_from(Capture)),
        end=draw(st.sampled_from(End)),
        rest=draw(st.sampled_from(Rest)),
        swap=draw(st.sampled_from(Swap)),
    )


@st.composite
def oware_rules(draw: DrawFn) -> OwareRules:
    """Draw any rules of the Oware family."""
    return OwareRules(
        name="custom",
        houses=draw(HOUSES),
        seeds=draw(st.integers(1, 12)),
        grand_slam=draw(st.sampled_from(GrandSlam)),
        must_feed=draw(st.booleans()),
        majority_ends=draw(st.booleans()),
    )


def rule_sets() -> SearchStrategy[MancalaRules]:
    """Return a strategy for known and custom rules."""
    return st.one_of(variants(), kalah_rules(), oware_rules())


@st.composite
def edited_positions(draw: DrawFn, rules: SearchStrategy[MancalaRules]) -> Position:
    """Draw a position with any seeds, often with an empty side, few seeds, or enough seeds for laps."""
    chosen = draw(rules)
    seeds = draw(st.sampled_from((FEW, FEW, MANY, st.one_of(FEW, MANY))))
    row = st.lists(seeds, min_size=chosen.houses, max_size=chosen.houses)
    empty = st.just([0] * chosen.houses)
    rows = st.one_of(row, row, row, empty)
    has_pie = isinstance(chosen, KalahRules) and chosen.swap is Swap.PIE
    return Position(
        chosen,
        draw(st.sampled_from((SOUTH, NORTH))),
        houses={SOUTH: draw(rows), NORTH: draw(rows)},
        stores={SOUTH: draw(MANY), NORTH: draw(MANY)},
        swap_open=has_pie and draw(st.booleans()),
    )


@st.composite
def played_positions(draw: DrawFn, rules: SearchStrategy[MancalaRules]) -> Position:
    """Draw a position from a random game."""
    position = Position.start(draw(rules))
    for _ in range(draw(st.integers(0, 60))):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(draw(st.sampled_from(moves)))
    return position


def positions(rules: SearchStrategy[MancalaRules] | None = None) -> SearchStrategy[Position]:
    """Return a strategy for positions from games and for edited positions, with the given rules or any."""
    rules = rule_sets() if rules is None else rules
    return st.one_of(played_positions(rules), edited_positions(rules))


@st.composite
def small_positions(draw: DrawFn, houses: st.SearchStrategy[int]) -> Position:
    """Draw a position with few seeds, with any rules of the Kalah family."""
    rules = KalahRules(
        name="small",
        houses=draw(houses),
        seeds=1,
        capture=draw(st.sampled_from(Capture)),
        end=draw(st.sampled_from(End)),
        rest=draw(st.sampled_from(Rest)),
        swap=draw(st.sampled_from(Swap)),
    )
    pits = {side: [0] * rules.houses for side in (SOUTH, NORTH)}
    places = st.tuples(st.sampled_from((SOUTH, NORTH)), st.integers(0, rules.houses - 1))
    limit = {1: 9, 2: 7, 3: 5}.get(
        rules.houses, 3
    )  # limited by the speed of plain minimax; enough for laps on the smallest boards
    for side, house in draw(st.lists(places, max_size=limit)):
        pits[side][house] += 1
    stores = {side: draw(st.integers(0, 9)) for side in (SOUTH, NORTH)}
    swap_open = rules.swap is Swap.PIE and draw(st.booleans())
    return Position(rules, draw(st.sampled_from((SOUTH, NORTH))), houses=pits, stores=stores, swap_open=swap_open)
