"""What clients and servers of the Kalah Game Protocol say and hear, without a wire between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.errors import ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp import client_conversation as client
from tablemen.protocols.kgp import host_conversation as host
from tablemen.protocols.kgp.board import Board, parse_board
from tablemen.protocols.kgp.client_conversation import Asked, ClientConversation, Complained, Ended, Stopped
from tablemen.protocols.kgp.host_conversation import About, HostConversation, Left, Moved, Ready, Solved, Yielded
from tablemen.protocols.kgp.message import Message, Word, parse_message
from tablemen.protocols.kgp.problem import Solution, solve_problem
from tablemen.search import Clock
from tests.protocols.kgp.strategies import likely_messages, messages

TABS = "\t" * 16_000
THREES = "<3,0,0,3,3,3,3,3,3>"


def greeted(mode: str = "freeplay", **options: str) -> ClientConversation:
    conversation = ClientConversation("server", mode, {name.replace("_", ":"): text for name, text in options.items()})
    assert hear(conversation, "2 kgp 1 0 1") == []
    return conversation


def hear(conversation: ClientConversation | HostConversation, line: str) -> list[object]:
    return list(conversation.hear(parse_message(line)))


def said(conversation: ClientConversation | HostConversation) -> list[str]:
    return [str(message) for message in conversation.take_said()]


# The client


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
    for number in range(client.MOST_REQUESTS):
        assert hear(conversation, f"{2 * number} state {THREES}")
    said(conversation)
    assert hear(conversation, f"0 state {THREES}") == []
    assert hear(conversation, f"1000 state {THREES}") == []
    assert [line.partition(" ")[2] for line in said(conversation)] == [
        'error "this number is in use"',
        'error "too many states at a time"',
    ]
    assert len(conversation.open_requests) == client.MOST_REQUESTS


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
    for _ in range(client.MOST_FAULTS):
        conversation.object("what?")
        conversation.take_said()
    with pytest.raises(ProtocolError, match="does not speak KGP"):
        conversation.object("what?")
    with pytest.raises(ProtocolError, match="does not speak KGP"):
        ClientConversation("server").object("what?")


HEARD = st.lists(st.one_of(likely_messages(), messages()), max_size=40)


@settings(max_examples=15)
@given(st.sampled_from(client.MODES), HEARD, st.data())
def test_nothing_that_a_server_says_confuses_a_client(mode: str, heard: list[Message], data: st.DataObject) -> None:
    check_client(mode, heard, data)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.sampled_from(client.MODES), HEARD, st.data())
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


# The server


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
    assert about == About("Ann of the hill", "A" * host.MOST_TEXT, "x-y", "hm", about.token)
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
    for _ in range(host.MOST_FAULTS):
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
@given(HEARD, st.data())
def test_nothing_that_a_client_says_confuses_a_server(heard: list[Message], data: st.DataObject) -> None:
    check_host(heard, data)


@pytest.mark.slow
@settings(max_examples=150)
@given(HEARD, st.data())
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
            len(text) <= host.MOST_TEXT for text in (about.name, about.authors, about.description, about.comment)
        )
