"""The state machine of a KGP client."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.errors import ProtocolError
from tablemen.protocols.kgp.messages import KgpBoard, KgpMessage, Word, parse_board, parse_message, solve_problem
from tablemen.protocols.kgp.protocol import (
    MAX_SERVER_ERRORS,
    MAX_SERVER_REQUESTS,
    MODES,
    ErrorReceived,
    KgpClientProtocol,
    SearchRequested,
    SearchStopped,
    ServerLeft,
)
from tablemen.search import Clock
from tests.protocols.kgp.fakes import THREES, receive, sent
from tests.protocols.kgp.strategies import message_sequences

TABS = "\t" * 16_000


def make_protocol(mode: str = "freeplay", **options: str) -> KgpClientProtocol:
    protocol = KgpClientProtocol("server", mode, {name.replace("_", ":"): text for name, text in options.items()})
    assert receive(protocol, "2 kgp 1 0 1") == []
    return protocol


def test_a_client_sends_its_options_and_its_mode() -> None:
    protocol = make_protocol(info_name="Ann", auth_token='a "secret"')
    assert sent(protocol) == ['1 set info:name "Ann"', '3 set auth:token "a \\"secret\\""', "5 mode freeplay"]
    assert sent(protocol) == []


OTHER_GREETINGS = ("kgp 2 0 0", "kgp one", "state <1,0,0,1,1>", 'error "no room"', "goodbye")


@pytest.mark.parametrize("line", OTHER_GREETINGS)
def test_other_protocols_and_versions_are_rejected(line: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        receive(KgpClientProtocol("server"), line)
    assert caught.value.peer == "server"


def test_a_client_sends_moves_and_yields() -> None:
    protocol = make_protocol()
    (request,) = receive(protocol, f"4 state {THREES}")
    assert isinstance(request, SearchRequested)
    assert (request.id, str(KgpBoard.from_position(request.position)), request.clock, request.seconds) == (
        4,
        THREES,
        None,
        None,
    )
    sent(protocol)
    assert protocol.send_move(4, 3)
    assert protocol.send_move(4, 2)
    protocol.finish(4)
    assert sent(protocol) == ["3@4 move 3", "5@4 move 2", "7@4 yield"]
    assert not protocol.send_move(4, 1)
    protocol.finish(4)
    assert receive(protocol, "6@4 stop") == []
    assert sent(protocol) == []


def test_requests_are_independent() -> None:
    protocol = make_protocol()
    receive(protocol, f"4 state {THREES}")
    receive(protocol, "6 state <2,0,0,1,1,1,1>")
    assert receive(protocol, "8@4 stop") == [SearchStopped(4)]
    assert protocol.open_requests == (6,)
    sent(protocol)
    protocol.send_move(4, 1)
    protocol.send_move(6, 2)
    assert [line.partition(" ")[2] for line in sent(protocol)] == ["move 2"]
    receive(protocol, f"8 state {THREES}")
    assert receive(protocol, "stop") == [
        SearchStopped(6),
        SearchStopped(8),
    ]  # without a reference, it stops all requests


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
def test_time_options_of_the_server_apply_to_requests(
    options: list[str], clock: Clock | None, seconds: float | None
) -> None:
    protocol = make_protocol()
    sent(protocol)
    for option in options:
        assert receive(protocol, f"set {option}") == []
    (request,) = receive(protocol, f"4 state {THREES}")
    assert isinstance(request, SearchRequested)
    assert (request.clock, request.seconds) == (clock, seconds)
    assert sent(protocol) == []


def test_a_state_without_moves_is_yielded_at_once() -> None:
    protocol = make_protocol()
    sent(protocol)
    assert receive(protocol, "4 state <2,0,0,0,0,1,1>") == []
    assert sent(protocol) == ["3@4 yield"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("4 ping", "3@4 pong"),
        ("4 ping 17", "3@4 pong 17"),
        (f'4 ping "{TABS}"', "3@4 pong"),  # an answer with the tabs would be too long
    ],
)
def test_a_client_answers_pings(line: str, answer: str) -> None:
    protocol = make_protocol()
    sent(protocol)
    assert receive(protocol, line) == []
    assert sent(protocol) == [answer]


INVALID_LINES = (  # the golden file has the messages
    "4 dance",
    "state <1,0,0,1,1>",
    "4 state 7",
    "4 problem <1,0,0,1,1>",
    "4 problem <1,0,0,0,1> 1",
)


@pytest.mark.parametrize("line", INVALID_LINES)
def test_a_client_answers_invalid_messages_with_an_error(line: str) -> None:
    protocol = make_protocol()
    protocol.take_outgoing()
    assert receive(protocol, line) == []
    (answer,) = protocol.take_outgoing()
    assert (answer.verb, answer.id, answer.ref) == ("error", 3, parse_message(line).id)


def test_a_client_rejects_used_numbers_and_too_many_states() -> None:
    protocol = make_protocol()
    for number in range(MAX_SERVER_REQUESTS):
        assert receive(protocol, f"{2 * number} state {THREES}")
    sent(protocol)
    assert receive(protocol, f"0 state {THREES}") == []
    assert receive(protocol, f"1000 state {THREES}") == []
    assert [(answer.verb, answer.ref) for answer in protocol.take_outgoing()] == [("error", 0), ("error", 1000)]
    assert len(protocol.open_requests) == MAX_SERVER_REQUESTS


def test_a_client_sends_evaluations() -> None:
    protocol = make_protocol("eval")
    receive(protocol, f"4 state {THREES}")
    receive(protocol, "6 state <2,3,0,0,0,1,1>")  # South has no move, and the result is 3 to 2
    before = sent(protocol)
    assert before[-1] == "3@6 eval 1.0"
    protocol.send_evaluation(4, 1)
    protocol.finish(4)
    protocol.send_evaluation(4, 2)
    assert sent(protocol) == ["5@4 eval 1.0"]


def test_goodbye_ends_all_requests() -> None:
    protocol = make_protocol()
    receive(protocol, f"4 state {THREES}")
    sent(protocol)
    assert receive(protocol, "goodbye") == [ServerLeft()]
    assert not protocol.send_move(4, 1)
    protocol.leave()
    assert receive(protocol, "ping") == []
    assert sent(protocol) == []
    other = make_protocol()
    sent(other)
    other.leave()
    other.leave()
    assert sent(other) == ["3 goodbye"]


@pytest.mark.parametrize("counts_from_zero", [False, True])
@pytest.mark.parametrize("uses_words", [False, True])
def test_a_client_infers_the_notation_of_problems(counts_from_zero: bool, uses_words: bool) -> None:  # noqa: FBT001
    protocol = make_protocol("verify")
    sent(protocol)
    board = parse_board("<4,0,0,4,2,2,1,4,4,4,4>")[0]
    houses = [1, 2, 3, 4, 1, 2, 3, 4, 1]
    mistakes = []
    for number, house in enumerate(houses):
        right = solve_problem(board, house)
        assert right is not None
        receive(protocol, f"{2 * number} problem {board} {house - counts_from_zero}")
        (answer,) = protocol.take_outgoing()
        assert answer.verb == "solution"
        flag = answer.arguments[1]
        expected = Word(str(right.repeats).lower()) if uses_words else int(right.repeats)
        if answer.board(0) != right.board:
            mistakes.append(number)
            assert receive(protocol, f'1@{answer.id} error "Expected state {right.board}"')
        elif flag != expected:
            mistakes.append(number)
            assert receive(protocol, f'1@{answer.id} error "Malformed"') == [ErrorReceived("Malformed")]
    assert max(mistakes, default=0) < 4
    assert len(mistakes) <= 2


def test_too_many_malformed_lines_raise() -> None:
    protocol = make_protocol()
    for _ in range(MAX_SERVER_ERRORS):
        protocol.report_error("what?")
        protocol.take_outgoing()
    for failing in (protocol, KgpClientProtocol("server")):  # without a greeting, the first one raises
        with pytest.raises(ProtocolError) as caught:
            failing.report_error("what?")
        assert "what?" in caught.value.problem


@settings(max_examples=15)
@given(st.sampled_from(MODES), message_sequences(), st.data())
def test_a_client_accepts_any_messages(mode: str, received: list[KgpMessage], data: st.DataObject) -> None:
    check_client(mode, received, data)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.sampled_from(MODES), message_sequences(), st.data())
def test_a_client_accepts_any_messages_in_long_runs(mode: str, received: list[KgpMessage], data: st.DataObject) -> None:
    check_client(mode, received, data)


def check_client(mode: str, received: list[KgpMessage], data: st.DataObject) -> None:
    protocol = make_protocol(mode)
    protocol.take_outgoing()
    for message in received:
        answered = protocol.open_requests
        for event in protocol.receive(message):
            if isinstance(event, SearchRequested):
                assert event.id in protocol.open_requests
                assert event.id not in answered
                assert event.position.legal_moves()
            if isinstance(event, SearchStopped):
                assert event.id in answered
        if data.draw(st.booleans()) and protocol.open_requests:
            number: int = data.draw(st.sampled_from(protocol.open_requests))
            protocol.send_move(number, 1)
            protocol.finish(number)
        out = protocol.take_outgoing()
        assert len(out) <= 3  # an answer, a move and a yield
        assert all(parse_message(str(each)) == each for each in out)
        assert all(each.id is not None and each.id % 2 for each in out)
    assert protocol.is_over == any(message.verb == "goodbye" for message in received)
