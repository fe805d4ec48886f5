"""A game at the console, line by line: what is shown, what is asked, and what can be answered."""

from __future__ import annotations

import difflib
import os
import textwrap
from collections.abc import Callable
from typing import NamedTuple

from tablemen.clock import format_time
from tablemen.console import IO, visible
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import parse_player
from tablemen.session import Session

WIDTH = 80
FAILED = "again, or Enter, lets it try once more; seat, back, save and quit are there too"
SAVED = "is saved: `tablemen play` goes on with it."
DECLARED = {Termination.RESIGNATION: "resigns", Termination.TIME: "has no time left"}


class Command(NamedTuple):
    """Something that can be typed in place of a move."""

    argument: str  # what stands behind it, in capitals; empty where nothing does
    about: str
    obey: Callable[[Table, str], None]


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
            self.io.println(f"{self.session.family.describe(outcome, self.session.game.position)}.")

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
        if self.session.keeper is not None and self.session.keeper.is_kept:
            self.io.println(f"The game {SAVED}")

    def show_times(self) -> None:
        """Says how much time each side has left."""
        family, clock = self.session.family, self.session.clock
        times = {family.name_of(side): clock.left(side) for side in Side}
        told = [f"{name} {format_time(left)}" for name, left in times.items() if left is not None]
        self.tell(", ".join(told) or "no clock runs: --clock 5+3 begins with 5 minutes, and 3 seconds for each move")

    def _tell_problem(self) -> None:
        """Says once why the game is not saved."""
        problem = None if self.session.keeper is None else self.session.keeper.problem
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
        return visible(f"{self.session.family.name_of(side)} ({player.name})")

    def seat(self, text: str) -> None:
        """Somebody else plays a side: `black searcher:level=3`."""
        name, _, player = text.partition(" ")
        family = self.session.family
        sides = {called: side for side in Side for called in (family.sides[side], str(side))}
        side = sides.get(name.casefold())
        if side is None or not player.strip():
            raise TablemenError(
                f"write seat {family.sides[Side.WHITE]} PLAYER, or seat {family.sides[Side.BLACK]} PLAYER"
            )
        self.session.seat(side, parse_player(player))
        self.io.println(visible(f"{family.name_of(side)} is played by {self.session.players[side].name}"))

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
        command = COMMANDS.get(ALIASES.get(word.casefold(), word.casefold()))
        try:
            if command is not None:
                self._obey(command, word, rest.strip())
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
        return f"{self.session.family.name_of(side)}'s move{'' if left is None else f' ({format_time(left)})'}: "

    def _obey(self, command: Command, word: str, rest: str) -> None:
        if bool(rest) is not bool(command.argument):
            self.tell(f"write {word} {command.argument}" if command.argument else f"nothing stands behind {word}")
            return
        command.obey(self, rest)

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


def _help(table: Table, _rest: str) -> None:
    moves = table.session.game.legal_moves()
    table.tell(f"Type a move{f', such as {moves[0]}' if moves else ''}, or:")
    for name, command in COMMANDS.items():
        table.io.println(f"  {f'{name} {command.argument}':<16} {command.about}")


def _moves(table: Table, _rest: str) -> None:
    table.tell(" ".join(map(str, table.session.game.legal_moves())) or "there are none: the game is over")


def _back(table: Table, _rest: str) -> None:
    control = table.session.clock.control
    count = table.session.back()
    taken = {0: "the result", 1: "a move"}.get(count, f"{count} moves")
    table.io.println(f"Taken back: {taken}")
    if table.session.clock.control is not control:
        table.io.println("The game goes on without a clock.")
    table.show_board()


def _hint(table: Table, _rest: str) -> None:
    table.io.println(f"Try {table.session.hint()}")


def _again(table: Table, _rest: str) -> None:
    if not table.has_failed:
        raise TablemenError("nobody has failed")
    table.failed_at = None


def _seat(table: Table, rest: str) -> None:
    table.seat(rest)


def _draw(table: Table, _rest: str) -> None:
    game = table.session.game
    if game.outcome() is not None or game.claims():
        table.session.claim_draw()
        table.show_outcome()
        return
    table.io.println("No draw can be claimed now.")
    for rule, count in game.draw_counts().items():
        table.tell(f"{count} of {rule.limit}: {rule}")


def _resign(table: Table, _rest: str) -> None:
    people = [side for side in Side if table.session.is_person(side)]
    table.session.resign(people[0] if len(people) == 1 else None)  # also when it is for a program that fails to move
    table.show_outcome()


def _new(table: Table, _rest: str) -> None:
    former = table.session.keeper
    table.session.restart()
    if former is not None and former.is_kept:
        table.io.println(f"The game before {SAVED}")
    table.show_board()
    table.show_outcome()


def _clock(table: Table, _rest: str) -> None:
    table.show_times()


def _save(table: Table, rest: str) -> None:
    table.session.save(os.path.expanduser(rest))  # noqa: PTH111 - as it is, where there is no such home
    table.io.println(f"Saved in {rest}")


def _load(table: Table, rest: str) -> None:
    games = table.session.load(os.path.expanduser(rest))  # noqa: PTH111 - as it is, where there is no such home
    table.io.println(f"Loaded from {rest}{f', the last of {games} games' if games > 1 else ''}")
    table.show_board()
    table.show_outcome()


def _flip(table: Table, _rest: str) -> None:
    table.session.flip()
    table.show_board()


def _quit(table: Table, _rest: str) -> None:
    table.leave()


COMMANDS = {
    "help": Command("", "this list; ? does it too", _help),
    "moves": Command("", "every legal move", _moves),
    "hint": Command("", "a move that is good", _hint),
    "back": Command("", "take your last move back, and what was answered", _back),
    "flip": Command("", "turn the board around", _flip),
    "draw": Command("", "claim a draw, or see how far one is", _draw),
    "resign": Command("", "give up", _resign),
    "new": Command("", "begin anew; where games are saved, this one stays", _new),
    "clock": Command("", "the time that each side has left", _clock),
    "seat": Command("SIDE PLAYER", "somebody else plays: seat black searcher:level=3", _seat),
    "again": Command("", "let a program that has failed try once more", _again),
    "save": Command("FILE", "add the game to a file", _save),
    "load": Command("FILE", "go on with the last game of a file", _load),
    "quit": Command("", "leave; so does the end of the input", _quit),
}
ALIASES = {"?": "help", "q": "quit"}
