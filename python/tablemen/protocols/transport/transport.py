"""What a conversation asks of a wire."""

from __future__ import annotations

from typing import Protocol


class Transport(Protocol):
    """Messages to a peer and from it, as bytes without what separates them."""

    peer: str  # what the other end is called in errors

    async def send(self, message: bytes) -> None:
        """Send a message. Raises `PeerGoneError` where nobody takes it, `PeerTimeoutError` where it is not taken."""
        ...

    async def receive(self) -> bytes | None:
        """The next message; None after the last. A message that was cut off by the end is none.

        May be cancelled, and nothing is lost. Raises `ProtocolError` where a message is too long.
        """
        ...

    async def close(self) -> None:
        """Let the peer go, and wait until it has gone; whatever it started goes with it. May be called again."""
        ...
