"""A connection in memory between two ends in one event loop, and engines that are scripts."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Sequence

from tablemen.errors import PeerGoneError


class MemoryTransport:
    """One end of a connection in memory."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.sent: deque[str] = deque(maxlen=1000)
        self.incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.other: MemoryTransport | None = None
        self.is_closed = False

    async def send(self, message: bytes) -> None:
        if self.is_closed or self.other is None or self.other.is_closed:
            raise PeerGoneError(self.peer, "has closed the connection")
        self.sent.append(message.decode())
        self.other.incoming.put_nowait(message)

    async def receive(self) -> bytes | None:
        return await self.incoming.get()

    async def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            if self.other is not None:
                self.other.incoming.put_nowait(None)

    def hear(self, *lines: str) -> None:
        """Receive lines as if the other end had sent them."""
        for line in lines:
            self.incoming.put_nowait(line.encode())


def wire() -> tuple[MemoryTransport, MemoryTransport]:
    """Return the ends of the board and of the engine."""
    board, program = MemoryTransport("the program"), MemoryTransport("the board")
    board.other, program.other = program, board
    return board, program


GREETING = """
import os, signal, sys, time
def say(*lines):
    for line in lines:
        print(line, flush=True)
def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return line.split()[0] if line.strip() else ""
def greet():
    while hear() != "hub": pass
    say("id name=Fake version=1", "param name=threads value=1 type=int min=1 max=4", "wait")
    while hear() != "init": pass
    say("loading, please wait...", "ready")
def search():
    while hear() != "go": pass
"""


def fake(script: str) -> Sequence[str]:
    """Return the command of an engine that runs a script, after helpers to greet and to read lines."""
    return [sys.executable, "-I", "-S", "-c", GREETING + script]
