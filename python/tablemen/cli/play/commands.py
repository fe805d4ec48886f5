"""What can be typed at the console in place of a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tablemen.clock import format_time
from tablemen.console import visible
from tablemen.errors import TablemenError
from tablemen.outcome import Side
from tablemen.paths import expand_user
from tablemen.players import parse_player
from tablemen.session.words import among_text, draw_texts, taken_back_text

if TYPE_CHECKING:
    from tablemen.cli.play.table import Table

SAVED = "is saved: `tablemen play` goes on with it."


class Command(NamedTuple):
    """Something that can be typed in place of a move."""

    argument: str  # what stands behind it, in capitals; empty where nothing does
    about: str
    do: Callable[[Table, str], None]

    def obey(self, table: Table, word: str, rest: str) -> None:
        """Does what was typed; says how it is written where something is missing behind the word, or too much."""
        if bool(rest) is bool(self.argument):
            self.do(table, rest)
        else:
            table.tell(f"write {word} {self.argument}" if self.argument else f"nothing stands behind {word}")


def find_command(word: str) -> Command | None:
    """The command that is called so, if there is one."""
    return COMMANDS.get(ALIASES.get(word.casefold(), word.casefold()))


def _help(table: Table, _rest: str) -> None:
    moves = table.session.game.legal_moves()
    table.tell(f"Type a move{f', such as {moves[0]}' if moves else ''}, or:")
    for name, command in COMMANDS.items():
        table.io.println(f"  {f'{name} {command.argument}':<16} {command.about}")


def _moves(table: Table, _rest: str) -> None:
    table.tell(" ".join(map(str, table.session.game.legal_moves())) or "there are none: the game is over")


def _back(table: Table, _rest: str) -> None:
    control = table.session.clock.control
    table.io.println(taken_back_text(table.session.back()))
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
    name, _, player = rest.partition(" ")
    session, family = table.session, table.session.family
    sides = {called: side for side in Side for called in (family.sides[side], str(side))}
    side = sides.get(name.casefold())
    if side is None or not player.strip():
        raise TablemenError(f"write seat {family.sides[Side.WHITE]} PLAYER, or seat {family.sides[Side.BLACK]} PLAYER")
    session.seat(side, parse_player(player))
    table.io.println(visible(f"{family.side_name(side)} is played by {session.players[side].name}"))


def _draw(table: Table, _rest: str) -> None:
    game = table.session.game
    if game.outcome() is not None or game.claims():
        table.session.claim_draw()
        table.show_outcome()
        return
    table.io.println("No draw can be claimed now.")
    for text in draw_texts(game):
        table.tell(text)


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
    family, clock = table.session.family, table.session.clock
    times = {family.side_name(side): clock.left(side) for side in Side}
    told = [f"{name} {format_time(left)}" for name, left in times.items() if left is not None]
    table.tell(", ".join(told) or "no clock runs: --clock 5+3 begins with 5 minutes, and 3 seconds for each move")


def _save(table: Table, rest: str) -> None:
    table.session.save(expand_user(rest))
    table.io.println(f"Saved in {rest}")


def _load(table: Table, rest: str) -> None:
    games = table.session.load(expand_user(rest))
    table.io.println(f"Loaded from {rest}{among_text(games)}")
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
