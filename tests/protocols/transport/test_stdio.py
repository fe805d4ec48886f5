"""Standard input and output as a transport, with pipes in their place."""

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


async def receive_all(given: bytes) -> list[bytes]:
    source, target = os.pipe()
    os.write(target, given)
    os.close(target)
    transport = StdioTransport(FRAMING, lambda most: os.read(source, min(most, 7)), len)
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


@pytest.mark.parametrize("at_once", [7, 100])
@pytest.mark.parametrize("given", [b"x" * 30, b"x" * 30 + b"\n", b"x" * 30 + b"\nquit\n"])
def test_a_line_that_is_too_long_is_refused(given: bytes, at_once: int) -> None:
    async def receive() -> None:
        source = iter([given[at : at + at_once] for at in range(0, len(given), at_once)])
        transport = StdioTransport(FRAMING, lambda _: next(source, b""), len)
        with pytest.raises(ProtocolError, match="more than 20 bytes: 'xxx"):
            await transport.receive()

    run_in_time(receive())


def test_partial_writes_are_continued() -> None:
    written = []

    def write_a_little(data: bytes) -> int:
        written.append(data[:2])
        return len(written[-1])

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write_a_little)
        await transport.send(b"ready")

    run_in_time(send())
    assert b"".join(written) == b"ready\n"


def test_a_closed_output_is_an_error() -> None:
    def write_nowhere(data: bytes) -> int:
        raise BrokenPipeError

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write_nowhere)
        with pytest.raises(PeerGoneError, match="has closed its input"):
            await transport.send(b"ready")

    run_in_time(send())


def test_a_blocked_output_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SEND_TIMEOUT", 0.01)
    may_go_on, written = threading.Event(), []

    def write(data: bytes) -> int:
        may_go_on.wait(TIMEOUT)
        written.append(data)
        return len(data)

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write)
        for _ in range(2):  # the second waits for the first
            with pytest.raises(PeerTimeoutError, match="did not read what was sent"):
                await transport.send(b"ready")
        assert not may_go_on.is_set()

    run_in_time(send())
    assert not written
    may_go_on.set()


def test_concurrent_messages_are_not_mixed() -> None:
    written = []

    def write_a_little(data: bytes) -> int:
        written.append(data[:1])
        return 1

    async def send() -> None:
        transport = StdioTransport(FRAMING, lambda _: b"", write_a_little)
        await asyncio.gather(*(transport.send(b"%d" % number * 9) for number in range(5)))

    run_in_time(send())
    assert b"".join(written) == b"".join(b"%d" % number * 9 + b"\n" for number in range(5))
