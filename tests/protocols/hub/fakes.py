"""Wires without bytes between processes: two ends in one event loop, and a program in a script."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Sequence

from tablemen.errors import PeerGoneError


class MemoryTransport:
    """One of two ends; what one sends, the other receives."""

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
        """As if the other end had said so."""
        for line in lines:
            self.incoming.put_nowait(line.encode())


def wire() -> tuple[MemoryTransport, MemoryTransport]:
    """The end of a board, and that of a program."""
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
    """The command of a program that a script is, after helpers for greeting and hearing."""
    return [sys.executable, "-I", "-S", "-c", GREETING + script]
