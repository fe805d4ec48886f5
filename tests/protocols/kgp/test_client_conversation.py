"""What clients of the Kalah Game Protocol say and hear, without a wire."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.errors import ProtocolError
from tablemen.protocols.kgp import client_conversation as module
from tablemen.protocols.kgp.board import Board, parse_board
from tablemen.protocols.kgp.client_conversation import Asked, ClientConversation, Complained, Ended, Stopped
from tablemen.protocols.kgp.message import Message, Word, parse_message
from tablemen.protocols.kgp.problem import solve_problem
from tablemen.search import Clock
from tests.protocols.kgp.conversations import THREES, hear, said
from tests.protocols.kgp.strategies import anything_said

TABS = "\t" * 16_000


def greeted(mode: str = "freeplay", **options: str) -> ClientConversation:
    conversation = ClientConversation("server", mode, {name.replace("_", ":"): text for name, text in options.items()})
    assert hear(conversation, "2 kgp 1 0 1") == []
    return conversation


def test_a_client_introduces_itself() -> None:
    conversation = greeted(info_name="Ann", auth_token='a "secret"')
    assert said(conversation) == ['1 set info:name "Ann"', '3 set auth:token "a \\"secret\\""', "5 mode freeplay"]
    assert said(conversation) == []


@pytest.mark.parametrize("line", ["kgp 2 0 0", "kgp one", "state <1,0,0,1,1>", 'error "no room"', "goodbye"])
def test_servers_that_speak_something_else(line: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        hear(ClientConversation("server"), line)
    assert str(caught.value).startswith("server ")


def test_moves_of_a_client() -> None:
    conversation = greeted()
    (asked,) = hear(conversation, f"4 state {THREES}")
    assert isinstance(asked, Asked)
    assert (asked.id, str(Board.of(asked.position)), asked.clock, asked.seconds) == (4, THREES, None, None)
    said(conversation)
    assert conversation.move(4, 3)
    assert conversation.move(4, 2)
    conversation.finish(4)
    assert said(conversation) == ["3@4 move 3", "5@4 move 2", "7@4 yield"]
    assert not conversation.move(4, 1)
    conversation.finish(4)
    assert hear(conversation, "6@4 stop") == []
    assert said(conversation) == []


def test_requests_are_independent_of_each_other() -> None:
    conversation = greeted()
    hear(conversation, f"4 state {THREES}")
    hear(conversation, "6 state <2,0,0,1,1,1,1>")
    assert hear(conversation, "8@4 stop") == [Stopped(4)]
    assert conversation.open_requests == (6,)
    said(conversation)
    conversation.move(4, 1)
    conversation.move(6, 2)
    assert [line.partition(" ")[2] for line in said(conversation)] == ["move 2"]
    hear(conversation, f"8 state {THREES}")
    assert hear(conversation, "stop") == [Stopped(6), Stopped(8)]  # all, where it does not say which


@pytest.mark.parametrize(
    ("options", "clock", "seconds"),
    [
        (["time:mode absolute", "time:clock 60"], Clock(60.0), None),
        (["time:mode relative", "time:clock 5"], None, 5.0),
        (['time:mode "relative"', "time:clock 5"], None, 5.0),
        (["time:clock 5"], None, None),
        (["time:mode none", "time:clock 5"], None, None),
        (["time:mode relative", "time:clock 0"], None, None),
        (["time:mode relative", 'time:clock "soon"'], None, None),
        (["time:mode moon", "time:clock 5", "no:such 3"], None, None),
    ],
)
def test_the_time_that_a_server_gives(options: list[str], clock: Clock | None, seconds: float | None) -> None:
    conversation = greeted()
    said(conversation)
    for option in options:
        assert hear(conversation, f"set {option}") == []
    (asked,) = hear(conversation, f"4 state {THREES}")
    assert isinstance(asked, Asked)
    assert (asked.clock, asked.seconds) == (clock, seconds)
    assert said(conversation) == []


def test_a_state_that_nobody_can_play_is_yielded_at_once() -> None:
    conversation = greeted()
    said(conversation)
    assert hear(conversation, "4 state <2,0,0,0,0,1,1>") == []
    assert said(conversation) == ["3@4 yield"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("4 ping", "3@4 pong"),
        ("4 ping 17", "3@4 pong 17"),
        (f'4 ping "{TABS}"', "3@4 pong"),  # with them, the answer would be too long a line
        ("4 dance", '3@4 error "unknown command"'),
        ("state <1,0,0,1,1>", '3 error "a state has a number and a board"'),
        ("4 state 7", '3@4 error "a state has a number and a board"'),
        ("4 problem <1,0,0,1,1>", '3@4 error "a problem has a number, a board and a house"'),
        ("4 problem <1,0,0,0,1> 1", '3@4 error "that house cannot be played"'),
    ],
)
def test_what_else_a_client_answers(line: str, answer: str) -> None:
    conversation = greeted()
    said(conversation)
    assert hear(conversation, line) == []
    assert said(conversation) == [answer]


def test_a_client_takes_no_number_twice_and_not_too_many_states() -> None:
    conversation = greeted()
    for number in range(module.MOST_REQUESTS):
        assert hear(conversation, f"{2 * number} state {THREES}")
    said(conversation)
    assert hear(conversation, f"0 state {THREES}") == []
    assert hear(conversation, f"1000 state {THREES}") == []
    assert [line.partition(" ")[2] for line in said(conversation)] == [
        'error "this number is in use"',
        'error "too many states at a time"',
    ]
    assert len(conversation.open_requests) == module.MOST_REQUESTS


def test_evaluations() -> None:
    conversation = greeted("eval")
    hear(conversation, f"4 state {THREES}")
    hear(conversation, "6 state <2,3,0,0,0,1,1>")  # no move for South: 3 to 2
    said_before = said(conversation)
    assert said_before[-1] == "3@6 eval 1.0"
    conversation.evaluate(4, 1)
    conversation.finish(4)
    conversation.evaluate(4, 2)
    assert said(conversation) == ["5@4 eval 1.0"]


def test_goodbye() -> None:
    conversation = greeted()
    hear(conversation, f"4 state {THREES}")
    said(conversation)
    assert hear(conversation, "goodbye") == [Ended()]
    assert not conversation.move(4, 1)
    conversation.leave()
    assert hear(conversation, "ping") == []
    assert said(conversation) == []
    other = greeted()
    said(other)
    other.leave()
    other.leave()
    assert said(other) == ["3 goodbye"]


@pytest.mark.parametrize("counts_from_zero", [False, True])
@pytest.mark.parametrize("says_words", [False, True])
def test_a_client_learns_how_a_server_writes_problems(counts_from_zero: bool, says_words: bool) -> None:  # noqa: FBT001
    conversation = greeted("verify")
    said(conversation)
    board = parse_board("<4,0,0,4,2,2,1,4,4,4,4>")[0]
    houses = [1, 2, 3, 4, 1, 2, 3, 4, 1]
    mistakes = []
    for number, house in enumerate(houses):
        right = solve_problem(board, house)
        assert right is not None
        hear(conversation, f"{2 * number} problem {board} {house - counts_from_zero}")
        (answer,) = conversation.take_said()
        assert answer.verb == "solution"
        flag = answer.arguments[1]
        expected = Word(str(right.repeats).lower()) if says_words else int(right.repeats)
        if answer.board(0) != right.board:
            mistakes.append(number)
            assert hear(conversation, f'1@{answer.id} error "Expected state {right.board}"')
        elif flag != expected:
            mistakes.append(number)
            assert hear(conversation, f'1@{answer.id} error "Malformed"') == [Complained("Malformed")]
    assert max(mistakes, default=0) < 4
    assert len(mistakes) <= 2


def test_a_server_that_cannot_be_understood_is_left() -> None:
    conversation = greeted()
    for _ in range(module.MOST_FAULTS):
        conversation.object("what?")
        conversation.take_said()
    with pytest.raises(ProtocolError, match="does not speak KGP"):
        conversation.object("what?")
    with pytest.raises(ProtocolError, match="does not speak KGP"):
        ClientConversation("server").object("what?")


@settings(max_examples=15)
@given(st.sampled_from(module.MODES), anything_said(), st.data())
def test_nothing_that_a_server_says_confuses_a_client(mode: str, heard: list[Message], data: st.DataObject) -> None:
    check_client(mode, heard, data)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.sampled_from(module.MODES), anything_said(), st.data())
def test_really_nothing_confuses_a_client(mode: str, heard: list[Message], data: st.DataObject) -> None:
    check_client(mode, heard, data)


def check_client(mode: str, heard: list[Message], data: st.DataObject) -> None:
    conversation = greeted(mode)
    conversation.take_said()
    for message in heard:
        answered = conversation.open_requests
        for event in conversation.hear(message):
            if isinstance(event, Asked):
                assert event.id in conversation.open_requests
                assert event.id not in answered
                assert event.position.legal_moves()
            if isinstance(event, Stopped):
                assert event.id in answered
        if data.draw(st.booleans()) and conversation.open_requests:
            number: int = data.draw(st.sampled_from(conversation.open_requests))
            conversation.move(number, 1)
            conversation.finish(number)
        out = conversation.take_said()
        assert len(out) <= 3  # an answer, a move and the end of it
        assert all(parse_message(str(each)) == each for each in out)
        assert all(each.id is not None and each.id % 2 for each in out)
    assert conversation.is_over == any(message.verb == "goodbye" for message in heard)
