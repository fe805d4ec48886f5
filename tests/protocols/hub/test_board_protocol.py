"""The state machine of a Hub board, without an engine."""

from __future__ import annotations

from typing import TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tablemen.draughts import Move, Position
from tablemen.errors import ProtocolError
from tablemen.game import Game
from tablemen.protocols.hub.protocol import (
    MAX_OPTIONS,
    Finished,
    HubBoardProtocol,
    HubState,
    Informed,
    Opened,
    Ponged,
    SearchMode,
    Started,
    format_game,
)
from tablemen.search import Limit

DraughtsGame: TypeAlias = Game[Position, Move]
START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"


def make_game(*moves: str, variant: str = "international") -> DraughtsGame:
    return Game(Position.start(variant), moves)


def make_ready() -> HubBoardProtocol:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    protocol.receive("wait")
    protocol.start()
    protocol.receive("ready")
    return protocol


def make_searching(*moves: str) -> HubBoardProtocol:
    protocol = make_ready()
    protocol.search(make_game(*moves), Limit(depth=3), SearchMode.THINK)
    return protocol


def test_a_complete_session() -> None:
    protocol = HubBoardProtocol("fake")
    assert protocol.greet() == ("hub",)
    assert protocol.receive("Fake 1.0, the strongest of all") is None
    assert protocol.receive('id name=Fake version=1.0 author="Ann Author" country=Nowhere') is None
    assert protocol.receive("param name=threads value=1 type=int min=1 max=4") is None
    assert protocol.receive("param name=book value=true type=bool") is None
    assert protocol.receive("wait") == Opened()
    assert protocol.id == {"name": "Fake", "version": "1.0", "author": "Ann Author", "country": "Nowhere"}
    assert protocol.set_option("threads", "4") == ("set-param name=threads value=4",)
    assert protocol.options["threads"].value == 4
    assert protocol.start() == ("init",)
    assert protocol.receive("loading done 50% = fine") is None
    assert protocol.receive("done") is None  # the engine may print anything until it is ready
    assert protocol.receive('id "') is None
    assert protocol.receive("ready") == Started()
    assert protocol.search(make_game("32-28", "19-23"), Limit(time=1), SearchMode.THINK) == (
        f'pos pos={START} moves="32-28 19-23"',
        "level move-time=1",
        "go think",
    )
    assert protocol.receive("info depth=1 score=0.5") == Informed({"depth": "1", "score": "0.5"})
    assert protocol.receive("info depth=2 pv=28x19x23") == Informed({"depth": "2", "score": "0.5", "pv": "28x19x23"})
    assert protocol.ping() == ("ping",)
    assert protocol.receive("pong") == Ponged()
    assert protocol.stop() == ("stop",)
    assert protocol.stop() == ()
    finished = protocol.receive("done move=28x19x23 ponder=14x23x19")
    assert isinstance(finished, Finished)
    assert (str(finished.move), str(finished.ponder)) == ("28x19", "14x23")
    assert protocol.state is HubState.READY
    assert protocol.new_game() == ("new-game",)
    assert protocol.search(make_game(), Limit(), SearchMode.PONDER)[1:] == ("level infinite", "go ponder")
    assert protocol.ponder_hit() == ("ponder-hit",)
    assert protocol.quit() == ("quit",)
    assert protocol.quit() == ()
    assert protocol.receive("done move=nonsense") is None


INVALID_IN_A_SEARCH = {  # line: the text that the error quotes, or None for the whole line
    "done move=32-27x": None,
    "done move=19-23": None,
    'done move=""': None,
    'done move="32-28': None,
    "ready": None,
    "wait": None,
    "id name=Other": None,
    "param name=a value=1 type=int": None,
    'error message="out of memory"': "out of memory",
}


@pytest.mark.parametrize("line", INVALID_IN_A_SEARCH)
def test_invalid_replies_in_a_search_end_the_protocol(line: str) -> None:
    protocol = make_searching()
    with pytest.raises(ProtocolError) as caught:
        protocol.receive(line)
    assert (caught.value.peer, caught.value.said) == ("fake", repr(INVALID_IN_A_SEARCH[line] or line))
    assert protocol.state is HubState.ENDED
    assert protocol.receive("done move=32-28") is None


def test_a_result_without_a_search_raises() -> None:
    protocol = make_searching()
    assert isinstance(protocol.receive("done move=32-28"), Finished)
    with pytest.raises(ProtocolError) as caught:
        protocol.receive("done move=32-28")
    assert caught.value.said == "'done move=32-28'"
    with pytest.raises(ProtocolError):
        make_ready().receive("done")


