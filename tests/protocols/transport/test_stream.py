"""The framing of messages in byte streams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.errors import ArgumentError, ProtocolError
from tablemen.protocols.dxp.messages import FRAMING as DXP
from tablemen.protocols.hub.messages import FRAMING as HUB
from tablemen.protocols.kgp.messages import FRAMING as KGP
from tablemen.protocols.transport import Framing


@pytest.mark.parametrize(("framing", "framed"), [(HUB, b"ping\n"), (DXP, b"ping\0"), (KGP, b"ping\r\n")])
def test_the_end_of_a_message_depends_on_the_protocol(framing: Framing, framed: bytes) -> None:
    assert framing.frame(b"ping") == framed


@given(st.sampled_from([HUB, DXP, KGP]), st.binary(max_size=300))
def test_a_message_has_one_separator_or_is_refused(framing: Framing, message: bytes) -> None:
    if framing.separator in message or len(message) > framing.max_length:
        with pytest.raises(ArgumentError) as caught:
            framing.frame(message)
        assert caught.value.name == "message"
    else:
        framed = framing.frame(message)
        assert framed.count(framing.separator) == 1
        if not message.endswith(b"\r"):  # `unframe` would remove it
            assert framing.unframe(framed, "peer") == message


def test_a_received_message_over_the_maximum_length_is_refused() -> None:
    framing = Framing(b"\n", 20)
    assert framing.unframe(b"x" * 20 + b"\r\n", "peer") == b"x" * 20
    with pytest.raises(ProtocolError) as caught:
        framing.unframe(b"x" * 21 + b"\n", "peer")
    assert caught.value.peer == "peer"
    assert "20 bytes" in caught.value.problem
    assert "xxx" in caught.value.said
