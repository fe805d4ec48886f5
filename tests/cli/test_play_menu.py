"""`tablemen play --plain` without a game: the menu of unfinished and new games."""

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


def test_menu_offers_unfinished_and_new_games(data: Path, terminal: Callable[..., Terminal]) -> None:
    save_game(data, Pits.start("kalah"), "3", "6", black="robot")
    program = terminal("--plain")
    lines = program.wait_for(MENU).splitlines()
    assert "drop NUMBER" in lines[0]
    assert re.fullmatch(rf"   1  Kalah.* \(2 moves, against robot, {SAVED}\)", lines[1])
    assert [line.split()[0] for line in lines[3:5]] == ["2", "3"]
    assert [line.split()[1] for line in lines[3:5]] == ["kalah", "international"]
    assert all(name in "\n".join(lines) for name in GAMES)
    assert len(lines) < 24
    assert max(map(len, lines)) < 80
    program.type("99")
    assert "from 1 to 3" in program.wait_for(MENU)
    program.type("rusian")
    assert "russian or frisian" in program.wait_for(MENU)
    program.type("1")
    assert "North (robot) plays " in program.wait_for("South's move: ")
    program.type("q")
    assert program.wait_for_exit() == (0, "")


def use_menu(monkeypatch: pytest.MonkeyPatch, *typed: str) -> tuple[list[str], str]:
    """Type lines in the menu; return the output between prompts, and standard error."""
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", "--plain"], input="".join(f"{each}\n" for each in typed))
    assert result.exit_code == 0
    return result.stdout.split(MENU), result.stderr


def test_drop_deletes_games_in_the_menu(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game[Any, Any] = Game(Position.start("english"))
    for _ in range(12):
        game.push(game.legal_moves()[0])
        save_game(data, game.start, *map(str, game.moves))
    first, wrong, again, *_ = use_menu(monkeypatch, "drop 10", "drop 2", "drop", "drop it", "drop 0", "q")[0]
    head, *games = first.splitlines()[:10]
    assert "9, 3 older" in head
    assert [line.split("(")[1].split(",")[0] for line in games] == [f"{number} moves" for number in range(12, 3, -1)]
    assert first.splitlines()[11] == "  10  kalah          Kalah"
    assert len(first.splitlines()) + 1 < 24
    assert "1 to 9" in wrong
    assert "English draughts (11 moves, " in again.splitlines()[0]
    assert "9, 2 older" in again.splitlines()[1]
    assert "(3 moves, " in again
    assert saved_moves(data) == [12, *range(10, 0, -1)]


def test_drop_without_unfinished_games_prints_a_message(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, answer, _ = use_menu(monkeypatch, "drop 1", "q")[0]
    assert len(answer.splitlines()) == 1


def test_failed_resume_is_reported_and_another_game_can_be_chosen(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_game(data, Position.start("english"), "11-15")
    (file,) = (data / "games").glob("*.json")
    file.write_text(file.read_text().replace('"white": "human"', '"white": "\\u001b[2J"'))
    output, errors = use_menu(monkeypatch, "1", "2", "q", "q")
    assert "'\\x1b[2J'" in errors
    assert all(player in errors for player in ("human", "searcher", "minimax", "random", "robot"))
    assert "against \\x1b[2J, " in output[0]
    assert output[1] == ""
    assert "South's move: " in output[2]


def test_clock_option_applies_to_the_chosen_game(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", "--plain", "--clock", "90"], input="english\n")
    assert re.search(r"White's move \((1:30:00|1:29:\d\d)\): ", result.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "prompt"), [("1", "South's move: "), ("Checkers", "White's move: ")])
def test_new_game_from_the_menu_is_saved(
    data: Path, terminal: Callable[..., Terminal], typed: str, prompt: str
) -> None:
    program = terminal("--plain")
    assert "drop NUMBER" not in program.wait_for(MENU)
    program.type(typed)
    program.wait_for(prompt)
    program.type("1" if typed == "1" else "22-18")
    program.wait_for(prompt)
    program.kill()
    assert saved_moves(data)[0] >= 2


def test_damaged_game_is_listed_explained_and_deleted(data: Path, terminal: Callable[..., Terminal]) -> None:
    (data / "games").mkdir()
    bad = data / "games" / "kalah-0123.json"
    bad.write_text("{", encoding="utf-8")
    program = terminal("--plain")
    assert "   1  damaged: kalah-0123.json\n" in program.wait_for(MENU)
    program.type("1")
    assert f"{bad}: not a saved game: " in program.wait_for(MENU)
    assert bad.exists()
    program.type("drop 1")
    assert "Deleted: damaged: kalah-0123.json" in program.wait_for(MENU)
    assert not bad.exists()
    program.type("q")
    assert program.wait_for_exit() == (0, "")
