"""A program that is started, and spoken to through its input and output."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import shlex
import signal
import textwrap
from collections.abc import Sequence

from tablemen.console import visible
from tablemen.errors import ArgumentError, PeerGoneError
from tablemen.protocols.transport.framing import Framing
from tablemen.protocols.transport.stream import StreamTransport, limit_of

COMPLAINTS = 2000  # bytes of its standard error that are kept, the last ones
GLANCE = 0.01  # seconds from one look at it to the next
COMPLAINT = 200  # characters of the last line there that are told
SHOWN = 60  # characters of the command in errors
ESCAPE = "" if os.name == "nt" else "\\"  # what takes the meaning of a character in a command; Windows has it in paths
PATIENCE = 2.0  # seconds to end by itself when its input is closed, and again when it is told to
KILLED = 20.0  # seconds until the end of one that was made to end is seen: a machine may be busy


class ProcessTransport(StreamTransport):
    """The input and output of a process; it and what it started end with `close`."""

    def __init__(self, process: asyncio.subprocess.Process, framing: Framing, peer: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        super().__init__(process.stdout, process.stdin, framing, peer)
        self.process = process
        self._complaints = b""
        self._listening = asyncio.create_task(self._listen(process.stderr))
        _RUNNING.add(process)

    async def _listen(self, errors: asyncio.StreamReader) -> None:
        """Takes what the process complains of, so that it never waits for anybody to read it."""
        while said := await errors.read(4096):
            self._complaints = (self._complaints + said)[-COMPLAINTS:]

    async def _gone(self) -> PeerGoneError:
        """How it ended, and the last thing that it complained of."""
        return PeerGoneError(self.peer, await self.describe_end())

    async def describe_end(self) -> str:
        """How it ended, in words, where it has; for a while it is waited for."""
        if await self._has_ended(PATIENCE):
            await asyncio.wait([self._listening], timeout=PATIENCE)
        status = self.process.returncode
        if status is None:
            told = "closed its output"
        elif status < 0:
            told = f"was ended by {_name_of(-status)}"
        else:
            told = f"ended with status {status}"
        complaints = self._complaints.decode(errors="replace").strip().splitlines()
        return f"{told}: {visible(complaints[-1])[:COMPLAINT]}" if complaints else told

    async def close(self) -> None:
        """Close its input, then tell it to end, then make it end."""
        try:
            await super().close()
            if not await self._has_ended(PATIENCE):
                self._signal(signal.SIGTERM)
                await self._has_ended(PATIENCE)
        finally:
            self._signal(_KILL)  # also what it left behind
            await self._has_ended(KILLED)
            self._listening.cancel()
            _RUNNING.discard(self.process)
            # Nothing else lets go of pipes that nobody has read to their end, and somebody else may hold on to them.
            self.process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001

    async def _has_ended(self, patience: float) -> bool:
        """Whether it has, after some patience. Its own `wait` would also wait for whoever holds its pipes."""
        waited = 0.0
        while self.process.returncode is None and waited < patience:
            await asyncio.sleep(GLANCE)
            waited += GLANCE
        return self.process.returncode is not None

    def tell_to_end(self) -> None:
        """Tell it to end, if it is one that does not look at its input; `close` need not wait for it then."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        """To the process and to all that it started; once that is over, the number may be that of another."""
        if self.process not in _RUNNING:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)  # it leads a group of its own
            elif self.process.returncode is None:
                self.process.send_signal(number)


_KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
_RUNNING: set[asyncio.subprocess.Process] = set()  # those that were not closed


@atexit.register
def _end_all() -> None:
    """Whoever ends while another thread still waits for a program leaves no program behind."""
    for process in tuple(_RUNNING):
        if process.returncode is None:  # else the number may be that of another by now
            with contextlib.suppress(OSError):
                (os.killpg if hasattr(os, "killpg") else os.kill)(process.pid, _KILL)


def split_command(command: str | Sequence[str]) -> list[str]:
    """The words of a command. Raises `ArgumentError` where there are none, or a quote is open."""
    if not isinstance(command, str):
        words = [str(word) for word in command]
    else:
        try:
            words = list(_lexer_of(command))
        except ValueError as error:
            raise ArgumentError("command", command, f"a command line ({error})") from error
    if not words or not words[0]:
        raise ArgumentError("command", command, "the name of a program")
    return words


def _lexer_of(command: str) -> shlex.shlex:
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    return lexer


async def open_process(command: str | Sequence[str], framing: Framing) -> ProcessTransport:
    """Starts a program. Raises `PeerGoneError` where it cannot be started."""
    words = split_command(command)
    peer = textwrap.shorten(shlex.join(words), SHOWN, placeholder=" …")
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=limit_of(framing),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise PeerGoneError(peer, f"cannot be started: {reason}") from error
    return ProcessTransport(process, framing, peer)


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
