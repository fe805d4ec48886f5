"""Fakes for tests of Hub: a connection in memory, and the commands of engines that run scripts."""

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

    def put(self, *lines: str) -> None:
        """Queue lines as if the other end had sent them."""
        for line in lines:
            self.incoming.put_nowait(line.encode())


def make_transports() -> tuple[MemoryTransport, MemoryTransport]:
    """Return the transports of the board and of the engine."""
    board, program = MemoryTransport("the program"), MemoryTransport("the board")
    board.other, program.other = program, board
    return board, program


HELPERS = """
import os, signal, sys, time
def send(*lines):
    for line in lines:
        print(line, flush=True)
def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return line.split()[0] if line.strip() else ""
def greet():
    while receive() != "hub": pass
    send("id name=Fake version=1", "param name=threads value=1 type=int min=1 max=4", "wait")
    while receive() != "init": pass
    send("loading, please wait...", "ready")
def await_search():
    while receive() != "go": pass
"""


def fake(script: str) -> Sequence[str]:
    """Return the command of an engine that runs a script; the script can use the functions of `HELPERS`."""
    return [sys.executable, "-I", "-S", "-c", HELPERS + script]
