"""How another program is reached: it listens, or connects to us; and we may have to start it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket

from tablemen.errors import ArgumentError, PeerGoneError, PeerTimeoutError
from tablemen.protocols.transport import Listener, Transport, connect, listen
from tablemen.protocols.transport.framing import DXP, HUB
from tablemen.protocols.transport.process import ProcessTransport, open_process, split_command
from tablemen.protocols.transport.tcp import LOOPBACK, Address, parse_address

PORT = 27531  # the usual one
AGAIN = 0.1  # seconds, after which a program that does not listen yet is tried once more

_PLACE = re.compile(r"\{(?:address|port)\}")


def is_command(address: str) -> bool:
    """Whether a text is a command that starts a program, and not the address of one.

    >>> is_command("tablemen engine dxp --listen {address}"), is_command("localhost:27531")
    (True, False)
    """
    return _PLACE.search(address) is not None


class Reach:
    """The way to a program, which can be gone again after a connection was lost."""

    def __init__(self, address: Address, listener: Listener | None = None) -> None:
        self.address = address
        self._listener = listener
        self._process: ProcessTransport | None = None
        self._draining: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, address: str | tuple[str, int], *, listening: bool = False) -> Reach:
        """The way to an address, or to a program that a command starts: `{address}` or `{port}` is put in there.

        With `listening` we are the ones who listen, and the program connects. Raises `PeerGoneError`, `ArgumentError`.
        """
        if not isinstance(address, str):
            return await cls._open(Address(*address), listening=listening)
        if not is_command(address):
            return await cls._open(parse_address(address, port=PORT), listening=listening)
        words = split_command(address)
        reach = await cls._open(Address(LOOPBACK, 0 if listening else _free_port()), listening=listening)
        try:
            await reach.start([_PLACE.sub(reach.put_in, word) for word in words])
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

    def put_in(self, place: re.Match[str]) -> str:
        """What stands in a command instead of a place for it."""
        return str(self.address) if place[0] == "{address}" else str(self.address.port)

    async def start(self, words: list[str]) -> None:
        """Start the program; what it writes is read and forgotten, so that it never waits for that."""
        if not words:
            raise ArgumentError("command", words, "the name of a program")
        self._process = await open_process(words, HUB)
        output = self._process.process.stdout
        assert output is not None
        self._draining = asyncio.create_task(_drain(output))

    @property
    def peer(self) -> str:
        """What the program is called in errors: its command, or where it is."""
        return str(self.address) if self._process is None else self._process.peer

    async def connect(self, seconds: float) -> Transport:
        """A connection to the program. Raises `PeerGoneError`, `PeerTimeoutError`."""
        transport = await (self._call(seconds) if self._listener is None else self._await_call(self._listener, seconds))
        if self._process is not None:
            transport.peer = self._process.peer
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
            problem = "was not connected to" if self._process is None else "did not connect"
            raise PeerTimeoutError(self.peer, problem, seconds) from error

    async def _call(self, seconds: float) -> Transport:
        """Connects to an address; to a program that we have started again and again, until it listens."""
        if self._process is None:
            return await connect(self.address, DXP, seconds=seconds)
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await self._check_running()
                    with contextlib.suppress(PeerGoneError):
                        return await connect(self.address, DXP, seconds=seconds)
                    await asyncio.sleep(AGAIN)
        except TimeoutError as error:
            raise PeerTimeoutError(self._process.peer, f"did not listen at {self.address}", seconds) from error

    async def _check_running(self) -> None:
        if self._process is not None and self._process.process.returncode is not None:
            raise PeerGoneError(self._process.peer, await self._process.describe_end())

    async def describe_end(self) -> str:
        """How a program ended that we have started; nothing where it has not, or was not started by us."""
        if self._process is None:
            return ""
        told = await self._process.describe_end()
        return "" if self._process.process.returncode is None else told

    async def close(self) -> None:
        """Nobody is reached any more, and a program that we started has ended. May be called again."""
        if self._listener is not None:
            await self._listener.close()
        if self._process is not None:
            self._process.tell_to_end()  # DXP has no word for it
            await self._process.close()
        if self._draining is not None:
            self._draining.cancel()


async def _drain(output: asyncio.StreamReader) -> None:
    while await output.read(4096):
        pass


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
