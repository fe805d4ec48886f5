"""`tablemen` at a pseudo-terminal: its output, typed input, and the state of the terminal afterwards."""

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
from pathlib import Path

from tests.timeouts import TIMEOUT

TABLEMEN = [sys.executable, "-m", "tablemen"]


class Terminal:
    """`tablemen` at a pseudo-terminal; with `stderr_pipe`, standard error is a pipe, otherwise the terminal."""

    def __init__(self, *arguments: str, variables: Mapping[str, str] | None = None, stderr_pipe: bool = True) -> None:
        self.seen = ""  # since the last input
        self._leader, self._follower = pty.openpty()
        self._before = termios.tcgetattr(self._follower)
        self.process = subprocess.Popen(
            [*TABLEMEN, *arguments],
            stdin=self._follower,
            stdout=self._follower,
            stderr=subprocess.PIPE if stderr_pipe else self._follower,
            text=True,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm-256color"} | dict(variables or {}),
        )

    def wait_for(self, text: str) -> str:
        """Return the output up to this text; raise `AssertionError` if it does not appear."""
        end = time.monotonic() + TIMEOUT
        while not self.seen.endswith(text):
            assert time.monotonic() < end, f"no {text!r} in {self.seen!r}"
            assert self._read(), f"the program ended without {text!r}: {self.seen!r}"
        return self.seen

    def type(self, text: str) -> None:
        """Type a line."""
        self.seen = ""
        os.write(self._leader, f"{text}\n".encode())

    def press_ctrl_d(self) -> None:
        """Press Ctrl-D, which ends the input."""
        self.seen = ""
        os.write(self._leader, b"\x04")

    def press_ctrl_c(self) -> None:
        """Send SIGINT to the program, which the terminal does not control."""
        self.seen = ""
        self._wait_until_asleep()
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """Kill the program."""
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT)

    def wait_for_exit(self) -> tuple[int, str]:
        """Wait for the end of the program, check that the terminal is restored, and return status and stderr."""
        _, errors = self.process.communicate(timeout=TIMEOUT)
        while self._read(wait=0):
            pass
        assert termios.tcgetattr(self._follower) == self._before
        return self.process.returncode, errors or ""

    def _wait_until_asleep(self) -> None:
        """Wait until the program waits for input, on Linux.

        Python misses a signal that arrives after its last check for signals and before the system call that waits.
        """
        state, end = Path(f"/proc/{self.process.pid}/stat"), time.monotonic() + TIMEOUT
        while state.exists() and time.monotonic() < end and state.read_text().rpartition(")")[2].split()[0] == "R":
            time.sleep(0.01)

    def _read(self, wait: float = 0.1) -> bool:
        """Read available output; return False if there is none and the program has ended."""
        if select.select([self._leader], [], [], wait)[0]:
            self.seen += os.read(self._leader, 65536).decode().replace("\r\n", "\n")
            return True
        return wait > 0 and self.process.poll() is None

    def close(self) -> None:
        """Kill the program, and close the terminal."""
        self.process.kill()
        with contextlib.suppress(ValueError):  # standard error was read before
            self.process.communicate(timeout=TIMEOUT)
        os.close(self._leader)
        os.close(self._follower)
