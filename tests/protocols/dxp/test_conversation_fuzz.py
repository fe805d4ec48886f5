"""Whatever a peer sends, in whatever order: it fits or is the peer's error, and no move is made that is not legal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Game, NotationError, ProtocolError
from tablemen.protocols.dxp.conversation import Phase
from tablemen.protocols.dxp.message import Acceptance, Takeback
from tablemen.protocols.dxp.text import format_message, parse_message
from tests.protocols.dxp.conversations import begun, in_phase, state
from tests.protocols.dxp.strategies import messages

USUAL = [
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
anything = st.sampled_from(USUAL) | messages().map(format_message) | st.binary(max_size=130)


@settings(max_examples=40)
@given(st.sampled_from(Phase), st.lists(anything, max_size=8))
def test_a_conversation_is_never_led_astray(phase: Phase, said: list[bytes]) -> None:
    one = in_phase(phase)
    for data in said:
        before = state(one)
        try:
            one.receive(parse_message(data))
        except (NotationError, ProtocolError):
            assert state(one) == before
            continue
        if one.phase is Phase.ASKED and one.request is not None and one.request.position is None:
            one.accept()
        elif one.phase is Phase.ASKED:
            one.decline(Acceptance.NOT_THIS_GAME)
        elif one.phase is Phase.ENDED:
            one.confirm()
        elif one.is_asked_back:
            one.answer_back(Takeback.ACCEPTED)
    if one.phase is Phase.PLAYING:
        assert Game(one.game.start, one.game.moves) == one.game


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["32-28", "28x19", "37-32", "41-37", "32-27"]), min_size=1, max_size=8))
def test_moves_that_are_repeated_left_out_or_out_of_order_are_errors(order: list[str]) -> None:
    """Moves of White in any order: those that happen to be legal are made, and the others change nothing."""
    _, one = begun()
    for text in order:
        captured = "0123" if "x" in text else "00"
        data = f"M0000{text[:2]}{text[3:]}{captured}".encode()
        if text in map(str, one.game.legal_moves()):
            one.receive(parse_message(data))
            assert str(one.game.moves[-1]) == text
            one.play(one.game.legal_moves()[0])
        else:
            before = state(one)
            with pytest.raises(ProtocolError, match="not legal"):
                one.receive(parse_message(data))
            assert state(one) == before
