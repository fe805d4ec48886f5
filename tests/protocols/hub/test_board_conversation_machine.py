"""Whatever a program says to a board, in whatever order."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tablemen.draughts import Position
from tablemen.errors import ProtocolError
from tablemen.game import Game
from tablemen.protocols.hub.protocol import Finished, HubBoardProtocol, HubState, SearchMode
from tablemen.search import Limit

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
    """Whatever a program says whenever, only `ProtocolError`s come of it, and only legal moves."""

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
