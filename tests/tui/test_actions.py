"""The actions of the table screen besides moves: keys, commands and dialogs."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tablemen import Game, Side
from tablemen.draughts import ENGLISH
from tablemen.errors import TablemenError
from tablemen.family import find_variant, get_family
from tablemen.players import HumanPlayer, Player
from tablemen.session import Session, format_taken_back, suggest_command
from tablemen.tui.menu import MenuScreen
from tablemen.tui.table_screen import COMMANDS, FAILED, GAME_OVER, PAUSED
from tablemen.tui.widgets import ChoiceDialog, HelpDialog, TextDialog
from tests.timeouts import TIMEOUT
from tests.tui.fixtures import async_test, make_session, open_app


class Pondering(Player):
    """A player that searches until it is stopped."""

    name = "pondering"

    def __init__(self) -> None:
        self.is_thinking = threading.Event()
        self.is_stopped = threading.Event()

    def choose(self, game: Game[Any, Any]) -> Any:
        self.is_stopped.clear()
        self.is_thinking.set()
        assert self.is_stopped.wait(TIMEOUT)
        self.is_thinking.clear()
        return game.legal_moves()[0]

    def stop(self) -> None:
        self.is_stopped.set()


class Broken(Player):
    """A player that fails a number of times, and then plays."""

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
    return Session(get_family(rules).start(rules), {Side.WHITE: HumanPlayer(), Side.BLACK: player})


@async_test
async def test_a_hint_is_a_legal_move(tmp_path: Path) -> None:
    async with open_app(make_session("international", start="W:W32,31:B28,19,18,1"), tmp_path) as player:
        await player.press("t")
        await player.wait_for(lambda: player.table.hint is not None)
        assert str(player.table.hint) in player.message
        assert player.table.hint in player.game.legal_moves()
        assert player.table.board.view.hint == player.table.hint
        await player.type(str(player.table.hint))
        assert player.table.hint is None


@async_test
async def test_a_failed_hint_does_not_end_the_game(tmp_path: Path) -> None:
    session = Session(get_family(ENGLISH).start(ENGLISH), {side: HumanPlayer() for side in Side}, hints="robot")
    async with open_app(session, tmp_path) as player:
        with pytest.raises(TablemenError) as caught:
            session.hint()
        await player.press("t")
        await player.wait_for(lambda: player.message == str(caught.value))
        assert player.shows_error
        await player.type("11-15")
        assert len(player.game.moves) == 1


@async_test
async def test_moves_are_taken_back_while_a_computer_thinks(tmp_path: Path) -> None:
    computer = Pondering()
    async with open_app(against(computer), tmp_path) as player:
        await player.type("32-28")
        await player.wait_for(computer.is_thinking.is_set)
        thinking = player.turn
        assert player.message == thinking
        await player.click("31")  # has no effect, since Black is to move
        assert player.message == thinking
        await player.press("u")
        assert player.message == f"{format_taken_back(1)}. {player.turn}."
        assert player.turn != thinking
        assert not player.game.moves
        await player.wait_for(lambda: not computer.is_thinking.is_set())
        await player.type("31-26")
        await player.wait_for(computer.is_thinking.is_set)
        assert [str(move) for move in player.game.moves] == ["31-26"]  # the move from before the takeback is not played
        computer.stop()
        await player.wait_for(lambda: len(player.game.moves) == 2)
        await player.press("u")
        assert player.message == f"{format_taken_back(2)}. {player.turn}."
        await player.press("u")
        assert player.shows_error  # there is no move to take back


@async_test
async def test_a_failed_player_can_retry(tmp_path: Path) -> None:
    async with open_app(against(Broken(2)), tmp_path) as player:
        await player.type("32-28")
        await player.wait_for(lambda: "left" in player.message)
        assert player.shows_error
        assert "Black" in player.message
        assert player.message.endswith(f"the engine [/has] left. {FAILED}")
        assert player.table.session.clock.running is None
        await player.press("u")
        await player.type("31-26")  # a move ends the pause
        await player.wait_for(lambda: "left" in player.message)
        await player.press("p")
        await player.wait_for(lambda: len(player.game.moves) == 2)
        assert player.message.endswith(f"{player.turn}.")
        assert player.table.session.clock.running is Side.WHITE


@pytest.mark.slow
@async_test
async def test_a_game_of_computers_can_be_paused(tmp_path: Path) -> None:
    session = make_session("russian", "random:seed=1", "random:seed=2")
    async with open_app(session, tmp_path) as player:
        await player.press("p")
        await player.wait_for(lambda: player.message == PAUSED)
        before = len(player.game.moves)
        await player.pilot.pause(0.05)
        assert len(player.game.moves) == before
        assert session.clock.running is None
        await player.press("p")
        await player.wait_for_screen(ChoiceDialog)
        assert player.game.outcome() is not None
        await player.press("escape")
        for _ in range(2):
            await player.press("p")  # the game is over
            assert player.message == GAME_OVER


@async_test
async def test_the_help_page_opens_and_closes(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path) as player:
        for key in ("escape", "question_mark", "click"):
            await player.press("question_mark")
            assert isinstance(player.app.screen, HelpDialog)
            assert "International draughts" in player.shown()
            assert "this help" in player.shown()
            await (player.pilot.click() if key == "click" else player.press(key))
            assert player.is_at_table()


@async_test
async def test_commands_can_be_typed(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path) as player:
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
@async_test
async def test_typed_commands_open_dialogs(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path) as player:
        for word, screen in (
            ("?", HelpDialog),
            ("draw", ChoiceDialog),
            ("resign", ChoiceDialog),
            ("save", TextDialog),
            ("load", TextDialog),
        ):
            await player.type(word, into=True)
            await player.wait_for_screen(screen)
            await player.press("escape")
        await player.type("new", into=True)
        await player.wait_for_screen(MenuScreen)
        await player.press("escape")


@async_test
async def test_words_can_be_typed_over_the_board(tmp_path: Path) -> None:
    """Also those whose first letter is a key."""
    async with open_app(make_session("kalah"), tmp_path) as player:
        player.table.key_timeout = 2 * TIMEOUT  # a letter is never taken for a key
        await player.type("1")
        await player.type("moves")
        assert player.message == " ".join(map(str, player.game.legal_moves()))
        await player.type("back")
        assert not player.game.moves
        orientation = player.table.session.orientation
        await player.type("Flip")
        assert player.table.session.orientation is not orientation
        for text in ("movs", "neww", "hnit", "resgin", "xyz"):
            await player.type(text)
            assert player.message == suggest_command(text, COMMANDS)
            assert player.shows_error
            assert player.is_at_table()
        await player.type(f"save {tmp_path}/my games.txt")
        await player.wait_for((tmp_path / "my games.txt").exists)
        await player.type("seat north robot")
        assert not player.table.session.is_person(Side.BLACK)
        await player.type("seat unknown robot")
        assert player.message.startswith("usage: seat south PLAYER")
        await player.type("flip now")
        assert player.message == "flip takes no argument"
        await player.type("resign")
        await player.wait_for_screen(ChoiceDialog)


@pytest.mark.slow
@async_test
async def test_a_letter_is_a_key_if_no_word_follows(tmp_path: Path) -> None:
    async with open_app(make_session("kalah"), tmp_path) as player:
        player.table.key_timeout = 0.01
        await player.press("n")
        await player.wait_for_screen(MenuScreen)
        await player.press("escape")
        player.table.key_timeout = 2 * TIMEOUT
        await player.type("r")
        await player.wait_for_screen(ChoiceDialog)
        await player.press("escape", "m", "question_mark")  # another key acts at once
        await player.wait_for_screen(HelpDialog)
        assert player.table.meter.display
        assert player.table.query_one("#typed", Input).value == ""
