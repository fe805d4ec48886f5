"""`tablemen play`: the list of games, and the Kalah console."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.cli.play import GAMES
from tablemen.family import find_variant
from tests.timeouts import TIMEOUT

COMMAND = [sys.executable, "-m", "tablemen", "play"]
PROMPT = "Player P1's turn - Specify house number or 'q' to quit: "


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=typed)


def test_list_of_games_in_a_pipe() -> None:
    result = play()
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.split()[:3] for line in result.stdout.splitlines()] == [["tablemen", "play", game] for game in GAMES]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_help_with_examples(game: str) -> None:
    result = play(game, "--help")
    assert result.exit_code == 0
    assert result.stdout.count(f"tablemen play {game}") >= 3


def test_help_lists_titles_and_an_optional_game() -> None:
    listed = dict(line.removeprefix("tablemen play ").split(maxsplit=1) for line in play().stdout.splitlines())
    assert listed == {name: str(find_variant(name)) for name in GAMES}
    assert play("--help").stdout.splitlines()[0].endswith(" play [OPTIONS] [GAME]")
    page = " ".join(play("--help").stdout.split())
    assert all(f" {name} {title}" in page for name, title in listed.items())


def test_input_from_a_pipe_is_not_echoed() -> None:
    done = subprocess.run(
        [*COMMAND, "kalah"], input="1\nq\n", capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[5] == PROMPT + lines[0]
    assert lines[10] == PROMPT.replace("P1", "P2") + "Game over"
    assert len(lines) == 16


@pytest.mark.parametrize("options", [[], ["--menu"], ["--vertical", "--robot", "2"]])
def test_end_of_input_quits(options: list[str]) -> None:
    quit_with_q, ended = play("kalah", *options, typed="1\nq\n"), play("kalah", *options, typed="1\n")
    assert quit_with_q.exit_code == ended.exit_code == 0
    assert quit_with_q.stdout == ended.stdout
    assert "Game over" in ended.stdout


def test_houses_and_seeds() -> None:
    result = play("kalah", "--houses", "4", "--seeds", "3")
    assert "|  0 | 1[ 3] | 2[ 3] | 3[ 3] | 4[ 3] | P1 |\n" in result.stdout


@pytest.mark.parametrize(("robot", "players"), [("1", {"P1"}), ("2", {"P2"}), ("both", {"P1", "P2"})])
def test_robots(robot: str, players: set[str]) -> None:
    result = play("kalah", "--robot", robot, typed="1\n1\n1\n")
    lines = [line.split(PROMPT)[-1] for line in result.stdout.splitlines() if "(Robot)" in line]
    assert {line.split()[1] for line in lines} == players


def test_named_rules() -> None:
    """Check a rule that differs: only some rules capture when the opposite house is empty."""
    row = "|  0 | 1[ 4] | 2[ 0] | 3[ 5] | 4[ 5] | 5[ 5] | 6[ {}] | P1 |\n"
    assert row.format(1) in play("kalah", typed="6\n1\n2\n").stdout
    assert row.format(0) in play("kalah", "--rules", "irving", typed="6\n1\n2\n").stdout


@pytest.mark.parametrize(("option", "value"), [("--rules", "oware"), ("--robot", "3")])
def test_invalid_choice_exits_with_2(option: str, value: str) -> None:
    result = play("kalah", option, value)
    assert (result.exit_code, result.stdout) == (2, "")
    assert option in result.stderr.splitlines()[-1]
    assert value in result.stderr.splitlines()[-1]
