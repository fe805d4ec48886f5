"""A window with `tablemen` in it: a terminal that controls the program, what it shows, and how it is left."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.patience import LONG

SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[P\]_][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_=>])")
ALTERNATE, SHOWN, MOUSE = "\x1b[?1049", "\x1b[?25", "\x1b[?1003"  # the other screen, the cursor, reports of the mouse


class Window:
    """`tablemen` with these arguments in a window, its games in a folder; `how` is what Python is told to run."""

    def __init__(
        self, folder: Path, *arguments: str, how: Sequence[str] = ("-m", "tablemen"), **variables: str
    ) -> None:
        self.raw = ""  # all that came
        self._since = 0  # how much of it came before the last key
        self.leader, self.follower = pty.openpty()
        self._set_size(80, 24)
        self.before = termios.tcgetattr(self.follower)
        own = {"TERM": "xterm-256color", "TABLEMEN_DATA": str(folder)}
        inherited = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}}
        self.process = subprocess.Popen(
            [sys.executable, *how, *arguments],
            stdin=self.follower,
            stdout=self.follower,
            stderr=self.follower,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - one thread, and one call
            env=inherited | own | variables,
        )

    def wait_for(self, condition: Callable[[str], bool]) -> None:
        """Reads until what was shown since the last `type` fits."""
        end = time.monotonic() + LONG
        while not condition(self.text):
            assert time.monotonic() < end, f"not shown: {self.text!r}"
            assert self.process.poll() is None, f"it has ended: {self.text!r}"
            self._read(0.1)

    def wait_for_text(self, text: str) -> None:
        """Reads until the text was shown."""
        self.wait_for(lambda shown: text in shown)

    @property
    def text(self) -> str:
        """What was shown since the last `type`, without what places and colours it."""
        return SEQUENCE.sub("", self.raw[self._since :])

    def type(self, keys: str) -> None:
        """Presses keys."""
        self._since = len(self.raw)
        os.write(self.leader, keys.encode())

    def resize(self, width: int, height: int) -> None:
        """The window has another size."""
        self._since = len(self.raw)
        self._set_size(width, height)
        self.process.send_signal(signal.SIGWINCH)

    def leave(self) -> int:
        """The status, once the program has ended; the terminal is as it was before."""
        end = time.monotonic() + LONG
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end: {self.text!r}"
            self._read(0.1)
        while self._read(0):
            pass
        after = termios.tcgetattr(self.follower)
        assert after == self.before
        for mode in (ALTERNATE, MOUSE):
            assert self.raw.rfind(f"{mode}l") > self.raw.rfind(f"{mode}h"), mode
        assert self.raw.rfind(f"{SHOWN}h") > self.raw.rfind(f"{SHOWN}l")
        return self.process.returncode

    def close(self) -> None:
        """Ends the program if it has not ended, and puts the window away."""
        self.process.kill()
        self.process.wait(LONG)
        os.close(self.follower)
        if self.leader >= 0:
            os.close(self.leader)

    def hang_up(self) -> None:
        """The window is closed while the program runs."""
        os.close(self.leader)
        self.leader = -1

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self.follower, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def _read(self, wait: float) -> bool:
        if not select.select([self.leader], [], [], wait)[0]:
            return False
        self.raw += os.read(self.leader, 65536).decode(errors="replace")
        return True
