"""Endgame tables in the cache folder: written, read, checked, and built again if a file is invalid."""

from __future__ import annotations

import mmap
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tablemen import _core
from tablemen.mancala import KALAH, NORTH, SOUTH, Capture, Position, Progress, Rest, TableWarning, solve
from tablemen.mancala.tablebase import TablebaseCache
from tests.golden import check_golden
from tests.timeouts import TIMEOUT

RULES = replace(KALAH, name="cached", houses=6, seeds=2)  # two or three layers are large enough for files
START = Position.start(RULES)
VALUES = [-14, -8, -8, -14, 6, 0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder for the test, which does not exist yet."""
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def check_values() -> None:
    """Solve the board and check the values."""
    assert list(solve(START).values.values()) == VALUES


def read_files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_files_are_written_once_and_read_again(folder: Path) -> None:
    check_values()
    before = read_files(folder)
    assert before
    assert all(name.startswith("kalah-6-") and name.endswith(".table") for name in before)
    times = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    check_values()
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == times


def test_values_are_read_from_files(folder: Path) -> None:
    # Wrong values with a valid checksum must change the solution.
    check_values()
    files = TablebaseCache(RULES)
    for file in folder.iterdir():
        seeds = int(file.stem.rpartition("-")[2])
        layer = bytes(len(file.read_bytes()) - 256)
        file.write_bytes(files._header(seeds, layer) + layer)
    assert list(solve(START).values.values()) != VALUES


def test_the_size_of_tables_is_limited(folder: Path) -> None:
    # Without a limit there are twelve layers with 1.35 million positions.
    seeds = {SOUTH: [3, 1, 4, 1, 5, 1], NORTH: [2, 6, 1, 3, 2, 1]}
    position = Position(RULES, SOUTH, houses=seeds, stores={SOUTH: 10, NORTH: 8})
    limited = solve(position, layers_mb=1)
    assert 300_000 < sum(file.stat().st_size for file in folder.iterdir()) < 1_000_000
    assert limited.values == solve(position).values
    assert sum(file.stat().st_size for file in folder.iterdir()) > 1_000_000


def test_without_the_cache_no_file_is_written(folder: Path) -> None:
    assert list(solve(START, cache=False).values.values()) == VALUES
    assert not folder.exists()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "changed value": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "changed header": lambda data: data[:200] + b"x" + data[201:],
    "too short": lambda data: data[:-100],
    "too long": lambda data: data + b"\0",
    "only a header": lambda data: data[:100],
    "three bytes": lambda data: data[:3],
    "empty": lambda _: b"",
    "another file": lambda _: b"another file\n" * 1000,
    "another version": lambda data: data.replace(b"table 1 ", b"table 2 ", 1),
    "other rules": lambda data: data.replace(b"owner", b"other", 1),
}


def damage_file(folder: Path, damage: Callable[[bytes], bytes]) -> str:
    """Damage the first file of the cache, solve the board again, and return the only warning."""
    file = min(folder.iterdir())
    file.write_bytes(damage(file.read_bytes()))
    with pytest.warns(TableWarning, match=re.escape(str(file))) as caught:
        check_values()
    (warning,) = caught
    return str(warning.message)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_an_invalid_file_causes_a_warning_and_is_built_again(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    check_values()
    before = read_files(folder)
    damage_file(folder, damage)
    assert read_files(folder) == before


@pytest.mark.golden
def test_warnings(folder: Path) -> None:
    check_values()
    warnings = {name: damage_file(folder, damage) for name, damage in DAMAGES.items()}
    texts = {name: warning.replace(f"{folder}{os.sep}", "") for name, warning in warnings.items()}
    check_golden(Path(__file__).with_name("warnings.txt"), texts)


def test_a_file_of_other_rules_is_not_used(folder: Path) -> None:
    check_values()
    other = replace(RULES, capture=Capture.EVEN_IF_OPPOSITE_EMPTY)
    expected = solve(Position.start(other)).values
    for file in folder.glob("*opposite_not_empty*"):
        file.replace(folder / file.name.replace("opposite_not_empty", "even_if_opposite_empty"))
    with pytest.warns(TableWarning, match="other rules"):
        assert solve(Position.start(other)).values == expected


def test_each_rule_set_has_its_own_files(folder: Path) -> None:
    solve(START)
    files = set(read_files(folder))
    solve(Position.start(replace(RULES, rest=Rest.NOT_COUNTED)))
    assert files < set(read_files(folder))
    solve(Position.start(replace(RULES, name="another name")))
    assert len(read_files(folder)) == 2 * len(files)


def test_a_folder_that_cannot_be_created_causes_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(TableWarning) as caught:
        assert list(solve(START).values.values()) == VALUES
    assert any(str(tmp_path / "file" / "cache") in str(each.message) for each in caught)


def test_a_user_without_a_home_folder_causes_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "TABLEMEN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # no user has an entry
    with pytest.warns(TableWarning, match="home") as caught:
        check_values()
    assert len(caught) == 1
    solve(Position.start(replace(RULES, houses=3)))  # all layers are too small for files


def test_a_full_disk_causes_a_warning(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.warns(TableWarning, match="No space left on device") as caught:
        assert list(solve(START).values.values()) == VALUES
    assert len(caught) == 1
    assert read_files(folder) == {}


class StopError(Exception):
    """The error that `on_progress` raises."""


def test_finished_layers_are_kept_after_an_error(folder: Path) -> None:
    def stop(progress: Progress) -> None:
        if any(folder.glob("*")):
            raise StopError

    with pytest.raises(StopError):
        solve(START, on_progress=stop)
    (layer,) = read_files(folder).values()
    check_values()
    assert layer in read_files(folder).values()


def test_an_interrupt_during_writing_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_path: Path, _target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(START)
    assert read_files(folder) == {}


def test_unfinished_files_of_killed_processes_are_removed(folder: Path) -> None:
    folder.mkdir(parents=True)
    stale, fresh, foreign = (folder / name for name in (".kalah-6-a-1-2.part", ".kalah-6-b-3-4.part", ".other.part"))
    for file in (stale, fresh, foreign):
        file.touch()
    for file in (stale, foreign):
        os.utime(file, (0, 0))
    check_values()
    assert {file.name for file in folder.iterdir() if file.suffix == ".part"} == {fresh.name, foreign.name}


def test_two_processes_can_build_tables_at_once(folder: Path) -> None:
    program = (
        "from dataclasses import replace; from tablemen.mancala import KALAH, Position, solve\n"
        "print(list(solve(Position.start(replace(KALAH, houses=6, seeds=2))).values.values()))"
    )
    command = [sys.executable, "-W", "error", "-c", program]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ, text=True) for _ in range(2)]
    try:
        assert [process.communicate(timeout=TIMEOUT)[0] for process in both] == [f"{VALUES}\n"] * 2
    finally:
        for process in both:
            process.kill()
            process.wait()
    assert [process.returncode for process in both] == [0, 0]
    before = read_files(folder)
    check_values()
    assert read_files(folder) == before


def test_only_immutable_bytes_are_accepted() -> None:
    tables = _core.MancalaTables.of(RULES)
    assert tables is not None
    for changeable in (bytearray(1), memoryview(bytearray(1)).toreadonly(), mmap.mmap(-1, 1)):
        with pytest.raises(TypeError, match="bytes"):
            tables.add(changeable, 0)  # type: ignore[arg-type]
    assert not tables.add(b"", 1)
    assert not tables.add(b"too long", 0)
    assert tables.layers == 0
    assert tables.last() is None
    assert tables.add(b"-\0", 1)
    assert tables.last() == b"\0"


@pytest.mark.slow
def test_a_file_that_is_truncated_while_it_is_used_has_no_effect(folder: Path) -> None:
    # A memory map of a truncated file ends the process with SIGBUS.
    check_values()
    program = f"""
import os, pathlib, resource
from dataclasses import replace
from tablemen import _core
from tablemen.mancala import KALAH, Position, tablebase
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
start = Position.start(replace(KALAH, houses=6, seeds=2))
options = dict(threads=1, cache=True, max_size=None, on_layer=lambda *_: None)
tables = tablebase.prepare_tables([start], **options)
for file in pathlib.Path({str(folder)!r}).iterdir():
    os.truncate(file, 0)
solved = _core.solve_mancala(start, tables=tables, threads=1, table_mb=1, each_move=True, on_progress=None)
print([value for _, value in solved[1]])
"""
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{VALUES}\n", "")


def test_rules_without_tables() -> None:
    assert _core.MancalaTables.of("kgp") is None
    assert _core.MancalaTables.of("oware") is None
    assert _core.MancalaTables.of(replace(RULES, houses=8)) is None
