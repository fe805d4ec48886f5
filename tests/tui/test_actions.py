"""What can be done on the full screen besides moving: each key, each word, and each question."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tablemen import Game, Side
from tablemen.clock import GameClock, TimeControl
from tablemen.errors import TablemenError
from tablemen.families import family_of, find_variant
from tablemen.players import HumanPlayer, Player, RandomPlayer
from tablemen.session import Session
from tablemen.tui.dialogs import AskText, Choice, Help
from tablemen.tui.menu import Menu
from tests.patience import LONG
from tests.tui.tables import Player as Visitor
from tests.tui.tables import in_program, make_session, sit_down

OVER = "The game is over: n begins a new one, u takes moves back."


class Pondering(Player):
    """Thinks until it is stopped."""

    name = "pondering"

    def __init__(self) -> None:
        self.is_thinking = threading.Event()
        self.is_stopped = threading.Event()

    def choose(self, game: Game[Any, Any]) -> Any:
        self.is_stopped.clear()
        self.is_thinking.set()
        assert self.is_stopped.wait(LONG)
        self.is_thinking.clear()
        return game.legal_moves()[0]

    def stop(self) -> None:
        self.is_stopped.set()


class Broken(Player):
    """Fails as often as it is told to, and then plays."""

    name = "broken"

    def __init__(self, times: int) -> None:
        self.times = times

    def choose(self, game: Game[Any, Any]) -> Any:
        if self.times:
            self.times -= 1
            raise TablemenError("the engine [/has] left")
        return game.legal_moves()[0]


def against(player: Player, variant: str = "international") -> Session:
    rules = find_variant(variant)
    return Session(family_of(rules).start(rules), {Side.WHITE: HumanPlayer(), Side.BLACK: player})


async def ask_for_file(player: Visitor, key: str, name: str) -> None:
    """Answers the question for a file."""
    await player.press(key)
    await player.wait_for_screen(AskText)
    player.app.screen.query_one(Input).value = name
    await player.press("enter")
    await player.wait_for(player.is_at_table)


@in_program
async def test_a_hint(tmp_path: Path) -> None:
    async with sit_down(make_session("international", start="W:W32,31:B28,19,18,1"), tmp_path) as player:
        await player.press("t")
        await player.wait_for(lambda: player.table.hint is not None)
        assert player.message == f"Try {player.table.hint}."
        assert player.table.hint in player.game.legal_moves()
        assert player.table.board.view.hint == player.table.hint
        await player.type(str(player.table.hint))
        assert player.table.hint is None


@in_program
async def test_moves_are_taken_back_while_a_computer_thinks(tmp_path: Path) -> None:
    computer = Pondering()
    async with sit_down(against(computer), tmp_path) as player:
        await player.type("32-28")
        await player.wait_for(computer.is_thinking.is_set)
        assert player.message == "Black is thinking …"
        await player.click("31")  # whose turn it is not
        assert player.message == "Black is thinking …"
        await player.press("u")
        assert player.message == "Took back a move. Your move."
        assert not player.game.moves
        await player.wait_for(lambda: not computer.is_thinking.is_set())
        await player.type("31-26")
        await player.wait_for(computer.is_thinking.is_set)
        assert [str(move) for move in player.game.moves] == ["31-26"]  # what it had chosen before is not played
        computer.stop()
        await player.wait_for(lambda: len(player.game.moves) == 2)
        await player.press("u")
        assert player.message == "Took back 2 moves. Your move."
        await player.press("u")
        assert player.message == "there is no move of yours to take back"


@in_program
async def test_a_player_that_fails_can_try_again(tmp_path: Path) -> None:
    async with sit_down(against(Broken(2)), tmp_path) as player:
        await player.type("32-28")
        await player.wait_for(lambda: "left" in player.message)
        assert player.message == "Black fails: the engine [/has] left. p lets it try again, w seats another."
        assert player.table.session.clock.running is None
        await player.press("u")
        await player.type("31-26")  # whoever moves wants an answer
        await player.wait_for(lambda: "left" in player.message)
        await player.press("p")
        await player.wait_for(lambda: len(player.game.moves) == 2)
        assert player.message.endswith("Your move.")
        assert player.table.session.clock.running is Side.WHITE


@pytest.mark.slow
@in_program
async def test_computers_against_each_other_with_a_pause(tmp_path: Path) -> None:
    session = make_session("russian", "random:seed=1", "random:seed=2")
    async with sit_down(session, tmp_path) as player:
        await player.press("p")
        await player.wait_for(lambda: player.message == "Paused: p goes on.")
        before = len(player.game.moves)
        await player.pilot.pause(0.05)
        assert len(player.game.moves) == before
        assert session.clock.running is None
        await player.press("p")
        await player.wait_for_screen(Choice)
        assert player.game.outcome() is not None
        await player.press("escape")
        for _ in range(2):
            await player.press("p")  # nobody is left to wait
            assert player.message == OVER


@in_program
async def test_the_end_and_what_comes_after_it(tmp_path: Path) -> None:
    async with sit_down(make_session("russian", start="W:Wc3:Bd4"), tmp_path) as player:
        await player.type("c3-e5")
        await player.wait_for(lambda: player.question == "White wins: no pieces left.")
        await player.choose("Look at the board")
        for key in ("t", "r", "equals_sign"):
            await player.press(key)
            assert player.message == OVER, key
        await player.click("e5")
        assert player.message == OVER
        await player.press("u")
        assert player.message.startswith("Took back a move.")
        assert not player.game.outcome()
        former = player.table
        await player.type("c3-e5")
        await player.wait_for_screen(Choice)
        await player.press("enter")  # the first answer
        await player.wait_for(lambda: player.table is not former and player.has_begun)
        assert not player.game.moves
        assert len(player.app.screen_stack) == 2
        await player.type("c3-e5")
        await player.wait_for_screen(Choice)
        await player.press("right", "enter")
        await player.wait_for_screen(Menu)


@in_program
async def test_resigning_is_asked_for(tmp_path: Path) -> None:
    async with sit_down(make_session("kalah"), tmp_path) as player:
        await player.press("r")
        await player.wait_for(lambda: player.question == "South: give up?")
        await player.press("enter")
        await player.wait_for(player.is_at_table)
        assert player.game.outcome() is None
        await player.press("r")
        await player.wait_for_screen(Choice)
        await player.choose("Resign")
        await player.wait_for(lambda: player.question == "North wins: resignation.")


@in_program
async def test_a_draw_is_agreed_claimed_or_counted(tmp_path: Path) -> None:
    async with sit_down(make_session("international"), tmp_path / "agreed") as player:
        await player.press("equals_sign")
        await player.wait_for(lambda: player.question == "Do both players agree on a draw?")
        await player.choose("Play on")
        assert player.game.outcome() is None
        await player.press("equals_sign")
        await player.wait_for_screen(Choice)
        await player.choose("Draw")
        await player.wait_for(lambda: player.question == "A draw: agreement.")
    claimed = make_session("english", "human", "random", start="B:WK1:BK32")
    for move in ("32-27", "1-6", "27-32", "6-1") * 2:
        claimed.players = dict.fromkeys(Side, HumanPlayer())
        claimed.move(move)
    claimed.players[Side.WHITE] = RandomPlayer()
    async with sit_down(claimed, tmp_path / "claimed") as player:
        assert player.game.claims()
        await player.press("equals_sign")
        await player.wait_for(lambda: player.question.startswith("A draw: "))
    counted = make_session("international", "human", "random")
    async with sit_down(counted, tmp_path / "counted") as player:
        await player.press("equals_sign")
        await player.wait_for(lambda: "No draw" in player.message)
        assert player.message.startswith("No draw can be claimed now. ")
        assert player.game.outcome() is None


@pytest.mark.parametrize(
    ("variant", "moves", "file"),
    [
        pytest.param("russian", ["c3-d4", "f6-g5"], "[b]games.pdn", id="russian"),
        pytest.param("kalah", ["3", "6"], "games.txt", id="kalah", marks=pytest.mark.slow),
    ],
)
def test_saving_and_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, moves: list[str], file: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    async def save_and_open() -> None:
        async with sit_down(make_session(variant), tmp_path / "kept") as player:
            for move in moves:
                await player.type(move)
            await ask_for_file(player, "s", f"~/{file}")
            assert player.message == f"Saved in ~/{file}."
            await ask_for_file(player, "s", f"~/{file}")
            await player.press("u")
            await ask_for_file(player, "o", f"~/{file}")
            assert [str(move) for move in player.game.moves] == moves
            assert player.message == f"Opened ~/{file}, the last of 2 games."

    in_program(save_and_open)()
    assert (tmp_path / file).read_text().count(moves[0]) >= 2


@pytest.mark.slow
@in_program
async def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "other.pdn").write_text('[GameType "20"]\n\n1. 32-28 *\n')
    (tmp_path / "empty.pdn").write_text("")
    (tmp_path / "no text.pdn").write_bytes(b"\xff\xfe\x00\x80")
    async with sit_down(make_session("russian"), tmp_path / "kept") as player:
        await player.type("c3-d4")
        for key, name, told in (
            ("o", "missing.pdn", "No such file or directory"),
            ("o", "", "Is a directory"),
            ("o", "other.pdn", "international, and not russian"),
            ("o", "empty.pdn", "has no games"),
            ("o", "no text.pdn", "is not a text"),
            ("s", "missing/x.pdn", "No such file or directory"),
            ("s", "", "Is a directory"),
        ):
            await ask_for_file(player, key, f"{tmp_path}/{name}")
            assert told in player.message, name
            assert player.table.query_one("#message").has_class("wrong")
            assert [str(move) for move in player.game.moves] == ["c3-d4"]
        await player.press("s")
        await player.wait_for_screen(AskText)
        assert player.app.screen.query_one(Input).value.startswith("russian-")
        await player.press("escape")
        assert player.is_at_table()


@in_program
async def test_help(tmp_path: Path) -> None:
    async with sit_down(make_session("international"), tmp_path) as player:
        for key in ("escape", "question_mark", "click"):
            await player.press("question_mark")
            assert isinstance(player.app.screen, Help)
            assert "Who cannot move any more loses" in player.shown()
            assert "this page" in player.shown()
            await (player.pilot.click() if key == "click" else player.press(key))
            assert player.is_at_table()


@in_program
async def test_words_in_place_of_moves(tmp_path: Path) -> None:
    async with sit_down(make_session("international"), tmp_path) as player:
        await player.type("flip", into=True)
        await player.wait_for(lambda: player.table.session.orientation is Side.BLACK)
        await player.type("Hint", into=True)
        await player.wait_for(lambda: player.table.hint is not None)
        await player.type("32-28")
        await player.type("back", into=True)
        await player.wait_for(lambda: not player.game.moves)
        await player.type("quit", into=True)
        await player.wait_for(lambda: not player.app.is_running)


@pytest.mark.slow
@in_program
async def test_words_that_bring_up_a_question(tmp_path: Path) -> None:
    async with sit_down(make_session("international"), tmp_path) as player:
        for word, screen in (("?", Help), ("draw", Choice), ("resign", Choice), ("save", AskText), ("load", AskText)):
            await player.type(word, into=True)
            await player.wait_for_screen(screen)
            await player.press("escape")
        await player.type("new", into=True)
        await player.wait_for_screen(Menu)
        await player.press("escape")


@pytest.mark.parametrize(
    "question", [None, *(pytest.param(key, marks=pytest.mark.slow) for key in ("equals_sign", "n"))]
)
def test_time_that_runs_out(tmp_path: Path, question: str | None) -> None:
    seconds = [0.0]

    async def run_out() -> None:
        session = make_session("international", clock="600")
        session.clock = GameClock(TimeControl(600), now=lambda: seconds[0])
        async with sit_down(session, tmp_path) as player:
            assert "10:00" in player.text("#near")
            seconds[0] = 90
            await player.wait_for(lambda: "8:30" in player.text("#near"))
            if question is not None:
                await player.press(question)
                await player.wait_for(lambda: player.app.screen is not player.table)
            seconds[0] = 601
            await player.wait_for(lambda: player.question == "Black wins: time ran out.")
            former = player.table
            await player.choose("Play again")
            await player.wait_for(lambda: player.table is not former and player.has_begun)
            assert player.app.screen_stack[1:] == [player.table]  # no question is left behind
            assert "10:00" in player.text("#near")

    in_program(run_out)()


@pytest.mark.parametrize(
    ("key", "answer"), [("equals_sign", "Draw"), pytest.param("r", "Resign", marks=pytest.mark.slow)]
)
def test_an_answer_that_comes_too_late(tmp_path: Path, key: str, answer: str) -> None:
    seconds = [0.0]

    async def answer_late() -> None:
        session = make_session("international", clock="600")
        session.clock = GameClock(TimeControl(600), now=lambda: seconds[0])
        async with sit_down(session, tmp_path) as player:
            await player.press(key)
            await player.wait_for_screen(Choice)
            answered = player.app.screen
            seconds[0] = 601
            assert isinstance(answered, Choice)
            answered.dismiss(answer)  # before the next look at the clock
            await player.wait_for(lambda: player.question == "Black wins: time ran out.")

    in_program(answer_late)()