def test_info_after_a_search_is_ignored() -> None:
    protocol = make_ready()
    assert protocol.receive("info depth=3 score=1") is None
    assert protocol.state is HubState.READY


@pytest.mark.parametrize("stops", [False, True])
def test_a_search_must_end_with_a_move(stops: bool) -> None:  # noqa: FBT001 - parametrised
    protocol = make_searching()
    protocol.receive("info score=0 pv=1-2")
    if stops:
        protocol.stop()
    with pytest.raises(ProtocolError) as caught:
        protocol.receive("done")
    assert caught.value.said == "'done'"
    assert protocol.state is HubState.ENDED


@pytest.mark.parametrize("mode", [SearchMode.ANALYSE, SearchMode.PONDER])
def test_an_analysis_may_end_without_a_move(mode: SearchMode) -> None:
    protocol = make_ready()
    protocol.search(make_game(), Limit(), mode)
    assert protocol.receive("done") == Finished(None, None, {})
    protocol.search(make_game(), Limit(), mode)
    protocol.ponder_hit()
    with pytest.raises(ProtocolError):
        protocol.receive("done")


def test_a_stopped_search_without_a_move_uses_its_last_line() -> None:
    protocol = make_searching()
    protocol.receive('info score=0 pv="32-28 19-23"')
    protocol.stop()
    finished = protocol.receive("done")
    assert isinstance(finished, Finished)
    assert str(finished.move) == "32-28"


def test_an_illegal_ponder_move_is_ignored() -> None:
    finished = make_searching().receive("done move=32-28 ponder=1-50")
    assert isinstance(finished, Finished)
    assert (str(finished.move), finished.ponder) == ("32-28", None)


@pytest.mark.parametrize(
    "line",
    [
        *("hello there", "", "   ", "=", "doné", 'say "', "\x00", "INFO depth=3", "copyprotection ok"),
        *("pong", 'info pv="32-28'),
    ],
)
def test_unknown_lines_are_ignored(line: str) -> None:
    protocol = make_searching()
    assert protocol.receive(line) is None
    assert protocol.state is HubState.SEARCHING


LONG_OPTION = f"param name=a value={'x' * 5000} type=string"
INVALID_IN_A_GREETING = {  # line: the text that the error quotes, or None for the whole line
    "param value=1 type=int": None,
    "param name=a value=x type=int": None,
    "ready": None,
    "done": None,
    'error message="bad command"': "bad command",
}


@pytest.mark.parametrize("line", INVALID_IN_A_GREETING)
def test_invalid_replies_in_a_greeting_raise(line: str) -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    with pytest.raises(ProtocolError) as caught:
        protocol.receive(line)
    assert (caught.value.peer, caught.value.said) == ("fake", repr(INVALID_IN_A_GREETING[line] or line))


def test_a_long_declaration_raises() -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    with pytest.raises(ProtocolError) as caught:
        protocol.receive(LONG_OPTION)
    assert "4,096" in caught.value.problem
    assert len(caught.value.said) < 300


def test_the_number_of_options_and_the_length_of_names_are_limited() -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    protocol.receive(f'id name="{"a" * 1000}" version="\x1b[31m"')
    assert protocol.id == {"name": "a" * 80, "version": r"\x1b[31m"}
    for number in range(MAX_OPTIONS):
        protocol.receive(f"param name=o{number} value=1 type=int")
    protocol.receive("param name=o3 value=7 type=int")  # a repetition does not count
    with pytest.raises(ProtocolError) as caught:
        protocol.receive("param name=another value=1 type=int")
    assert str(MAX_OPTIONS) in caught.value.problem


def test_an_engine_of_hub_1_is_detected() -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    assert protocol.receive("name Scan 2.0") is None
    assert protocol.receive("author Fabien Letouzey") is None
    assert protocol.receive("wait") == Opened()
    assert protocol.id["name"] == "Scan 2.0"
    assert protocol.set_option("threads", "2") == ("set threads 2",)
    assert protocol.start() == ("init",)
    assert protocol.receive("ready") == Started()
    lines = protocol.search(make_game("32-28"), Limit(depth=3), SearchMode.ANALYSE)
    assert lines == (f"pos {START.lower()}", "move 32-28", "depth 3", "analyse")
    assert protocol.receive("info 2 1.5 -12 30 0.01 3.0 19-23 28x19x23") is not None
    finished = protocol.receive("move 19-23 28x19x23")
    assert isinstance(finished, Finished)
    assert (str(finished.move), finished.values["score"]) == ("19-23", "-0.12")
    with pytest.raises(ProtocolError) as caught:
        protocol.receive("error bad position")
    assert caught.value.said == "'bad position'"


