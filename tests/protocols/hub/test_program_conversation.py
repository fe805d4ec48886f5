"""The program's side of a conversation, without any search."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tablemen.draughts import Position
from tablemen.draughts.notation import format_hub_position
from tablemen.protocols.hub.message import parse_message
from tablemen.protocols.hub.program import our_options
from tablemen.protocols.hub.program_conversation import (
    LOST,
    Act,
    Begin,
    Forget,
    Hit,
    Prepare,
    ProgramConversation,
    Quit,
    Say,
    Stop,
)
from tablemen.search import Clock, Info, Limit, Score

START = format_hub_position(Position.start("international"))


def after(*lines: str, first: bool = False) -> ProgramConversation:
    """A conversation in which this was said already, and nothing was wrong with it."""
    conversation = ProgramConversation({"name": "tablemen", "version": "1"}, our_options(), first)
    for line in lines:
        assert not [act for act in conversation.hear(line) if isinstance(act, Say) and act.line.startswith("error")]
    return conversation


def said(acts: list[Act]) -> list[str]:
    assert all(isinstance(act, Say) for act in acts)
    return [act.line for act in acts if isinstance(act, Say)]


def begun(acts: list[Act]) -> Begin:
    (act,) = acts
    assert isinstance(act, Begin)
    return act


def test_a_greeting() -> None:
    conversation = after()
    lines = said(conversation.hear("hub"))
    assert lines[0] == "id name=tablemen version=1"
    assert [parse_message(line).get("name") for line in lines[1:-1]] == ["variant", "threads", "table", "level", "seed"]
    assert all(parse_message(line).get("type") in {"enum", "int"} for line in lines[1:-1])
    assert lines[-1] == "wait"
    assert conversation.hear("set-param name=threads value=2") == []
    assert conversation.options["threads"].value == 2
    assert conversation.hear("init") == [Prepare(), Say("ready")]


def test_a_search() -> None:
    conversation = after(f'pos pos={START} moves="32-28 19-23"', "level moves=9 time=60 inc=1", "level depth=3")
    order = begun(conversation.hear("go think"))
    assert [str(move) for move in order.game.moves] == ["32-28", "19-23"]
    assert order.limit == Limit(depth=3, clock=Clock(60, 1, 9))
    assert not order.ponder
    assert not order.analyse
    (move,) = order.game.legal_moves()
    info = Info(3, Score(0.25), 1000, 0.5, (move,))
    assert said(conversation.inform(info)) == ["info depth=3 score=0.25 nodes=1000 time=0.5 nps=0.002 pv=28x19x23"]
    assert conversation.hear("ping") == [Say("pong")]
    assert conversation.hear("stop") == [Stop()]
    assert said(conversation.finish(move)) == ["done move=28x19x23"]
    assert begun(conversation.hear("go think")).limit == Limit()  # that was the level of the last search


def test_pondering_is_hit_once_and_only_then() -> None:
    conversation = after("pos start")
    assert conversation.hear("ponder-hit") == []
    assert begun(conversation.hear("go ponder")).ponder
    assert conversation.hear("ponder-hit") == [Hit()]
    assert conversation.hear("ponder-hit") == []
    conversation = after("pos start")
    assert begun(conversation.hear("go analyze")).analyse
    assert conversation.hear("ponder-hit") == []


def test_any_other_line_stops_the_search_and_is_obeyed_afterwards() -> None:
    conversation = after("pos start")
    begun(conversation.hear("go analyze"))
    assert conversation.hear("level depth=9") == [Stop()]
    assert conversation.held == "level depth=9"
    assert said(conversation.finish(None)) == ["done"]
    assert begun(conversation.hear("go think")).limit == Limit(depth=9)
    assert conversation.hear("go think") == [Stop()]
    done, again = conversation.finish(None)
    assert done == Say("done")
    assert isinstance(again, Begin)
    assert conversation.hear("quit") == [Stop()]
    assert conversation.finish(None) == [Say("done"), Quit()]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "missing command"),
        ("pos pos=Wbw", "bad position: column 4: "),
        (f"pos pos=X{START[1:]}", "bad position: column 1: "),
        ('pos start moves="32-28 32-28"', "illegal move: 32-28"),
        ('pos start moves="32-28 99-100"', "bad move: "),
        ('pos start moves="hello"', "bad move: 'hello' is not a move: one like 32-28 or 28x19x23 is expected"),
        ("level depth=deep", "bad level: depth is no number"),
        ("set-param value=3", "missing name"),
        ("set-param name=colour value=red", "unknown option colour"),
        ("set-param name=threads value=many", "threads is 'many': a whole number from 1 to 256 is expected"),
        ("set-param name=variant", "variant is ''"),
        ('pos pos="', "bad line: a quote is not closed"),
        ('say "a', "bad line: the name of an argument is expected here, not"),
    ],
)
def test_what_is_wrong_is_told(line: str, problem: str) -> None:
    conversation = after()
    (answer,) = said(conversation.hear(line))
    told = parse_message(answer)
    assert told.command == "error"
    assert (told.get("message") or "").startswith(problem)
    if line.startswith("pos "):  # nobody knows what the board shows
        assert said(conversation.hear("go think")) == [f'error message="{LOST}"']
        assert conversation.hear("pos start") == []
    assert isinstance(begun(conversation.hear("go think")), Begin)  # nothing is broken by that


def test_no_more_is_told_of_a_move_than_fits() -> None:
    line = f"pos start moves={'0' * 200}31-50"
    assert said(after().hear(line)) == [f'error message="illegal move: {"0" * 80}"']


def test_a_position_is_set_up_whole_or_not_at_all() -> None:
    conversation = after('pos start moves="32-28"')
    conversation.hear('pos start moves="32-28 1-50 19-23"')
    for line in ("go think", "level depth=2", "go analyze"):
        assert said(conversation.hear(line)) == ([f'error message="{LOST}"'] if line.startswith("go") else [])
    conversation.hear("set-param name=variant value=bt")  # whose start is another
    assert not begun(conversation.hear("go think")).game.moves


def test_an_endless_level_lifts_those_before_it() -> None:
    conversation = after("pos start", "level depth=2 nodes=9", "level infinite")
    assert begun(conversation.hear("go analyze")).limit == Limit()
    conversation = after("pos start", "level infinite", "level depth=2")
    assert begun(conversation.hear("go analyze")).limit == Limit(depth=2)


@pytest.mark.parametrize("line", ["stop", "ponder-hit", "hello world", "wait", "done move=32-28", "error message=a"])
def test_what_means_nothing_now_is_not_answered(line: str) -> None:
    assert after().hear(line) == []


def test_the_variant_decides_the_board() -> None:
    conversation = after("set-param name=variant value=losing", "pos start")
    assert begun(conversation.hear("go think")).game.position.variant.name == "antidraughts"
    conversation = after("pos start", "set-param name=variant value=english")
    assert begun(conversation.hear("go think")).game.position == Position.start("english")


def test_a_position_without_moves_has_no_answer() -> None:
    lost = "W" + "e" * 44 + "b" + "e" * 5
    assert said(after(f"pos pos={lost}").hear("go think")) == ["done"]


def test_a_board_may_play_on_where_we_see_a_draw() -> None:
    walk = ["47-36", "6-1", "36-47", "1-6"] * 8
    kings = "".join({6: "B", 47: "W"}.get(square, "e") for square in range(1, 51))
    conversation = after(f'pos pos=W{kings} moves="{" ".join(walk)}"')
    acts = conversation.hear("go think")
    answer = acts[0]
    assert isinstance(answer, Begin) or (isinstance(answer, Say) and answer.line.startswith("done move="))


def test_another_game_and_the_end() -> None:
    assert after().hear("new-game") == [Forget()]
    assert after().hear("quit") == [Quit()]


def test_a_board_that_speaks_the_first_hub() -> None:
    conversation = after("hub", "set threads 2", "init")
    assert conversation.first
    assert conversation.options["threads"].value == 2
    for line in ("start", "move 32-28", "depth 4", "time 1000"):
        assert conversation.hear(line) == []
    order = begun(conversation.hear("go"))
    assert ([str(move) for move in order.game.moves], order.limit) == (["32-28"], Limit(depth=4, time=1))
    move = order.game.legal_moves()[0]
    info = Info(3, Score(-0.25), 1000, 0.5, (move,))
    assert said(conversation.inform(info)) == ["info 3 3 -25 1000 0.5 0.002 16-21"]
    assert said(conversation.finish(move)) == ["move 16-21"]
    assert said(conversation.hear("move 1-50")) == ["error illegal move: 1-50"]
    assert said(conversation.hear("move 1-99")) == said(conversation.hear("go")) == [f"error {LOST}"]
    assert conversation.hear("start") == []
    assert said(conversation.hear("move 1-99")) == ["error bad move: international has no square '99'"]
    assert said(after(first=True).hear("hub")) == ["name tablemen 1", "wait"]


@pytest.mark.parametrize("line", ["set-param name=seed value=3", "pos pos=Wb", "level depth=3", "go think", "new-game"])
def test_a_board_that_turns_out_to_speak_the_second_hub(line: str) -> None:
    conversation = after("start", first=True)
    assert conversation.first
    conversation.hear(line)
    assert not conversation.first


def test_what_cannot_be_read_ends_a_search_too() -> None:
    conversation = after("pos start")
    begun(conversation.hear("go analyze"))
    assert conversation.hear('pos pos="') == [Stop()]
    assert said(conversation.finish(None)) == ["done", 'error message="bad line: a quote is not closed"']


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
    """Whatever a board says whenever, each search has one beginning and one answer, and nothing fails."""

    def __init__(self) -> None:
        super().__init__()
        self.conversation = ProgramConversation({"name": "tablemen"}, our_options())
        self.order: Begin | None = None

    def take(self, acts: list[Act]) -> None:
        for act in acts:
            if isinstance(act, Begin):
                assert self.order is None
                assert act.game.outcome() is None
                self.order = act

    @precondition(lambda self: self.conversation.held is None)
    @rule(line=HEARD)
    def hear(self, line: str) -> None:
        self.take(self.conversation.hear(line))

    @precondition(lambda self: self.order is not None)
    @rule(number=st.integers(0, 5))
    def finish(self, number: int) -> None:
        assert self.order is not None
        moves, self.order = self.order.game.legal_moves(), None
        acts = self.conversation.finish(moves[number % len(moves)])
        assert isinstance(acts[0], Say)
        assert acts[0].line.startswith("move " if self.conversation.first else "done move=")
        self.take(acts)

    @invariant()
    def a_search_goes_on_as_long_as_it_has_no_answer(self) -> None:
        assert self.conversation.is_searching == (self.order is not None)


Boards.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestBoards = Boards.TestCase
