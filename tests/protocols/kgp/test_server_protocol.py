"""The state machine of a KGP server for one client."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.errors import ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp.messages import KgpMessage, ProblemSolution, parse_board, parse_message
from tablemen.protocols.kgp.protocol import (
    MAX_CLIENT_ERRORS,
    MAX_INFO_LENGTH,
    ClientInfo,
    ClientLeft,
    KgpServerProtocol,
    ModeChosen,
    MoveReceived,
    SolutionReceived,
    Yielded,
)
from tests.protocols.kgp.fakes import THREES, receive, sent
from tests.protocols.kgp.strategies import message_sequences


def make_protocol(mode: str | None = "freeplay") -> KgpServerProtocol:
    protocol = KgpServerProtocol("client")
    protocol.greet()
    if mode is not None:
        assert receive(protocol, f"1 mode {mode}") == [ModeChosen(mode.rpartition(":")[2])]
    protocol.take_outgoing()
    return protocol


def test_a_server_sends_its_version_and_the_move_time() -> None:
    protocol = KgpServerProtocol("client")
    protocol.greet(5.5)
    assert sent(protocol) == [
        "2 kgp 1 0 1",
        '4 set info:name "tablemen"',
        '6 set time:mode "relative"',
        "8 set time:clock 5",
    ]
    assert receive(protocol, "1 MODE freeplay") == [ModeChosen("freeplay")]
    assert sent(protocol) == ["10@1 ok"]
    protocol.announce_game("7", 'Bob "the bot"')
    assert sent(protocol) == ['12 set game:id "7"', '14 set game:opponent "Bob \\"the bot\\""']
    brief = KgpServerProtocol("client")
    brief.greet(0.5)
    assert len(sent(brief)) == 2


def test_a_server_receives_moves() -> None:
    protocol = make_protocol()
    number = protocol.request_move(Position.start("kalah"))
    assert sent(protocol) == [f"{number} state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"]
    assert receive(protocol, f"@{number} move 3") == [MoveReceived(number, 3)]
    assert receive(protocol, "7 move 9") == [
        MoveReceived(number, 9)
    ]  # without a reference: the only open request; the house is not checked
    assert receive(protocol, f"@{number} YIELD") == [Yielded(number)]
    protocol.stop(number)
    protocol.stop(number)
    assert sent(protocol) == [f"{number + 2}@{number} stop"]
    assert receive(protocol, f"@{number} move 1") == []  # too late: ignored
    assert sent(protocol) == []
    assert receive(protocol, "@4711 move 1") == []
    assert receive(protocol, "@3 yield") == []
    assert receive(protocol, "move 1") == []
    assert [answer.verb for answer in protocol.take_outgoing()] == ["error"] * 3


def test_a_server_receives_solutions() -> None:
    protocol = make_protocol("go-kgp:verify")
    number = protocol.send_problem(parse_board(THREES)[0], 1)
    assert sent(protocol) == [f"{number} problem {THREES} 1"]
    board = parse_board("<3,1,0,0,4,4,3,3,3>")[0]
    assert receive(protocol, f"3@{number} solution {board} true") == [
        SolutionReceived(number, 3, ProblemSolution(board, repeats=True))
    ]
    assert receive(protocol, f"3@{number} solution {board} 1") == []  # only the first solution counts
    number = protocol.send_problem(parse_board(THREES)[0], 1)
    assert receive(protocol, "solution 5") == [SolutionReceived(number, None, None)]
    protocol.take_outgoing()
    protocol.send_verdict(3, None)
    protocol.send_verdict(None, "no")
    assert [line.partition(" ")[2] for line in sent(protocol)] == ["ok", 'error "no"']


def test_a_server_stores_the_description_of_a_client() -> None:
    protocol = make_protocol(None)
    receive(protocol, 'set info:name "Ann   of\\nthe hill"')
    receive(protocol, f'set "info:authors" "{"A" * 1000}"')
    receive(protocol, "set info:description x-y")
    receive(protocol, 'set info:comment "hm"')
    receive(protocol, 'set no:such "thing"')
    receive(protocol, "set")
    receive(protocol, 'set auth:token "secret"')
    receive(protocol, 'set auth:token ""')
    info = protocol.info
    assert info == ClientInfo("Ann of the hill", "A" * MAX_INFO_LENGTH, "x-y", "hm", info.token)
    assert info.token
    assert b"secret" not in info.token
    other = make_protocol(None)
    receive(other, 'set auth:token "secret"')
    assert other.info.token == info.token
    receive(protocol, "mode freeplay")
    receive(protocol, 'set info:name "Bob"')
    receive(protocol, 'set auth:token "other"')
    assert protocol.info == info
    assert sent(other) == []


def test_an_unknown_mode_and_a_second_mode_are_refused() -> None:
    protocol = make_protocol(None)
    with pytest.raises(ProtocolError) as caught:
        receive(protocol, "mode chess")
    assert caught.value.said == "'chess'"
    assert [line.partition(" ")[2] for line in sent(protocol)] == ['error "Unsupported activity"', ""]
    assert protocol.is_over
    twice = make_protocol()
    assert receive(twice, "5 mode verify") == []
    assert twice.mode == "freeplay"
    (answer,) = twice.take_outgoing()
    assert (answer.verb, answer.id, answer.ref) == ("error", 8, 5)


@pytest.mark.parametrize(("line", "verb"), [("3 ping 5", "pong"), ("3 dance", "error"), ("3 move four", "error")])
def test_a_server_answers_other_messages(line: str, verb: str) -> None:
    protocol = make_protocol()
    protocol.request_move(Position.start("kalah"))
    protocol.take_outgoing()
    assert receive(protocol, line) == []
    (answer,) = protocol.take_outgoing()
    assert (answer.verb, answer.ref) == (verb, 3)
    assert verb == "error" or answer.arguments == (5,)


@pytest.mark.parametrize("line", ["ok", 'error "what?"', "kgp 1 0 0"])
def test_a_server_ignores_some_messages(line: str) -> None:
    protocol = make_protocol()
    assert receive(protocol, line) == []
    assert sent(protocol) == []


def test_too_many_errors_end_the_connection() -> None:
    protocol = make_protocol()
    for _ in range(MAX_CLIENT_ERRORS):
        receive(protocol, "dance")
    with pytest.raises(ProtocolError):
        receive(protocol, "dance")
    assert sent(protocol)[-1] == "goodbye"


def test_goodbye_of_either_side_ends_the_protocol() -> None:
    protocol = make_protocol()
    assert receive(protocol, "goodbye") == [ClientLeft()]
    assert receive(protocol, "ping") == []
    assert sent(protocol) == []
    other = make_protocol()
    other.leave("no room")
    other.leave("no room")
    assert [line.rpartition("error ")[2] for line in sent(other)] == ['"no room"', "goodbye"]


@settings(max_examples=15)
@given(message_sequences(), st.data())
def test_a_server_accepts_any_messages(received: list[KgpMessage], data: st.DataObject) -> None:
    check_server(received, data)


@pytest.mark.slow
@settings(max_examples=150)
@given(message_sequences(), st.data())
def test_a_server_accepts_any_messages_in_long_runs(received: list[KgpMessage], data: st.DataObject) -> None:
    check_server(received, data)


def check_server(received: list[KgpMessage], data: st.DataObject) -> None:
    protocol = KgpServerProtocol("client")
    protocol.greet()
    protocol.take_outgoing()
    states: set[int] = set()
    problems: set[int] = set()
    for message in received:
        if not protocol.is_over and data.draw(st.booleans()):
            if not states:
                states.add(protocol.request_move(Position.start("kgp")))
            elif not problems:
                problems.add(protocol.send_problem(parse_board(THREES)[0], 1))
            else:
                number = states.pop()
                protocol.stop(number)
            protocol.take_outgoing()
        try:
            events = protocol.receive(message)
        except ProtocolError:
            assert protocol.is_over
            break
        for event in events:
            if isinstance(event, MoveReceived | Yielded):
                assert event.id in states
            if isinstance(event, SolutionReceived):
                problems.remove(event.id)
        out = protocol.take_outgoing()
        assert len(out) <= 1
        assert all(parse_message(str(each)) == each for each in out)
        info = protocol.info
        assert all(len(text) <= MAX_INFO_LENGTH for text in (info.name, info.authors, info.description, info.comment))
