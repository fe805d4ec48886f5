"""The libraries that are compared, and the environment each one gets."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = ROOT / "build" / "bench"
PEERS = ROOT / "benchmarks" / "peers.txt"


OTHER_FAMILY = ("kalah",)


class LibraryError(Exception):
    """A library that cannot be installed or run; the text says why."""


@dataclass(frozen=True)
class Library:
    """A library, the program that measures it, and which games it is measured with.

    A game of `OTHER_FAMILY` has a program of its own, with the name of the game behind that of the other.
    """

    name: str  # as the package index knows it
    worker: str
    imports: str
    games: tuple[str, ...]
    single_jumps: bool = False

    @cached_property
    def python(self) -> Path:
        """The interpreter of its environment, which is made when first asked for. Raises `LibraryError`."""
        return make_environment(self.name, requirement(self.name))

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """What its program answers to a request. Raises `LibraryError`."""
        worker = f"{self.worker}_{request['game']}" if request["game"] in OTHER_FAMILY else self.worker
        answer: dict[str, Any] = json.loads(self._run("-m", f"benchmarks.workers.{worker}", text=json.dumps(request)))
        return answer

    def import_seconds(self) -> float:
        """CPU time of the import in a new interpreter. Raises `LibraryError`."""
        code = f"from time import process_time as now; begun = now(); {self.imports}; print(now() - begun)"
        return float(self._run("-I", "-c", code))

    def size(self) -> dict[str, int]:
        """Bytes on disk, `own` and with `all` it needs. Raises `LibraryError`."""
        answer: dict[str, int] = json.loads(self._run("-m", "benchmarks.workers.size", self.name))
        return answer

    def _run(self, *arguments: str, text: str = "") -> str:
        return run([str(self.python), *arguments], text)


class Ours(Library):
    """tablemen, in the environment that this program itself runs in."""

    @cached_property
    def python(self) -> Path:
        """The interpreter that runs now."""
        return Path(sys.executable)


OURS = Ours("tablemen", "ours", "import tablemen.draughts", ("international", "english", "kalah"))
PEER_LIBRARIES = (
    Library("py-draughts", "py_draughts", "import draughts", ("international",)),
    Library("pydraughts", "pydraughts", "import draughts", ("international",)),
    Library("open_spiel", "open_spiel", "import pyspiel", ("english", "kalah"), single_jumps=True),
    Library("imparaai-checkers", "imparaai", "import checkers.game", ("english",), single_jumps=True),
)


def requirement(name: str) -> str:
    """The line of `peers.txt` that pins the library."""
    for line in PEERS.read_text(encoding="utf-8").splitlines():
        if line.partition("==")[0] == name:
            return line
    raise LibraryError(f"{name} is not in {PEERS.name}")


def make_environment(name: str, pinned: str) -> Path:
    """The interpreter of an environment that holds the pinned library; made anew when the pin has changed."""
    folder = ENVIRONMENTS / name
    stamp = folder / "installed.txt"
    python = folder / "bin" / "python"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == pinned:
        return python
    print(f"installing {pinned} …", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    run([sys.executable, "-m", "venv", str(folder)])
    run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", pinned])
    stamp.write_text(pinned, encoding="utf-8")
    return python


def run(command: list[str], text: str = "") -> str:
    """The output of a command. Raises `LibraryError` with the last line of its complaint."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise LibraryError(complaint[-1])
    return done.stdout
