"""Properties of the DXP state machine.

Two ends that are connected by queues agree on the game after any actions and any delays of messages. Any message in any
order is either valid, or raises `ProtocolError` and makes no illegal move.
"""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tablemen import Game, GameError, NotationError, ProtocolError
from tablemen.draughts import Position
from tablemen.outcome import Side
from tablemen.protocols.dxp.messages import (
    AcceptCode,
    DxpMessage,
    EndReason,
    TakebackCode,
    format_message,
    parse_message,
)
from tablemen.protocols.dxp.protocol import DxpProtocol, Phase
from tests.protocols.dxp.states import get_state, make_protocol, start_game
from tests.protocols.dxp.strategies import messages

STARTS = [
    Position.start("international"),
    Position.start("english"),
    Position.start("breakthrough"),
    Position.from_fen("W:W28,33:B23,8", "international"),
    Position.from_fen("B:WK50,40:B1,K16,6", "frisian"),
]
AGREEING_PHASES = {
    (Phase.IDLE, Phase.IDLE),
    (Phase.REQUESTING, Phase.REQUESTED),
    (Phase.REQUESTED, Phase.REQUESTING),
    (Phase.PLAYING, Phase.PLAYING),
    (Phase.ENDING, Phase.ENDED),
    (Phase.ENDED, Phase.ENDING),
}
WHO = st.sampled_from([0, 1])


class TwoEnds(RuleBasedStateMachine):
    """Two ends that are connected by queues with any delays."""

    @initialize(start=st.sampled_from(STARTS), side=st.sampled_from(Side), moves=st.integers(0, 9), data=st.data())
    def connect(self, start: Position, side: Side, moves: int, data: st.DataObject) -> None:
        self.start = start
        self.ends = [DxpProtocol(start.variant, name=name) for name in ("one", "other")]
        self.queues: list[deque[bytes]] = [deque(), deque()]  # messages to each end
        self.is_torn = False  # whether an end out of turn crossed a move, so that the last moves differ
        self.send(0, self.ends[0].request_game(start, side, minutes=5))
        self.deliver_all()
        self.send(1, self.ends[1].accept())
        self.deliver_all()
        for _ in range(moves):
            self.play(data)
            self.deliver_all()

    def send(self, who: int, message: DxpMessage) -> None:
        self.queues[1 - who].append(format_message(message))

    def deliver(self, who: int) -> None:
        self.ends[who].receive(parse_message(self.queues[who].popleft()))

    @rule()
    def deliver_all(self) -> None:
        for who in (0, 1):
            while self.queues[who]:
                self.deliver(who)

    @precondition(lambda self: any(self.queues))
    @rule(who=WHO)
    def deliver_one(self, who: int) -> None:
        if self.queues[who]:
            self.deliver(who)

    @precondition(lambda self: not any(self.queues) and self.ends[0].phase is Phase.IDLE)
    @rule(who=WHO, side=st.sampled_from(Side))
    def request_game(self, who: int, side: Side) -> None:
        if not self.ends[who].is_finished:
            self.send(who, self.ends[who].request_game(self.start, side, minutes=5))

    @precondition(lambda self: any(end.phase is Phase.REQUESTED for end in self.ends))
    @rule(accepts=st.sampled_from([True, True, True, False]))
    def answer_request(self, *, accepts: bool) -> None:
        for who, end in enumerate(self.ends):
            if end.phase is Phase.REQUESTED:
                self.is_torn &= not accepts
                self.send(who, end.accept() if accepts else end.decline(AcceptCode.NOT_THIS_GAME))

    @precondition(lambda self: any(end.is_our_turn for end in self.ends))
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        for who, end in enumerate(self.ends):
            if end.is_our_turn and end.game.legal_moves():
                move = data.draw(st.sampled_from(end.game.legal_moves()))
                if end.awaits_takeback:
                    with pytest.raises(GameError):
                        end.play(move)
                else:
                    self.send(who, end.play(move, 3))

    @precondition(lambda self: any(end.phase is Phase.PLAYING for end in self.ends))
    @rule(who=WHO, reason=st.sampled_from(EndReason), is_last=st.sampled_from([False] * 9 + [True]))
    def finish(self, who: int, reason: EndReason, *, is_last: bool) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and (end.is_our_turn or end.game.outcome()):
            if end.awaits_takeback:
                with pytest.raises(GameError):
                    end.end(reason, is_last=is_last)
            else:
                self.send(who, end.end(reason, is_last=is_last))

    @precondition(lambda self: any(self.queues))
    @rule(who=WHO)
    def finish_out_of_turn(self, who: int) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING:
            self.is_torn = True
            self.send(who, end.end(EndReason.WON, overdue=True))

    @precondition(lambda self: any(end.phase is Phase.ENDED for end in self.ends))
    @rule()
    def confirm(self) -> None:
        for who, end in enumerate(self.ends):
            if end.phase is Phase.ENDED:
                self.send(who, end.confirm())

    @rule(who=WHO, text=st.text(max_size=3))
    def chat(self, who: int, text: str) -> None:
        self.send(who, self.ends[who].chat(text))

    @precondition(lambda self: all(end.phase is Phase.PLAYING for end in self.ends))
    @rule(who=WHO, data=st.data())
    def request_takeback(self, who: int, data: st.DataObject) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and not end.awaits_takeback and end.game.moves:
            self.send(who, end.request_takeback(data.draw(st.integers(0, len(end.game.moves) - 1))))

    @precondition(lambda self: any(end.must_answer_takeback for end in self.ends))
    @rule(who=WHO, code=st.sampled_from([TakebackCode.ACCEPTED, TakebackCode.ACCEPTED, TakebackCode.REFUSED]))
    def answer_takeback(self, who: int, code: TakebackCode) -> None:
        end = self.ends[who]
        if end.phase is Phase.PLAYING and end.must_answer_takeback:
            self.send(who, end.answer_takeback(code))

    @invariant()
    def both_ends_agree_after_delivery(self) -> None:
        if not hasattr(self, "ends") or any(self.queues):
            return
        one, other = self.ends
        assert (one.phase, other.phase) in AGREEING_PHASES
        if one.phase is Phase.PLAYING or not self.is_torn:
            assert repr(one._game) == repr(other._game)
        if one.phase is Phase.PLAYING:
            assert one.side is not other.side
            assert one.is_our_turn != other.is_our_turn

    def teardown(self) -> None:
        if not hasattr(self, "ends"):
            return
        self.deliver_all()
        self.both_ends_agree_after_delivery()


