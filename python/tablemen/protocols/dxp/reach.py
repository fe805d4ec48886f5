"""How another program is reached: it listens, or connects to us; and we may have to start it."""

from __future__ import annotations

import asyncio
import contextlib
import socket

from tablemen.errors import PeerGoneError, PeerTimeoutError
from tablemen.protocols.transport import Listener, Transport, connect, listen
from tablemen.protocols.transport.framing import DXP
from tablemen.protocols.transport.started import StartedProgram, is_command
from tablemen.protocols.transport.tcp import LOOPBACK, Address, parse_address

PORT = 27531  # the usual one
AGAIN = 0.1  # seconds, after which a program that does not listen yet is tried once more


class Reach:
    """The way to a program, which can be gone again after a connection was lost."""

    def __init__(self, address: Address, listener: Listener | None = None) -> None:
        self.address = address
        self._listener = listener
        self._program: StartedProgram | None = None

    @classmethod
    async def open(cls, address: str | tuple[str, int], *, listening: bool = False) -> Reach:
        """The way to an address, or to a program that a command starts: `{address}` or `{port}` is put in there.

        With `listening` we are the ones who listen, and the program connects. Raises `PeerGoneError`, `ArgumentError`.
        """
        if not isinstance(address, str):
            return await cls._open(Address(*address), listening=listening)
        if not is_command(address):
            return await cls._open(parse_address(address, port=PORT), listening=listening)
        reach = await cls._open(Address(LOOPBACK, 0 if listening else _free_port()), listening=listening)
        try:
            await reach.start(address)
        except BaseException:
            await reach.close()
            raise
        return reach

    @classmethod
    async def _open(cls, address: Address, *, listening: bool) -> Reach:
        if not listening:
            return cls(address)
        try:
            listener = await listen(address, DXP)
        except OSError as error:
            raise PeerGoneError(str(address), f"cannot be listened at: {error.strerror or error}") from error
        return cls(listener.address, listener)

    async def start(self, command: str) -> None:
        """Start the program that is to meet us."""
        self._program = await StartedProgram.start(command, self.address)

    @property
    def peer(self) -> str:
        """What the program is called in errors: its command, or where it is."""
        return str(self.address) if self._program is None else self._program.peer

    async def connect(self, seconds: float) -> Transport:
        """A connection to the program. Raises `PeerGoneError`, `PeerTimeoutError`."""
        transport = await (self._call(seconds) if self._listener is None else self._await_call(self._listener, seconds))
        if self._program is not None:
            transport.peer = self._program.peer
        return transport

    async def _await_call(self, listener: Listener, seconds: float) -> Transport:
        try:
            async with asyncio.timeout(seconds):
                waiting = asyncio.create_task(listener.accept())
                try:
                    while not waiting.done():
                        await asyncio.wait({waiting}, timeout=AGAIN)
                        if not waiting.done():
                            await self._check_running()
                    return waiting.result()
                finally:
                    waiting.cancel()
        except TimeoutError as error:
            problem = "was not connected to" if self._program is None else "did not connect"
            raise PeerTimeoutError(self.peer, problem, seconds) from error

    async def _call(self, seconds: float) -> Transport:
        """Connects to an address; to a program that we have started again and again, until it listens."""
        if self._program is None:
            return await connect(self.address, DXP, seconds=seconds)
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await self._check_running()
                    with contextlib.suppress(PeerGoneError):
                        return await connect(self.address, DXP, seconds=seconds)
                    await asyncio.sleep(AGAIN)
        except TimeoutError as error:
            raise PeerTimeoutError(self.peer, f"did not listen at {self.address}", seconds) from error

    async def _check_running(self) -> None:
        if self._program is not None and self._program.has_ended:
            raise PeerGoneError(self.peer, await self._program.describe_end())

    async def describe_end(self) -> str:
        """How a program ended that we have started; nothing where it has not, or was not started by us."""
        if self._program is None:
            return ""
        told = await self._program.describe_end()
        return told if self._program.has_ended else ""

    async def close(self) -> None:
        """Nobody is reached any more, and a program that we started has ended. May be called again."""
        if self._listener is not None:
            await self._listener.close()
        if self._program is not None:
            await self._program.close()  # at once: DXP has no word for it


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
