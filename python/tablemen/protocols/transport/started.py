"""Programs that are started to meet us at an address, which their command has a place for."""

from __future__ import annotations

import asyncio
import re

from tablemen.errors import ArgumentError
from tablemen.protocols.transport.framing import Framing
from tablemen.protocols.transport.process import ProcessTransport, open_process, split_command
from tablemen.protocols.transport.tcp import Address, parse_address

GLANCE = 0.02  # seconds from one look at the program to the next
OUTPUT = Framing(b"\n", 4096)  # which nobody looks at

_PLACE = re.compile(r"\{(?:address|port)\}")


def is_command(text: str) -> bool:
    """Whether a text is a command that starts a program, and not the address of one.

    >>> is_command("tablemen engine dxp --listen {address}"), is_command("localhost:27531")
    (True, False)
    """
    return _PLACE.search(text) is not None


def check_place(text: str) -> None:
    """Raises `ArgumentError` where a text is neither an address nor a command that starts a program."""
    if is_command(text):
        split_command(text)
        return
    try:
        parse_address(text)
    except ArgumentError as error:
        raise ArgumentError("address", text, "host:port, or a command with {port} or {address} in it,") from error


def put_in(command: str, address: Address) -> list[str]:
    """The words of a command with the address in the places for it.

    >>> put_in("agent --at {address} -p{port}", Address("127.0.0.1", 2671))
    ['agent', '--at', '127.0.0.1:2671', '-p2671']
    """
    return [
        _PLACE.sub(lambda place: str(address) if place[0] == "{address}" else str(address.port), word)
        for word in split_command(command)
    ]


class StartedProgram:
    """A program that was started; what it prints is read and forgotten, so that it never waits for a reader."""

    def __init__(self, transport: ProcessTransport) -> None:
        self._transport = transport
        self._draining = asyncio.create_task(self._drain())

    @classmethod
    async def start(cls, command: str, address: Address) -> StartedProgram:
        """Starts the program. Raises `PeerGoneError` where it cannot be, `ArgumentError` where it is no command."""
        return cls(await open_process(put_in(command, address), OUTPUT))

    async def _drain(self) -> None:
        output = self._transport.process.stdout
        assert output is not None
        while await output.read(4096):
            pass

    @property
    def peer(self) -> str:
        """What it is called in errors."""
        return self._transport.peer

    @property
    def has_ended(self) -> bool:
        """Whether it has ended; whoever else holds its output does not count."""
        return self._transport.process.returncode is not None

    async def wait(self) -> None:
        """Waits until it has ended."""
        while not self.has_ended:
            await asyncio.sleep(GLANCE)

    async def describe_end(self) -> str:
        """How it ended, in words."""
        return await self._transport.describe_end()

    async def close(self, *, at_once: bool = True) -> None:
        """Ends the program and what it started; unless it is to be `at_once`, it has a moment to do so itself."""
        if at_once:
            self._transport.tell_to_end()
        await self._transport.close()
        self._draining.cancel()
        await asyncio.gather(self._draining, return_exceptions=True)
