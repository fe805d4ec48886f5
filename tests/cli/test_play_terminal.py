"""`tablemen play` at a terminal: line by line, with games that are saved, offered, and survive anything."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablemen import Game, Side
from tablemen.cli import main
from tablemen.cli.play import GAMES, way
from tablemen.draughts import Position
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, parse_player
from tablemen.saved import SavedGames
from tablemen.session import Session
from tests.cli.terminals import Terminal

PEOPLE = ("--plain", "--white", "human", "--black", "human")
SAVED = r"saved (?:today|yesterday) [0-9:]+"  # a test that goes on over midnight is no mistake
OFFER = re.compile(rf"Go on with English draughts \((.*), {SAVED}\)\? \[Y/n/d\] ")
ASKS = "? [Y/n/d] "
MENU = "A number or a name, or q to leave: "
HOUSE = "Player P1's turn - Specify house number or 'q' to quit: "


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def terminal(data: Path) -> Iterator[Callable[..., Terminal]]:
    """Starts `tablemen play` with these arguments; whatever is still there in the end is ended."""
    started: list[Terminal] = []

    def start(*arguments: str, has_errors_apart: bool = True, **variables: str) -> Terminal:
        started.append(Terminal("play", *arguments, variables=variables, has_errors_apart=has_errors_apart))
        return started[-1]

    yield start
    for each in started:
        each.close()


def saved_moves(data: Path) -> list[int]:
    return [len(game.game.moves) for game in SavedGames(data / "games").list()]


def leave_game(data: Path, start: Any, *moves: str, black: str = "human") -> None:
    """A game that somebody left."""
    players = {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player(black)}
    with Session(Game(start, moves), players) as session:
        SavedGames(data / "games").keep(session)


def test_a_whole_game(data: Path, terminal: Callable[..., Terminal]) -> None:
    program = terminal("english", *PEOPLE, "--fen", "W:W22:B18,3")
    for move, side in (("22x16", "White"), ("22x15", "White"), ("3-7", "Black"), ("15-10", "White")):
        program.wait_for(f"{side}'s move: ")
        program.type(move)
    program.wait_for("Black's move: ")
    assert saved_moves(data) == []  # it is being played
    assert len(list((data / "games").glob("*.json"))) == 1
    program.type("7x14")
    assert "Black wins: no pieces left.\n" in program.wait_for("The game is over, ? for help: ")
    program.type("q")
    assert program.leave() == (0, "")
    assert program.seen == "q\nLeft.\n"
    assert list((data / "games").iterdir()) == []


OVER = "The game is over, ? for help: "
Typed = list[tuple[str, str]]  # prompts, and what is answered to them


def at(name: str, arguments: list[str], prompt: str, *typed: tuple[str, str], slow: bool = False) -> Any:
    return pytest.param(arguments, list(typed), prompt, id=name, marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize(
    ("arguments", "typed", "prompt"),
    [
        at("move", ["english", *PEOPLE, "--new"], "White's move: ", ("Black's move: ", "11-15")),
        at("first move", ["english", *PEOPLE, "--new"], "Black's move: ", slow=True),
        at("clock", ["english", *PEOPLE, "--new", "--clock", "60"], "): ", slow=True),
        at("end", ["english", *PEOPLE, "--new"], OVER, ("Black's move: ", "resign")),
        at("offer", ["english", "--plain"], ASKS),
        at("offer again", ["--plain", "english"], ASKS, (ASKS, "perhaps"), slow=True),
        at("menu", ["--plain"], MENU),
        at("menu again", ["--plain"], MENU, (MENU, "99"), slow=True),
        at("kalah", ["kalah", "--plain"], HOUSE),
        at("kalah upright", ["kalah", "--vertical", "--robot", "2"], HOUSE, slow=True),
        at("kalah at the table", ["kalah", "--plain", "--north", "robot"], "South's move: ", slow=True),
    ],
)
def test_ctrl_c_and_ctrl_d_leave_the_terminal_as_it_was(
    data: Path, terminal: Callable[..., Terminal], arguments: list[str], typed: Typed, prompt: str
) -> None:
    leave_game(data, Position.start("english"), "11-15")
    interrupted, ended = terminal(*arguments), terminal(*arguments)
    for program in (interrupted, ended):
        for before, line in typed:
            program.wait_for(before)
            program.type(line)
        program.wait_for(prompt)
    interrupted.press_ctrl_c()
    assert interrupted.leave() == (130, "Interrupted.\n")
    assert interrupted.seen == "\n"
    ended.press_ctrl_d()
    assert ended.leave() == (0, "")
    assert ended.seen.startswith("\n")
    assert ended.seen.endswith("\n")
    assert saved_moves(data)[-1] == 1  # what was left before is still there


def test_a_program_that_is_killed_loses_no_move(data: Path, terminal: Callable[..., Terminal]) -> None:
    program = terminal("english", *PEOPLE, "--clock", "90s+1")
    for move, side in (("11-15", "White"), ("22-18", "Black"), ("15x22", "White")):
        program.wait_for("): ")
        program.type(move)
        program.wait_for("): ")
        assert f"{side}'s move" in program.seen
    program.kill()
    again = terminal("english", "--plain")
    offered = OFFER.search(again.wait_for(ASKS))
    assert offered is not None
    assert offered[1] == "3 moves, between two people, clock 90s+1"
    again.type("")
    assert "White's move (1:" in again.wait_for("): ")
    again.type("25x18")
    again.wait_for("): ")
    again.kill()
    assert saved_moves(data) == [4]


def test_a_game_that_is_not_wanted_is_offered_again(data: Path, terminal: Callable[..., Terminal]) -> None:
    leave_game(data, Position.start("english"), "11-15", "22-18", black="random:seed=1")
    program = terminal("english", "--plain")
    assert "(2 moves, against random:seed=1, saved " in program.wait_for(ASKS)
    program.type("no way")
    told = "y goes on with it, n begins a new game, d drops it for good, q leaves"
    assert told in program.wait_for(ASKS)
    program.type("N")
    program.wait_for("White's move: ")
    program.type("q")
    assert program.leave() == (0, "")
    assert program.seen.splitlines()[-1].startswith("Left at ")  # and not saved: only the computer has moved
    assert saved_moves(data) == [2]


def test_a_game_is_left_at_the_offer(data: Path, terminal: Callable[..., Terminal]) -> None:
    leave_game(data, Position.start("english"), "11-15")
    program = terminal("english", "--plain")
    program.wait_for(ASKS)
    program.type("quit")
    assert program.leave() == (0, "")
    assert program.seen == "quit\n"
    assert saved_moves(data) == [1]


def test_games_are_dropped_at_the_offer(data: Path, terminal: Callable[..., Terminal]) -> None:
    leave_game(data, Position.start("english"), "11-15")
    leave_game(data, Position.start("english"), "11-15", "22-18")
    program = terminal("english", "--plain")
    assert "(2 moves, " in program.wait_for(ASKS)
    program.type("d")
    assert re.search(r"Dropped: English draughts \(2 moves, .*\)\nGo on with .* \(a move, ", program.wait_for(ASKS))
    program.type("D")
    program.wait_for("White's move: ")
    program.type("q")
    assert program.leave() == (0, "")
    assert list((data / "games").iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--plain", "--new", "english"],
        ["--plain", "english", "--new"],
        ["english", "--plain", "--white", "human"],
        ["english", "--plain", "--clock", "90"],
        ["--plain", "--clock", "90", "english"],
        ["english", "--plain", "--fen", Position.start("english").fen()],
    ],
    ids=" ".join,
)
def test_what_means_a_new_game_offers_none(data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    leave_game(data, Position.start("english"), "11-15")
    monkeypatch.setattr(way, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", *arguments])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "White's move" in result.stdout
    assert "Go on" not in result.stdout


def test_the_game_before_stays_saved_where_a_new_one_begins(data: Path, terminal: Callable[..., Terminal]) -> None:
    program = terminal("english", *PEOPLE)
    program.wait_for("Black's move: ")
    program.type("9-14")
    program.wait_for("White's move: ")
    program.type("new")
    kept = "is saved: `tablemen play` goes on with it."
    assert f"The game before {kept}\n" in program.wait_for("Black's move: ")
    program.type("new")
    assert "is saved" not in program.wait_for("Black's move: ")  # nobody has moved in that one
    for move, side in (("9-13", "White"), ("22-18", "Black")):
        program.type(move)
        program.wait_for(f"{side}'s move: ")
    program.press_ctrl_d()
    assert program.leave() == (0, "")
    assert program.seen.splitlines()[-1] == f"The game {kept}"
    assert saved_moves(data) == [2, 1]


def test_two_programs_do_not_play_the_same_game(data: Path, terminal: Callable[..., Terminal]) -> None:
    leave_game(data, Position.start("english"), "11-15")
    first = terminal("english", "--plain")
    first.wait_for(ASKS)
    second = terminal("english", "--plain")
    second.wait_for(ASKS)
    first.type("y")
    first.wait_for("White's move: ")
    second.type("y")
    second.wait_for("White's move: ")  # of a new game, where the computer has Black
    third = terminal("english", "--plain")
    assert "Go on" not in third.wait_for("White's move: ")
    second.type("q")
    assert second.leave() == (0, "the game is being played elsewhere\n")


def test_games_are_chosen_from_a_menu(data: Path, terminal: Callable[..., Terminal]) -> None:
    leave_game(data, Pits.start("kalah"), "3", "6", black="robot")
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
    assert program.leave() == (0, "")


def in_menu(monkeypatch: pytest.MonkeyPatch, *typed: str) -> tuple[list[str], str]:
    """What the plain menu says behind each prompt, the one it begins with included; and on standard error."""
    monkeypatch.setattr(way, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", "--plain"], input="".join(f"{each}\n" for each in typed))
    assert result.exit_code == 0
    return result.stdout.split(MENU), result.stderr


def test_games_are_dropped_from_the_menu(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game[Any, Any] = Game(Position.start("english"))
    for _ in range(12):
        game.push(game.legal_moves()[0])
        leave_game(data, game.start, *map(str, game.moves))
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


def test_without_games_that_were_left_there_is_nothing_to_drop(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, said, _ = in_menu(monkeypatch, "drop 1", "q")[0]
    assert said == "drop forgets a game that was left: there are none\n"


def test_a_game_that_cannot_be_taken_up_says_why_and_another_is_chosen(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_game(data, Position.start("english"), "11-15")
    (file,) = (data / "games").glob("*.json")
    file.write_text(file.read_text().replace('"white": "human"', '"white": "\\u001b[2J"'))
    said, told = in_menu(monkeypatch, "1", "2", "q", "q")
    assert told.startswith("there is no player '\\x1b[2J'; there are human, searcher, minimax, random, robot, ")
    assert "against \\x1b[2J, " in said[0]
    assert said[1] == ""
    assert "South's move: " in said[2]


def test_a_clock_goes_with_what_is_chosen(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way, "is_terminal", lambda _: True)
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


def test_without_textual_it_is_said_and_played_line_by_line(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    program = without_textual(terminal, tmp_path, "english", "--black", "human")
    said = "the full-screen board needs textual: pip install 'tablemen[tui]'; playing line by line\n"
    assert program.wait_for("Black's move: ").startswith(said)
    program.type("q")
    assert program.leave() == (0, "")


def without_textual(terminal: Callable[..., Terminal], folder: Path, *arguments: str) -> Terminal:
    (folder / "textual.py").write_text("raise ModuleNotFoundError('missing', name='textual')", encoding="utf-8")
    path = os.pathsep.join([str(folder), *sys.path])
    return terminal(*arguments, has_errors_apart=False, PYTHONPATH=path)


def test_without_textual_kalah_is_a_game_against_the_computer_that_is_saved(
    data: Path, terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    program = without_textual(terminal, tmp_path, "kalah")
    program.wait_for("South's move: ")
    program.type("1")
    assert "North (searcher:level=5) plays " in program.wait_for("South's move: ")
    program.kill()
    assert saved_moves(data)[0] >= 2


@pytest.mark.slow
@pytest.mark.parametrize(("game", "prompt"), [("english", "White's move: "), ("kalah", HOUSE)])
def test_a_dumb_terminal_gets_lines(terminal: Callable[..., Terminal], game: str, prompt: str) -> None:
    program = terminal(game, TERM="dumb")
    program.wait_for(prompt)
    program.type("q")
    assert program.leave() == (0, "")


def test_a_file_that_is_damaged_is_told_and_nothing_else(data: Path, terminal: Callable[..., Terminal]) -> None:
    (data / "games").mkdir()
    (data / "games" / "bad.json").write_text("{", encoding="utf-8")
    program = terminal("english", "--plain")
    program.wait_for("White's move: ")
    program.type("q")
    status, told = program.leave()
    assert status == 0
    assert told.startswith(f"{data / 'games' / 'bad.json'}: this is no saved game")
    assert len(told.splitlines()) == 1


def test_what_cannot_be_saved_is_told_once(data: Path, terminal: Callable[..., Terminal]) -> None:
    (data / "games").touch()
    program = terminal("english", *PEOPLE, "--new")
    seen = program.wait_for("Black's move: ")
    program.type("11-15")
    seen += program.wait_for("White's move: ")
    program.type("q")
    assert program.leave() == (0, "")
    seen = (seen + program.seen).replace("\n", " ")
    assert seen.count("the game cannot be saved: ") == 1
    assert "Not a directory" in seen
    assert "is saved" not in seen


@pytest.mark.parametrize("arguments", [["english"], ["english", "--plain"], ["kalah", "--north", "robot"], []])
def test_on_a_pipe_nothing_is_offered_or_saved(data: Path, arguments: list[str]) -> None:
    leave_game(data, Position.start("english"), "11-15")
    result = CliRunner().invoke(main, ["play", *arguments], input="22-18\n1\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Go on" not in result.stdout
    assert "is saved" not in result.stdout
    assert saved_moves(data) == [1]
