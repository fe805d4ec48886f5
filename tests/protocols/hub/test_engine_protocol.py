"""The engine's end of the protocol, without a search."""

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


def after(*lines: str, hub1: bool = False) -> HubEngineProtocol:
    """Return a protocol that has received these lines without an error."""
    protocol = HubEngineProtocol({"name": "tablemen", "version": "1"}, engine_options(), hub1)
    for line in lines:
        assert not [
            action
            for action in protocol.receive(line)
            if isinstance(action, SendLine) and action.line.startswith("error")
        ]
    return protocol


def said(actions: list[HubAction]) -> list[str]:
    assert all(isinstance(action, SendLine) for action in actions)
    return [action.line for action in actions if isinstance(action, SendLine)]


def begun(actions: list[HubAction]) -> StartSearch:
    (action,) = actions
    assert isinstance(action, StartSearch)
    return action


def test_a_greeting() -> None:
    protocol = after()
    lines = said(protocol.receive("hub"))
    assert lines[0] == "id name=tablemen version=1"
    assert [parse_message(line).get("name") for line in lines[1:-1]] == ["variant", "threads", "table", "level", "seed"]
    assert all(parse_message(line).get("type") in {"enum", "int"} for line in lines[1:-1])
    assert lines[-1] == "wait"
    assert protocol.receive("set-param name=threads value=2") == []
    assert protocol.options["threads"].value == 2
    assert protocol.receive("init") == [Prepare(), SendLine("ready")]


def test_a_search() -> None:
    protocol = after(f'pos pos={START} moves="32-28 19-23"', "level moves=9 time=60 inc=1", "level depth=3")
    search = begun(protocol.receive("go think"))
    assert [str(move) for move in search.game.moves] == ["32-28", "19-23"]
    assert search.limit == Limit(depth=3, clock=Clock(60, 1, 9))
    assert not search.ponder
    assert not search.analyse
    (move,) = search.game.legal_moves()
    info = Info(3, Score(0.25), 1000, 0.5, (move,))
    assert said(protocol.inform(info)) == ["info depth=3 score=0.25 nodes=1000 time=0.5 nps=0.002 pv=28x19x23"]
    assert protocol.receive("ping") == [SendLine("pong")]
    assert protocol.receive("stop") == [StopSearch()]
    assert said(protocol.finish(move)) == ["done move=28x19x23"]
    assert begun(protocol.receive("go think")).limit == Limit()  # a level is for one search


def test_a_ponder_hit_counts_once() -> None:
    protocol = after("pos start")
    assert protocol.receive("ponder-hit") == []
    assert begun(protocol.receive("go ponder")).ponder
    assert protocol.receive("ponder-hit") == [PonderHit()]
    assert protocol.receive("ponder-hit") == []
    protocol = after("pos start")
    assert begun(protocol.receive("go analyze")).analyse
    assert protocol.receive("ponder-hit") == []


def test_any_other_line_stops_the_search_and_is_executed_afterwards() -> None:
    protocol = after("pos start")
    begun(protocol.receive("go analyze"))
    assert protocol.receive("level depth=9") == [StopSearch()]
    assert protocol.held == "level depth=9"
    assert said(protocol.finish(None)) == ["done"]
    assert begun(protocol.receive("go think")).limit == Limit(depth=9)
    assert protocol.receive("go think") == [StopSearch()]
    done, again = protocol.finish(None)
    assert done == SendLine("done")
    assert isinstance(again, StartSearch)
    assert protocol.receive("quit") == [StopSearch()]
    assert protocol.finish(None) == [SendLine("done"), Quit()]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "missing command"),
        ("pos pos=Wbw", "bad position: column 4: "),
        (f"pos pos=X{START[1:]}", "bad position: column 1: "),
        ('pos start moves="32-28 32-28"', "illegal move: 32-28"),
        ('pos start moves="32-28 99-100"', "bad move: "),
        ('pos start moves="hello"', "bad move: expected a move such as 32-28 or 28x19x23, got 'hello'"),
        ("level depth=deep", "bad level: depth is no number"),
        ("set-param value=3", "missing name"),
        ("set-param name=colour value=red", "unknown option colour"),
        ("set-param name=threads value=many", "threads is 'many': a whole number from 1 to 256 is expected"),
        ("set-param name=variant", "variant is ''"),
        ('pos pos="', "bad line: a quote is not closed"),
        ('say "a', "bad line: the name of an argument is expected here, not"),
    ],
)
def test_bad_lines_are_answered_with_an_error(line: str, problem: str) -> None:
    protocol = after()
    (answer,) = said(protocol.receive(line))
    told = parse_message(answer)
    assert told.command == "error"
    assert (told.get("message") or "").startswith(problem)
    if line.startswith("pos "):  # the position of the board is unknown
        assert said(protocol.receive("go think")) == [f'error message="{NO_POSITION}"']
        assert protocol.receive("pos start") == []
    assert isinstance(begun(protocol.receive("go think")), StartSearch)  # it still works


def test_a_long_illegal_move_is_shortened() -> None:
    line = f"pos start moves={'0' * 200}31-50"
    assert said(after().receive(line)) == [f'error message="illegal move: {"0" * 80}"']


