from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.errors import ArgumentError
from tablemen.protocols.transport import Framing
from tablemen.protocols.transport.framing import DXP, HUB, KGP


@pytest.mark.parametrize(("framing", "framed"), [(HUB, b"ping\n"), (DXP, b"ping\0"), (KGP, b"ping\r\n")])
def test_each_protocol_ends_its_messages_in_its_own_way(framing: Framing, framed: bytes) -> None:
    assert framing.frame(b"ping") == framed


@given(st.sampled_from([HUB, DXP, KGP]), st.binary(max_size=300))
def test_a_message_goes_out_as_one_message_or_not_at_all(framing: Framing, message: bytes) -> None:
    if framing.separator in message or len(message) > framing.max_length:
        with pytest.raises(ArgumentError, match="bytes"):
            framing.frame(message)
    else:
        assert framing.frame(message).count(framing.separator) == 1
