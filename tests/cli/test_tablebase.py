"""`tablemen tablebase`."""

from __future__ import annotations

import errno
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from zlib import crc32

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.cli.tablebase import _format_progress
from tablemen.draughts.tablebase import Progress, Slice, list_files
from tablemen.draughts.variants import ENGLISH
from tests.timeouts import ended_when_late, wait_until


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tablebase", *arguments])


def test_build_list_check_probe_and_remove(tmp_path: Path) -> None:
    built = run("build", "english", "--pieces", "2")
    assert (built.exit_code, built.stdout) == (0, "")
    assert str(tmp_path / "tablebases" / "english") in built.stderr
    assert "3,488 positions" in built.stderr
    assert "complete" in run("build", "english", "--pieces", "2").stderr
    (listed,) = json.loads(run("list", "--json").stdout)
    assert listed.pop("bytes") > 0
    assert listed == {"variant": "english", "pieces": 2, "slices": 4, "positions": 3488, "distances": False}
    assert run("list").stdout.splitlines()[1].split()[:4] == ["english", "2", "3,488", "no"]
    assert run("check", "english", "--samples", "50").exit_code == 0
    whole = run("check", "english", "--all")
    assert (whole.exit_code, "3,488" in whole.stdout, "distances" in whole.stderr) == (0, True, True)
    assert run("build", "english", "--pieces", "2", "--distances").exit_code == 0
    assert run("check", "english", "--all").stderr == ""
    assert run("probe", "english", "--fen", "W:WK10:BK19").stdout.startswith("Draw\ndraw: ")
    assert run("remove", "english").exit_code == 0
    assert run("list").stdout == ""
    assert run("check", "english").exit_code == 1


@pytest.mark.slow
def test_ctrl_c_ends_the_processes_and_keeps_finished_slices(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablemen", "tablebase", "build", "english", "--pieces", "5", "--concurrency", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process, ended_when_late(process):
        wait_until(lambda: list_files(None, ENGLISH), "no slice is built")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()  # until the last process has closed standard error
    assert (process.returncode, errors.splitlines()[-1]) == (130, "Interrupted.")
    finished = list_files(None, ENGLISH)
    assert run("check", "english", "--samples", "0").exit_code == 0
    assert run("build", "english", "--pieces", "2", "--concurrency", "2").exit_code == 0
    assert set(finished) <= set(list_files(None, ENGLISH))


def test_a_small_position_needs_no_files() -> None:
    arguments = ("probe", "english", "--fen", "W:WK10,K14:BK27")
    assert run(*arguments).stdout == (
        "White wins in 23 plies\nwin: 14-18 (23), 10-6 (27), 10-7 (27), 10-15 (27), 14-9 (27), 14-17 (27)\n"
    )
    found = json.loads(run(*arguments, "--json").stdout)
    assert (found["value"], found["distance"]) == ("win", 23)
    assert found["moves"][0] == {"move": "14-18", "value": "win", "distance": 23}


def test_a_missing_tablebase_is_offered_by_name() -> None:
    result = run("probe", "english", "--fen", "W:WK10,K14,K15:BK27,K3")
    assert result.exit_code == 1
    assert "`tablemen tablebase build english --pieces 5 --distances`" in result.stderr


def test_damaged_files_fail_the_check() -> None:
    run("build", "english", "--pieces", "2")
    path = list_files(None, ENGLISH)[0]
    content = bytearray(path.read_bytes())
    content[-10] ^= 1
    path.write_bytes(content)
    result = run("check", "english")
    assert (result.exit_code, result.stdout) == (1, "")
    assert path.stem in result.stderr
    path.write_bytes(content[:-1])
    for command in (
        ("check", "english"),
        ("list",),
        ("build", "english"),
        ("probe", "english", "--fen", "W:W30,31,32:B1"),
    ):
        refused = run(*command)
        assert refused.exit_code == 2
        assert str(path) in refused.stderr


def test_wrong_values_fail_the_check() -> None:
    run("build", "english", "--pieces", "2", "--distances")
    for path in list_files(None, ENGLISH):
        content = bytearray(path.read_bytes())
        content[48] ^= 1  # the number of wins
        content[-4:] = crc32(content[:-4]).to_bytes(4, "little")
        path.write_bytes(content)
    assert run("check", "english", "--samples", "50").exit_code == 0
    result = run("check", "english", "--all")
    assert (result.exit_code, result.stdout) == (1, "")
    assert [line.partition(":")[0] for line in result.stderr.splitlines()] == ["K-K", "K-M", "M-M"]


def test_a_position_that_no_tablebase_has() -> None:
    result = run("probe", "english", "--fen", "W:W1,K20:BK32,K31")
    assert result.exit_code == 1
    assert "tablebase build" not in result.stderr


def test_a_disk_without_space_is_noticed_before_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    result = run("build", "english", "--pieces", "3")
    assert result.exit_code == 1
    assert list_files(None, ENGLISH) == []


def test_a_full_disk_leaves_only_complete_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Path] = []

    def replace(path: Path, target: Path) -> Path:
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        written.append(target)
        shutil.move(path, target)
        return target

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        result = run("build", "english", "--pieces", "2")
    assert result.exit_code == 1
    assert sorted(written) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert run("build", "english", "--pieces", "2").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (("build", "frisian"), "Frisian"),
        (("probe", "frisian", "--fen", "W:WK10:BK27"), "Frisian"),
        (("build", "kalah"), "kalah"),
        (("build", "english", "--pieces", "9"), "--pieces"),
        (("probe", "english"), "--fen"),
        (("probe", "english", "--fen", "W:W99:B1"), "--fen"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_invalid_arguments_exit_with_2(arguments: tuple[str, ...], fact: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert fact in result.stderr


def test_progress_has_speed_and_time_left() -> None:
    progress = Progress(Slice(1, 1, 0, 1), done=3_000_000, total=9_000_000)
    assert _format_progress(progress, 2.0) == "KM-K: 33% of 9,000,000 positions, 1.5 M/s, 0:04 left"
    assert _format_progress(Progress(progress.slice, 0, 9), 0.0) == "KM-K: 0% of 9 positions"
