"""Game files, written as PDN 3.0 wants them."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeAlias

from tablemen._core import Move, Position
from tablemen.draughts.notation import format_move
from tablemen.draughts.numbering import squares_by_text
from tablemen.draughts.pdn.game import DERIVED_TAGS, PdnGame
from tablemen.draughts.pdn.gametype import identify
from tablemen.draughts.pdn.line import UNKNOWN_MOVE, Nag, Note, PdnLine, PdnNode, last_setup
from tablemen.draughts.pdn.result import NO_RESULT, format_result
from tablemen.draughts.pdn.scene import UNKNOWN_VALUES
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError, IllegalMoveError, TablemenError
from tablemen.outcome import Side

Target: TypeAlias = "str | os.PathLike[str] | IO[str]"
WIDTH = 80
MOST_NESTED = 100  # variations within variations: the reader takes no more
FIRST_TAGS = ("Event", "Site", "Date", "Round", "White", "Black")
SEPARATOR = NO_RESULT

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_STRENGTH = re.compile(r"[!?]+|\([!?]+\)")
_SQUARE = "[a-z]?[0-9]{1,3}"
_EACH_SQUARE = re.compile(rf"({_SQUARE})(?:[-x:]|$)")
_UNCHECKED_MOVE = re.compile(rf"(?!1-1$){_SQUARE}(?:[-x:]{_SQUARE})+")
_TAG_LINE = re.compile(r"\n\[[A-Za-z][A-Za-z0-9_]*[ \t\n\r\v\f]+\"")
_MOVES_OF_A_GAME = re.compile(r"\{|\n[ \t\r]*\n")
_HIDDEN = re.compile(r'\\(?=["\\]|$)|"')


def write_pdn(games: Iterable[PdnGame], target: Target) -> int:
    """Writes the games into a file, given as a path or opened for writing text, and says how many.

    Raises `TablemenError` where a game cannot be written; the games before it are in the file.
    """
    if isinstance(target, str | os.PathLike):
        with Path(target).open("w", encoding="utf-8", newline="") as file:
            return write_pdn(games, file)
    count = 0
    for game in games:
        target.write(("\n" if count else "") + format_pdn(game))
        count += 1
    return count


def format_pdn(game: PdnGame) -> str:
    """The game as text, with `*` behind it.

    Moves are short unless that could mean two, the tags GameType (or Variant), FEN and Result are as the game is. What
    cannot be written so that it is read again raises `TablemenError`, and an illegal move `IllegalMoveError`.

    >>> from tablemen.draughts.pdn import parse_pdn
    >>> print(format_pdn(parse_pdn('1.32-28 {solid} 19-23! 1-0')), end="")
    [Result "2-0"]
    [GameType "20"]
    <BLANKLINE>
    1. 32-28 {solid} 1... 19-23! *
    """
    if not isinstance(game, PdnGame):
        raise ArgumentError("game", game, "a PdnGame")
    out = io.StringIO()
    for name, value in _tags(game):
        out.write(f"[{_checked_name(name)} {_quote(name, value)}]\n")
    words = _Words(game.variant)
    words.add_line(game.line)
    out.write("\n" + _wrap([*words.found, SEPARATOR]) + "\n")
    return out.getvalue()


def _tags(game: PdnGame) -> Iterator[tuple[str, str]]:
    """The tags in the order of the standard: the seven, then what the game is, then all others as they came."""
    for name in FIRST_TAGS:
        if name in game.tags:
            yield name, game.tags[name]
    result = game.result
    if "Result" in game.tags:
        yield "Result", game.tags["Result"] if result is None else format_result(result, game.variant)
    yield identify(game.variant)
    if _needs_fen(game):
        yield "FEN", game.start.fen()
    for name, value in game.tags.items():
        if name not in FIRST_TAGS and name not in DERIVED_TAGS:
            yield name, value


def _needs_fen(game: PdnGame) -> bool:
    """Whether the game has the tag, or has to: because of its start, or of a set-up that would be taken for that."""
    if game.tags.get("FEN", "") not in UNKNOWN_VALUES or game.start != Position.start(game.variant):
        return True
    return any(isinstance(note, Position) for note in game.line.notes)


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise TablemenError(f"a tag's name has letters, digits and _, and begins with a letter: not {name!r}")
    return name


def _quote(name: str, value: str) -> str:
    """The value in quotes, with backslashes before quotes and where a backslash would hide something."""
    if "\n" in value:
        raise TablemenError(f"the tag {name} cannot be written: its value has more than one line")
    return f'"{_hide(_encodable(value))}"'


def _hide(value: str) -> str:
    return _HIDDEN.sub(lambda match: "\\" + match[0], value)


def _encodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TablemenError(f"{text!r} cannot be written: it has half a character") from error
    return text


class _Words:
    """What stands between the tags and the end of a game, in pieces that a blank or a new line may separate."""

    def __init__(self, rules: DraughtsRules) -> None:
        self.rules = rules
        self.first = rules.first
        self.found: list[str] = []
        self.depth = 0  # of variations within variations

    def add_line(self, line: PdnLine, number: int = 1, turn: Side | None = None) -> None:
        """Adds a line whose first move has this number; `turn` is whose it is where the position is not known."""
        position = line.start
        turn = position.turn if position is not None else turn or self.first
        needs_number = True
        self._add_notes(line.notes, number, turn)
        position, turn = _after_notes(line.notes, position, turn)
        for node in line.nodes:
            prefix = ""
            if node.move != UNKNOWN_MOVE and (needs_number or turn is self.first):
                prefix = f"{number}. " if turn is self.first else f"{number}... "
            self.found.append(prefix + _format_node(node, position, self.rules))
            self._add_notes(node.notes, number, turn)
            needs_number = bool(node.notes) or node.move == UNKNOWN_MOVE
            number += turn is not self.first
            after = None if position is None or isinstance(node.move, str) else position.play_unchecked(node.move)
            position, turn = _after_notes(node.notes, after, turn.opponent)

    def _add_notes(self, notes: Iterable[Note], number: int, turn: Side) -> None:
        """Adds notes behind a move, or before the first, with the number and the turn that a variation begins with."""
        for note in notes:
            if isinstance(note, PdnLine):
                if not (note.nodes or note.notes):
                    raise TablemenError("a variation without anything in it cannot be written")
                if self.depth == MOST_NESTED:
                    raise TablemenError(f"variations that are nested deeper than {MOST_NESTED} cannot be written")
                begin = len(self.found)
                self.depth += 1
                self.add_line(note, number, turn)
                self.depth -= 1
                self.found[begin] = f"({self.found[begin]}"
                self.found[-1] += ")"
            elif isinstance(note, Nag):
                self.found.append(f"${int(note)}")
            elif isinstance(note, Position):
                self.found.append(f'/FEN "{note.fen()}"/')
            else:
                self.found.append(_format_comment(note))


def _after_notes(notes: Iterable[Note], position: Position | None, turn: Side) -> tuple[Position | None, Side]:
    position = last_setup(notes, position)
    return position, turn if position is None else position.turn


def _format_comment(comment: str) -> str:
    """The comment in braces, or to the end of the line where it has a brace that would close it."""
    if "}" not in comment:
        tag = _TAG_LINE.search(comment)
        # The reader would take it for a comment that was never closed, and for the next game.
        if tag is not None and _MOVES_OF_A_GAME.search(comment, tag.start() + 1):
            problem = "behind a line of it that begins like a tag stands a { or an empty line, as in another game"
            raise TablemenError(f"the comment {comment!r} cannot be written: {problem}")
        return f"{{{_encodable(comment)}}}"
    if "\n" in comment or "\r" in comment:
        raise TablemenError(f"the comment {comment!r} cannot be written: it has a }} and more than one line")
    return f";{_encodable(comment)}\n"


def _format_node(node: PdnNode, position: Position | None, rules: DraughtsRules) -> str:
    """The move and its strength sign."""
    if node.strength and not _STRENGTH.fullmatch(node.strength):
        raise TablemenError(f"{node.strength!r} is no strength sign: ! and ? are, also in parentheses")
    if isinstance(node.move, Move):
        return _format_checked(node.move, position) + node.strength
    if node.move != UNKNOWN_MOVE:
        _check_unchecked(node.move, position, rules)
    return node.move + node.strength


def _check_unchecked(text: str, position: Position | None, rules: DraughtsRules) -> None:
    """That a text can stand for a move where the position is not known."""
    if position is not None:
        raise TablemenError(f"{text!r} cannot be written: where the position is known a move is a Move")
    squares = squares_by_text(rules.mover.squares)
    if not _UNCHECKED_MOVE.fullmatch(text) or not squares.keys() >= set(_EACH_SQUARE.findall(text)):
        raise TablemenError(f"{text!r} cannot be written: it is no move on the board of {rules}")


def _format_checked(move: Move, position: Position | None) -> str:
    """The move as short as it can be; where that could mean another, as the position lists its whole way."""
    if position is None:
        raise TablemenError(f"the move {move} cannot be written: the position before it is not known")
    same_ends = position.find_moves([move.start, move.end]) if move.variant == position.variant else ()
    for listed in same_ends:
        if listed == move:
            return format_move(listed)
    raise IllegalMoveError(move, position)


def _wrap(words: Iterable[str]) -> str:
    """The words on lines of 80 columns or a word; what has lines of its own keeps them."""
    text, column = io.StringIO(), 0
    for word in words:
        first, newline, rest = word.partition("\n")
        if column and column + 1 + len(first) > WIDTH:
            text.write("\n")
            column = 0
        elif column:
            text.write(" ")
            column += 1
        text.write(word)
        column = len(rest.rpartition("\n")[2]) if newline else column + len(word)
    return text.getvalue()
