"""The transport over standard input and output, tested with pipes and fakes."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.protocols.transport import Framing, process
from tablemen.protocols.transport.process import StdioTransport
from tests.timeouts import TIMEOUT, run_in_time

FRAMING = Framing(b"\n", 20)


async def receive_all(data: bytes) -> list[bytes]:
    source, target = os.pipe()
    os.write(target, data)
    os.close(target)
    transport = StdioTransport(FRAMING, lambda size: os.read(source, min(size, 7)), len)
    received = []
    try:
        while (message := await transport.receive()) is not None:
            received.append(message)
    finally:
        os.close(source)
    return received


def test_lines_are_received_whole() -> None:
    assert run_in_time(receive_all(b"hub\r\n\npos start\nqui")) == [b"hub", b"", b"pos start"]


def test_more_lines_than_the_read_ahead_are_received() -> None:
    lines = [b"ping %d" % number for number in range(500)]
    assert run_in_time(receive_all(b"\n".join(lines) + b"\n")) == lines


@pytest.mark.parametrize("size", [7, 100])
@pytest.mark.parametrize("data", [b"x" * 30, b"x" * 30 + b"\n", b"x" * 30 + b"\nquit\n"])
def test_a_line_that_is_too_long_is_refused(data: bytes, size: int) -> None:
    async def receive() -> None:
        source = iter([data[at : at + size] for at in range(0, len(data), size)])
        transport = StdioTransport(FRAMING, lambda _: next(source, b""), len)
        with pytest.raises(ProtocolError) as caught:
            await transport.receive()
        assert "20 bytes" in caught.value.problem
        assert "xxx" in caught.value.said

    run_in_time(receive())


def test_partial_writes_are_continued() -> None:
    written = []

    def write_partly(data: bytes) -> int:
        written.append(data[:2])
        return len(written[-1])

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write_partly)
        await transport.send(b"ready")

    run_in_time(send())
    assert b"".join(written) == b"ready\n"


def test_a_closed_output_is_an_error() -> None:
    def fail(data: bytes) -> int:
        raise BrokenPipeError

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", fail)
        with pytest.raises(PeerGoneError) as caught:
            await transport.send(b"ready")
        assert isinstance(caught.value.__cause__, BrokenPipeError)

    run_in_time(send())


def test_a_blocked_output_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SEND_TIMEOUT", 0.01)
    is_unblocked, written = threading.Event(), []

    def write(data: bytes) -> int:
        is_unblocked.wait(TIMEOUT)
        written.append(data)
        return len(data)

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write)
        for _ in range(2):  # the second waits for the first
            with pytest.raises(PeerTimeoutError) as caught:
                await transport.send(b"ready")
            assert caught.value.seconds == 0.01
        assert not is_unblocked.is_set()

    run_in_time(send())
    assert not written
    is_unblocked.set()


def test_concurrent_messages_are_not_mixed() -> None:
    written = []

    def write_partly(data: bytes) -> int:
        written.append(data[:1])
        return 1

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write_partly)
        await asyncio.gather(*(transport.send(b"%d" % number * 9) for number in range(5)))

    run_in_time(send())
    assert b"".join(written) == b"".join(b"%d" % number * 9 + b"\n" for number in range(5))
