"""The board's end of the protocol, without an engine."""

from __future__ import annotations

import re
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


def game_of(*moves: str, variant: str = "international") -> DraughtsGame:
    return Game(Position.start(variant), moves)


def ready() -> HubBoardProtocol:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    protocol.receive("wait")
    protocol.start()
    protocol.receive("ready")
    return protocol


def searching(*moves: str) -> HubBoardProtocol:
    protocol = ready()
    protocol.search(game_of(*moves), Limit(depth=3), SearchMode.THINK)
    return protocol


def test_a_whole_dialogue() -> None:
    protocol = HubBoardProtocol("fake")
    assert protocol.greet() == ("hub",)
    assert protocol.receive("Fake 1.0, the strongest of all") is None
    assert protocol.receive('id name=Fake version=1.0 author="Some Body" country=Nowhere') is None
    assert protocol.receive("param name=threads value=1 type=int min=1 max=4") is None
    assert protocol.receive("param name=book value=true type=bool") is None
    assert protocol.receive("wait") == Opened()
    assert protocol.id == {"name": "Fake", "version": "1.0", "author": "Some Body", "country": "Nowhere"}
    assert protocol.set_option("threads", "4") == ("set-param name=threads value=4",)
    assert protocol.options["threads"].value == 4
    assert protocol.start() == ("init",)
    assert protocol.receive("loading done 50% = fine") is None
    assert protocol.receive("done") is None  # it may print anything until it is ready
    assert protocol.receive('id "') is None
    assert protocol.receive("ready") == Started()
    assert protocol.search(game_of("32-28", "19-23"), Limit(time=1), SearchMode.THINK) == (
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
    assert protocol.search(game_of(), Limit(), SearchMode.PONDER)[1:] == ("level infinite", "go ponder")
    assert protocol.ponder_hit() == ("ponder-hit",)
    assert protocol.quit() == ("quit",)
    assert protocol.quit() == ()
    assert protocol.receive("done move=nonsense") is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("done move=32-27x", "played a move that is not legal: 'done move=32-27x'"),
        ("done move=19-23", "played a move that is not legal"),
        ('done move=""', "played a move that is not legal"),
        ('done move="32-28', "said what cannot be read (a quote is not closed)"),
        ("ready", "said ready without being asked"),
        ("wait", "said wait without being asked"),
        ("id name=Other", "said id without being asked"),
        ("param name=a value=1 type=int", "said param without being asked"),
        ('error message="out of memory"', "reports an error: 'out of memory'"),
    ],
)
def test_bad_replies_in_a_search_end_the_protocol(line: str, problem: str) -> None:
    protocol = searching()
    with pytest.raises(ProtocolError, match=re.escape(f"fake {problem}")):
        protocol.receive(line)
    assert protocol.state is HubState.ENDED
    assert protocol.receive("done move=32-28") is None


def test_a_result_without_a_search_is_an_error() -> None:
    protocol = searching()
    assert isinstance(protocol.receive("done move=32-28"), Finished)
    with pytest.raises(ProtocolError, match="fake said done without being asked: 'done move=32-28'"):
        protocol.receive("done move=32-28")
    with pytest.raises(ProtocolError, match="fake said done without being asked"):
        ready().receive("done")


def test_info_after_a_search_is_ignored() -> None:
    protocol = ready()
    assert protocol.receive("info depth=3 score=1") is None
    assert protocol.state is HubState.READY


@pytest.mark.parametrize("stops", [False, True])
def test_a_search_must_end_with_a_move(stops: bool) -> None:  # noqa: FBT001 - both are tried
    protocol = searching()
    protocol.receive("info score=0 pv=1-2")
    if stops:
        protocol.stop()
    with pytest.raises(ProtocolError, match="fake ended its search without a move: 'done'"):
        protocol.receive("done")
    assert protocol.state is HubState.ENDED


@pytest.mark.parametrize("mode", [SearchMode.ANALYSE, SearchMode.PONDER])
def test_an_analysis_may_end_without_a_move(mode: SearchMode) -> None:
    protocol = ready()
    protocol.search(game_of(), Limit(), mode)
    assert protocol.receive("done") == Finished(None, None, {})
    protocol.search(game_of(), Limit(), mode)
    protocol.ponder_hit()
    with pytest.raises(ProtocolError, match="without a move"):
        protocol.receive("done")


def test_a_stopped_search_without_a_move_uses_its_last_line() -> None:
    protocol = searching()
    protocol.receive('info score=0 pv="32-28 19-23"')
    protocol.stop()
    finished = protocol.receive("done")
    assert isinstance(finished, Finished)
    assert str(finished.move) == "32-28"


