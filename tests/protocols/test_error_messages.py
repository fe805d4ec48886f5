"""A golden file of the errors of transports, and of errors that all protocols share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tablemen.errors import ArgumentError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.protocols.engine import Engine
from tablemen.protocols.hub import HubEngine, HubTimeouts
from tablemen.protocols.transport import Framing, connect
from tablemen.protocols.transport.process import StdioTransport, check_endpoint, split_command
from tablemen.protocols.transport.stream import time_limit
from tablemen.protocols.transport.tcp import Address, parse_address
from tablemen.protocols.transport.websocket import connect_websocket
from tests.golden import check_errors
from tests.protocols.hub.fakes import fake
from tests.timeouts import run_in_time

FRAMING = Framing(b"\n", 20)


def awaiting(function: Callable[..., Coroutine[Any, Any, object]], *arguments: object) -> Callable[[], object]:
    """Return a function that runs a coroutine function."""
    return lambda: run_in_time(function(*arguments))


async def exceed_time() -> None:
    async with time_limit(0.01, "scan", "did not answer"):
        await asyncio.sleep(60)


async def send_to_closed_output() -> None:
    def fail(_: bytes) -> int:
        raise BrokenPipeError

    await StdioTransport(FRAMING, lambda _: b"", fail).send(b"ready")


def use_closed_engine() -> None:
    engine = HubEngine.open(fake("greet(); receive()"))
    engine.close()
    engine.ping()


def start_closed_engine() -> None:
    async def open_engine() -> Any:
        raise AssertionError

    engine = Engine(open_engine())
    engine.close()
    engine.start()


@pytest.mark.golden
def test_error_messages() -> None:
    check_errors(
        Path(__file__).parent / "error_messages.txt",
        {
            "protocol": (ArgumentError, lambda: Engine.open("uci", "scan")),
            "timeout": (ArgumentError, lambda: HubTimeouts(opening=0)),
            "long message to send": (ArgumentError, lambda: FRAMING.frame(b"x" * 21)),
            "long message received": (ProtocolError, lambda: FRAMING.unframe(b"x" * 21, "scan")),
            "address": (ArgumentError, lambda: parse_address("localhost")),
            "address or command": (ArgumentError, lambda: check_endpoint("localhost")),
            "empty command": (ArgumentError, lambda: split_command(" ")),
            "command with an open quote": (ArgumentError, lambda: split_command("scan 'hub")),
            "host name": (PeerGoneError, awaiting(connect, Address("..", 1), FRAMING)),
            "host name of a URL": (PeerGoneError, awaiting(connect_websocket, "ws://ä..ö:1", FRAMING)),
            "timed out": (PeerTimeoutError, awaiting(exceed_time)),
            "closed output": (PeerGoneError, awaiting(send_to_closed_output)),
            "closed engine": (PeerGoneError, use_closed_engine),
            "engine closed before its start": (PeerGoneError, start_closed_engine),
        },
    )
