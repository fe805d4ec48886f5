"""Parsing and formatting of players."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError
from tablemen.players import (
    PLAYERS,
    HumanPlayer,
    MctsPlayer,
    MinimaxPlayer,
    RandomPlayer,
    RobotPlayer,
    SearcherPlayer,
    format_player,
    parse_player,
)
from tablemen.players.options import WrittenPlayer

SEEDS = st.integers(0, 2**63 - 1)
SHARES = st.floats(0, 1, allow_subnormal=False) | st.integers(0, 1)
POSITIVE = st.integers(1, 1000)
SECONDS = st.floats(0, 1e6, exclude_min=True, allow_subnormal=True)


def searchers() -> st.SearchStrategy[SearcherPlayer]:
    options = {"threads": POSITIVE, "table": POSITIVE, "seed": SEEDS}
    limits = {"depth": POSITIVE, "nodes": POSITIVE, "time": SECONDS | POSITIVE}
    by_limits = st.fixed_dictionaries({}, optional=limits | options)
    by_level = st.fixed_dictionaries({"level": st.integers(1, 10)}, optional=options)
    return (by_limits | by_level).map(lambda settings: SearcherPlayer(**settings))


def players() -> st.SearchStrategy[WrittenPlayer]:
    return st.one_of(
        searchers(),
        st.builds(MinimaxPlayer, depth=POSITIVE, seed=SEEDS),
        st.builds(MctsPlayer, simulations=POSITIVE, batch=POSITIVE, exploration=SHARES, noise=SHARES, seed=SEEDS),
        st.builds(RandomPlayer, seed=SEEDS),
        st.just(RobotPlayer()),
        st.just(HumanPlayer()),
    )


@given(player=players())
def test_texts_round_trip(player: WrittenPlayer) -> None:
    text = format_player(player)
    assert text == str(player) == player.name
    parsed = parse_player(text)
    assert type(parsed) is type(player)
    assert parsed == player
    assert format_player(parsed) == text
    assert (
        parse_player(
            f" {text.upper().replace(':', ' : ')} ".replace(text.partition(":")[2].upper(), text.partition(":")[2])
        )
        == player
    )


@given(player=players().filter(lambda player: not isinstance(player, HumanPlayer)))
def test_reprs_can_be_evaluated(player: WrittenPlayer) -> None:
    assert eval(repr(player)) == player


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("searcher:depth=6", SearcherPlayer(depth=6)),
        ("searcher:level=3", SearcherPlayer(level=3)),
        ("searcher:nodes=20000,threads=2", SearcherPlayer(nodes=20_000, threads=2)),
        ("searcher:time=0.5", SearcherPlayer(time=0.5)),
        ("minimax:depth=3", MinimaxPlayer()),
        ("random:seed=4", RandomPlayer(seed=4)),
        ("robot", RobotPlayer()),
        ("human", HumanPlayer()),
        (" Random : seed = 4 ", RandomPlayer(seed=4)),
    ],
)
def test_parse_player(text: str, player: WrittenPlayer) -> None:
    assert parse_player(text) == player


def test_every_player_has_a_name_and_a_description() -> None:
    for name, kind in PLAYERS.items():
        assert kind.kind == name
        assert kind.about
        if kind.subject is None:
            assert parse_player(name) == kind()
            assert str(kind()) == kind().name == name


def test_defaults_are_left_out() -> None:
    assert format_player(parse_player("minimax:depth=3,seed=0")) == "minimax"
    assert format_player(parse_player("minimax:seed=1,depth=2")) == "minimax:depth=2,seed=1"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("searcher:depth=", "depth", "''"),
        ("searcher:depth=six", "depth", "'six'"),
        ("searcher:depth=0", "depth", "0"),
        ("searcher:level=11", "level", "11"),
        ("searcher:time=nan", "time", "nan"),
        ("searcher:time=inf", "time", "inf"),
        ("searcher:time=-1", "time", "-1.0"),
        ("random:seed=-1", "seed", "-1"),
    ],
)
def test_invalid_values_of_options(text: str, name: str, value: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_player(text)
    assert (caught.value.name, repr(caught.value.value)) == (name, value)


def test_a_time_beyond_floats_is_invalid() -> None:
    with pytest.raises(ArgumentError) as caught:
        SearcherPlayer(time=10**400)
    assert caught.value.name == "time"


def test_only_text_is_parsed() -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_player(3)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("player", 3)


@pytest.mark.parametrize("depth", ["3", 2.5, True, None])
def test_options_are_checked_by_constructors(depth: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        MinimaxPlayer(depth=depth)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("depth", depth)
