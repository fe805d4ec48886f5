"""Golden files of the messages of KGP: the errors that we raise, and the errors that we send to peers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from tablemen.draughts import Position as DraughtsPosition
from tablemen.errors import ArgumentError, NotationError, PeerGoneError, PeerTimeoutError, ProtocolError, TablemenError
from tablemen.mancala import OWARE, KalahRules, Position, Swap
from tablemen.players import RobotPlayer
from tablemen.protocols.kgp.client import KgpClient, PlayerWorker
from tablemen.protocols.kgp.engine import OCCUPIED, KgpConnection, KgpTimeouts
from tablemen.protocols.kgp.messages import (
    KgpBoard,
    KgpMessage,
    Word,
    explain_unsupported,
    format_message,
    parse_message,
)
from tablemen.protocols.kgp.protocol import MAX_SERVER_REQUESTS, KgpClientProtocol, KgpServerProtocol
from tablemen.protocols.kgp.server import INTERNAL_ERROR
from tablemen.protocols.kgp.tournament import TournamentResults
from tests.golden import check_errors, check_golden
from tests.protocols.kgp.fakes import THREES, MemoryTransport, make_transports, receive
from tests.protocols.kgp.test_client_protocol import INVALID_LINES, OTHER_GREETINGS
from tests.protocols.kgp.test_client_protocol import make_protocol as make_client
from tests.protocols.kgp.test_messages import MALFORMED
from tests.protocols.kgp.test_server_protocol import make_protocol as make_server
from tests.timeouts import run_in_time

pytestmark = pytest.mark.golden

FOLDER = Path(__file__).parent
MESSAGES = {
    "command": KgpMessage("42"),
    "number": KgpMessage("x", id=-1),
    "integer": KgpMessage("x", (10**17,)),
    "infinite": KgpMessage("x", (float("inf"),)),
    "word": KgpMessage("x", (Word("0.5"),)),
    "text": KgpMessage("x", ("\ud800",)),
    "arguments": KgpMessage("x", (1,) * 17),
}


def make_full_client() -> KgpClientProtocol:
    """Return a client that accepts no further states."""
    protocol = make_client()
    for number in range(MAX_SERVER_REQUESTS):
        receive(protocol, f"{2 * number} state {THREES}")
    return protocol


def make_requesting_server() -> KgpServerProtocol:
    """Return a server that has requested a move."""
    protocol = make_server()
    protocol.request_move(Position.start("kgp"))
    return protocol


# Lines that peers send, and the protocol that refuses them with an error.
REFUSED: dict[str, tuple[Callable[[], KgpClientProtocol | KgpServerProtocol], str]] = {
    **{f"client: {line}": (make_client, line) for line in INVALID_LINES},
    "client: used number": (make_full_client, f"0 state {THREES}"),
    "client: too many states": (make_full_client, f"1000 state {THREES}"),
    "client: state in mode verify": (partial(make_client, "verify"), f"4 state {THREES}"),
    "server: unknown command": (make_requesting_server, "3 dance"),
    "server: move without a house": (make_requesting_server, "3 move four"),
    "server: unknown state": (make_requesting_server, "@4711 move 1"),
    "server: unknown problem": (make_server, "@4711 solution <1,0,0,1,1> 0"),
    "server: second mode": (make_server, "5 mode verify"),
}


def send_errors(protocol: KgpClientProtocol | KgpServerProtocol, number: int) -> None:
    for _ in range(number):
        protocol.report_error("unclosed quote")
        protocol.take_outgoing()


def run_connection(
    use: Callable[[KgpConnection, MemoryTransport], Awaitable[object]], mode: str = "freeplay", **timeouts: float
) -> None:
    """Use a connection to a client that has chosen a mode."""

    async def run() -> None:
        ours, theirs = make_transports()
        connection = KgpConnection(ours, timeouts=KgpTimeouts(**timeouts))
        try:
            if mode:
                await theirs.send_lines(f"mode {mode}")
                await connection.start()
            await use(connection, theirs)
        finally:
            await connection.close()

    run_in_time(run())


async def fail_after(connection: KgpConnection, client: MemoryTransport, *lines: str, count: int = 1) -> None:
    """Send lines of a client repeatedly, and raise the error that closes the connection."""
    for _ in range(count):
        await client.send_lines(*lines)
    raise await connection.wait_closed()


async def disconnect(connection: KgpConnection, client: MemoryTransport) -> None:
    await client.close()
    raise await connection.wait_closed()


def run_client() -> None:
    """Run our client with a server that sends nothing."""

    async def run() -> None:
        ours, _ = make_transports()
        timeouts = KgpTimeouts(handshake=0.01)
        await KgpClient(ours, KgpClientProtocol("server"), lambda: PlayerWorker(RobotPlayer()), timeouts=timeouts).run()

    run_in_time(run())


def fill_table() -> None:
    results = TournamentResults()
    keys = [results.enter(str(number)) for number in range(1000)]
    results.enter("Ann", present=set(keys))


def test_error_messages() -> None:
    board = KgpBoard(0, 0, (1,), (1,))
    check_errors(
        FOLDER / "error_messages.txt",
        {
            **{
                f"parse {line[:20]!r}, {len(line)} characters": (NotationError, partial(parse_message, line))
                for line in MALFORMED
            },
            **{f"format {name}": (ArgumentError, partial(format_message, each)) for name, each in MESSAGES.items()},
            **{
                f"greeting {line!r}": (ProtocolError, partial(receive, KgpClientProtocol("server"), line))
                for line in OTHER_GREETINGS
            },
            "malformed greeting": (ProtocolError, lambda: send_errors(KgpClientProtocol("server"), 1)),
            "malformed lines of a server": (ProtocolError, lambda: send_errors(make_client(), 1001)),
            "malformed lines of a client": (ProtocolError, lambda: send_errors(make_server(), 51)),
            "mode": (ProtocolError, lambda: receive(make_server(None), "mode chess")),
            "no greeting": (PeerTimeoutError, run_client),
            "no mode": (
                PeerTimeoutError,
                lambda: run_connection(lambda connection, _: connection.start(), mode="", handshake=0.01),
            ),
            "no pong": (PeerTimeoutError, lambda: run_connection(partial(fail_after, count=0), idle=0.02, pong=0.03)),
            "no solution": (
                PeerTimeoutError,
                lambda: run_connection(lambda connection, _: connection.solve(board, 1, 0.01), "verify"),
            ),
            "flood": (ProtocolError, lambda: run_connection(lambda *ends: fail_after(*ends, "ok", count=2000))),
            "goodbye": (PeerGoneError, lambda: run_connection(lambda *ends: fail_after(*ends, "goodbye"))),
            "disconnected": (PeerGoneError, lambda: run_connection(disconnect)),
            "full table": (TablemenError, fill_table),
        },
    )


def test_error_replies() -> None:
    replies = {}
    for name, (make, line) in REFUSED.items():
        protocol = make()
        protocol.take_outgoing()
        receive(protocol, line)
        (reply,) = protocol.take_outgoing()
        assert reply.verb == "error"
        replies[name] = str(reply.text(0))
    replies |= {"server: occupied": OCCUPIED, "server: internal error": INTERNAL_ERROR}
    positions = {
        "swap": Position.start(KalahRules(name="pie", swap=Swap.PIE)),
        "oware": Position.start(OWARE),
        "draughts": DraughtsPosition.start("english"),
    }
    replies |= {f"unsupported: {name}": str(explain_unsupported(each)) for name, each in positions.items()}
    check_golden(FOLDER / "error_replies.txt", replies)