def test_a_position_with_an_illegal_move_is_not_set_up() -> None:
    protocol = after('pos start moves="32-28"')
    protocol.receive('pos start moves="32-28 1-50 19-23"')
    for line in ("go think", "level depth=2", "go analyze"):
        assert said(protocol.receive(line)) == ([f'error message="{NO_POSITION}"'] if line.startswith("go") else [])
    protocol.receive("set-param name=variant value=bt")  # with another start position
    assert not begun(protocol.receive("go think")).game.moves


def test_an_infinite_level_removes_earlier_limits() -> None:
    protocol = after("pos start", "level depth=2 nodes=9", "level infinite")
    assert begun(protocol.receive("go analyze")).limit == Limit()
    protocol = after("pos start", "level infinite", "level depth=2")
    assert begun(protocol.receive("go analyze")).limit == Limit(depth=2)


@pytest.mark.parametrize("line", ["stop", "ponder-hit", "hello world", "wait", "done move=32-28", "error message=a"])
def test_irrelevant_lines_are_not_answered(line: str) -> None:
    assert after().receive(line) == []


def test_the_variant_decides_the_board() -> None:
    protocol = after("set-param name=variant value=losing", "pos start")
    assert begun(protocol.receive("go think")).game.position.variant.name == "antidraughts"
    protocol = after("pos start", "set-param name=variant value=english")
    assert begun(protocol.receive("go think")).game.position == Position.start("english")


def test_a_position_without_moves_has_no_answer() -> None:
    lost = "W" + "e" * 44 + "b" + "e" * 5
    assert said(after(f"pos pos={lost}").receive("go think")) == ["done"]


def test_a_board_may_play_on_after_a_draw() -> None:
    walk = ["47-36", "6-1", "36-47", "1-6"] * 8
    kings = "".join({6: "B", 47: "W"}.get(square, "e") for square in range(1, 51))
    protocol = after(f'pos pos=W{kings} moves="{" ".join(walk)}"')
    actions = protocol.receive("go think")
    answer = actions[0]
    assert isinstance(answer, StartSearch) or (isinstance(answer, SendLine) and answer.line.startswith("done move="))


def test_new_game_and_quit() -> None:
    assert after().receive("new-game") == [ClearSearch()]
    assert after().receive("quit") == [Quit()]


def test_a_board_of_hub_1() -> None:
    protocol = after("hub", "set threads 2", "init")
    assert protocol.is_hub1
    assert protocol.options["threads"].value == 2
    for line in ("start", "move 32-28", "depth 4", "time 1000"):
        assert protocol.receive(line) == []
    search = begun(protocol.receive("go"))
    assert ([str(move) for move in search.game.moves], search.limit) == (["32-28"], Limit(depth=4, time=1))
    move = search.game.legal_moves()[0]
    info = Info(3, Score(-0.25), 1000, 0.5, (move,))
    assert said(protocol.inform(info)) == ["info 3 3 -25 1000 0.5 0.002 16-21"]
    assert said(protocol.finish(move)) == ["move 16-21"]
    assert said(protocol.receive("move 1-50")) == ["error illegal move: 1-50"]
    assert said(protocol.receive("move 1-99")) == said(protocol.receive("go")) == [f"error {NO_POSITION}"]
    assert protocol.receive("start") == []
    assert said(protocol.receive("move 1-99")) == ["error bad move: international has no square '99'"]
    assert said(after(hub1=True).receive("hub")) == ["name tablemen 1", "wait"]


@pytest.mark.parametrize("line", ["set-param name=seed value=3", "pos pos=Wb", "level depth=3", "go think", "new-game"])
def test_a_board_of_hub_2_is_detected(line: str) -> None:
    protocol = after("start", hub1=True)
    assert protocol.is_hub1
    protocol.receive(line)
    assert not protocol.is_hub1


def test_a_malformed_line_stops_a_search() -> None:
    protocol = after("pos start")
    begun(protocol.receive("go analyze"))
    assert protocol.receive('pos pos="') == [StopSearch()]
    assert said(protocol.finish(None)) == ["done", 'error message="bad line: a quote is not closed"']


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
HEARD = st.one_of(
    st.sampled_from(LINES),
    st.tuples(st.sampled_from(LINES), st.integers(0, 30)).map(lambda cut: cut[0][: cut[1]]),
    st.lists(st.sampled_from(LINES), min_size=2, max_size=3).map(" ".join),
    st.text(max_size=20),
)


class Boards(RuleBasedStateMachine):
    """After any lines in any order, each search starts once and ends once, and nothing fails."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol = HubEngineProtocol({"name": "tablemen"}, engine_options())
        self.search: StartSearch | None = None

    def take(self, actions: list[HubAction]) -> None:
        for action in actions:
            if isinstance(action, StartSearch):
                assert self.search is None
                assert action.game.outcome() is None
                self.search = action

    @precondition(lambda self: self.protocol.held is None)
    @rule(line=HEARD)
    def hear(self, line: str) -> None:
        self.take(self.protocol.receive(line))

    @precondition(lambda self: self.search is not None)
    @rule(number=st.integers(0, 5))
    def finish(self, number: int) -> None:
        assert self.search is not None
        moves, self.search = self.search.game.legal_moves(), None
        actions = self.protocol.finish(moves[number % len(moves)])
        assert isinstance(actions[0], SendLine)
        assert actions[0].line.startswith("move " if self.protocol.is_hub1 else "done move=")
        self.take(actions)

    @invariant()
    def a_search_goes_on_as_long_as_it_has_no_answer(self) -> None:
        assert self.protocol.is_searching == (self.search is not None)


Boards.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestBoards = Boards.TestCase
