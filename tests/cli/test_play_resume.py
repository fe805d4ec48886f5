"""`tablemen play` saves unfinished games, and offers to resume or delete them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablemen.cli import main
from tablemen.cli.play import start as starting
from tablemen.cli.play.menu import offer_unfinished
from tablemen.console import IO
from tablemen.draughts import Position
from tablemen.saved_games import SavedGames
from tests.cli.saved_games import OFFER_END, PEOPLE, SAVED, save_game, saved_moves
from tests.cli.terminals import Terminal

OFFER = re.compile(rf"^.*English draughts \((.*), {SAVED}\)\? \[Y/n/d\] ", re.MULTILINE)


def test_killed_program_loses_no_move(data: Path, terminal: Callable[..., Terminal]) -> None:
    program = terminal("english", *PEOPLE, "--clock", "90s+1")
    for move, side in (("11-15", "White"), ("22-18", "Black"), ("15x22", "White")):
        program.wait_for("): ")
        program.type(move)
        program.wait_for("): ")
        assert f"{side}'s move" in program.seen
    program.kill()
    again = terminal("english", "--plain")
    offered = OFFER.search(again.wait_for(OFFER_END))
    assert offered is not None
    assert re.fullmatch(r"3 moves, .*, clock 90s\+1", offered[1])
    again.type("")
    assert "White's move (1:" in again.wait_for("): ")
    again.type("25x18")
    again.wait_for("): ")
    again.kill()
    assert saved_moves(data) == [4]


def test_declined_game_is_offered_again(data: Path, terminal: Callable[..., Terminal]) -> None:
    save_game(data, Position.start("english"), "11-15", "22-18", black="random:seed=1")
    program = terminal("english", "--plain")
    assert "(2 moves, against random:seed=1, saved " in program.wait_for(OFFER_END)
    program.type("no way")
    assert re.search(r"y \w+ .*n \w+ .*d \w+ .*q \w+", program.wait_for(OFFER_END))
    program.type("N")
    program.wait_for("White's move: ")
    program.type("q")
    assert program.wait_for_exit() == (0, "")
    assert "tablemen play" not in program.seen  # only the computer has moved, so the game is not saved
    assert saved_moves(data) == [2]


class ScriptedConsole(IO):
    """A console that answers each prompt with the next line, and stores its output."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.output: list[str] = []

    def print(self, text: str) -> None:
        self.output.append(text)

    def println(self, text: str = "") -> None:
        self.output.append(text)

    def read_from_keyboard(self, prompt: str) -> str:
        self.output.append(prompt)
        return self.answers.pop(0)


def test_next_game_is_offered_after_a_deletion(data: Path) -> None:
    saved, english = SavedGames(data / "games"), Position.start("english")
    for moves in (["11-15"], ["11-15", "22-18"], ["11-15", "22-18", "15x22"]):
        save_game(data, english, *moves)
    save_game(data, Position.start("russian"), "c3-d4")
    console = ScriptedConsole("perhaps", "d", "y")
    session = offer_unfinished(saved, english.variant, console)
    assert session is not None
    with session:
        assert len(session.game.moves) == 2
    offer, _, same_offer, deleted, next_offer = console.output
    assert all(line.endswith(OFFER_END) for line in (offer, same_offer, next_offer))
    assert "(3 moves, " in offer
    assert same_offer == offer
    assert "(3 moves, " in deleted
    assert "(2 moves, " in next_offer
    assert offer_unfinished(saved, english.variant, ScriptedConsole("n")) is None
    with pytest.raises(EOFError):
        offer_unfinished(saved, english.variant, ScriptedConsole("q"))
    assert sorted(saved_moves(data)) == [1, 1, 2]


def test_quit_at_the_offer(data: Path, terminal: Callable[..., Terminal]) -> None:
    save_game(data, Position.start("english"), "11-15")
    program = terminal("english", "--plain")
    program.wait_for(OFFER_END)
    program.type("quit")
    assert program.wait_for_exit() == (0, "")
    assert program.seen == "quit\n"
    assert saved_moves(data) == [1]


