"""Processes as transports: their messages, their end, and that none are left."""

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

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="groups of processes are for POSIX")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "END_TIMEOUT", 0.05)


Conversation = Callable[[ProcessTransport], Awaitable[None]]


def talk_to(script: str, conversation: Conversation) -> None:
    async def talk() -> None:
        transport = await open_process([sys.executable, "-c", script], HUB)
        try:
            await conversation(transport)
        finally:
            await transport.close()

    run_in_time(talk())


def test_an_echo_returns_messages() -> None:
    async def conversation(peer: ProcessTransport) -> None:
        await peer.send(b"hub")
        await peer.send(b"")
        assert [await peer.receive(), await peer.receive()] == [b"hub", b""]

    talk_to("import sys\nfor line in sys.stdin: print(line, end='', flush=True)", conversation)


def test_the_end_of_a_process_is_described() -> None:
    async def conversation(peer: ProcessTransport) -> None:
        assert await peer.receive() == b"id"
        assert await peer.receive() is None  # the rest has no end of line
        assert await peer.describe_end() == "ended with status 3: no book"
        with pytest.raises(PeerGoneError, match=r"ended with status 3: no book$"):
            await send_often(peer)

    talk_to(
        "import sys; sys.stdout.write('id\\nwa'); print('loading', 'no book', sep='\\n', file=sys.stderr); sys.exit(3)",
        conversation,
    )


async def send_often(peer: ProcessTransport) -> None:
    """Send more than the buffer of a pipe that nothing reads."""
    for _ in range(100):
        await peer.send(b"init")


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(impatient: None) -> None:
    async def conversation(peer: ProcessTransport) -> None:
        with pytest.raises(ProtocolError, match=r"more than 65,536 bytes: 'xxx"):
            await peer.receive()

    talk_to("import sys\nwhile True: sys.stdout.write('x' * 9999)", conversation)


def test_a_flood_does_not_delay_a_timeout(impatient: None) -> None:
    async def conversation(peer: ProcessTransport) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(read_on(peer), 0.05)

    talk_to("while True: print('info depth=1')", conversation)


async def read_on(peer: ProcessTransport) -> None:
    while await peer.receive() is not None:
        pass


def test_a_process_may_end_by_itself_after_its_input(tmp_path: Path) -> None:
    async def conversation(peer: ProcessTransport) -> None:
        await peer.close()
        assert peer.process.returncode == 0

    done = tmp_path / "done"
    talk_to(f"import sys; sys.stdin.read(); open({str(done)!r}, 'w').close()", conversation)
    assert done.exists()


def test_a_stubborn_process_is_killed_with_its_children(impatient: None) -> None:
    started = []

    async def conversation(peer: ProcessTransport) -> None:
        started.append(int(await peer.receive() or b""))
        await peer.close()
        await peer.close()  # has no effect

    stubborn = "import signal, subprocess, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    child = "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid, flush=True)\n"
    talk_to(f"{stubborn}{child}time.sleep(60)", conversation)
    wait_for_end(started[0])


def test_a_missing_program_is_named() -> None:
    with pytest.raises(PeerGoneError, match=r"^no-such-engine hub cannot be started: No such file"):
        run_in_time(open_process("no-such-engine hub", HUB))


@pytest.mark.parametrize("command", ["", "  ", [], "scan 'hub"])
def test_bad_commands_are_refused(command: str) -> None:
    with pytest.raises(ArgumentError, match=r"^command is"):
        split_command(command)


def test_a_command_is_split_as_a_shell_splits_it() -> None:
    assert split_command("'my engines/scan' hub") == ["my engines/scan", "hub"]
    assert split_command(["scan", "a b"]) == ["scan", "a b"]
    assert split_command(r"my\ scan '#1' a\\b") == ["my scan", "#1", r"a\b"]


def test_paths_of_windows_keep_their_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "ESCAPE", "")
    assert split_command(r'"C:\my engines\scan.exe" hub C:\books') == [r"C:\my engines\scan.exe", "hub", r"C:\books"]


def test_a_closed_process_is_not_signalled(monkeypatch: pytest.MonkeyPatch) -> None:
    async def conversation(peer: ProcessTransport) -> None:
        await peer.close()
        signals: list[int] = []
        monkeypatch.setattr(os, "killpg", lambda _, number: signals.append(number))
        peer.terminate()
        await peer.close()
        assert not signals

    talk_to("input()", conversation)


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
