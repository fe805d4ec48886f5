"""What others install: the wheel and the source, what is in them, and that they work where nothing else is."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from tablemen import __version__
from tests.cli import terminals

ROOT = Path(__file__).parents[1]
SMOKE = ROOT / "tools" / "smoke.py"
LICENCES = ("LICENSE", "LICENSE-CRATES")
EXTRAS = {"tui": {"textual"}, "web": {"fastapi", "uvicorn", "websockets"}}
LONG = 600  # seconds after which something hangs; a first build compiles for minutes
CUT_OFF = ("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError", "ProtocolError")
NO_INDEX = "the index of packages cannot be reached, so what tablemen depends on cannot be installed"
WITH_EXTRAS = ("tablemen.tui", "tablemen.web", "tablemen.transcript.plugin")
ONLY_AT_A_TERMINAL = "tablemen.transcript.pty_launcher"  # run as a script, not imported

PLAY = """
from tablemen import Game
from tablemen.draughts import Position
game = Game(Position.start("russian"))
print(*(game.push(text) for text in ("c3-d4", "b6-a5", "d4-c5")), game.position.fen())
"""

IMPORT_ALL = f"""
import importlib, pkgutil, tablemen
names = [each.name for each in pkgutil.walk_packages(tablemen.__path__, "tablemen.", onerror=lambda _: None)]
for name in names:
    if not name.startswith({WITH_EXTRAS!r}) and name not in ({ONLY_AT_A_TERMINAL!r}, "tablemen.__main__"):
        importlib.import_module(name)
print(len(names))
"""


def run(
    *words: str | Path, folder: Path = ROOT, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A program that has ended; it sees nothing of the Python that runs the tests."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    process = subprocess.Popen(
        [str(word) for word in words],
        cwd=folder,
        env=environment | dict(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            output, errors = process.communicate(timeout=LONG)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started: they would hold its output open
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def done(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def files_of(*folders: str) -> set[str]:
    """The files that belong to the repository, added or about to be."""
    listed = done(run("git", "ls-files", "--cached", "--others", "--exclude-standard", *folders)).splitlines()
    return {name for name in listed if (ROOT / name).exists()}


def flags_of_make() -> dict[str, str]:
    """What the Makefile builds with; with anything else all would be compiled again."""
    rule = 'flags: ; @printf "%s\\n" "$$RUSTFLAGS" "$$PYO3_PYTHON"'
    clean = dict.fromkeys(("MAKEFLAGS", "MFLAGS", "MAKELEVEL"), "")
    flags, python = done(run("make", "--silent", f"--eval={rule}", "flags", variables=clean)).splitlines()
    return {"RUSTFLAGS": flags, "PYO3_PYTHON": python if Path(python).exists() else sys.executable}


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Folders that one process makes for all that run tests."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name: str, fill: Callable[[Path], None]) -> Path:
        folder, finished = base / name, base / f"{name}.finished"
        with (base / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not finished.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                finished.touch()
        return folder

    return make


@pytest.fixture(scope="session")
def wheel(shared: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The wheel of what is built here."""

    def build(folder: Path) -> None:
        words = ("build", "--release", "--locked", "--out", folder)
        done(run(sys.executable, "-m", "maturin", *words, variables=flags_of_make()))

    (built,) = shared("wheel", build).iterdir()
    return built


