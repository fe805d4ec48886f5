"""Lines of Hub 1 as messages of Hub 2."""

from __future__ import annotations

import pytest

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub import hub1
from tablemen.protocols.hub.messages import parse_message

COMMANDS = {
    "hub": "hub",
    "set threads 2": "set-param name=threads value=2",
    "init": "init",
    "pos wbbbee": "pos pos=Wbbbee",
    "start": "pos start",
    "move 32-28": "move move=32-28",
    "depth 12": "level depth=12",
    "time 1500": "level move-time=1.5",
    "level 0 60000 500": "level time=60 inc=0.5",
    "level 10 60000 0": "level moves=10 time=60",
    "go": "go think",
    "ponder": "go ponder",
    "analyse": "go analyze",
    "ponder-hit": "ponder-hit",
    "stop": "stop",
    "ping": "ping",
    "new": "new-game",
    "quit": "quit",
}

REPLIES = {
    "wait": "wait",
    "ready": "ready",
    "pong": "pong",
    "author Fabien Letouzey": 'id author="Fabien Letouzey"',
    "info 21 20.8 -1 31261613 3.91 8.0 32-28 17-22": (
        'info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.91 nps=8.0 pv="32-28 17-22"'
    ),
    "move 32-28 17-22": "done move=32-28 ponder=17-22",
    "move 32-28": "done move=32-28",
    "error illegal move": 'error message="illegal move"',
}


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_round_trip(line: str) -> None:
    command = parse_message(COMMANDS[line])
    assert hub1.parse_command(line) == command
    if line != "move 32-28":  # Hub 2 sends moves with the position
        assert hub1.format_command(command) == (line,)


@pytest.mark.parametrize("line", REPLIES)
def test_replies_round_trip(line: str) -> None:
    reply = parse_message(REPLIES[line])
    assert hub1.parse_reply(line) == reply
    assert hub1.format_reply(reply) == (line,)


def test_a_message_of_hub_2_may_need_several_lines() -> None:
    position = parse_message('pos pos=Wbe moves="1-5 9-6"')
    assert hub1.format_command(position) == ("pos wbe", "move 1-5", "move 9-6")
    limits = parse_message("level depth=3 nodes=9 move-time=0.5 moves=4 time=9 inc=1")
    assert hub1.format_command(limits) == ("depth 3", "time 500", "level 4 9000 1000")
    assert hub1.format_command(parse_message("level infinite")) == ()


def test_an_id_needs_several_lines_and_an_option_none() -> None:
    identity = parse_message('id name=tablemen version=1 author="us all" country=here')
    assert hub1.format_reply(identity) == ("name tablemen 1", "author us all", "country here")
    assert hub1.format_reply(parse_message("param name=book value=true type=bool")) == ()


INVALID_COMMANDS = {  # line: column of the error
    "": 1,
    "set": 4,
    "pos": 4,
    "depth": 6,
    "depth x": 7,
    "time 1.5": 6,
    "level": 6,
    "level 3": 8,
    "level a b c": 7,
}


@pytest.mark.parametrize("line", INVALID_COMMANDS)
def test_invalid_commands_are_refused(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        hub1.parse_command(line)
    assert caught.value.column == INVALID_COMMANDS[line]


def test_a_value_of_two_words_cannot_be_set() -> None:
    with pytest.raises(ArgumentError) as caught:
        hub1.format_command(parse_message('set-param name=book value="a b"'))
    assert (caught.value.name, caught.value.value) == ("book", "a b")


@pytest.mark.parametrize(
    "line", [line for line in COMMANDS if line.split()[0] in {"set", "depth", "time", "move", "new"}]
)
def test_commands_of_hub_1_are_recognised(line: str) -> None:
    assert hub1.is_hub1_command(line)


@pytest.mark.parametrize(
    "line",
    ["hub", "init", "pos start", "pos pos=Wbe", "level infinite", "level depth=3", "go", "go ponder", "ping", ""],
)
def test_other_commands_are_not_recognised_as_hub_1(line: str) -> None:
    assert not hub1.is_hub1_command(line)
