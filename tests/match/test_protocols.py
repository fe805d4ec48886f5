"""Matches between two copies of our engine over each protocol; one is killed during a game."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tablemen.family import ScoreSheet, find_variant, get_family
from tablemen.outcome import Side, Termination

pytestmark = pytest.mark.slow

GAMES = 4

# The engine, which kills itself in its sixth search if the file `mark` does not exist.
DYING_ENGINE = """
import os, pathlib, sys
from tablemen.search import Searcher

mark, searches, search = pathlib.Path(sys.argv[1]), [], Searcher._search

def search_or_die(*arguments, **settings):
    searches.append(1)
    if len(searches) == 6 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return search(*arguments, **settings)

Searcher._search = search_or_die
from tablemen.cli import main
main(sys.argv[2:])
"""

PROTOCOLS = {
    "hub": ("frysk", "hub", "depth=2"),
    "dxp": ("frysk", "dxp --variant frysk --player searcher:depth=2 --listen {port}", ""),
    "kgp": ("kgp", "kgp --player searcher:depth=2 --connect {address}", "time=30"),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_killed_engine_loses_only_one_game(protocol: str, tmp_path: Path) -> None:
    variant, arguments, settings = PROTOCOLS[protocol]
    script, mark, file = tmp_path / "engine.py", tmp_path / "mark", tmp_path / "games"
    script.write_text(DYING_ENGINE)
    first = format_engine(
        protocol, [sys.executable, str(script), str(mark), "engine", *shlex.split(arguments)], settings
    )
    second = format_engine(protocol, [sys.executable, "-m", "tablemen", "engine", *shlex.split(arguments)], settings)
    command = [sys.executable, "-m", "tablemen", "match", variant, first, second, "--games", str(GAMES)]
    done = subprocess.run([*command, "--pdn", str(file)], capture_output=True, text=True, check=False)

    assert done.returncode == 1, done.stderr  # a player has failed
    assert mark.exists()
    rules = find_variant(variant)
    killed, *others = get_family(rules).parse_games(file.read_text(), rules)
    assert len(others) == GAMES - 1
    assert "SIGKILL" in done.stderr.splitlines()[0]
    assert killed.players[Side.WHITE] == first
    assert len(killed.game.moves) >= 10  # five of each side
    assert "SIGKILL" in file.read_text().partition("Round")[2].partition("Event")[0]
    for sheet in others:
        check_normal_ending(sheet)
    assert not find_processes(str(tmp_path))


def format_engine(protocol: str, words: list[str], settings: str) -> str:
    """Return the text of the player; words are not quoted for the shell, because of the placeholders in them."""
    return ",".join(filter(None, (f'{protocol}:"{" ".join(words)}"', settings)))


def check_normal_ending(sheet: ScoreSheet) -> None:
    """Check that the game ended by the rules."""
    outcome = sheet.game.outcome()
    assert outcome is not None
    assert outcome.termination not in {Termination.FORFEIT, Termination.TIME, Termination.ADJUDICATION}
    assert sheet.outcome == outcome


def find_processes(words: str) -> list[str]:
    """Return the processes with this text in their command line."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = each.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words in command and "pytest" not in command:
            found.append(command)
    return found
