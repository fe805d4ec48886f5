"""`tablemen play` line by line at a pseudo-terminal, which is restored at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablemen.cli.play.start import NO_TEXTUAL
from tablemen.draughts import Position
from tests.cli.saved_games import HOUSE, MENU, OFFER_END, PEOPLE, save_game, saved_moves
from tests.cli.terminals import Terminal

OVER = "The game is over, ? for help: "
Typed = list[tuple[str, str]]  # prompts and answers


def test_whole_game(data: Path, terminal: Callable[..., Terminal]) -> None:
    program = terminal("english", *PEOPLE, "--fen", "W:W22:B18,3")
    for move, side in (("22x16", "White"), ("22x15", "White"), ("3-7", "Black"), ("15-10", "White")):
        program.wait_for(f"{side}'s move: ")
        program.type(move)
    program.wait_for("Black's move: ")
    assert saved_moves(data) == []  # the game is still open
    assert len(list((data / "games").glob("*.json"))) == 1
    program.type("7x14")
    assert "Black wins" in program.wait_for(OVER)
    program.type("q")
    assert program.wait_for_exit() == (0, "")
    (kept,) = (data / "games").rglob("*.*")
    kept_line = "The game is kept in finished/english.pdn, beside the saved games."
    assert program.seen.splitlines()[1:] == ["Goodbye.", kept_line]
    assert "22x15" in kept.read_text(encoding="utf-8")


def case(name: str, arguments: list[str], prompt: str, *typed: tuple[str, str], slow: bool = False) -> Any:
    """Return a parameter: the arguments, prompts with their answers, and the last prompt."""
    return pytest.param(arguments, list(typed), prompt, id=name, marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize(
    ("arguments", "typed", "prompt"),
    [
        case("move", ["english", *PEOPLE, "--new"], "White's move: ", ("Black's move: ", "11-15")),
        case("first move", ["english", *PEOPLE, "--new"], "Black's move: ", slow=True),
        case("clock", ["english", *PEOPLE, "--new", "--clock", "60"], "): ", slow=True),
        case("end", ["english", *PEOPLE, "--new"], OVER, ("Black's move: ", "resign")),
        case("offer", ["english", "--plain"], OFFER_END),
        case("offer again", ["--plain", "english"], OFFER_END, (OFFER_END, "perhaps"), slow=True),
        case("menu", ["--plain"], MENU),
        case("menu again", ["--plain"], MENU, (MENU, "99"), slow=True),
        case("kalah", ["kalah", "--plain"], HOUSE),
        case("kalah upright", ["kalah", "--vertical", "--robot", "2"], HOUSE, slow=True),
        case("kalah against the robot", ["kalah", "--plain", "--north", "robot"], "South's move: ", slow=True),
    ],
)
def test_ctrl_c_and_ctrl_d_restore_the_terminal(
    data: Path, terminal: Callable[..., Terminal], arguments: list[str], typed: Typed, prompt: str
) -> None:
    save_game(data, Position.start("english"), "11-15")
    interrupted, ended = terminal(*arguments), terminal(*arguments)
    for program in (interrupted, ended):
        for before, line in typed:
            program.wait_for(before)
            program.type(line)
        program.wait_for(prompt)
    interrupted.press_ctrl_c()
    assert interrupted.wait_for_exit() == (130, "Interrupted.\n")
    assert interrupted.seen == "\n"
    ended.press_ctrl_d()
    assert ended.wait_for_exit() == (0, "")
    assert ended.seen.startswith("\n")
    assert ended.seen.endswith("\n")
    assert saved_moves(data)[-1] == 1  # the unfinished game is still saved


def test_missing_textual_is_reported_and_play_is_line_by_line(
    terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    program = without_textual(terminal, tmp_path, "english", "--black", "human")
    assert program.wait_for("Black's move: ").startswith(f"{NO_TEXTUAL}\n")
    program.type("q")
    assert program.wait_for_exit() == (0, "")


def without_textual(terminal: Callable[..., Terminal], folder: Path, *arguments: str) -> Terminal:
    (folder / "textual.py").write_text("raise ModuleNotFoundError('missing', name='textual')", encoding="utf-8")
    path = os.pathsep.join([str(folder), *sys.path])
    return terminal(*arguments, stderr_pipe=False, PYTHONPATH=path)


def test_kalah_without_textual_is_a_saved_game_against_the_computer(
    data: Path, terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    program = without_textual(terminal, tmp_path, "kalah")
    program.wait_for("South's move: ")
    program.type("1")
    assert "North (computer, level 5) plays " in program.wait_for("South's move: ")
    program.kill()
    assert saved_moves(data)[0] >= 2


@pytest.mark.slow
@pytest.mark.parametrize(("game", "prompt"), [("english", "White's move: "), ("kalah", HOUSE)])
def test_dumb_terminal_is_line_by_line(terminal: Callable[..., Terminal], game: str, prompt: str) -> None:
    program = terminal(game, TERM="dumb")
    program.wait_for(prompt)
    program.type("q")
    assert program.wait_for_exit() == (0, "")
