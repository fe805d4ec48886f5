"""The framings of the protocols."""

from __future__ import annotations

from tablemen.protocols.transport.stream import Framing

HUB = Framing(b"\n", 1 << 16)
DXP = Framing(b"\0", 127)
KGP = Framing(b"\n", 16384, end=b"\r\n")

__all__ = ["DXP", "HUB", "KGP", "Framing"]
