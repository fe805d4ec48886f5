"""What servers of the Kalah Game Protocol say to a client and hear from it, without a wire."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.errors import ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp import host_conversation as module
from tablemen.protocols.kgp.board import parse_board
from tablemen.protocols.kgp.host_conversation import About, HostConversation, Left, Moved, Ready, Solved, Yielded
from tablemen.protocols.kgp.message import Message, parse_message
from tablemen.protocols.kgp.problem import Solution
from tests.protocols.kgp.conversations import THREES, hear, said
from tests.protocols.kgp.strategies import anything_said


def hosted(mode: str | None = "freeplay") -> HostConversation:
    conversation = HostConversation("client")
    conversation.greet()
    if mode is not None:
        assert hear(conversation, f"1 mode {mode}") == [Ready(mode.rpartition(":")[2])]
    conversation.take_said()
    return conversation


def test_a_server_greets() -> None:
    conversation = HostConversation("client")
    conversation.greet(5.5)
    assert said(conversation) == [
        "2 kgp 1 0 1",
        '4 set info:name "tablemen"',
        '6 set time:mode "relative"',
        "8 set time:clock 5",
    ]
    assert hear(conversation, "1 MODE freeplay") == [Ready("freeplay")]
    assert said(conversation) == ["10@1 ok"]
    conversation.announce("7", 'Bob "the bot"')
    assert said(conversation) == ['12 set game:id "7"', '14 set game:opponent "Bob \\"the bot\\""']
    brief = HostConversation("client")
    brief.greet(0.5)
    assert len(said(brief)) == 2


def test_moves_that_a_server_hears() -> None:
    conversation = hosted()
    number = conversation.ask(Position.start("kalah"))
    assert said(conversation) == [f"{number} state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"]
    assert hear(conversation, f"@{number} move 3") == [Moved(number, 3)]
    assert hear(conversation, "7 move 9") == [Moved(number, 9)]  # the only one that is open; legal or not is seen later
    assert hear(conversation, f"@{number} YIELD") == [Yielded(number)]
    conversation.stop(number)
    conversation.stop(number)
    assert said(conversation) == [f"{number + 2}@{number} stop"]
    assert hear(conversation, f"@{number} move 1") == []  # late, and passed over
    assert said(conversation) == []
    assert hear(conversation, "@4711 move 1") == []
    assert hear(conversation, "@3 yield") == []
    assert hear(conversation, "move 1") == []
    assert [line.partition(" ")[2] for line in said(conversation)] == ['error "there is no state of this number"'] * 3


def test_problems_that_a_server_poses() -> None:
    conversation = hosted("go-kgp:verify")
    number = conversation.pose(parse_board(THREES)[0], 1)
    assert said(conversation) == [f"{number} problem {THREES} 1"]
    board = parse_board("<3,1,0,0,4,4,3,3,3>")[0]
    assert hear(conversation, f"3@{number} solution {board} true") == [Solved(number, 3, Solution(board, repeats=True))]
    assert hear(conversation, f"3@{number} solution {board} 1") == []  # once is enough
    number = conversation.pose(parse_board(THREES)[0], 1)
    assert hear(conversation, "solution 5") == [Solved(number, None, None)]
    conversation.take_said()
    conversation.judge(3, None)
    conversation.judge(None, "no")
    assert [line.partition(" ")[2] for line in said(conversation)] == ["ok", 'error "no"']


def test_what_a_client_says_about_itself() -> None:
    conversation = hosted(None)
    hear(conversation, 'set info:name "Ann   of\\nthe hill"')
    hear(conversation, f'set "info:authors" "{"A" * 1000}"')
    hear(conversation, "set info:description x-y")
    hear(conversation, 'set info:comment "hm"')
    hear(conversation, 'set no:such "thing"')
    hear(conversation, "set")
    hear(conversation, 'set auth:token "secret"')
    hear(conversation, 'set auth:token ""')
    about = conversation.about
    assert about == About("Ann of the hill", "A" * module.MOST_TEXT, "x-y", "hm", about.token)
    assert about.token
    assert b"secret" not in about.token
    again = hosted(None)
    hear(again, 'set auth:token "secret"')
    assert again.about.token == about.token
    hear(conversation, "mode freeplay")
    hear(conversation, 'set info:name "Bob"')
    hear(conversation, 'set auth:token "other"')
    assert conversation.about == about
    assert said(again) == []


def test_another_mode_is_refused() -> None:
    conversation = hosted(None)
    with pytest.raises(ProtocolError, match="another mode"):
        hear(conversation, "mode chess")
    assert [line.partition(" ")[2] for line in said(conversation)] == ['error "Unsupported activity"', ""]
    assert conversation.is_over
    twice = hosted()
    assert hear(twice, "5 mode verify") == []
    assert twice.mode == "freeplay"
    assert said(twice) == ['8@5 error "there is a mode already"']


@pytest.mark.parametrize(
    ("line", "answer"),
    [("3 ping 5", "pong 5"), ("3 dance", 'error "unknown command"'), ("3 move four", 'error "a move is the number')],
)
def test_what_else_a_server_answers(line: str, answer: str) -> None:
    conversation = hosted()
    conversation.ask(Position.start("kalah"))
    conversation.take_said()
    assert hear(conversation, line) == []
    (told,) = said(conversation)
    assert "@3 " in told
    assert told.partition(" ")[2].startswith(answer)


@pytest.mark.parametrize("line", ["ok", 'error "what?"', "kgp 1 0 0"])
def test_what_a_server_passes_over(line: str) -> None:
    conversation = hosted()
    assert hear(conversation, line) == []
    assert said(conversation) == []


def test_a_client_that_makes_no_sense_has_to_go() -> None:
    conversation = hosted()
    for _ in range(module.MOST_FAULTS):
        hear(conversation, "dance")
    with pytest.raises(ProtocolError, match="makes no sense"):
        hear(conversation, "dance")
    assert said(conversation)[-1] == "goodbye"


def test_both_say_goodbye() -> None:
    conversation = hosted()
    assert hear(conversation, "goodbye") == [Left()]
    assert hear(conversation, "ping") == []
    assert said(conversation) == []
    other = hosted()
    other.leave("no room")
    other.leave("no room")
    assert [line.rpartition("error ")[2] for line in said(other)] == ['"no room"', "goodbye"]


@settings(max_examples=15)
@given(anything_said(), st.data())
def test_nothing_that_a_client_says_confuses_a_server(heard: list[Message], data: st.DataObject) -> None:
    check_host(heard, data)


@pytest.mark.slow
@settings(max_examples=150)
@given(anything_said(), st.data())
def test_really_nothing_confuses_a_server(heard: list[Message], data: st.DataObject) -> None:
    check_host(heard, data)


def check_host(heard: list[Message], data: st.DataObject) -> None:
    conversation = HostConversation("client")
    conversation.greet()
    conversation.take_said()
    states: set[int] = set()
    problems: set[int] = set()
    for message in heard:
        if not conversation.is_over and data.draw(st.booleans()):
            if not states:
                states.add(conversation.ask(Position.start("kgp")))
            elif not problems:
                problems.add(conversation.pose(parse_board(THREES)[0], 1))
            else:
                number = states.pop()
                conversation.stop(number)
            conversation.take_said()
        try:
            events = conversation.hear(message)
        except ProtocolError:
            assert conversation.is_over
            break
        for event in events:
            if isinstance(event, Moved | Yielded):
                assert event.id in states
            if isinstance(event, Solved):
                problems.remove(event.id)
        out = conversation.take_said()
        assert len(out) <= 1
        assert all(parse_message(str(each)) == each for each in out)
        about = conversation.about
        assert all(
            len(text) <= module.MOST_TEXT for text in (about.name, about.authors, about.description, about.comment)
        )
