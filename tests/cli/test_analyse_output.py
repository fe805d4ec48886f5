"""The files that `tablemen analyse` writes; no output overwrites another file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.draughts.pdn import read_pdn

GAME = '[White "{}"] [GameType "25"] 1. c3-d4 d6-c5 *\n'
GAMES = "".join(map(GAME.format, ("Ann", "Bob", "Cid")))

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


def analyse(source: str, *arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["analyse", source, "--nodes", "50", *arguments], input=text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with three games, and with files and links that outputs could overwrite."""
    (tmp_path / "games.pdn").write_text(GAMES, encoding="utf-8")
    (tmp_path / "graph-2.svg").write_text(GAMES, encoding="utf-8")
    (tmp_path / "link-3.svg").symlink_to("games.pdn")
    (tmp_path / "dead-3.svg").symlink_to("to-come.pdn")
    (tmp_path / "hard-7.svg").hardlink_to(tmp_path / "games.pdn")
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("source", "arguments", "pattern"),
    [
        ("games.pdn", "--pdn out --svg out", "--svg out .*overwrite --pdn out"),
        ("games.pdn", "--pdn out --svg deep/../out", "--svg deep/../out .*overwrite --pdn out"),
        ("games.pdn", "--pdn x-2.svg --svg x.svg", "--svg x.svg .*overwrite --pdn x-2.svg"),
        ("games.pdn", "--pdn to-come.pdn --svg dead.svg", "--svg dead.svg .*overwrite --pdn to-come.pdn"),
        ("graph-2.svg", "--svg graph.svg", "--svg graph.svg .*input file"),
        ("./graph-2.svg", "--svg deep/../graph.svg", "--svg deep/../graph.svg .*input file"),
        ("games.pdn", "--svg link.svg", "--svg link.svg .*input file"),
        ("games.pdn", "--svg hard.svg", "--svg hard.svg .*input file"),
        ("games.pdn", "--pdn link-3.svg", "--pdn: link-3.svg .*input file"),
    ],
)
def test_no_output_overwrites_another_file(folder: Path, source: str, arguments: str, pattern: str) -> None:
    names = sorted(folder.iterdir())
    result = analyse(source, *arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.search(pattern, result.stderr)
    assert sorted(folder.iterdir()) == names
    assert (folder / source).read_text(encoding="utf-8") == GAMES


def test_older_pictures_are_replaced(folder: Path) -> None:
    assert analyse("games.pdn", "--svg", "graph.svg", "--pdn", "graph-x.svg").exit_code == 0
    for name in ("graph.svg", "graph-2.svg", "graph-3.svg"):
        assert (folder / name).read_text(encoding="utf-8").startswith("<svg ")
    assert len(list(read_pdn(folder / "graph-x.svg"))) == 3


@needs_full
def test_unwritable_picture_does_not_stop_the_games(folder: Path) -> None:
    (folder / "graph-2.svg").unlink()
    (folder / "graph-2.svg").symlink_to("/dev/full")
    result = analyse("games.pdn", "--svg", "graph.svg", "--pdn", "out.pdn")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("games.pdn: game 2: ")
    assert line.endswith(": graph-2.svg: No space left on device")
    assert [line for line in result.stdout.splitlines() if line.startswith("Game")] == [
        f"Game {number}: {name} - ?  *  russian" for number, name in enumerate(("Ann", "Bob", "Cid"), 1)
    ]
    assert [game.tags["White"] for game in read_pdn(folder / "out.pdn")] == ["Ann", "Bob", "Cid"]
    assert (folder / "graph-3.svg").exists()


@needs_full
def test_full_disk_does_not_stop_pictures_and_is_reported_once(folder: Path) -> None:
    result = analyse("games.pdn", "--svg", "graph.svg", "--pdn", "/dev/full")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("games.pdn: game 1: ")
    assert line.endswith(": /dev/full: No space left on device")
    assert result.stdout.count("\nWhite: 1 move, ") == 3
    assert (folder / "graph-3.svg").exists()
