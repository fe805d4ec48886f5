"""The state machine of a Hub engine, without a search."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tablemen.draughts import Position
from tablemen.draughts.notation import format_hub_position
from tablemen.protocols.hub.messages import parse_message
from tablemen.protocols.hub.protocol import (
    NO_POSITION,
    ClearSearch,
    HubAction,
    HubEngineProtocol,
    PonderHit,
    Prepare,
    Quit,
    SendLine,
    StartSearch,
    StopSearch,
)
from tablemen.protocols.hub.server import engine_options
from tablemen.search import Clock, Info, Limit, Score

START = format_hub_position(Position.start("international"))


def make_protocol(*lines: str, hub1: bool = False) -> HubEngineProtocol:
    """Return a protocol that has received these lines without an error."""
    protocol = HubEngineProtocol({"name": "tablemen", "version": "1"}, engine_options(), hub1)
    for line in lines:
        assert not [
            action
            for action in protocol.receive(line)
            if isinstance(action, SendLine) and action.line.startswith("error")
        ]
    return protocol


def sent(actions: list[HubAction]) -> list[str]:
    assert all(isinstance(action, SendLine) for action in actions)
    return [action.line for action in actions if isinstance(action, SendLine)]


def started(actions: list[HubAction]) -> StartSearch:
    (action,) = actions
    assert isinstance(action, StartSearch)
    return action


def test_the_greeting_declares_the_options() -> None:
    protocol = make_protocol()
    lines = sent(protocol.receive("hub"))
    assert lines[0] == "id name=tablemen version=1"
    assert [parse_message(line).get("name") for line in lines[1:-1]] == list(protocol.options)
    assert all(parse_message(line).get("type") in {"enum", "int", "bool"} for line in lines[1:-1])
    assert lines[-1] == "wait"
    assert protocol.receive("set-param name=threads value=2") == []
    assert protocol.options["threads"].value == 2
    assert protocol.receive("init") == [Prepare(), SendLine("ready")]


def test_a_search_with_limits() -> None:
    protocol = make_protocol(f'pos pos={START} moves="32-28 19-23"', "level moves=9 time=60 inc=1", "level depth=3")
    search = started(protocol.receive("go think"))
    assert [str(move) for move in search.game.moves] == ["32-28", "19-23"]
    assert search.limit == Limit(depth=3, clock=Clock(60, 1, 9))
    assert not search.ponder
    assert not search.analyse
    (move,) = search.game.legal_moves()
    info = Info(3, Score(0.25), 1000, 0.5, (move,))
    assert sent(protocol.inform(info)) == ["info depth=3 score=0.25 nodes=1000 time=0.5 nps=0.002 pv=28x19x23"]
    assert protocol.receive("ping") == [SendLine("pong")]
    assert protocol.receive("stop") == [StopSearch()]
    assert sent(protocol.finish(move)) == ["done move=28x19x23"]
    assert started(protocol.receive("go think")).limit == Limit()  # a level is for one search


def test_a_ponder_hit_counts_once() -> None:
    protocol = make_protocol("pos start")
    assert protocol.receive("ponder-hit") == []
    assert started(protocol.receive("go ponder")).ponder
    assert protocol.receive("ponder-hit") == [PonderHit()]
    assert protocol.receive("ponder-hit") == []
    protocol = make_protocol("pos start")
    assert started(protocol.receive("go analyze")).analyse
    assert protocol.receive("ponder-hit") == []


def test_any_other_line_stops_the_search_and_is_executed_afterwards() -> None:
    protocol = make_protocol("pos start")
    started(protocol.receive("go analyze"))
    assert protocol.receive("level depth=9") == [StopSearch()]
    assert protocol.held == "level depth=9"
    assert sent(protocol.finish(None)) == ["done"]
    assert started(protocol.receive("go think")).limit == Limit(depth=9)
    assert protocol.receive("go think") == [StopSearch()]
    done, next_search = protocol.finish(None)
    assert done == SendLine("done")
    assert isinstance(next_search, StartSearch)
    assert protocol.receive("quit") == [StopSearch()]
    assert protocol.finish(None) == [SendLine("done"), Quit()]


INVALID_LINES = {  # line: detail that the error message must contain
    "": "",
    "pos pos=Wbw": "column 4",
    f"pos pos=X{START[1:]}": "column 1",
    'pos start moves="32-28 32-28"': "32-28",
    'pos start moves="32-28 99-100"': "99",
    'pos start moves="hello"': "hello",
    "level depth=deep": "depth",
    "level depth=-1": "depth",
    "level nodes=0": "nodes",
    "level move-time=-1": "move-time",
    "depth -1": "depth",  # Hub 1
    "time -500": "move-time",
    "set-param value=3": "name",
    "set-param name=colour value=red": "colour",
    "set-param name=threads value=many": "threads",
    "set-param name=variant": "variant",
    'pos pos="': "",
    'say "a': "",
}


@pytest.mark.parametrize("line", INVALID_LINES)
def test_invalid_lines_are_answered_with_an_error(line: str) -> None:
    protocol = make_protocol()
    (answer,) = sent(protocol.receive(line))
    assert answer.startswith("error ")
    assert INVALID_LINES[line] in answer
    if line.startswith("pos "):  # the position of the board is unknown
        assert sent(protocol.receive("go think")) == [f'error message="{NO_POSITION}"']
        assert protocol.receive("pos start") == []
    assert isinstance(started(protocol.receive("go think")), StartSearch)  # the protocol is still usable


def test_a_long_illegal_move_is_shortened() -> None:
    line = f"pos start moves={'0' * 200}31-50"
    (answer,) = sent(make_protocol().receive(line))
    assert (parse_message(answer).get("message") or "").endswith(f" {'0' * 80}")


def test_a_position_with_an_illegal_move_is_not_set_up() -> None:
    protocol = make_protocol('pos start moves="32-28"')
    protocol.receive('pos start moves="32-28 1-50 19-23"')
    for line in ("go think", "level depth=2", "go analyze"):
        assert sent(protocol.receive(line)) == ([f'error message="{NO_POSITION}"'] if line.startswith("go") else [])
    protocol.receive("set-param name=variant value=bt")  # which has another start position
    assert not started(protocol.receive("go think")).game.moves


def test_an_infinite_level_removes_earlier_limits() -> None:
    protocol = make_protocol("pos start", "level depth=2 nodes=9", "level infinite")
    assert started(protocol.receive("go analyze")).limit == Limit()
    protocol = make_protocol("pos start", "level infinite", "level depth=2")
    assert started(protocol.receive("go analyze")).limit == Limit(depth=2)


@pytest.mark.parametrize("line", ["stop", "ponder-hit", "hello world", "wait", "done move=32-28", "error message=a"])
def test_unexpected_lines_are_ignored(line: str) -> None:
    assert make_protocol().receive(line) == []


def test_the_variant_determines_the_start_position() -> None:
    protocol = make_protocol("set-param name=variant value=losing", "pos start")
    assert started(protocol.receive("go think")).game.position.variant.name == "antidraughts"
    protocol = make_protocol("pos start", "set-param name=variant value=english")
    assert started(protocol.receive("go think")).game.position == Position.start("english")


def test_a_position_without_moves_is_answered_without_a_move() -> None:
    lost = "W" + "e" * 44 + "b" + "e" * 5
    assert sent(make_protocol(f"pos pos={lost}").receive("go think")) == ["done"]


def test_a_board_may_play_on_after_a_draw() -> None:
    walk = ["47-36", "6-1", "36-47", "1-6"] * 8
    kings = "".join({6: "B", 47: "W"}.get(square, "e") for square in range(1, 51))
    protocol = make_protocol(f'pos pos=W{kings} moves="{" ".join(walk)}"')
    actions = protocol.receive("go think")
    answer = actions[0]
    assert isinstance(answer, StartSearch) or (isinstance(answer, SendLine) and answer.line.startswith("done move="))


def test_new_game_and_quit_are_actions() -> None:
    assert make_protocol().receive("new-game") == [ClearSearch()]
    assert make_protocol().receive("quit") == [Quit()]


def test_a_board_of_hub_1_is_detected_and_answered() -> None:
    protocol = make_protocol("hub", "set threads 2", "init")
    assert protocol.is_hub1
    assert protocol.options["threads"].value == 2
    for line in ("start", "move 32-28", "depth 4", "time 1000"):
        assert protocol.receive(line) == []
    search = started(protocol.receive("go"))
    assert ([str(move) for move in search.game.moves], search.limit) == (["32-28"], Limit(depth=4, time=1))
    move = search.game.legal_moves()[0]
    info = Info(3, Score(-0.25), 1000, 0.5, (move,))
    assert sent(protocol.inform(info)) == ["info 3 3 -25 1000 0.5 0.002 16-21"]
    assert sent(protocol.finish(move)) == ["move 16-21"]
    (answer,) = sent(protocol.receive("move 1-50"))
    assert answer.startswith("error ")
    assert "1-50" in answer
    assert sent(protocol.receive("move 1-99")) == sent(protocol.receive("go")) == [f"error {NO_POSITION}"]
    assert protocol.receive("start") == []
    (answer,) = sent(protocol.receive("move 1-99"))
    assert answer.startswith("error ")
    assert "'99'" in answer
    assert sent(make_protocol(hub1=True).receive("hub")) == ["name tablemen 1", "wait"]


@pytest.mark.parametrize("line", ["set-param name=seed value=3", "pos pos=Wb", "level depth=3", "go think", "new-game"])
def test_a_board_of_hub_2_is_detected(line: str) -> None:
    protocol = make_protocol("start", hub1=True)
    assert protocol.is_hub1
    protocol.receive(line)
    assert not protocol.is_hub1


def test_a_malformed_line_stops_a_search() -> None:
    protocol = make_protocol("pos start")
    started(protocol.receive("go analyze"))
    assert protocol.receive('pos pos="') == [StopSearch()]
    done, answer = sent(protocol.finish(None))
    assert done == "done"
    assert parse_message(answer).command == "error"


LINES = [
    "hub",
    "init",
    "set-param name=variant value=bt",
    "set-param name=level value=3",
    "pos start",
    'pos start moves="32-28 19-23"',
    f"pos pos={START}",
    "level depth=3",
    "level time=1 inc=1",
    "go think",
    "go ponder",
    "go analyze",
    "ping",
    "stop",
    "ponder-hit",
    "new-game",
    "start",
    "move 32-28",
    "go",
    "",
]
ANY_LINE = st.one_of(
    st.sampled_from(LINES),
    st.tuples(st.sampled_from(LINES), st.integers(0, 30)).map(lambda cut: cut[0][: cut[1]]),
    st.lists(st.sampled_from(LINES), min_size=2, max_size=3).map(" ".join),
    st.text(max_size=20),
)


class AnyLines(RuleBasedStateMachine):
    """An engine that receives any lines in any order: each search starts once and ends once, and nothing fails."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol = HubEngineProtocol({"name": "tablemen"}, engine_options())
        self.search: StartSearch | None = None

    def check_actions(self, actions: list[HubAction]) -> None:
        for action in actions:
            if isinstance(action, StartSearch):
                assert self.search is None
                assert action.game.outcome() is None
                self.search = action

    @precondition(lambda self: self.protocol.held is None)
    @rule(line=ANY_LINE)
    def receive(self, line: str) -> None:
        self.check_actions(self.protocol.receive(line))

    @precondition(lambda self: self.search is not None)
    @rule(number=st.integers(0, 5))
    def finish(self, number: int) -> None:
        assert self.search is not None
        moves, self.search = self.search.game.legal_moves(), None
        actions = self.protocol.finish(moves[number % len(moves)])
        assert isinstance(actions[0], SendLine)
        assert actions[0].line.startswith("move " if self.protocol.is_hub1 else "done move=")
        self.check_actions(actions)

    @invariant()
    def the_protocol_is_searching_until_finish(self) -> None:
        assert self.protocol.is_searching == (self.search is not None)


AnyLines.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestAnyLines = AnyLines.TestCase
