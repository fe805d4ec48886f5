"""Tables in the cache folder: kept, mapped, checked, and built anew where they are not what they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tablemen import TablemenError, _core
from tablemen.mancala import KALAH, NORTH, SOUTH, Capture, Position, Progress, Rest, TableWarning, solve
from tablemen.mancala.tablebase import TablebaseCache
from tests.timeouts import TIMEOUT

RULES = replace(KALAH, name="kept", houses=6, seeds=2)  # with two or three layers large enough for files
START = Position.start(RULES)
VALUES = [-14, -8, -8, -14, 6, 0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, which does not exist yet."""
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def check_values() -> None:
    """The board is solved, and right."""
    assert list(solve(START).values.values()) == VALUES


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_tables_are_kept_and_read_again(folder: Path) -> None:
    check_values()
    before = contents(folder)
    assert before
    assert all(name.startswith("kalah-6-") and name.endswith(".table") for name in before)
    times = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    check_values()
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == times


def test_what_is_in_the_files_is_what_counts(folder: Path) -> None:
    """A file with a right checksum and other values changes the solution: it is read, and not only there."""
    check_values()
    files = TablebaseCache(RULES)
    for file in folder.iterdir():
        seeds = int(file.stem.rpartition("-")[2])
        layer = bytes(len(file.read_bytes()) - 256)
        file.write_bytes(files._header(seeds, layer) + layer)
    assert list(solve(START).values.values()) != VALUES


def test_layers_are_as_large_in_all_as_they_may_be(folder: Path) -> None:
    """Without a limit there are twelve of them, and 1.35 million positions."""
    seeds = {SOUTH: [3, 1, 4, 1, 5, 1], NORTH: [2, 6, 1, 3, 2, 1]}
    position = Position(RULES, SOUTH, houses=seeds, stores={SOUTH: 10, NORTH: 8})
    limited = solve(position, layers_mb=1)
    assert 300_000 < sum(file.stat().st_size for file in folder.iterdir()) < 1_000_000
    assert limited.values == solve(position).values
    assert sum(file.stat().st_size for file in folder.iterdir()) > 1_000_000


def test_without_the_cache_nothing_is_written(folder: Path) -> None:
    assert list(solve(START, cache=False).values.values()) == VALUES
    assert not folder.exists()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is damaged"),
        (lambda data: data[:200] + b"x" + data[201:], "is damaged"),
        (lambda data: data[:-100], "has the wrong size"),
        (lambda data: data + b"\0", "has the wrong size"),
        (lambda data: data[:100], "has the wrong size"),
        (lambda data: data[:3], "is not a table"),
        (lambda _: b"", "cannot be read"),
        (lambda _: b"something else altogether\n" * 1000, "is not a table"),
        (lambda data: data.replace(b"table 1 ", b"table 2 ", 1), "is a table of other rules or another version"),
        (lambda data: data.replace(b"owner", b"other", 1), "is a table of other rules or another version"),
    ],
)
def test_a_file_that_is_not_right_is_told_and_built_anew(folder: Path, damage: object, problem: str) -> None:
    check_values()
    before = contents(folder)
    victim = folder / min(before)
    assert callable(damage)
    victim.write_bytes(damage(before[victim.name]))
    with pytest.warns(TableWarning, match=f"{victim.name} {problem}") as told:
        check_values()
    assert len(told) == 1
    assert contents(folder) == before


def test_a_file_of_other_rules_under_the_name_of_these(folder: Path) -> None:
    check_values()
    other = replace(RULES, capture=Capture.EVEN_IF_OPPOSITE_EMPTY)
    expected = solve(Position.start(other)).values
    for file in folder.glob("*opposite_not_empty*"):
        file.replace(folder / file.name.replace("opposite_not_empty", "even_if_opposite_empty"))
    with pytest.warns(TableWarning, match="other rules"):
        assert solve(Position.start(other)).values == expected


def test_rule_sets_have_files_of_their_own(folder: Path) -> None:
    solve(START)
    some = set(contents(folder))
    solve(Position.start(replace(RULES, rest=Rest.NOT_COUNTED)))
    assert some < set(contents(folder))
    solve(Position.start(replace(RULES, name="another name")))
    assert len(contents(folder)) == 2 * len(some)


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(TableWarning) as told:
        assert list(solve(START).values.values()) == VALUES
    assert any("tables cannot be cached in" in str(each.message) for each in told)


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "TABLEMEN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # nobody has an entry
    with pytest.warns(TableWarning, match="^tables cannot be cached: the user has no home") as told:
        check_values()
    assert len(told) == 1
    solve(Position.start(replace(RULES, houses=3)))  # has no layer that is worth a file


def test_a_disk_that_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path, _content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.warns(TableWarning, match="tables cannot be cached in .*: No space left on device") as told:
        assert list(solve(START).values.values()) == VALUES
    assert len(told) == 1
    assert contents(folder) == {}


class EnoughError(Exception):
    """Raised by those who have seen enough."""


def test_interrupting_keeps_what_is_finished(folder: Path) -> None:
    def stop(progress: Progress) -> None:
        if any(folder.glob("*")):
            raise EnoughError

    with pytest.raises(EnoughError):
        solve(START, on_progress=stop)
    (kept,) = contents(folder).values()
    check_values()
    assert kept in contents(folder).values()


def test_an_interrupt_while_a_file_is_written_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_path: Path, _target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(START)
    assert contents(folder) == {}


def test_two_processes_at_once(folder: Path) -> None:
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
    before = contents(folder)
    check_values()
    assert contents(folder) == before


def test_only_bytes_that_cannot_change_are_lent() -> None:
    tables = _core.MancalaTables.of(RULES)
    assert tables is not None
    with pytest.raises(TablemenError, match="bytes that cannot change"):
        tables.add(bytearray(1), 0)
    with pytest.raises(TablemenError, match="bytes that cannot change"):
        tables.add(b"", 1)
    assert not tables.add(b"too long", 0)
    assert tables.layers == 0
    assert tables.last() is None
    assert tables.add(b"-\0", 1)
    assert tables.last() == b"\0"


def test_no_tables_where_stores_matter_or_rows_are_wide() -> None:
    assert _core.MancalaTables.of("kgp") is None
    assert _core.MancalaTables.of("oware") is None
    assert _core.MancalaTables.of(replace(RULES, houses=8)) is None