def test_an_illegal_ponder_move_is_ignored() -> None:
    finished = searching().receive("done move=32-28 ponder=1-50")
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
    protocol = searching()
    assert protocol.receive(line) is None
    assert protocol.state is HubState.SEARCHING


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("param value=1 type=int", "declares an option that makes no sense (an option without a name is declared)"),
        (
            "param name=a value=x type=int",
            "declares an option that makes no sense (the value of a is not a whole number)",
        ),
        (f"param name=a value={'x' * 5000} type=string", "declares an option with more than 4,096 characters"),
        ("ready", "said ready without being asked"),
        ("done", "said done without being asked"),
        ('error message="bad command"', "reports an error: 'bad command'"),
    ],
)
def test_bad_replies_in_a_greeting_are_errors(line: str, problem: str) -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    with pytest.raises(ProtocolError, match=re.escape(f"fake {problem}")):
        protocol.receive(line)


def test_options_and_names_are_limited() -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    protocol.receive(f'id name="{"a" * 1000}" version="\x1b[31m"')
    assert protocol.id == {"name": "a" * 80, "version": r"\x1b[31m"}
    for number in range(MAX_OPTIONS):
        protocol.receive(f"param name=o{number} value=1 type=int")
    protocol.receive("param name=o3 value=7 type=int")  # a repetition does not count
    with pytest.raises(ProtocolError, match="declares more than 200 options"):
        protocol.receive("param name=another value=1 type=int")


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
    lines = protocol.search(game_of("32-28"), Limit(depth=3), SearchMode.ANALYSE)
    assert lines == (f"pos {START.lower()}", "move 32-28", "depth 3", "analyse")
    assert protocol.receive("info 2 1.5 -12 30 0.01 3.0 19-23 28x19x23") is not None
    finished = protocol.receive("move 19-23 28x19x23")
    assert isinstance(finished, Finished)
    assert (str(finished.move), finished.values["score"]) == ("19-23", "-0.12")
    with pytest.raises(ProtocolError, match="fake reports an error: 'bad position'"):
        protocol.receive("error bad position")


def test_an_engine_of_hub_2_is_detected() -> None:
    protocol = HubBoardProtocol("fake", is_hub1=True)
    protocol.greet()
    protocol.receive("id name=Scan version=3.1")
    protocol.receive("wait")
    assert protocol.id == {"name": "Scan", "version": "3.1"}
    assert protocol.set_option("threads", "2") == ("set-param name=threads value=2",)


def test_commands_in_the_wrong_state_are_errors() -> None:
    with pytest.raises(RuntimeError, match="this cannot be sent to an engine that is new"):
        HubBoardProtocol("fake").start()
    with pytest.raises(RuntimeError, match="this cannot be sent to an engine that is searching"):
        searching().search(game_of(), Limit(), SearchMode.THINK)


def test_a_game_is_sent_with_all_its_moves() -> None:
    told = format_game(game_of("32-28", "19-23", "28x19"))
    assert str(told) == f'pos pos={START} moves="32-28 19-23 28x19x23"'
    assert str(format_game(game_of())) == f"pos pos={START}"


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
HEARD = st.one_of(
    st.sampled_from(LINES),
    st.tuples(st.sampled_from(LINES), st.integers(0, 40)).map(lambda cut: cut[0][: cut[1]]),
    st.tuples(st.sampled_from(LINES), st.text(max_size=8)).map("".join),
    st.lists(st.sampled_from(LINES), min_size=2, max_size=3).map(" ".join),
    st.text(max_size=20),
)


class Conversations(RuleBasedStateMachine):
    """Any lines in any order give only legal moves or a `ProtocolError`."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol = HubBoardProtocol("fake")
        self.game = Game(Position.start("international"))
        self.asked = 0

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
        self.asked += 1

    @precondition(lambda self: self.is_in(HubState.SEARCHING, HubState.READY))
    @rule()
    def ping(self) -> None:
        assert self.protocol.ping() == ("ping",)

    @rule()
    def stop(self) -> None:
        assert self.protocol.stop() in {("stop",), ()}

    @rule(right=st.booleans(), line=HEARD)
    def hear(self, right: bool, line: str) -> None:  # noqa: FBT001 - drawn by hypothesis
        usual = {HubState.GREETED: "wait", HubState.STARTING: "ready", HubState.SEARCHING: "done move=32-28"}
        before, error, event = self.protocol.state, None, None
        try:
            event = self.protocol.receive(usual.get(before, line) if right else line)
        except ProtocolError as caught:
            error = caught
        if error is not None:
            assert error.peer == "fake"
            assert len(str(error)) < 500
            assert self.is_in(HubState.ENDED)
        if isinstance(event, Finished):
            assert before is HubState.SEARCHING
            assert event.move is None or event.move in self.game.legal_moves()
            self.asked -= 1

    @invariant()
    def nothing_is_half_done(self) -> None:
        assert self.game == Game(Position.start("international"))
        assert self.is_in(HubState.ENDED) or self.asked == self.is_in(HubState.SEARCHING)
        assert len(self.protocol.id) <= 4


Conversations.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestConversations = Conversations.TestCase