def test_an_engine_of_hub_2_is_detected() -> None:
    protocol = HubBoardProtocol("fake", is_hub1=True)
    protocol.greet()
    protocol.receive("id name=Scan version=3.1")
    protocol.receive("wait")
    assert protocol.id == {"name": "Scan", "version": "3.1"}
    assert protocol.set_option("threads", "2") == ("set-param name=threads value=2",)


def test_commands_in_the_wrong_state_raise() -> None:
    with pytest.raises(RuntimeError, match=HubState.NEW.value):
        HubBoardProtocol("fake").start()
    with pytest.raises(RuntimeError, match=HubState.SEARCHING.value):
        make_searching().search(make_game(), Limit(), SearchMode.THINK)


def test_a_game_is_sent_with_all_its_moves() -> None:
    message = format_game(make_game("32-28", "19-23", "28x19"))
    assert str(message) == f'pos pos={START} moves="32-28 19-23 28x19x23"'
    assert str(format_game(make_game())) == f"pos pos={START}"


LINES = [
    "id name=Fake",
    "param name=threads value=1 type=int min=1 max=4",
    "param name=x value=y type=enum values=",
    "wait",
    "ready",
    "pong",
    "info depth=3 score=0.1 nodes=5 time=0.1 pv=32-28",
    "info score=99999999999999999999999 pv",
    "done move=32-28 ponder=19-23",
    "done move=31-26",
    "done move=1-50",
    "done move=32x28x1",
    "done",
    'error message="no"',
    "name Scan 2.0",
    "move 32-28",
    "",
]
ANY_LINE = st.one_of(
    st.sampled_from(LINES),
    st.tuples(st.sampled_from(LINES), st.integers(0, 40)).map(lambda cut: cut[0][: cut[1]]),
    st.tuples(st.sampled_from(LINES), st.text(max_size=8)).map("".join),
    st.lists(st.sampled_from(LINES), min_size=2, max_size=3).map(" ".join),
    st.text(max_size=20),
)


class AnyReplies(RuleBasedStateMachine):
    """A board that receives any lines in any order: they result in legal moves or a `ProtocolError`."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol = HubBoardProtocol("fake")
        self.game = Game(Position.start("international"))
        self.searches = 0

    def is_in(self, *states: HubState) -> bool:
        return self.protocol.state in states

    @precondition(lambda self: self.is_in(HubState.NEW))
    @rule()
    def greet(self) -> None:
        assert self.protocol.greet() == ("hub",)

    @precondition(lambda self: self.is_in(HubState.WAITING, HubState.READY))
    @rule()
    def start(self) -> None:
        assert self.protocol.start() == ("init",)

    @precondition(lambda self: self.is_in(HubState.READY))
    @rule(mode=st.sampled_from(SearchMode))
    def search(self, mode: SearchMode) -> None:
        assert len(self.protocol.search(self.game, Limit(depth=2), mode)) >= 3
        self.searches += 1

    @precondition(lambda self: self.is_in(HubState.SEARCHING, HubState.READY))
    @rule()
    def ping(self) -> None:
        assert self.protocol.ping() == ("ping",)

    @rule()
    def stop(self) -> None:
        assert self.protocol.stop() in {("stop",), ()}

    @rule(is_expected=st.booleans(), line=ANY_LINE)
    def receive(self, is_expected: bool, line: str) -> None:  # noqa: FBT001 - drawn by Hypothesis
        expected = {HubState.GREETED: "wait", HubState.STARTING: "ready", HubState.SEARCHING: "done move=32-28"}
        before, error, event = self.protocol.state, None, None
        try:
            event = self.protocol.receive(expected.get(before, line) if is_expected else line)
        except ProtocolError as caught:
            error = caught
        if error is not None:
            assert error.peer == "fake"
            assert len(str(error)) < 500
            assert self.is_in(HubState.ENDED)
        if isinstance(event, Finished):
            assert before is HubState.SEARCHING
            assert event.move is None or event.move in self.game.legal_moves()
            self.searches -= 1

    @invariant()
    def the_state_is_consistent(self) -> None:
        assert self.game == Game(Position.start("international"))
        assert self.is_in(HubState.ENDED) or self.searches == self.is_in(HubState.SEARCHING)
        assert len(self.protocol.id) <= 4


AnyReplies.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestAnyReplies = AnyReplies.TestCase
