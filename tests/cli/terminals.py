"""Programs at a pseudo-terminal: their output, typed input, and the state of the terminal afterwards."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Mapping

from tests.timeouts import TIMEOUT

TABLEMEN = [sys.executable, "-m", "tablemen"]


class Terminal:
    """`tablemen` with arguments at a pseudo-terminal; standard error is a pipe, unless it is to be on the terminal."""

    def __init__(
        self, *arguments: str, variables: Mapping[str, str] | None = None, has_errors_apart: bool = True
    ) -> None:
        self.seen = ""  # since the last input
        self._leader, self._follower = pty.openpty()
        self._before = termios.tcgetattr(self._follower)
        self.process = subprocess.Popen(
            [*TABLEMEN, *arguments],
            stdin=self._follower,
            stdout=self._follower,
            stderr=subprocess.PIPE if has_errors_apart else self._follower,
            text=True,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm-256color"} | dict(variables or {}),
        )

    def wait_for(self, text: str) -> str:
        """Return the output up to this text; raise `AssertionError` if it does not appear."""
        end = time.monotonic() + TIMEOUT
        while not self.seen.endswith(text):
            assert time.monotonic() < end, f"no {text!r} in {self.seen!r}"
            assert self._read(), f"the program has ended, and {text!r} is not in {self.seen!r}"
        return self.seen

    def type(self, text: str) -> None:
        """Type a line."""
        self.seen = ""
        os.write(self._leader, f"{text}\n".encode())

    def press_ctrl_d(self) -> None:
        """End the input."""
        self.seen = ""
        os.write(self._leader, b"\x04")

    def press_ctrl_c(self) -> None:
        """Interrupt the program; the terminal does not control it, so the signal is sent directly."""
        self.seen = ""
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """Kill the program."""
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT)

    def leave(self) -> tuple[int, str]:
        """Return the status and standard error after the program has ended; check that the terminal is restored."""
        _, errors = self.process.communicate(timeout=TIMEOUT)
        while self._read(wait=0):
            pass
        assert termios.tcgetattr(self._follower) == self._before
        return self.process.returncode, errors or ""

    def _read(self, wait: float = 0.1) -> bool:
        """Return whether something was read, or may still arrive."""
        if select.select([self._leader], [], [], wait)[0]:
            self.seen += os.read(self._leader, 65536).decode().replace("\r\n", "\n")
            return True
        return wait > 0 and self.process.poll() is None

    def close(self) -> None:
        """End the program, and close the terminal."""
        self.process.kill()
        with contextlib.suppress(ValueError):  # its output was read before
            self.process.communicate(timeout=TIMEOUT)
        os.close(self._leader)
        os.close(self._follower)
