"""The distributions: the content of the wheel and of the source archive, and an installation without extras."""

from __future__ import annotations

import fcntl
import os
import re
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
EXTRAS = {"tui": {"textual"}, "web": {"fastapi", "uvicorn", "websockets"}, "arrays": {"numpy"}}
COMMAND_TIMEOUT = 600  # seconds; a first build takes minutes
NETWORK_ERRORS = ("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError", "ProtocolError")
NO_INDEX = "the package index cannot be reached, so the dependencies cannot be installed"
NEED_EXTRAS = ("tablemen.tui", "tablemen.web", "tablemen.transcript.plugin")
SCRIPT = "tablemen.transcript.pty_launcher"  # run as a script, not imported

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
    if not name.startswith({NEED_EXTRAS!r}) and name not in ({SCRIPT!r}, "tablemen.__main__"):
        importlib.import_module(name)
print(len(names))
"""


def run(
    *words: str | Path, folder: Path = ROOT, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, without the Python variables of the tests."""
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
            output, errors = process.communicate(timeout=COMMAND_TIMEOUT)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # with its children, which would hold its output open
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def run_checked(*words: str | Path, folder: Path = ROOT, variables: Mapping[str, str] | None = None) -> str:
    """Run a program, check that it succeeds, and return its output."""
    return check_output(run(*words, folder=folder, variables=variables))


