"""A game at the console, line by line: prompts, moves and commands."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple

from tablemen.clock import format_time
from tablemen.console import IO, escape_controls
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.outcome import Outcome, Side, Termination
from tablemen.paths import expand_user
from tablemen.players import parse_player
from tablemen.session import (
    Session,
    describe_player,
    format_clocks,
    format_draw_counts,
    format_loaded,
    format_taken_back,
    parse_seat,
    suggest_command,
)

WIDTH = 80
SAVED = "is saved; `tablemen play` resumes it."
FAILED = "press Enter to retry, or type seat, back, save or quit"
DECLARED = {Termination.RESIGNATION: "resigns", Termination.TIME: "has no time left"}


class ConsoleCommand(NamedTuple):
    """A command that the user can type instead of a move."""

    argument: str  # in capitals; empty if the command takes none
    about: str
    execute: Callable[[ConsoleGame, str], None]


class ConsoleGame:
    """A game session on a console."""

    def __init__(self, session: Session, io: IO) -> None:
        self._session = session
        self._io = io
        self._has_quit = False
        self._reported_problem = False
        self._failed_at: int | None = None  # the revision of the session in which a player failed to move

    def run(self) -> None:
        """Play until the user quits or the input ends; if no player is human, until the game is over."""
        self._show_board()
        self._show_outcome()
        self._session.resume()
        while not self._has_quit:
            self._report_saving_problem()
            if self._session.game.outcome() is not None and not self._session.has_people:
                return
            if self._is_computer_to_move() and not self._has_failed:
                self._make_computer_move()
            else:
                self._prompt()

    @property
    def _has_failed(self) -> bool:
        """Whether the player to move has failed, and the user must retry or replace it."""
        return self._failed_at == self._session.revision

    def _show_board(self) -> None:
        """Print the board and the side to move."""
        drawing = self._session.family.draw(self._session.game.position, orientation=self._session.orientation)
        for line in drawing.splitlines()[: -1 if self._session.game.outcome() else None]:
            self._io.println(line)

    def _show_outcome(self) -> None:
        """Print the outcome if the game is over."""
        outcome = self._session.game.outcome()
        if outcome is not None:
            self._io.println(f"{self._session.family.describe_outcome(outcome, self._session.game.position)}.")

    def _print(self, text: str) -> None:
        """Print a text, wrapped to `WIDTH`."""
        for line in textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False):
            self._io.println(line)

    def _report_saving_problem(self) -> None:
        """Print why the game cannot be saved, but only once."""
        problem = None if self._session.autosave is None else self._session.autosave.problem
        if problem is not None and not self._reported_problem:
            self._print(problem)
            self._reported_problem = True

    def _is_computer_to_move(self) -> bool:
        game = self._session.game
        return game.outcome() is None and not self._session.is_person(game.position.turn)

    def _make_computer_move(self) -> None:
        """Let a player that is not human move; if it fails, report the error and leave the game unchanged."""
        name = self._mover_name()
        try:
            done = self._session.think()
        except TablemenError as error:
            self._session.pause()
            self._failed_at = self._session.revision
            self._print(escape_controls(f"{name} failed: {error}"))
            self._print(FAILED)
            return
        if isinstance(done, Outcome):
            self._io.println(f"{name} {DECLARED.get(done.termination, 'claims a draw')}")
        else:
            self._io.println(f"{name} plays {done}")
            self._show_board()
        self._show_outcome()

    def _mover_name(self) -> str:
        side, player = self._session.game.position.turn, self._session.player
        return f"{self._session.family.side_name(side)} ({describe_player(player)})"

    def _prompt(self) -> None:
        """Prompt for a move or a command, and execute it."""
        try:
            answer = self._io.read_from_keyboard(self._prompt_text()).strip()
        except EOFError:
            self._quit("")
            return
        is_late = self._session.check_time() is not None
        if is_late:
            self._show_outcome()
        word, _, rest = answer.partition(" ")
        name = self.ALIASES.get(word.casefold(), word.casefold())
        try:
            if name in self.COMMANDS:
                self._execute(self.COMMANDS[name], word, rest.strip())
            elif self._has_failed and not answer:
                self._failed_at = None
            elif answer and not is_late:
                self._move(answer)
        except GameOverError:
            self._show_outcome()
        except TablemenError as error:
            self._print(str(error))
        except OSError as error:
            self._print(f"{error.filename}: {error.strerror}")

    def _prompt_text(self) -> str:
        if self._session.game.outcome() is not None:
            return "The game is over, ? for help: "
        if self._has_failed:
            return f"{self._mover_name()} has failed, ? for help: "
        side = self._session.game.position.turn
        left = self._session.clock.left(side)
        return f"{self._session.family.side_name(side)}'s move{'' if left is None else f' ({format_time(left)})'}: "

    def _move(self, text: str) -> None:
        if self._is_computer_to_move():
            raise TablemenError(f"{self._mover_name()} is to move; {FAILED}")
        try:
            self._session.move(text)
        except GameError:
            raise
        except TablemenError as error:
            if any(map(str.isdecimal, text)):
                raise
            raise TablemenError(suggest_command(text, self.COMMANDS)) from error
        self._show_board()
        self._show_outcome()

    def _execute(self, command: ConsoleCommand, word: str, rest: str) -> None:
        """Execute a command; print its usage if its argument is missing or unexpected."""
        if bool(rest) is bool(command.argument):
            command.execute(self, rest)
        else:
            self._print(f"usage: {word} {command.argument}" if command.argument else f"{word} takes no argument")

    def _help(self, _rest: str) -> None:
        moves = self._session.game.legal_moves()
        self._print(f"Type a move{f', such as {moves[0]}' if moves else ''}, or a command:")
        for name, command in self.COMMANDS.items():
            self._io.println(f"  {f'{name} {command.argument}':<16} {command.about}")

    def _list_moves(self, _rest: str) -> None:
        self._print(" ".join(map(str, self._session.game.legal_moves())) or "no legal moves: the game is over")

    def _hint(self, _rest: str) -> None:
        self._print(str(self._session.hint()))

    def _take_back(self, _rest: str) -> None:
        control = self._session.clock.control
        self._io.println(format_taken_back(self._session.back()))
        if self._session.clock.control is not control:
            self._io.println("The game continues without a clock.")
        self._show_board()

    def _flip(self, _rest: str) -> None:
        self._session.flip()
        self._show_board()

    def _claim_draw(self, _rest: str) -> None:
        game = self._session.game
        if game.outcome() is not None or game.claims() or self._session.is_proven_draw():
            self._session.claim_draw()
            self._show_outcome()
            return
        self._io.println("No draw can be claimed now.")
        for text in format_draw_counts(game):
            self._print(text)

    def _resign(self, _rest: str) -> None:
        people = [side for side in Side if self._session.is_person(side)]
        # If there is one human, that side resigns, even when it is the turn of a program that has failed.
        self._session.resign(people[0] if len(people) == 1 else None)
        self._show_outcome()

    def _restart(self, _rest: str) -> None:
        former = self._session.autosave
        self._session.restart()
        if former is not None and former.is_saved:
            self._io.println(f"The previous game {SAVED}")
        self._show_board()
        self._show_outcome()

    def _show_clock(self, _rest: str) -> None:
        self._print(format_clocks(self._session))

    def _set_player(self, rest: str) -> None:
        session, family = self._session, self._session.family
        side, player = parse_seat(rest, family)
        session.replace_player(side, parse_player(player))
        self._io.println(f"{family.side_name(side)} is now played by {describe_player(session.players[side])}")

    def _retry(self, _rest: str) -> None:
        if not self._has_failed:
            raise TablemenError("no player has failed")
        self._failed_at = None

    def _save(self, rest: str) -> None:
        self._session.save(expand_user(rest))
        self._io.println(f"Saved in {rest}")

    def _load(self, rest: str) -> None:
        games = self._session.load(expand_user(rest))
        self._io.println(f"Loaded from {rest}{format_loaded(games)}")
        self._show_board()
        self._show_outcome()

    def _quit(self, _rest: str) -> None:
        """Quit; print the position of an unfinished game, so that the user can continue from it."""
        self._has_quit = True
        game = self._session.game
        is_unfinished = game.outcome() is None and game.moves
        position = self._session.family.format_position(game.position)
        self._io.println(f"Stopped at {position}" if is_unfinished else "Goodbye.")
        autosave = self._session.autosave
        if autosave is not None and autosave.is_saved:
            self._io.println(f"The game {SAVED}")
        elif autosave is not None and autosave.finished_file is not None:
            name = "/".join(autosave.finished_file.parts[-2:])
            self._io.println(f"The game is kept in {name}, beside the saved games.")

    COMMANDS: ClassVar[Mapping[str, ConsoleCommand]] = {
        "help": ConsoleCommand("", "show this list; ? works too", _help),
        "moves": ConsoleCommand("", "list the legal moves", _list_moves),
        "hint": ConsoleCommand("", "suggest a move", _hint),
        "back": ConsoleCommand("", "take back your last move and the reply", _take_back),
        "flip": ConsoleCommand("", "turn the board around", _flip),
        "draw": ConsoleCommand("", "claim a draw, or show how close one is", _claim_draw),
        "resign": ConsoleCommand("", "resign", _resign),
        "new": ConsoleCommand("", "begin a new game; a saved game stays saved", _restart),
        "clock": ConsoleCommand("", "show the time left for each side", _show_clock),
        "seat": ConsoleCommand("SIDE PLAYER", "change a player: seat black searcher:level=3", _set_player),
        "again": ConsoleCommand("", "let a program that failed try again", _retry),
        "save": ConsoleCommand("FILE", "append the game to a file", _save),
        "load": ConsoleCommand("FILE", "continue the last game of a file", _load),
        "quit": ConsoleCommand("", "quit; the end of the input does too", _quit),
    }
    ALIASES: ClassVar[Mapping[str, str]] = {"?": "help", "q": "quit"}
