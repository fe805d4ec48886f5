"""Two ends joined by queues: whatever both do, and however long messages take, they agree on the game."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tablemen.draughts import Position
from tablemen.outcome import Side
from tablemen.protocols.dxp.conversation import Conversation, Phase
from tablemen.protocols.dxp.message import Acceptance, Message, Reason, Takeback
from tablemen.protocols.dxp.text import format_message, parse_message

STARTS = [
    Position.start("international"),
    Position.start("english"),
    Position.start("breakthrough"),
    Position.from_fen("W:W28,33:B23,8", "international"),
    Position.from_fen("B:WK50,40:B1,K16,6", "frisian"),
]
PAIRS = {
    (Phase.IDLE, Phase.IDLE),
    (Phase.ASKING, Phase.ASKED),
    (Phase.ASKED, Phase.ASKING),
    (Phase.PLAYING, Phase.PLAYING),
    (Phase.ENDING, Phase.ENDED),
    (Phase.ENDED, Phase.ENDING),
}
WHO = st.sampled_from([0, 1])


class TwoEnds(RuleBasedStateMachine):
    @initialize(start=st.sampled_from(STARTS))
    def connect(self, start: Position) -> None:
        self.start = start
        self.ends = [Conversation(start.variant, name=name) for name in ("one", "other")]
        self.queues: list[deque[bytes]] = [deque(), deque()]  # to each of them
        self.is_torn = False  # an end out of turn crossed a move, so that the last moves differ

    def send(self, who: int, message: Message) -> None:
        self.queues[1 - who].append(format_message(message))

    def deliver(self, who: int) -> None:
        self.ends[who].receive(parse_message(self.queues[who].popleft()))

    @rule(who=WHO)
    def receive(self, who: int) -> None:
        if self.queues[who]:
            self.deliver(who)

    @precondition(lambda self: not any(self.queues) and self.ends[0].phase is Phase.IDLE)
    @rule(who=WHO, side=st.sampled_from(Side))
    def ask(self, who: int, side: Side) -> None:
        self.is_torn = False
        if not self.ends[who].is_over:
            self.send(who, self.ends[who].ask(self.start, side, minutes=5))

    @rule(accepts=st.sampled_from([True, True, True, False]))
    def answer(self, *, accepts: bool) -> None:
        for who, end in enumerate(self.ends):
            if end.phase is Phase.ASKED:
                self.send(who, end.accept() if accepts else end.decline(Acceptance.NOT_THIS_GAME))

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        for who, end in enumerate(self.ends):
            if end.is_our_turn and not end.is_asking_back and end.game.legal_moves():
                self.send(who, end.play(data.draw(st.sampled_from(end.game.legal_moves())), 3))

    @rule(who=WHO, reason=st.sampled_from(Reason), leaves=st.sampled_from([False, False, True]))
    def finish(self, who: int, reason: Reason, *, leaves: bool) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and (end.is_our_turn or end.game.outcome()):
            self.send(who, end.end(reason, leaves=leaves))

    @rule(who=WHO, chance=st.integers(0, 4))
    def finish_out_of_turn(self, who: int, chance: int) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and not chance:
            self.is_torn = True
            self.send(who, end.end(Reason.WON, overdue=True))

    @rule()
    def confirm(self) -> None:
        for who, end in enumerate(self.ends):
            if end.phase is Phase.ENDED:
                self.send(who, end.confirm())

    @rule(who=WHO, text=st.text())
    def say(self, who: int, text: str) -> None:
        self.send(who, self.ends[who].say(text))

    @rule(who=WHO, data=st.data())
    def ask_back(self, who: int, data: st.DataObject) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and not end.is_asking_back and end.game.moves:
            self.send(who, end.ask_back(data.draw(st.integers(0, len(end.game.moves) - 1))))

    @rule(who=WHO, code=st.sampled_from(Takeback))
    def answer_back(self, who: int, code: Takeback) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and end.is_asked_back:
            self.send(who, end.answer_back(code))

    @invariant()
    def both_agree_when_all_is_heard(self) -> None:
        if not hasattr(self, "ends") or any(self.queues):
            return
        one, other = self.ends
        assert (one.phase, other.phase) in PAIRS
        if one.phase is Phase.PLAYING or not self.is_torn:
            assert repr(one._game) == repr(other._game)
        if one.phase is Phase.PLAYING:
            assert one.side is not other.side
            assert one.is_our_turn != other.is_our_turn

    def teardown(self) -> None:
        if not hasattr(self, "ends"):
            return
        while any(self.queues):
            for who in (0, 1):
                while self.queues[who]:
                    self.deliver(who)
        self.both_agree_when_all_is_heard()


def test_two_ends_agree() -> None:
    run_state_machine_as_test(TwoEnds, settings=settings(max_examples=15, stateful_step_count=30))


@pytest.mark.slow
def test_two_ends_agree_for_long() -> None:
    run_state_machine_as_test(TwoEnds, settings=settings(max_examples=150, stateful_step_count=50))
