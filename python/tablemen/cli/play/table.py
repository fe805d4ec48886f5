"""A game at the console, line by line: what is shown, and what is asked."""

from __future__ import annotations

import difflib
import textwrap

from tablemen.cli.play.commands import COMMANDS, SAVED, find_command
from tablemen.clock import format_time
from tablemen.console import IO, visible
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.outcome import Outcome, Termination
from tablemen.session import Session

WIDTH = 80
FAILED = "again, or Enter, lets it try once more; seat, back, save and quit are there too"
DECLARED = {Termination.RESIGNATION: "resigns", Termination.TIME: "has no time left"}


class Table:
    """A session on a keyboard and a screen."""

    def __init__(self, session: Session, io: IO) -> None:
        self.session = session
        self.io = io
        self.is_left = False
        self.told_problem: str | None = None
        self.failed_at: int | None = None  # the revision of the session in which a player was asked in vain

    def run(self) -> None:
        """Plays until the game is over and nobody wants anything more; the end of the input is everybody leaving."""
        self.show_board()
        self.show_outcome()
        self.session.resume()
        while not self.is_left:
            self._tell_problem()
            outcome = self.session.game.outcome()
            if outcome is not None and not self.session.has_people:
                return
            if self._is_for_a_computer() and not self.has_failed:
                self._let_think()
            else:
                self._ask()

    @property
    def has_failed(self) -> bool:
        """Whether the player to move was asked in vain, and somebody must say what to do."""
        return self.failed_at == self.session.revision

    def show_board(self) -> None:
        """Shows the board, and who is to move."""
        drawing = self.session.family.draw(self.session.game.position, orientation=self.session.orientation)
        for line in drawing.splitlines()[: -1 if self.session.game.outcome() else None]:
            self.io.println(line)

    def show_outcome(self) -> None:
        """Says how the game ended, if it has."""
        outcome = self.session.game.outcome()
        if outcome is not None:
            self.io.println(f"{self.session.family.describe_outcome(outcome, self.session.game.position)}.")

    def tell(self, text: str) -> None:
        """Prints a text in as many lines as it needs."""
        for line in textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False):
            self.io.println(line)

    def leave(self) -> None:
        """Ends the sitting; a game that is not over can be taken up again from what is printed."""
        self.is_left = True
        game = self.session.game
        is_begun = game.outcome() is None and game.moves
        self.io.println(f"Left at {self.session.family.format_position(game.position)}" if is_begun else "Left.")
        if self.session.autosave is not None and self.session.autosave.is_saved:
            self.io.println(f"The game {SAVED}")

    def _tell_problem(self) -> None:
        """Says once why the game is not saved."""
        problem = None if self.session.autosave is None else self.session.autosave.problem
        if problem is not None and self.told_problem is None:
            self.tell(problem)
            self.told_problem = problem

    def _is_for_a_computer(self) -> bool:
        game = self.session.game
        return game.outcome() is None and not self.session.is_person(game.position.turn)

    def _let_think(self) -> None:
        """The move of a player that is no person; one that fails is told of, and the game is as it was."""
        told = self._name_of_mover()
        try:
            done = self.session.think()
        except TablemenError as error:
            self.session.pause()
            self.failed_at = self.session.revision
            self.tell(visible(f"{told} fails: {error}"))
            self.tell(FAILED)
            return
        if isinstance(done, Outcome):
            self.io.println(f"{told} {DECLARED.get(done.termination, 'claims a draw')}")
        else:
            self.io.println(f"{told} plays {done}")
            self.show_board()
        self.show_outcome()

    def _name_of_mover(self) -> str:
        side, player = self.session.game.position.turn, self.session.player
        return visible(f"{self.session.family.side_name(side)} ({player.name})")

    def _ask(self) -> None:
        try:
            answer = self.io.read_from_keyboard(self._prompt()).strip()
        except EOFError:
            self.leave()
            return
        is_late = self.session.check_time() is not None
        if is_late:
            self.show_outcome()
        word, _, rest = answer.partition(" ")
        command = find_command(word)
        try:
            if command is not None:
                command.obey(self, word, rest.strip())
            elif self.has_failed and not answer:
                self.failed_at = None
            elif answer and not is_late:
                self._move(answer)
        except GameOverError:
            self.show_outcome()
        except TablemenError as error:
            self.tell(str(error))
        except OSError as error:
            self.tell(f"{error.filename}: {error.strerror}")

    def _prompt(self) -> str:
        if self.session.game.outcome() is not None:
            return "The game is over, ? for help: "
        if self.has_failed:
            return f"{self._name_of_mover()} has failed, ? for help: "
        side = self.session.game.position.turn
        left = self.session.clock.left(side)
        return f"{self.session.family.side_name(side)}'s move{'' if left is None else f' ({format_time(left)})'}: "

    def _move(self, text: str) -> None:
        if self._is_for_a_computer():
            raise TablemenError(f"it is for {self._name_of_mover()} to move; {FAILED}")
        try:
            self.session.move(text)
        except GameError:
            raise
        except TablemenError as error:
            if any(map(str.isdecimal, text)):
                raise
            near = difflib.get_close_matches(text.partition(" ")[0].casefold(), COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else "? lists what can be typed"
            raise TablemenError(f"{text!r} is neither a move nor a command; {hint}") from error
        self.show_board()
        self.show_outcome()
