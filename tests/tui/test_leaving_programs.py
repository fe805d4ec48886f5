"""However a table is left, no program stays behind that played there."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

from tests.patience import LONG
from tests.processes import wait_for_end
from tests.tui.test_windows import window
from tests.tui.windows import Window

# Speaks Hub until it is to move, or not at all, and goes on whatever happens to its input.
STUBBORN = """
import os, sys, time
print(os.getpid(), file=open(sys.argv[1], "w"))
while "answers" in sys.argv:
    line = sys.stdin.readline().split()
    if line[:1] == ["hub"]:
        print("id name=stubborn version=1 author=nobody country=none\\nwait", flush=True)
    elif line[:1] == ["init"]:
        print("ready", flush=True)
    elif line[:1] == ["go"]:
        print("going", file=open(sys.argv[1], "a"))
        break
time.sleep(600)
"""


def read_when(file: Path, lines: int) -> int:
    """The number of the process, once it has written so many lines."""
    end = time.monotonic() + LONG
    while not file.exists() or len(file.read_text().splitlines()) < lines:
        assert time.monotonic() < end, "it does not begin"
        time.sleep(0.02)
    return int(file.read_text().split()[0])


def end_by(way: str, opened: Window) -> None:
    if way == "hang up":
        opened.hang_up()
    elif way.startswith("SIG"):
        opened.process.send_signal(getattr(signal, way))
    else:
        opened.type(way)
    if way == "hang up":
        opened.process.wait(LONG)
    else:
        end = time.monotonic() + LONG
        while opened.process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            opened._read(0.05)


@pytest.mark.parametrize(
    ("way", "options"),
    [
        pytest.param("q", ("answers",), id="q while it thinks", marks=pytest.mark.deep),
        pytest.param("q", (), id="q while it begins", marks=pytest.mark.deep),
        pytest.param("SIGTERM", (), id="SIGTERM while it begins", marks=pytest.mark.slow),
        pytest.param("hang up", ("answers",), id="hang-up while it thinks", marks=pytest.mark.slow),
        pytest.param("\x03", ("answers", "--plain"), id="Ctrl-C while it thinks, line by line", marks=pytest.mark.deep),
        pytest.param("SIGTERM", ("--plain",), id="SIGTERM while it begins, line by line", marks=pytest.mark.slow),
    ],
)
def test_no_program_is_left_behind(tmp_path: Path, way: str, options: tuple[str, ...]) -> None:
    number = tmp_path / "number"
    words = [sys.executable, "-c", STUBBORN, str(number), *(each for each in options if each == "answers")]
    script = tmp_path / "stubborn.sh"
    script.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    script.chmod(0o755)
    plain = [each for each in options if each == "--plain"]
    with window(tmp_path, "play", "international", *plain, "--white", f"hub:{script}", "--black", "human") as opened:
        if not plain:
            opened.wait_for_text("is thinking")
        process = read_when(number, 2 if "answers" in options else 1)
        end_by(way, opened)
        wait_for_end(process)
        assert opened.process.returncode in {"q": {0}, "\x03": {130}, "SIGTERM": {143}}.get(way, {129, 1, 0})
