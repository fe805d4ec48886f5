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

from tablemen import GameError
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
    @initialize(start=st.sampled_from(STARTS), side=st.sampled_from(Side), moves=st.integers(0, 9), data=st.data())
    def connect(self, start: Position, side: Side, moves: int, data: st.DataObject) -> None:
        self.start = start
        self.ends = [Conversation(start.variant, name=name) for name in ("one", "other")]
        self.queues: list[deque[bytes]] = [deque(), deque()]  # to each of them
        self.is_torn = False  # an end out of turn crossed a move, so that the last moves differ
        self.send(0, self.ends[0].ask(start, side, minutes=5))
        self.hear_all()
        self.send(1, self.ends[1].accept())
        self.hear_all()
        for _ in range(moves):
            self.play(data)
            self.hear_all()

    def send(self, who: int, message: Message) -> None:
        self.queues[1 - who].append(format_message(message))

    def deliver(self, who: int) -> None:
        self.ends[who].receive(parse_message(self.queues[who].popleft()))

    @rule()
    def hear_all(self) -> None:
        for who in (0, 1):
            while self.queues[who]:
                self.deliver(who)

    @precondition(lambda self: any(self.queues))
    @rule(who=WHO)
    def hear_one(self, who: int) -> None:
        if self.queues[who]:
            self.deliver(who)

    @precondition(lambda self: not any(self.queues) and self.ends[0].phase is Phase.IDLE)
    @rule(who=WHO, side=st.sampled_from(Side))
    def ask(self, who: int, side: Side) -> None:
        if not self.ends[who].is_over:
            self.send(who, self.ends[who].ask(self.start, side, minutes=5))

    @precondition(lambda self: any(end.phase is Phase.ASKED for end in self.ends))
    @rule(accepts=st.sampled_from([True, True, True, False]))
    def answer(self, *, accepts: bool) -> None:
        for who, end in enumerate(self.ends):
            if end.phase is Phase.ASKED:
                self.is_torn &= not accepts
                self.send(who, end.accept() if accepts else end.decline(Acceptance.NOT_THIS_GAME))

    @precondition(lambda self: any(end.is_our_turn for end in self.ends))
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        for who, end in enumerate(self.ends):
            if end.is_our_turn and end.game.legal_moves():
                move = data.draw(st.sampled_from(end.game.legal_moves()))
                if end.is_asking_back:
                    with pytest.raises(GameError):
                        end.play(move)
                else:
                    self.send(who, end.play(move, 3))

    @precondition(lambda self: any(end.phase is Phase.PLAYING for end in self.ends))
    @rule(who=WHO, reason=st.sampled_from(Reason), leaves=st.sampled_from([False] * 9 + [True]))
    def finish(self, who: int, reason: Reason, *, leaves: bool) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and (end.is_our_turn or end.game.outcome()):
            if end.is_asking_back:
                with pytest.raises(GameError):
                    end.end(reason, leaves=leaves)
            else:
                self.send(who, end.end(reason, leaves=leaves))

    @precondition(lambda self: any(self.queues))
    @rule(who=WHO)
    def finish_out_of_turn(self, who: int) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING:
            self.is_torn = True
            self.send(who, end.end(Reason.WON, overdue=True))

    @precondition(lambda self: any(end.phase is Phase.ENDED for end in self.ends))
    @rule()
    def confirm(self) -> None:
        for who, end in enumerate(self.ends):
            if end.phase is Phase.ENDED:
                self.send(who, end.confirm())

    @rule(who=WHO, text=st.text(max_size=3))
    def say(self, who: int, text: str) -> None:
        self.send(who, self.ends[who].say(text))

    @precondition(lambda self: all(end.phase is Phase.PLAYING for end in self.ends))
    @rule(who=WHO, data=st.data())
    def ask_back(self, who: int, data: st.DataObject) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and not end.is_asking_back and end.game.moves:
            self.send(who, end.ask_back(data.draw(st.integers(0, len(end.game.moves) - 1))))

    @precondition(lambda self: any(end.is_asked_back for end in self.ends))
    @rule(who=WHO, code=st.sampled_from([Takeback.ACCEPTED, Takeback.ACCEPTED, Takeback.REFUSED]))
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
        self.hear_all()
        self.both_agree_when_all_is_heard()


def test_two_ends_agree() -> None:
    run_state_machine_as_test(TwoEnds, settings=settings(max_examples=15, stateful_step_count=30))


@pytest.mark.slow
def test_two_ends_agree_for_long() -> None:
    run_state_machine_as_test(TwoEnds, settings=settings(max_examples=150, stateful_step_count=50))
