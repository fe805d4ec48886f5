"""The compared libraries, and the virtual environments they are installed in."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = ROOT / "build" / "bench"
PINS = ROOT / "benchmarks" / "peers.txt"
BASELINE_SOURCES = ROOT / "benchmarks" / "baseline"

OTHER_FAMILY = ("kalah",)


class LibraryError(Exception):
    """A library could not be installed or run; the message gives the reason."""


@dataclass(frozen=True)
class Library:
    """A library, its worker module, and the games it is measured with.

    Games of `OTHER_FAMILY` have a separate worker, named after the worker and the game.
    """

    name: str  # the name on the package index
    worker: str
    imports: str
    games: tuple[str, ...]
    single_jumps: bool = False
    searches: tuple[str, ...] = ()  # the games it has an engine for
    reads_games: bool = False
    pushes_text: bool = False  # whether it plays moves given as text

    def measures(self, what: str, game: str | None) -> bool:
        """Return whether this kind of measurement applies to the library (and the game, if the kind has one)."""
        match what:
            case "search":
                return game in self.searches
            case "pdn":
                return self.reads_games and game in self.games
            case "text":
                return self.pushes_text and game in self.games
            case "inside" | "solve":
                return False
        return game is None or game in self.games

    @property
    def version(self) -> str:
        """The version pinned in `peers.txt`."""
        return get_requirement(self.name).partition("==")[2]

    @cached_property
    def python(self) -> Path:
        """The interpreter of the library's virtual environment, created on first use. Raises `LibraryError`."""
        return make_environment(self.name, get_requirement(self.name))

    def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request to the library's worker and return its result. Raises `LibraryError`."""
        worker = f"{self.worker}_{request['game']}" if request["game"] in OTHER_FAMILY else self.worker
        answer: dict[str, Any] = json.loads(self._run("-m", f"benchmarks.workers.{worker}", text=json.dumps(request)))
        return answer

    def import_seconds(self) -> float:
        """Return the CPU time of the import in a new interpreter. Raises `LibraryError`."""
        code = f"from time import process_time as now; begun = now(); {self.imports}; print(now() - begun)"
        return float(self._run("-I", "-c", code))

    def size(self) -> dict[str, int]:
        """Return the bytes on disk: `own` files, and `all` with dependencies. Raises `LibraryError`."""
        answer: dict[str, int] = json.loads(self._run("-m", "benchmarks.workers.size", self.name))
        return answer

    def _run(self, *arguments: str, text: str = "") -> str:
        return run([str(self.python), *arguments], text)


class Ours(Library):
    """tablemen, in the current environment. Every measurement applies to it."""

    def measures(self, what: str, game: str | None) -> bool:  # noqa: ARG002
        """Return True."""
        return True

    @property
    def version(self) -> str:
        """The version of the installed package."""
        return version(self.name)

    @cached_property
    def python(self) -> Path:
        """The current interpreter."""
        return Path(sys.executable)


class Baseline(Library):
    """A straightforward Rust implementation, as the baseline for the core."""

    def measures(self, what: str, game: str | None) -> bool:
        """Return whether the baseline implements this: perft for every game, the rest for Kalah only."""
        return game in self.games and (what == "perft" or (game == "kalah" and what in ("inside", "solve")))

    @property
    def version(self) -> str:
        """The compiler version; the baseline has no dependencies."""
        return run(["rustc", "--version"]).split()[1]

    def program(self, game: str) -> Path:
        """Return the program for a game, compiling it if its source has changed. Raises `LibraryError`."""
        source, program = BASELINE_SOURCES / f"{game}.rs", ENVIRONMENTS / "baseline" / game
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            program.parent.mkdir(parents=True, exist_ok=True)
            run(["rustc", "--edition", "2024", "-O", "-o", str(program), str(source)])
        return program

    def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Measure what `benchmarks.workers.harness` measures, by the CPU time of whole runs.

        Raises `LibraryError`.
        """
        game, spent = request["game"], 0.0
        match request["measure"]:
            case "perft":
                counts: list[int] = []
                while spent < request["seconds"]:
                    leaves, spent = self._time(game, "perft", len(counts) + 1)
                    counts.append(leaves)
                return {"leaves": counts[-1] / spent, "counts": counts}
            case "inside":
                games = 1000
                while spent < request["seconds"]:
                    games *= 2
                    _, spent = self._time(game, "games", games)
                return {"games": games / spent}
        value, spent = self._time(game, "solve", *request["board"])
        return {"seconds": spent, "counts": [value]}

    def _time(self, game: str, *words: object) -> tuple[int, float]:
        """Run the program and return the number it prints, and its CPU time."""
        program, begun = str(self.program(game)), children_seconds()
        answer = int(run([program, *map(str, words)]))
        return answer, children_seconds() - begun


def children_seconds() -> float:
    """Return the CPU time of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


OURS = Ours("tablemen", "ours", "import tablemen.draughts", ("international", "english", "kalah"))
PY_DRAUGHTS = Library(
    "py-draughts",
    "py_draughts",
    "import draughts",
    ("international",),
    searches=("international",),
    reads_games=True,
    pushes_text=True,
)
PYDRAUGHTS = Library("pydraughts", "pydraughts", "import draughts", ("international",), reads_games=True)
OPEN_SPIEL = Library(
    "open_spiel",
    "open_spiel",
    "import pyspiel",
    ("english", "kalah"),
    single_jumps=True,
    searches=("english", "kalah"),
)
IMPARAAI = Library("imparaai-checkers", "imparaai", "import checkers.game", ("english",), single_jumps=True)
BASELINE = Baseline("Rust baseline", "", "", ("english", "kalah"))
PEERS = (PY_DRAUGHTS, PYDRAUGHTS, OPEN_SPIEL, IMPARAAI, BASELINE)


def get_requirement(name: str) -> str:
    """Return the line of `peers.txt` that pins the library."""
    for line in PINS.read_text(encoding="utf-8").splitlines():
        if line.partition("==")[0] == name:
            return line
    raise LibraryError(f"{name} is not in {PINS.name}")


def make_environment(name: str, pinned: str) -> Path:
    """Return the interpreter of an environment with the pinned library; recreate it if the pin has changed."""
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


def run(
    command: list[str],
    text: str = "",
    *,
    folder: Path = ROOT,
    environment: dict[str, str] | None = None,
    include_stderr: bool = False,
) -> str:
    """Run a command and return its output. Raises `LibraryError` with the last line of stderr."""
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, cwd=folder, env=environment, check=False
        )
    except OSError as error:
        raise LibraryError(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise LibraryError(lines[-1])
    return done.stdout + done.stderr if include_stderr else done.stdout