def test_two_ends_agree() -> None:
    run_state_machine_as_test(TwoEnds, settings=settings(max_examples=15, stateful_step_count=30))


@pytest.mark.slow
def test_two_ends_agree_in_long_runs() -> None:
    run_state_machine_as_test(TwoEnds, settings=settings(max_examples=150, stateful_step_count=50))


PLAUSIBLE = [
    b"R01" + b"x" * 32 + b"W005000A",
    b"Aother0",
    b"M0000192300",
    b"M0000322800",
    b"M0001182200",
    b"E00",
    b"E11",
    b"B001W",
    b"B001Z",
    b"K0",
    b"K2",
    b"Chello",
]
any_bytes = st.sampled_from(PLAUSIBLE) | messages().map(format_message) | st.binary(max_size=130)


@settings(max_examples=40)
@given(st.sampled_from(Phase), st.lists(any_bytes, max_size=8))
def test_any_message_is_valid_or_changes_nothing(phase: Phase, received: list[bytes]) -> None:
    one = make_protocol(phase)
    for data in received:
        before = get_state(one)
        try:
            one.receive(parse_message(data))
        except (NotationError, ProtocolError):
            assert get_state(one) == before
            continue
        if one.phase is Phase.REQUESTED and one.request is not None and one.request.position is None:
            one.accept()
        elif one.phase is Phase.REQUESTED:
            one.decline(AcceptCode.NOT_THIS_GAME)
        elif one.phase is Phase.ENDED:
            one.confirm()
        elif one.must_answer_takeback:
            one.answer_takeback(TakebackCode.ACCEPTED)
    if one.phase is Phase.PLAYING:
        assert Game(one.game.start, one.game.moves) == one.game


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["32-28", "28x19", "37-32", "41-37", "32-27"]), min_size=1, max_size=8))
def test_repeated_or_missing_moves_raise(texts: list[str]) -> None:
    """Receive moves of White in any order: legal ones are made, and the others change nothing."""
    _, one = start_game()
    for text in texts:
        captured = "0123" if "x" in text else "00"
        data = f"M0000{text[:2]}{text[3:]}{captured}".encode()
        if text in map(str, one.game.legal_moves()):
            one.receive(parse_message(data))
            assert str(one.game.moves[-1]) == text
            one.play(one.game.legal_moves()[0])
        else:
            before = get_state(one)
            with pytest.raises(ProtocolError) as caught:
                one.receive(parse_message(data))
            assert caught.value.said == repr(data.decode())
            assert get_state(one) == before
