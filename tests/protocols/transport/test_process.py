"""Processes as transports: messages, the end of a process, and that no process is left running."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tablemen.errors import ArgumentError, PeerGoneError, ProtocolError
from tablemen.protocols.hub.messages import FRAMING as HUB
from tablemen.protocols.transport import open_process, process
from tablemen.protocols.transport.process import ProcessTransport, split_command
from tests.processes import wait_for_end
from tests.timeouts import TIMEOUT, run_in_time

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups need POSIX")


@pytest.fixture
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "END_TIMEOUT", 0.05)


def run_with_process(script: str, run: Callable[[ProcessTransport], Awaitable[None]]) -> None:
    """Run a test with a process that runs a Python script."""

    async def open_and_run() -> None:
        transport = await open_process([sys.executable, "-c", script], HUB)
        try:
            await run(transport)
        finally:
            await transport.close()

    run_in_time(open_and_run())


def test_messages_are_sent_and_received() -> None:
    async def run(peer: ProcessTransport) -> None:
        await peer.send(b"hub")
        await peer.send(b"")
        assert [await peer.receive(), await peer.receive()] == [b"hub", b""]

    run_with_process("import sys\nfor line in sys.stdin: print(line, end='', flush=True)", run)


def test_the_end_of_a_process_is_described() -> None:
    async def run(peer: ProcessTransport) -> None:
        assert await peer.receive() == b"id"
        assert await peer.receive() is None  # the last line is incomplete
        description = await peer.describe_end()
        assert "status 3" in description
        assert "no book" in description  # the last line of standard error
        assert "loading" not in description
        with pytest.raises(PeerGoneError) as caught:
            await send_often(peer)
        assert caught.value.problem == await peer.describe_end()

    run_with_process(
        "import sys; sys.stdout.write('id\\nwa'); print('loading', 'no book', sep='\\n', file=sys.stderr); sys.exit(3)",
        run,
    )


async def send_often(peer: ProcessTransport) -> None:
    """Send many messages, so that writing to a closed pipe fails."""
    for _ in range(100):
        await peer.send(b"init")


@pytest.mark.usefixtures("short_timeout")
def test_a_line_without_an_end_is_refused() -> None:
    async def run(peer: ProcessTransport) -> None:
        with pytest.raises(ProtocolError) as caught:
            await peer.receive()
        assert "65,536 bytes" in caught.value.problem
        assert "xxx" in caught.value.said

    run_with_process("import sys\nwhile True: sys.stdout.write('x' * 9999)", run)


@pytest.mark.usefixtures("short_timeout")
def test_a_flood_does_not_delay_a_timeout() -> None:
    async def run(peer: ProcessTransport) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(receive_all(peer), 0.05)

    run_with_process("while True: print('info depth=1')", run)


@pytest.mark.usefixtures("short_timeout")
def test_endless_standard_error_is_read_and_dropped() -> None:
    async def run(peer: ProcessTransport) -> None:
        assert peer.process.stderr is not None
        for _ in range(3):  # the program writes 3 MB before it answers, much more than a pipe holds
            await peer.send(b"ping")
            assert await peer.receive() == b"pong"
            assert len(peer._error_output) <= process.MAX_ERROR_OUTPUT
        description = await peer.describe_end()
        assert len(description) < process.MAX_ERROR_LINE + 100

    endless = "while True: sys.stderr.write('x' * 9999)"
    answer = "for _ in range(3): sys.stdin.readline(); sys.stderr.write('y' * 10**6); print('pong', flush=True)"
    run_with_process(f"import sys\n{answer}\n{endless}", run)


async def receive_all(peer: ProcessTransport) -> None:
    while await peer.receive() is not None:
        pass


def test_a_process_may_end_after_its_input_is_closed(tmp_path: Path) -> None:
    async def run(peer: ProcessTransport) -> None:
        await peer.close()
        assert peer.process.returncode == 0

    done = tmp_path / "done"
    run_with_process(f"import sys; sys.stdin.read(); open({str(done)!r}, 'w').close()", run)
    assert done.exists()


@pytest.mark.usefixtures("short_timeout")
def test_a_process_that_ignores_sigterm_is_killed_with_its_children() -> None:
    started = []

    async def run(peer: ProcessTransport) -> None:
        started.append(int(await peer.receive() or b""))
        await peer.close()
        await peer.close()  # no effect

    header = "import signal, subprocess, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    child = "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid, flush=True)\n"
    run_with_process(f"{header}{child}time.sleep(60)", run)
    wait_for_end(started[0])


def test_a_missing_program_is_named() -> None:
    with pytest.raises(PeerGoneError) as caught:
        run_in_time(open_process("no-such-engine hub", HUB))
    assert caught.value.peer == "no-such-engine hub"
    assert isinstance(caught.value.__cause__, FileNotFoundError)


@pytest.mark.parametrize("command", ["", "  ", [], "scan 'hub"])
def test_bad_commands_are_refused(command: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        split_command(command)
    assert (caught.value.name, caught.value.value) == ("command", command)


def test_a_command_is_split_as_a_shell_splits_it() -> None:
    assert split_command("'my engines/scan' hub") == ["my engines/scan", "hub"]
    assert split_command(["scan", "a b"]) == ["scan", "a b"]
    assert split_command(r"my\ scan '#1' a\\b") == ["my scan", "#1", r"a\b"]


def test_windows_paths_keep_their_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "ESCAPE", "")
    assert split_command(r'"C:\my engines\scan.exe" hub C:\books') == [r"C:\my engines\scan.exe", "hub", r"C:\books"]


def test_a_closed_process_is_not_signalled(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(peer: ProcessTransport) -> None:
        await peer.close()
        signals: list[int] = []
        monkeypatch.setattr(os, "killpg", lambda _, number: signals.append(number))
        peer.terminate()
        await peer.close()
        assert not signals

    run_with_process("input()", run)


def test_processes_are_killed_at_exit() -> None:
    script = (
        "from tablemen.protocols.engine import EventLoopThread\n"
        "from tablemen.protocols.transport import open_process\n"
        "from tablemen.protocols.hub.messages import FRAMING as HUB\n"
        "print(EventLoopThread('test').run(open_process('sleep 600', HUB)).process.pid)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT)
    wait_for_end(int(done.stdout))
