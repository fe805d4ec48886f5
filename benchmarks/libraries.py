"""The libraries that are compared, and the environment each one gets."""

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
PLAIN = ROOT / "benchmarks" / "plain"

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
    searches: tuple[str, ...] = ()  # the games that it can choose a move in
    reads_games: bool = False
    pushes_text: bool = False  # whether it plays moves given as text

    def measures(self, what: str, game: str | None) -> bool:
        """Whether a kind of measurement is made of it, with a game where the kind has one."""
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
        """The pinned version."""
        return requirement(self.name).partition("==")[2]

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
    """tablemen, in the environment that this program itself runs in. Everything is measured of it."""

    def measures(self, what: str, game: str | None) -> bool:  # noqa: ARG002
        """Always."""
        return True

    @property
    def version(self) -> str:
        """The version of the package."""
        return version(self.name)

    @cached_property
    def python(self) -> Path:
        """The interpreter that runs now."""
        return Path(sys.executable)


class Plain(Library):
    """A straightforward Rust program of our own, as the baseline of the core."""

    def measures(self, what: str, game: str | None) -> bool:
        """Only what needs no Python."""
        return game in self.games and (what == "perft" or (game == "kalah" and what in ("inside", "solve")))

    @property
    def version(self) -> str:
        """The compiler, which is all that it depends on."""
        return run(["rustc", "--version"]).split()[1]

    def program(self, game: str) -> Path:
        """Its program for a game, compiled where that was not done since a change. Raises `LibraryError`."""
        source, program = PLAIN / f"{game}.rs", ENVIRONMENTS / "plain" / game
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            program.parent.mkdir(parents=True, exist_ok=True)
            run(["rustc", "--edition", "2024", "-O", "-o", str(program), str(source)])
        return program

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """What `benchmarks.workers.harness` would measure, from the CPU time of whole runs. Raises `LibraryError`."""
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
        worth, spent = self._time(game, "solve", *request["board"])
        return {"seconds": spent, "counts": [worth]}

    def _time(self, game: str, *words: object) -> tuple[int, float]:
        """The number that a run prints, and its CPU time."""
        program, begun = str(self.program(game)), children_seconds()
        answer = int(run([program, *map(str, words)]))
        return answer, children_seconds() - begun


def children_seconds() -> float:
    """CPU time of all commands that have ended."""
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
PLAIN_RUST = Plain("plain Rust", "", "", ("english", "kalah"))
PEERS = (PY_DRAUGHTS, PYDRAUGHTS, OPEN_SPIEL, IMPARAAI, PLAIN_RUST)


def requirement(name: str) -> str:
    """The line of `peers.txt` that pins the library."""
    for line in PINS.read_text(encoding="utf-8").splitlines():
        if line.partition("==")[0] == name:
            return line
    raise LibraryError(f"{name} is not in {PINS.name}")


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


def run(
    command: list[str],
    text: str = "",
    *,
    folder: Path = ROOT,
    environment: dict[str, str] | None = None,
    with_complaints: bool = False,
) -> str:
    """The output of a command. Raises `LibraryError` with the last line of its complaint."""
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, cwd=folder, env=environment, check=False
        )
    except OSError as error:
        raise LibraryError(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise LibraryError(complaint[-1])
    return done.stdout + done.stderr if with_complaints else done.stdout
