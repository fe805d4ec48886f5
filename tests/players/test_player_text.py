"""Parsing and formatting of players, and invalid texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, TablemenError
from tablemen.players import (
    PLAYERS,
    HumanPlayer,
    MinimaxPlayer,
    RandomPlayer,
    RobotPlayer,
    SearcherPlayer,
    format_player,
    parse_player,
)
from tablemen.players.options import WrittenPlayer

SEEDS = st.integers(0, 2**63 - 1)
SEVERAL = st.integers(1, 1000)
SECONDS = st.floats(0, 1e6, exclude_min=True, allow_subnormal=True)


def searchers() -> st.SearchStrategy[SearcherPlayer]:
    others = {"threads": SEVERAL, "table": SEVERAL, "seed": SEEDS}
    limits = {"depth": SEVERAL, "nodes": SEVERAL, "time": SECONDS | SEVERAL}
    by_limits = st.fixed_dictionaries({}, optional=limits | others)
    by_level = st.fixed_dictionaries({"level": st.integers(1, 10)}, optional=others)
    return (by_limits | by_level).map(lambda settings: SearcherPlayer(**settings))


def players() -> st.SearchStrategy[WrittenPlayer]:
    return st.one_of(
        searchers(),
        st.builds(MinimaxPlayer, depth=SEVERAL, seed=SEEDS),
        st.builds(RandomPlayer, seed=SEEDS),
        st.just(RobotPlayer()),
        st.just(HumanPlayer()),
    )


@given(player=players())
def test_players_are_parsed_as_formatted(player: WrittenPlayer) -> None:
    text = format_player(player)
    assert text == str(player) == player.name
    again = parse_player(text)
    assert type(again) is type(player)
    assert again == player
    assert format_player(again) == text
    assert (
        parse_player(
            f" {text.upper().replace(':', ' : ')} ".replace(text.partition(":")[2].upper(), text.partition(":")[2])
        )
        == player
    )


@given(player=players().filter(lambda player: not isinstance(player, HumanPlayer)))
def test_a_repr_can_be_pasted_back(player: WrittenPlayer) -> None:
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


def test_defaults_are_not_written() -> None:
    assert format_player(parse_player("minimax:depth=3,seed=0")) == "minimax"
    assert format_player(parse_player("minimax:seed=1,depth=2")) == "minimax:depth=2,seed=1"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("serch", "there is no player 'serch'; did you mean searcher?"),
        ("", "there is no player ''; there are human, searcher, minimax, random, robot"),
        ("searcher:dept=3", "searcher has no option 'dept'; did you mean depth?"),
        ("searcher:x=3", "searcher has no option 'x'; it has level, depth, nodes, time, threads, table, seed"),
        ("robot:seed=1", "robot takes no options, and 'seed' is given"),
        ("searcher:depth", "the option depth of searcher has no value: write depth=…"),
        ("searcher:depth=", "depth is '': a whole number from 1 up is expected"),
        ("searcher:depth=six", "depth is 'six': a whole number from 1 up is expected"),
        ("searcher:depth=0", "depth is 0: a whole number from 1 up is expected"),
        ("searcher:level=11", "level is 11: a whole number from 1 to 10 is expected"),
        ("searcher:time=nan", "time is nan: a number of seconds above 0 is expected"),
        ("searcher:time=inf", "time is inf: a number of seconds above 0 is expected"),
        ("searcher:time=-1", "time is -1.0: a number of seconds above 0 is expected"),
        ("searcher:level=3,depth=2", "searcher plays at a level, or by depth, nodes or time: give one or the other"),
        ("searcher:depth=2,depth=3", "the option depth of searcher is given twice"),
        ("searcher:depth=2,", "searcher has no option ''"),
        ("searcher:", "there are no options after the colon of 'searcher:'"),
        ("random:seed=-1", "seed is -1: a whole number from 0 to 9223372036854775807 is expected"),
    ],
)
def test_invalid_texts(text: str, problem: str) -> None:
    with pytest.raises(TablemenError, match=re.escape(problem)):
        parse_player(text)


def test_a_time_beyond_floats_is_invalid() -> None:
    with pytest.raises(ArgumentError, match="a number of seconds above 0 is expected"):
        SearcherPlayer(time=10**400)


def test_only_text_is_parsed() -> None:
    with pytest.raises(ArgumentError, match="player is 3: a text such as searcher:depth=6 is expected"):
        parse_player(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", ["3", 2.5, True, None])
def test_options_are_checked_by_constructors(depth: object) -> None:
    with pytest.raises(ArgumentError, match=r"depth is .*: a whole number from 1 up is expected"):
        MinimaxPlayer(depth=depth)  # type: ignore[arg-type]