def check_output(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def repository_files(*folders: str) -> set[str]:
    """Return the files of the repository, tracked or not yet added."""
    listed = run_checked("git", "ls-files", "--cached", "--others", "--exclude-standard", *folders).splitlines()
    return {name for name in listed if (ROOT / name).exists()}


def make_flags() -> dict[str, str]:
    """Return the build variables of the Makefile; other values would compile everything again."""
    rule = 'flags: ; @printf "%s\\n" "$$RUSTFLAGS" "$$PYO3_PYTHON"'
    clean = dict.fromkeys(("MAKEFLAGS", "MFLAGS", "MAKELEVEL"), "")
    flags, python = run_checked("make", "--silent", f"--eval={rule}", "flags", variables=clean).splitlines()
    return {"RUSTFLAGS": flags, "PYO3_PYTHON": python if Path(python).exists() else sys.executable}


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Return a function that fills a folder once for all processes that run tests."""
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
    """Build the wheel, and return its path."""

    def build(folder: Path) -> None:
        words = ("build", "--release", "--locked", "--out", folder)
        run_checked(sys.executable, "-m", "maturin", *words, variables=make_flags())

    (built,) = shared("wheel", build).iterdir()
    return built


@pytest.fixture(scope="session")
def source(shared: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """Build the source archive, and return its path."""

    def pack(folder: Path) -> None:
        run_checked(sys.executable, "-m", "maturin", "sdist", "--out", folder)

    (packed,) = shared("source", pack).iterdir()
    return packed


def install(environment: Path, *what: str | Path) -> None:
    """Install into an environment without pip; skip the test if the package index cannot be reached."""
    # With hashes, pip would require them of our own distributions too.
    pins = re.sub(r" \\\n +--hash=\S+", "", (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8"))
    constraints = environment / "constraints.txt"
    constraints.write_text(pins, encoding="utf-8")
    words = ("--python", environment, "install", "--retries", "2", "--constraint", constraints)
    process = run(sys.executable, "-m", "pip", *words, *what, variables={"RUSTFLAGS": ""})
    is_offline = any(name in process.stdout + process.stderr for name in NETWORK_ERRORS)
    if process.returncode and is_offline and not os.environ.get("CI"):
        pytest.skip(NO_INDEX)
    check_output(process)


@pytest.fixture(scope="session")
def installed(shared: Callable[[str, Callable[[Path], None]], Path], wheel: Path) -> Path:
    """Create an environment with tablemen and its dependencies only, and return its folder of programs."""

    def fill(folder: Path) -> None:
        run_checked(sys.executable, "-m", "venv", "--without-pip", folder)
        install(folder, wheel)

    return shared("installed", fill) / "bin"


def read_metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as opened:
        return Parser().parsestr(opened.read(f"tablemen-{__version__}.dist-info/METADATA").decode())


@pytest.mark.slow
def test_the_wheel_contains_exactly_the_package(wheel: Path) -> None:
    ours = {name.removeprefix("python/") for name in repository_files("python/tablemen")}
    assert {"tablemen/py.typed", "tablemen/_core.pyi", "tablemen/tui/tablemen.tcss"} < ours
    about = f"tablemen-{__version__}.dist-info"
    facts = {f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
    licences = {f"{about}/licenses/{name}" for name in LICENCES}
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    assert names == ours | {"tablemen/_core.abi3.so"} | facts | licences


@pytest.mark.slow
def test_the_wheel_uses_the_stable_abi(wheel: Path) -> None:
    assert wheel.name.startswith(f"tablemen-{__version__}-cp311-abi3-")
    with zipfile.ZipFile(wheel) as opened:
        tags = Parser().parsestr(opened.read(f"tablemen-{__version__}.dist-info/WHEEL").decode())
    assert tags["Root-Is-Purelib"] == "false"
    assert all(tag.startswith("cp311-abi3-") for tag in tags.get_all("Tag", []))


@pytest.mark.slow
def test_the_metadata_is_complete(wheel: Path) -> None:
    facts = read_metadata(wheel)
    assert (facts["Name"], facts["Version"], facts["Requires-Python"]) == ("tablemen", __version__, ">=3.11")
    assert facts["License-Expression"] == "MIT"
    assert set(facts.get_all("License-File", [])) == set(LICENCES)
    assert facts["Description-Content-Type"].startswith("text/markdown")
    assert str(facts.get_payload()).strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    assert {"draughts", "checkers", "mancala", "kalah"} <= set(facts["Keywords"].split(","))
    assert not any(
        each.startswith("License ::") for each in facts.get_all("Classifier", [])
    )  # replaced by License-Expression
    assert set(facts.get_all("Provides-Extra", [])) == {*EXTRAS, "all"}


@pytest.mark.slow
def test_the_wheel_contains_the_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        for name in LICENCES:
            text = opened.read(f"tablemen-{__version__}.dist-info/licenses/{name}").decode()
            assert text == (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_source_archive_contains_exactly_what_a_build_needs(source: Path) -> None:
    top = f"tablemen-{__version__}"
    assert source.name == f"{top}.tar.gz"
    needed = {"Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md", *LICENCES}
    with tarfile.open(source) as opened:
        names = {name.removeprefix(f"{top}/") for name in opened.getnames()}
    assert names == repository_files("crates", "python") | needed | {"PKG-INFO"}


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(installed: Path, tmp_path: Path) -> None:
    output = run_checked(installed / "python", "-I", SMOKE, folder=tmp_path)
    assert output.startswith(f"tablemen {__version__} works: Python 3.")
    assert run_checked(installed / "tablemen", "--version", folder=tmp_path) == f"tablemen, version {__version__}\n"
    assert run_checked(installed / "python", "-c", PLAY, folder=tmp_path).startswith("c3-d4 b6-a5 d4-c5 B:W")
    assert run_checked(installed / "tablemen", "moves", "english", folder=tmp_path).startswith("9-14\n10-15\n11-16\n")


@pytest.mark.slow
def test_only_the_interfaces_need_the_extras(installed: Path, tmp_path: Path) -> None:
    foreign = {name for names in EXTRAS.values() for name in names} | {"pytest", "rich", "pip"}
    for name in foreign:
        assert run(installed / "python", "-c", f"import {name}", folder=tmp_path).returncode == 1
    assert int(run_checked(installed / "python", "-W", "error", "-c", IMPORT_ALL, folder=tmp_path)) > 120


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("serve",),
        ("serve", "--engine", "Other=dxp:localhost:27531"),
        ("engine", "kgp", "--connect", "ws://localhost:1"),
        ("kgp-server", "--port", "0", "--websocket", "0"),
    ],
    ids=" ".join,
)
def test_a_missing_extra_is_reported_with_the_command_to_install_it(
    installed: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    process = run(installed / "tablemen", *words, folder=tmp_path)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.endswith("pip install 'tablemen[web]'\n")
    assert process.stderr.count("\n") == 1


@pytest.fixture
def terminal(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[terminals.Terminal]:
    monkeypatch.setattr(terminals, "TABLEMEN", [str(installed / "tablemen")])
    monkeypatch.delenv("PYTHONPATH", raising=False)
    opened = terminals.Terminal("play", "english", "--black", "human", stderr_pipe=False)
    yield opened
    opened.close()


@pytest.mark.slow
def test_without_the_extra_the_game_is_played_line_by_line(terminal: terminals.Terminal) -> None:
    assert "pip install 'tablemen[tui]'" in terminal.wait_for("Black's move: ").splitlines()[0]
    terminal.type("q")
    assert terminal.wait_for_exit() == (0, "")


@pytest.mark.deep
def test_the_source_archive_builds_and_works_with_all_extras(source: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    run_checked(sys.executable, "-m", "venv", "--without-pip", environment)
    install(environment, f"{source}[all]")
    python = environment / "bin" / "python"
    run_checked(python, "-I", SMOKE, folder=tmp_path)
    run_checked(python, "-W", "error", "-c", "import tablemen.tui.app, tablemen.web.app", folder=tmp_path)


def test_the_extra_all_contains_all_extras() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {extra: {each.partition(">")[0] for each in extras[extra]} for extra in EXTRAS}
    assert named == EXTRAS
    assert extras["all"] == [f"tablemen[{','.join(EXTRAS)}]"]


def test_the_licence_file_names_every_linked_crate() -> None:
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
    lines = set(run_checked("cargo", "tree", "--locked", "--offline", *words).splitlines())
    crates = {line.split()[0] for line in lines if not line.startswith("tablemen-")}
    assert {"pyo3", "memchr"} < crates
    assert all("MIT" in line for line in lines)
    text = (ROOT / "LICENSE-CRATES").read_text(encoding="utf-8")
    named = {name.strip() for line in text.splitlines() if line.startswith("  ") for name in line[2:21].split(",")}
    assert named - {"", "standard library"} == crates
