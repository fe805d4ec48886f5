"""Every script in examples/ runs and prints something."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tablemen.transcript import read_transcript, run_command

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False)


@cache
def run_without_arguments(script: Path) -> subprocess.CompletedProcess[str]:
    """Run a script without arguments, once for all tests."""
    return run(script)


def find_script(name: str) -> Path:
    return next(script for script in EXAMPLES if script.stem == name)


def run_by_name(name: str) -> str:
    return run_without_arguments(find_script(name)).stdout


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_a_script_runs_without_arguments(script: Path) -> None:
    done = run_without_arguments(script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr


def test_the_documentation_lists_every_script() -> None:
    page = (EXAMPLES[0].parents[1] / "docs" / "index.md").read_text(encoding="utf-8")
    assert [script.name for script in EXAMPLES if f"`{script.name}`" not in page] == []


def test_list_moves_prints_the_captured_pieces() -> None:
    done = run(find_script("list_moves"), "russian", "W:Wc3,e3:Bd4")
    assert [line for line in done.stdout.splitlines() if "takes" in line] == [
        "c3:e5  takes d4",
        "e3:c5  takes d4",
    ]


@pytest.mark.parametrize("script", ["list_moves", "random_game"])
def test_a_mistake_is_reported_on_one_line(script: str) -> None:
    done = run(find_script(script), "rusian")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "'rusian'" in done.stderr


def test_the_same_seed_gives_the_same_random_game() -> None:
    first, again, other = (run(find_script("random_game"), "english", seed).stdout for seed in ("7", "7", "8"))
    assert first == again != other
    assert first.splitlines()[-1].startswith(("White wins: ", "Black wins: "))


def test_own_rules_prints_every_depth() -> None:
    lines = [line.split() for line in run_by_name("own_rules").splitlines() if "leaves" in line]
    assert [(depth, leaves) for depth, leaves, *_ in lines][:3] == [("1", "7"), ("2", "49"), ("3", "302")]
    assert len(lines) == 8


def test_the_exercises_print_their_answers() -> None:
    assert run_by_name("valid_turns").splitlines()[-2:] == [
        "white can play 19x46x68x95x51",
        "black can play 75x53x31",
    ]
    assert run_by_name("is_legal_move").splitlines()[-5:] == [
        "27 to 4 is legal",
        "27 to 11 is not legal",
        "27 to 18 is not legal",
        "27 to 20 is legal",
        "27 to 22 is not legal",
    ]
    assert [line for line in run_by_name("allowed_moves").splitlines() if "->" in line] == [
        "b: (1, 2) -> (3, 0) -> (5, 2)",
        "b: (1, 2) -> (3, 4)",
        "w: (2, 1) -> (0, 3) -> (2, 5)",
    ]


def test_add_up_matches_its_transcript() -> None:
    transcript = read_transcript(find_script("add_up").with_suffix(".transcript"))
    assert transcript.command is not None
    assert run_command(transcript, [sys.executable, find_script("add_up").as_posix()]).failure is None


def test_the_custom_player_can_be_played_against() -> None:
    typed = "c3-c5\nc3-d4\n"
    command = [sys.executable, str(find_script("cautious")), "play"]
    output = subprocess.run(command, input=typed, capture_output=True, text=True, check=True).stdout
    assert "'c3-c5' is not legal" in output
    assert output.count("It plays ") == 1
    assert output.endswith("Your move: Left.\n")


def test_the_custom_player_beats_random_moves() -> None:
    won = int(run_by_name("cautious").split()[0])
    assert won >= 8


def test_built_in_players_play_the_custom_family() -> None:
    assert run_by_name("heap").startswith("minimax against chance: ")