def test_games_are_deleted_at_the_offer(data: Path, terminal: Callable[..., Terminal]) -> None:
    save_game(data, Position.start("english"), "11-15")
    save_game(data, Position.start("english"), "11-15", "22-18")
    program = terminal("english", "--plain")
    assert "(2 moves, " in program.wait_for(OFFER_END)
    program.type("d")
    deleted, offer = program.wait_for(OFFER_END).splitlines()[-2:]
    assert "(2 moves, " in deleted
    assert "(a move, " in offer
    program.type("D")
    program.wait_for("White's move: ")
    program.type("q")
    assert program.wait_for_exit() == (0, "")
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
def test_options_for_a_new_game_prevent_the_offer(
    data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    save_game(data, Position.start("english"), "11-15")
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)
    result = CliRunner().invoke(main, ["play", *arguments])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "White's move" in result.stdout
    assert OFFER_END not in result.stdout


def test_previous_game_stays_saved_when_a_new_one_begins(data: Path, terminal: Callable[..., Terminal]) -> None:
    program = terminal("english", *PEOPLE)
    program.wait_for("Black's move: ")
    program.type("9-14")
    program.wait_for("White's move: ")
    program.type("new")
    assert "`tablemen play`" in program.wait_for("Black's move: ")
    program.type("new")
    assert "`tablemen play`" not in program.wait_for("Black's move: ")  # a game without moves is not saved
    for move, side in (("9-13", "White"), ("22-18", "Black")):
        program.type(move)
        program.wait_for(f"{side}'s move: ")
    program.press_ctrl_d()
    assert program.wait_for_exit() == (0, "")
    assert "`tablemen play`" in program.seen.splitlines()[-1]
    assert saved_moves(data) == [2, 1]


def test_two_programs_do_not_play_the_same_game(data: Path, terminal: Callable[..., Terminal]) -> None:
    save_game(data, Position.start("english"), "11-15")
    first = terminal("english", "--plain")
    first.wait_for(OFFER_END)
    second = terminal("english", "--plain")
    second.wait_for(OFFER_END)
    first.type("y")
    first.wait_for("White's move: ")
    second.type("y")
    second.wait_for("White's move: ")  # of a new game, with the computer as Black
    third = terminal("english", "--plain")
    assert OFFER_END not in third.wait_for("White's move: ")
    second.type("q")
    status, errors = second.wait_for_exit()
    assert (status, len(errors.splitlines())) == (0, 1)


def test_damaged_file_is_reported_and_not_offered(data: Path, terminal: Callable[..., Terminal]) -> None:
    (data / "games").mkdir()
    (data / "games" / "bad.json").write_text("{", encoding="utf-8")
    program = terminal("english", "--plain")
    program.wait_for("White's move: ")
    program.type("q")
    status, errors = program.wait_for_exit()
    assert status == 0
    assert errors.startswith(f"{data / 'games' / 'bad.json'}: ")
    assert len(errors.splitlines()) == 1


def test_failed_save_is_reported_once(data: Path, terminal: Callable[..., Terminal]) -> None:
    (data / "games").touch()
    program = terminal("english", *PEOPLE, "--new")
    seen = program.wait_for("Black's move: ")
    program.type("11-15")
    seen += program.wait_for("White's move: ")
    program.type("q")
    assert program.wait_for_exit() == (0, "")
    seen = (seen + program.seen).replace("\n", " ")
    assert seen.count("Not a directory") == 1
    assert "`tablemen play`" not in seen


@pytest.mark.parametrize("arguments", [["english"], ["english", "--plain"], ["kalah", "--north", "robot"], []])
def test_no_game_is_offered_or_saved_in_a_pipe(data: Path, arguments: list[str]) -> None:
    save_game(data, Position.start("english"), "11-15")
    result = CliRunner().invoke(main, ["play", *arguments], input="22-18\n1\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert OFFER_END not in result.stdout
    assert "`tablemen play`" not in result.stdout
    assert saved_moves(data) == [1]
