"""Every script in examples/ runs and says something."""

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
def run_as_it_stands(script: Path) -> subprocess.CompletedProcess[str]:
    """What the script does without arguments, once for all tests."""
    return run(script)


def named(name: str) -> Path:
    return next(script for script in EXAMPLES if script.stem == name)


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_it_runs_as_it_stands(script: Path) -> None:
    done = run_as_it_stands(script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr


def test_the_first_page_names_every_script() -> None:
    page = (EXAMPLES[0].parents[1] / "docs" / "index.md").read_text(encoding="utf-8")
    assert [script.name for script in EXAMPLES if f"`{script.name}`" not in page] == []


def test_list_moves_names_what_is_captured() -> None:
    done = run(named("list_moves"), "russian", "W:Wc3,e3:Bd4")
    assert [line for line in done.stdout.splitlines() if "takes" in line] == [
        "c3:e5  takes d4",
        "e3:c5  takes d4",
    ]


@pytest.mark.parametrize("script", ["list_moves", "random_game"])
def test_a_mistake_gets_a_line(script: str) -> None:
    done = run(named(script), "rusian")
    assert done.returncode == 1
    assert done.stderr == "unknown variant 'rusian'; did you mean russian or frisian?\n"


def test_a_random_game_ends_the_same_way_for_the_same_seed() -> None:
    first, again, other = (run(named("random_game"), "english", seed).stdout for seed in ("7", "7", "8"))
    assert first == again != other
    assert first.splitlines()[-1].startswith(("white wins: ", "black wins: "))


def test_own_rules_counts_every_depth() -> None:
    lines = [line.split() for line in run_as_it_stands(named("own_rules")).stdout.splitlines() if "leaves" in line]
    assert [(depth, leaves) for depth, leaves, *_ in lines][:3] == [("1", "7"), ("2", "49"), ("3", "302")]
    assert len(lines) == 8


def test_the_exercises_print_their_answers() -> None:
    assert run_as_it_stands(named("valid_turns")).stdout.splitlines()[-2:] == [
        "white can play 19x46x68x95x51",
        "black can play 75x53x31",
    ]
    assert run_as_it_stands(named("is_legal_move")).stdout.splitlines()[-5:] == [
        "27 to 4 is legal",
        "27 to 11 is not legal",
        "27 to 18 is not legal",
        "27 to 20 is legal",
        "27 to 22 is not legal",
    ]
    assert [line for line in run_as_it_stands(named("allowed_moves")).stdout.splitlines() if "->" in line] == [
        "b: (1, 2) -> (3, 0) -> (5, 2)",
        "b: (1, 2) -> (3, 4)",
        "w: (2, 1) -> (0, 3) -> (2, 5)",
    ]


def test_adding_up_goes_as_its_transcript_says() -> None:
    transcript = read_transcript(named("add_up").with_suffix(".transcript"))
    assert transcript.command is not None
    assert run_command(transcript, [sys.executable, named("add_up").as_posix()]).failure is None


def test_a_player_of_ones_own_can_be_played() -> None:
    typed = "c3-c5\nc3-d4\n"
    command = [sys.executable, str(named("cautious")), "play"]
    said = subprocess.run(command, input=typed, capture_output=True, text=True, check=True).stdout
    assert "'c3-c5' is not legal" in said
    assert said.count("It plays ") == 1
    assert said.endswith("Your move: Left.\n")


def test_a_player_of_ones_own_beats_chance() -> None:
    won = int(run_as_it_stands(named("cautious")).stdout.split()[0])
    assert won >= 8


def test_a_family_of_ones_own_is_played_by_players_that_do_not_know_it() -> None:
    assert run_as_it_stands(named("heap")).stdout.startswith("minimax against chance: ")