@pytest.fixture(scope="session")
def source(shared: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The source as one file."""

    def pack(folder: Path) -> None:
        done(run(sys.executable, "-m", "maturin", "sdist", "--out", folder))

    (packed,) = shared("source", pack).iterdir()
    return packed


def install(environment: Path, *what: str | Path) -> None:
    """Install into an environment that has not even pip; skips the test where the index cannot be reached."""
    pins = [word for name in ("run.txt", "dev.txt") for word in ("--constraint", ROOT / "requirements" / name)]
    words = ("--python", environment, "install", "--retries", "2", *pins)
    process = run(sys.executable, "-m", "pip", *words, *what, variables={"RUSTFLAGS": ""})
    is_cut_off = any(name in process.stdout + process.stderr for name in CUT_OFF)
    if process.returncode and is_cut_off and not os.environ.get("CI"):
        pytest.skip(NO_INDEX)
    done(process)


@pytest.fixture(scope="session")
def installed(shared: Callable[[str, Callable[[Path], None]], Path], wheel: Path) -> Path:
    """The programs of an environment that has tablemen and what it depends on, and no more."""

    def fill(folder: Path) -> None:
        done(run(sys.executable, "-m", "venv", "--without-pip", folder))
        install(folder, wheel)

    return shared("installed", fill) / "bin"


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as opened:
        return Parser().parsestr(opened.read(f"tablemen-{__version__}.dist-info/METADATA").decode())


@pytest.mark.slow
def test_the_wheel_has_all_of_the_package_and_no_more(wheel: Path) -> None:
    ours = {name.removeprefix("python/") for name in files_of("python/tablemen")}
    assert {"tablemen/py.typed", "tablemen/_core.pyi", "tablemen/tui/tablemen.tcss"} < ours
    about = f"tablemen-{__version__}.dist-info"
    facts = {f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
    licences = {f"{about}/licenses/{name}" for name in LICENCES}
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    assert names == ours | {"tablemen/_core.abi3.so"} | facts | licences


@pytest.mark.slow
def test_one_wheel_is_for_every_python(wheel: Path) -> None:
    assert wheel.name.startswith(f"tablemen-{__version__}-cp311-abi3-")
    with zipfile.ZipFile(wheel) as opened:
        tags = Parser().parsestr(opened.read(f"tablemen-{__version__}.dist-info/WHEEL").decode())
    assert tags["Root-Is-Purelib"] == "false"
    assert all(tag.startswith("cp311-abi3-") for tag in tags.get_all("Tag", []))


@pytest.mark.slow
def test_the_metadata_say_what_it_is(wheel: Path) -> None:
    facts = metadata_of(wheel)
    assert (facts["Name"], facts["Version"], facts["Requires-Python"]) == ("tablemen", __version__, ">=3.11")
    assert facts["License-Expression"] == "MIT"
    assert set(facts.get_all("License-File", [])) == set(LICENCES)
    assert facts["Description-Content-Type"].startswith("text/markdown")
    assert str(facts.get_payload()).strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    assert {"draughts", "checkers", "mancala", "kalah"} <= set(facts["Keywords"].split(","))
    assert not any(each.startswith("License ::") for each in facts.get_all("Classifier", []))  # the expression says it
    assert set(facts.get_all("Provides-Extra", [])) == {*EXTRAS, "all"}


@pytest.mark.slow
def test_licences_go_with_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        for name in LICENCES:
            text = opened.read(f"tablemen-{__version__}.dist-info/licenses/{name}").decode()
            assert text == (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_source_has_what_a_build_needs_and_no_more(source: Path) -> None:
    top = f"tablemen-{__version__}"
    assert source.name == f"{top}.tar.gz"
    needed = {"Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md", *LICENCES}
    with tarfile.open(source) as opened:
        names = {name.removeprefix(f"{top}/") for name in opened.getnames()}
    assert names == files_of("crates", "python") | needed | {"PKG-INFO"}


@pytest.mark.slow
def test_it_works_where_nothing_else_is(installed: Path, tmp_path: Path) -> None:
    said = done(run(installed / "python", "-I", SMOKE, folder=tmp_path))
    assert said.startswith(f"tablemen {__version__} works: Python 3.")
    assert done(run(installed / "tablemen", "--version", folder=tmp_path)) == f"tablemen, version {__version__}\n"
    assert done(run(installed / "python", "-c", PLAY, folder=tmp_path)).startswith("c3-d4 b6-a5 d4-c5 B:W")
    assert done(run(installed / "tablemen", "moves", "english", folder=tmp_path)).startswith("9-14\n10-15\n11-16\n")


@pytest.mark.slow
def test_all_but_the_extras_can_be_imported_without_them(installed: Path, tmp_path: Path) -> None:
    foreign = {name for names in EXTRAS.values() for name in names} | {"pytest", "rich", "pip"}
    for name in foreign:
        assert run(installed / "python", "-c", f"import {name}", folder=tmp_path).returncode == 1
    assert int(done(run(installed / "python", "-W", "error", "-c", IMPORT_ALL, folder=tmp_path))) > 120


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        (("serve",), "the server needs more packages"),
        (("serve", "--engine", "Other=dxp:localhost:27531"), "the server needs more packages"),
        (("engine", "kgp", "--connect", "ws://localhost:1"), "WebSockets need another package"),
        (("kgp-server", "--port", "0", "--websocket", "0"), "WebSockets need another package"),
    ],
    ids=" ".join,
)
def test_what_is_missing_is_said_with_its_remedy(
    installed: Path, tmp_path: Path, words: tuple[str, ...], lacking: str
) -> None:
    process = run(installed / "tablemen", *words, folder=tmp_path)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == f"Error: {lacking}: pip install 'tablemen[web]'\n"


@pytest.fixture
def terminal(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[terminals.Terminal]:
    monkeypatch.setattr(terminals, "TABLEMEN", [str(installed / "tablemen")])
    monkeypatch.delenv("PYTHONPATH", raising=False)
    opened = terminals.Terminal("play", "english", "--black", "human", has_errors_apart=False)
    yield opened
    opened.close()


@pytest.mark.slow
def test_without_the_full_screen_it_is_played_line_by_line(terminal: terminals.Terminal) -> None:
    said = "the full-screen board needs textual: pip install 'tablemen[tui]'; playing line by line\n"
    assert terminal.wait_for("Black's move: ").startswith(said)
    terminal.type("q")
    assert terminal.leave() == (0, "")


@pytest.mark.deep
def test_the_source_builds_and_works_with_all_extras(source: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    done(run(sys.executable, "-m", "venv", "--without-pip", environment))
    install(environment, f"{source}[all]")
    python = environment / "bin" / "python"
    done(run(python, "-I", SMOKE, folder=tmp_path))
    done(run(python, "-W", "error", "-c", "import tablemen.tui.app, tablemen.web.app", folder=tmp_path))


def test_all_extras_together_are_all() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {extra: {each.partition(">")[0] for each in extras[extra]} for extra in EXTRAS}
    assert named == EXTRAS
    assert extras["all"] == [f"tablemen[{','.join(EXTRAS)}]"]


def test_the_licences_name_every_crate_that_is_linked() -> None:
    words = (
        "--package",
        "tablemen-python",
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p} {l}",
    )
    lines = set(done(run("cargo", "tree", "--locked", "--offline", *words)).splitlines())
    crates = {line.split()[0] for line in lines if not line.startswith("tablemen-")}
    assert {"pyo3", "memchr"} < crates
    assert all("MIT" in line for line in lines)
    text = (ROOT / "LICENSE-CRATES").read_text(encoding="utf-8")
    named = {name.strip() for line in text.splitlines() if line.startswith("  ") for name in line[2:21].split(",")}
    assert named - {"", "standard library"} == crates
