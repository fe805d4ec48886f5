"""Where messages end, and how long they may be."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Framing:
    r"""The byte that ends every message that comes, what ends those that go, and the most bytes of one.

    >>> Framing(b"\n", 10, end=b"\r\n").frame(b"hello")
    b'hello\r\n'
    """

    separator: bytes
    most: int
    end: bytes = b""  # the separator, where nothing else is said

    def frame(self, message: bytes) -> bytes:
        """The message as it goes over the wire. Raises `ArgumentError` where it is too long, or would be two."""
        if self.separator in message or len(message) > self.most:
            shown = message[:40].decode(errors="replace")
            raise ArgumentError("message", shown, f"one of at most {self.most:,} bytes, without {self.separator!r},")
        return message + (self.end or self.separator)


LINES = 1 << 16  # bytes of a line of Hub: a game of a thousand moves has about ten thousand

HUB = Framing(b"\n", LINES)
DXP = Framing(b"\0", 127)
KGP = Framing(b"\n", 16384, end=b"\r\n")
