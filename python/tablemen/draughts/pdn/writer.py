"""Writing PDN 3.0 files."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeAlias

from tablemen._core import Move, Position
from tablemen.draughts.board import squares_by_text
from tablemen.draughts.notation import format_move
from tablemen.draughts.pdn.game import (
    DERIVED_TAGS,
    NO_RESULT,
    UNKNOWN_MOVE,
    Nag,
    Note,
    PdnGame,
    PdnLine,
    PdnNode,
    format_result,
    last_setup,
)
from tablemen.draughts.pdn.start_position import UNKNOWN_VALUES, identify
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError, TablemenError
from tablemen.outcome import Side

Target: TypeAlias = "str | os.PathLike[str] | IO[str]"
WIDTH = 80
MAX_DEPTH = 100  # of nested variations: the reader has the same limit
FIRST_TAGS = ("Event", "Site", "Date", "Round", "White", "Black")
SEPARATOR = NO_RESULT

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_STRENGTH = re.compile(r"[!?]+|\([!?]+\)")
_SQUARE = "[a-z]?[0-9]{1,3}"
_EACH_SQUARE = re.compile(rf"({_SQUARE})(?:[-x:]|$)")
_UNCHECKED_MOVE = re.compile(rf"(?!1-1$){_SQUARE}(?:[-x:]{_SQUARE})+")
_TAG_LINE = re.compile(r"\n\[[A-Za-z][A-Za-z0-9_]*[ \t\n\r\v\f]+\"")
_MOVES_OF_A_GAME = re.compile(r"\{|\n[ \t\r]*\n")
_ESCAPED = re.compile(r'\\(?=["\\]|$)|"')


def write_pdn(games: Iterable[PdnGame], target: Target) -> int:
    """Write the games to a path or to a file opened for writing text, and return their number.

    Raises `TablemenError` if a game cannot be written; the games before it are in the file.
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
    """Return the game as text, with `*` at the end.

    Moves are short unless they are ambiguous. The tags GameType (or Variant), FEN and Result are derived from the game.
    Raises `TablemenError` if the text could not be read again, and `IllegalMoveError` for an illegal move.

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
        out.write(f"[{_check_name(name)} {_quote(name, value)}]\n")
    text = _MoveText(game.variant)
    text.add_line(game.line)
    out.write("\n" + _wrap([*text.words, SEPARATOR]) + "\n")
    return out.getvalue()


def _tags(game: PdnGame) -> Iterator[tuple[str, str]]:
    """Yield the tags in the order of the standard: the seven common tags, the derived tags, and the others."""
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
    """Return whether the game has a FEN tag, another start than its variant, or a set-up before its first move."""
    if game.tags.get("FEN", "") not in UNKNOWN_VALUES or game.start != Position.start(game.variant):
        return True
    return any(isinstance(note, Position) for note in game.line.notes)


def _check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise TablemenError(f"{name!r} is not a valid tag name: it must be a letter, followed by letters, digits or _")
    return name


def _quote(name: str, value: str) -> str:
    """Return the value in quotes, escaped."""
    if "\n" in value:
        raise TablemenError(f"the tag {name} cannot be written: its value has more than one line")
    return f'"{_escape(_check_encodable(value))}"'


def _escape(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\\" + match[0], value)


def _check_encodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TablemenError(f"{text!r} cannot be written: it contains a lone surrogate") from error
    return text


class _MoveText:
    """The words of the move text, which are separated by blanks or line breaks."""

    def __init__(self, rules: DraughtsRules) -> None:
        self.rules = rules
        self.first = rules.first
        self.words: list[str] = []
        self.depth = 0  # the current nesting of variations

    def add_line(self, line: PdnLine, number: int = 1, turn: Side | None = None) -> None:
        """Add a line whose first move has this number; `turn` is the side to move if the position is unknown."""
        position = line.start
        turn = position.turn if position is not None else turn or self.first
        needs_number = True
        self._add_notes(line.notes, number, turn)
        position, turn = _after_notes(line.notes, position, turn)
        for node in line.nodes:
            prefix = ""
            if node.move != UNKNOWN_MOVE and (needs_number or turn is self.first):
                prefix = f"{number}. " if turn is self.first else f"{number}... "
            self.words.append(prefix + _format_node(node, position, self.rules))
            self._add_notes(node.notes, number, turn)
            needs_number = bool(node.notes) or node.move == UNKNOWN_MOVE
            number += turn is not self.first
            after = None if position is None or isinstance(node.move, str) else position.play_unchecked(node.move)
            position, turn = _after_notes(node.notes, after, turn.opponent)

    def _add_notes(self, notes: Iterable[Note], number: int, turn: Side) -> None:
        """Add notes after a move or before the first; variations begin with the given number and side to move."""
        for note in notes:
            if isinstance(note, PdnLine):
                if not (note.nodes or note.notes):
                    raise TablemenError("an empty variation cannot be written")
                if self.depth == MAX_DEPTH:
                    raise TablemenError(f"variations cannot be nested deeper than {MAX_DEPTH}")
                begin = len(self.words)
                self.depth += 1
                self.add_line(note, number, turn)
                self.depth -= 1
                self.words[begin] = f"({self.words[begin]}"
                self.words[-1] += ")"
            elif isinstance(note, Nag):
                self.words.append(f"${int(note)}")
            elif isinstance(note, Position):
                self.words.append(f'/FEN "{note.fen()}"/')
            else:
                self.words.append(_format_comment(note))


def _after_notes(notes: Iterable[Note], position: Position | None, turn: Side) -> tuple[Position | None, Side]:
    position = last_setup(notes, position)
    return position, turn if position is None else position.turn


def _format_comment(comment: str) -> str:
    """Return the comment in braces, or as a line comment if it has a closing brace."""
    if "}" not in comment:
        tag = _TAG_LINE.search(comment)
        # The reader would take this line for the start of the next game.
        if tag is not None and _MOVES_OF_A_GAME.search(comment, tag.start() + 1):
            problem = "a line in it looks like the first tag of another game"
            raise TablemenError(f"the comment {comment!r} cannot be written: {problem}")
        return f"{{{_check_encodable(comment)}}}"
    if "\n" in comment or "\r" in comment:
        raise TablemenError(f"the comment {comment!r} cannot be written: it has a }} and more than one line")
    return f";{_check_encodable(comment)}\n"


def _format_node(node: PdnNode, position: Position | None, rules: DraughtsRules) -> str:
    """Return the move and its strength sign."""
    if node.strength and not _STRENGTH.fullmatch(node.strength):
        raise TablemenError(f"{node.strength!r} is not a strength sign: use ! and ?, optionally in parentheses")
    if isinstance(node.move, Move):
        return _format_checked(node.move, position) + node.strength
    if node.move != UNKNOWN_MOVE:
        _check_unchecked(node.move, position, rules)
    return node.move + node.strength


def _check_unchecked(text: str, position: Position | None, rules: DraughtsRules) -> None:
    """Raise `TablemenError` unless the text can be the move of an unknown position."""
    if position is not None:
        raise TablemenError(f"{text!r} cannot be written: the position is known, so the move must be a Move")
    squares = squares_by_text(rules.mover.squares)
    if not _UNCHECKED_MOVE.fullmatch(text) or not squares.keys() >= set(_EACH_SQUARE.findall(text)):
        raise TablemenError(f"{text!r} cannot be written: it is not a move on the board of {rules}")


def _format_checked(move: Move, position: Position | None) -> str:
    """Return the short text of the move, or its whole path if the short one would be read as another move or path."""
    if position is None:
        raise TablemenError(f"the move {move} cannot be written: the position before it is unknown")
    legal = position.listed(move)
    if len(legal.captured) > 1 and not legal.ambiguous:
        (usual,) = position.find_moves([move.start, move.end])
        return format_move(legal, full=usual.path != legal.path)
    return format_move(legal)


def _wrap(words: Iterable[str]) -> str:
    """Wrap the words at 80 columns; words with line breaks keep them."""
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
