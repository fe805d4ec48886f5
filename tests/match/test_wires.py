"""Two copies of our engine in a match over each protocol, as real processes; one is killed during a game."""

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

# The program, which kills itself when it begins its sixth search; once, as the mark shows.
MORTAL = """
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

WIRES = {
    "hub": ("frysk", "hub", "depth=2"),
    "dxp": ("frysk", "dxp --variant frysk --player searcher:depth=2 --listen {port}", ""),
    "kgp": ("kgp", "kgp --player searcher:depth=2 --connect {address}", "time=30"),
}


@pytest.mark.parametrize("wire", WIRES)
def test_two_copies_play_a_match_and_a_killed_one_loses_one_game(wire: str, tmp_path: Path) -> None:
    variant, arguments, settings = WIRES[wire]
    script, mark, file = tmp_path / "mortal.py", tmp_path / "mark", tmp_path / "games"
    script.write_text(MORTAL)
    first = player(wire, [sys.executable, str(script), str(mark), "engine", *shlex.split(arguments)], settings)
    second = player(wire, [sys.executable, "-m", "tablemen", "engine", *shlex.split(arguments)], settings)
    command = [sys.executable, "-m", "tablemen", "match", variant, first, second, "--games", str(GAMES)]
    done = subprocess.run([*command, "--pdn", str(file)], capture_output=True, text=True, check=False)

    assert done.returncode == 1, done.stderr  # a player has failed
    assert mark.exists()
    rules = find_variant(variant)
    killed, *others = get_family(rules).parse_games(file.read_text(), rules)
    assert len(others) == GAMES - 1
    assert "was ended by SIGKILL" in done.stderr.splitlines()[0]
    assert killed.players[Side.WHITE] == first
    assert len(killed.game.moves) >= 10  # five of each side
    assert "was ended by SIGKILL" in file.read_text().partition("Round")[2].partition("Event")[0]
    for sheet in others:
        check_ended(sheet)
    assert not left_behind(str(tmp_path))


def player(wire: str, words: list[str], settings: str) -> str:
    """Return the player as text; placeholders of addresses are not quoted for the shell."""
    return ",".join(filter(None, (f'{wire}:"{" ".join(words)}"', settings)))


def check_ended(sheet: ScoreSheet) -> None:
    """Check that the game was played to its end by the rules."""
    outcome = sheet.game.outcome()
    assert outcome is not None
    assert outcome.termination not in {Termination.FORFEIT, Termination.TIME, Termination.ADJUDICATION}
    assert sheet.outcome == outcome


def left_behind(words: str) -> list[str]:
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
