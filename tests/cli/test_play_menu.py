"""`tablemen play` without a game, line by line: the menu of unfinished and new games."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablemen import Game
from tablemen.cli import main
from tablemen.cli.play import GAMES
from tablemen.cli.play import start as starting
from tablemen.draughts import Position
from tablemen.mancala import Position as Pits
from tests.cli.saved_games import MENU, SAVED, save_game, saved_moves
from tests.cli.terminals import Terminal


def test_games_are_chosen_from_a_menu(data: Path, terminal: Callable[..., Terminal]) -> None:
    save_game(data, Pits.start("kalah"), "3", "6", black="robot")
    program = terminal("--plain")
    lines = program.wait_for(MENU).splitlines()
    assert lines[0] == "Games that were left (drop NUMBER forgets one):"
    assert re.fullmatch(rf"   1  Kalah.* \(2 moves, against robot, {SAVED}\)", lines[1])
    assert [line.split()[:2] for line in lines[2:5]] == [["New", "games:"], ["2", "kalah"], ["3", "international"]]
    assert all(name in "\n".join(lines) for name in GAMES)
    assert len(lines) < 24
    assert max(map(len, lines)) < 80
    program.type("99")
    assert "there is no 99: 1 to 3" in program.wait_for(MENU)
    program.type("rusian")
    assert "did you mean russian or frisian?" in program.wait_for(MENU)
    program.type("1")
    assert "North (robot) plays " in program.wait_for("South's move: ")
    program.type("q")
    assert program.wait_for_exit() == (0, "")


def in_menu(monkeypatch: pytest.MonkeyPatch, *typed: str) -> tuple[list[str], str]:
    """Return the output of the menu between prompts, and standard error."""
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", "--plain"], input="".join(f"{each}\n" for each in typed))
    assert result.exit_code == 0
    return result.stdout.split(MENU), result.stderr


def test_games_are_dropped_from_the_menu(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game[Any, Any] = Game(Position.start("english"))
    for _ in range(12):
        game.push(game.legal_moves()[0])
        save_game(data, game.start, *map(str, game.moves))
    first, wrong, again, *_ = in_menu(monkeypatch, "drop 10", "drop 2", "drop", "drop it", "drop 0", "q")[0]
    assert first.splitlines()[0] == "Games that were left (the last 9, 3 older; drop NUMBER forgets one):"
    assert [line.split("(")[1].split(",")[0] for line in first.splitlines()[1:10]] == [
        f"{number} moves" for number in range(12, 3, -1)
    ]
    assert first.splitlines()[10:12] == ["New games:", "  10  kalah          Kalah"]
    assert len(first.splitlines()) + 1 < 24
    assert wrong == "drop forgets a game that was left: drop 1 to drop 9\n"
    assert again.startswith("Dropped: English draughts (11 moves, ")
    assert "(the last 9, 2 older; " in again
    assert "(3 moves, " in again
    assert saved_moves(data) == [12, *range(10, 0, -1)]


def test_nothing_to_drop_without_unfinished_games(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, said, _ = in_menu(monkeypatch, "drop 1", "q")[0]
    assert said == "drop forgets a game that was left: there are none\n"


def test_failed_resume_is_explained_and_another_game_can_be_chosen(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_game(data, Position.start("english"), "11-15")
    (file,) = (data / "games").glob("*.json")
    file.write_text(file.read_text().replace('"white": "human"', '"white": "\\u001b[2J"'))
    said, told = in_menu(monkeypatch, "1", "2", "q", "q")
    assert told.startswith("there is no player '\\x1b[2J'; there are human, searcher, minimax, random, robot, ")
    assert "against \\x1b[2J, " in said[0]
    assert said[1] == ""
    assert "South's move: " in said[2]


def test_clock_option_applies_to_the_chosen_game(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", "--plain", "--clock", "90"], input="english\n")
    assert re.search(r"White's move \((1:30:00|1:29:\d\d)\): ", result.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "prompt"), [("1", "South's move: "), ("Checkers", "White's move: ")])
def test_a_new_game_from_the_menu_is_saved(
    data: Path, terminal: Callable[..., Terminal], typed: str, prompt: str
) -> None:
    program = terminal("--plain")
    assert "Games that were left" not in program.wait_for(MENU)
    program.type(typed)
    program.wait_for(prompt)
    program.type("1" if typed == "1" else "22-18")
    program.wait_for(prompt)
    program.kill()
    assert saved_moves(data)[0] >= 2
