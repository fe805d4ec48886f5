"""TCP addresses, connections and listeners."""

from __future__ import annotations

import asyncio
import errno
import gc
import socket

import pytest

from tablemen.errors import ArgumentError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.protocols.dxp.messages import FRAMING as DXP
from tablemen.protocols.kgp.messages import FRAMING as KGP
from tablemen.protocols.transport import connect, listen, stream
from tablemen.protocols.transport.tcp import MAX_PENDING, Address, is_loopback, parse_address
from tests.timeouts import run_in_time

ANYWHERE = Address("127.0.0.1", 0)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost:27531", Address("localhost", 27531)),
        (":27531", Address("127.0.0.1", 27531)),
        (" [::1]:80 ", Address("::1", 80)),
        ("0.0.0.0:0", Address("0.0.0.0", 0)),
    ],
)
def test_addresses_round_trip(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text", ["", "localhost", "localhost:", "localhost:65536", "a b:1", "::1:80", "http://a:1", "a:-1"]
)
def test_bad_addresses_are_refused(text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_address(text)
    assert (caught.value.name, caught.value.value) == ("address", text)


def test_a_host_alone_has_the_default_port() -> None:
    assert parse_address("example.org", port=2671) == Address("example.org", 2671)


def test_messages_and_the_end_are_received() -> None:
    async def run() -> None:
        listener = await listen(ANYWHERE, DXP)
        here = await connect(listener.address, DXP)
        there = await listener.accept()
        await here.send(b"Chello")
        assert await there.receive() == b"Chello"
        await there.send(b"Cwelcome")
        await there.close()
        assert await here.receive() == b"Cwelcome"
        assert await here.receive() is None
        await here.close()
        with pytest.raises(PeerGoneError) as caught:
            await here.send(b"Chello?")
        assert caught.value.peer == str(listener.address)
        await listener.close()

    run_in_time(run())


def test_connections_are_kept_alive() -> None:
    async def run() -> None:
        listener = await listen(ANYWHERE, DXP)
        there = await connect(listener.address, DXP)
        here = await listener.accept()
        for end in (here, there):
            connected = end._writer.get_extra_info("socket")
            assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            await end.close()
        await listener.close()

    run_in_time(run())


def test_a_message_that_is_too_long_is_refused() -> None:
    async def run() -> None:
        listener = await listen(ANYWHERE, DXP)
        _, writer = await asyncio.open_connection(*listener.address)
        there = await listener.accept()
        writer.write(b"C" * 127 + b"\0" + b"C" * 128 + b"\0")
        assert await there.receive() == b"C" * 127
        with pytest.raises(ProtocolError) as caught:
            await there.receive()
        assert "127 bytes" in caught.value.problem
        await there.close()
        writer.close()
        await listener.close()

    run_in_time(run())


def test_a_cancelled_listener_leaves_no_socket() -> None:
    async def run() -> None:
        for steps in range(5):
            listening = asyncio.create_task(listen(ANYWHERE, DXP))
            for _ in range(steps):
                await asyncio.sleep(0)
            if listening.cancel():
                with pytest.raises(asyncio.CancelledError):
                    await listening
            else:
                await (await listening).close()
        gc.collect()  # an unclosed socket raises a warning, which is an error in tests

    run_in_time(run())


def test_connections_beyond_the_queue_are_closed() -> None:
    async def run() -> None:
        listener = await listen(ANYWHERE, DXP)
        waiting = [await connect(listener.address, DXP) for _ in range(MAX_PENDING + 1)]
        assert await waiting[-1].receive() is None
        await listener.close()
        assert [await each.receive() for each in waiting] == [None] * len(waiting)
        for each in waiting:
            await each.close()

    run_in_time(run())


def test_a_refused_connection_raises() -> None:
    async def run() -> None:
        listener = await listen(ANYWHERE, DXP)
        address = listener.address
        await listener.close()
        with pytest.raises(PeerGoneError) as caught:
            await connect(address, DXP)
        assert caught.value.peer == f"127.0.0.1:{address.port}"
        assert isinstance(caught.value.__cause__, ConnectionRefusedError)

    run_in_time(run())


@pytest.mark.parametrize("host", ["..", "ä..ö", "a" * 64])
def test_bad_host_names_are_refused(host: str) -> None:
    with pytest.raises(PeerGoneError) as gone:
        run_in_time(connect(Address(host, 1), DXP))
    with pytest.raises(OSError, match=f"Errno {errno.EINVAL}") as failed:
        run_in_time(listen(Address(host, 0), DXP))
    assert gone.value.problem.endswith(str(failed.value.strerror))


def test_a_peer_that_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SEND_TIMEOUT", 0.05)
    monkeypatch.setattr(stream, "CLOSE_TIMEOUT", 0.05)

    async def flood(transport: stream.StreamTransport) -> None:
        while True:
            await transport.send(b"x" * KGP.max_length)

    async def run() -> None:
        listener = await listen(ANYWHERE, KGP)
        ours = await connect(listener.address, KGP)
        theirs = await listener.accept()
        with pytest.raises(PeerTimeoutError) as caught:
            await flood(ours)
        assert caught.value.seconds == 0.05
        assert ours._writer.transport.get_write_buffer_size() > 0
        await ours.close()
        assert ours._writer.transport.get_write_buffer_size() == 0
        with pytest.raises(PeerGoneError):
            await ours.send(b"more")
        await theirs.close()
        await listener.close()

    run_in_time(run())


@pytest.mark.parametrize(
    ("host", "is_local"),
    [("localhost", True), ("127.1.2.3", True), ("::1", True), ("0.0.0.0", False), ("a.b", False)],
)
def test_loopback_addresses_are_recognised(host: str, is_local: bool) -> None:  # noqa: FBT001
    assert is_loopback(host) is is_local
