"""Reader of the `.perft` files: how many leaves the tree of moves has, depth by depth.

A file is named after its variant and made of blocks; those of mancala are in a folder of their own. A block begins with
its name in brackets; then, each on a line::

    [12 men a side]
    rules start_rows=3 losing=True      fields that differ from the variant's own, if any
    fen W:W31-50:B1-20                  in the variant's numbering; the start of the game where there is no such line
    text <3,0,0,2,2,2,2,2,2> north      the same for mancala
    count paths                         every path of a capture, where otherwise equal captures count once
    source where the counts come from   one line or more
    1 7                                 depth and count, depths ascending

Captures are equal when start, end and captured squares are. Empty lines and lines that begin with `#` say nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from tablemen import NotationError, draughts, mancala

FOLDER = Path(__file__).parent


class Family(NamedTuple):
    """How variants and positions of a family are found."""

    folder: Path
    find_variant: Callable[[str], Any]
    start: Callable[[Any], Any]
    word: str  # what a position's line begins with
    read: Callable[[str, Any], Any]


DRAUGHTS = Family(FOLDER, draughts.find_variant, draughts.Position.start, "fen", draughts.Position.from_fen)
MANCALA = Family(FOLDER / "mancala", mancala.find_variant, mancala.Position.start, "text", mancala.Position.from_text)


@dataclass(frozen=True)
class Block:
    """A position and the count of each depth."""

    variant: str
    name: str
    position: Any
    sources: tuple[str, ...]
    counts: dict[int, int]
    paths: bool = False

    def perft(self, depth: int, *, threads: int = 1) -> int:
        """The count that the block speaks of."""
        options = {"paths": True} if self.paths else {}
        return int(self.position.perft(depth, threads=threads, **options))

    def __str__(self) -> str:
        return f"{self.variant}-{self.name.replace(' ', '_')}"


@dataclass
class _Draft:
    """A block while it is read."""

    name: str
    line: int
    family: Family
    rules: Any
    position: Any = None
    paths: bool = False
    sources: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)


def read_suite(family: Family = DRAUGHTS) -> tuple[Block, ...]:
    """Every block of every file of the family."""
    return tuple(block for path in sorted(family.folder.glob("*.perft")) for block in read_perft(path, family))


def read_perft(path: Path, family: Family = DRAUGHTS) -> tuple[Block, ...]:
    """The blocks of a file. Raises `NotationError`, with the file's name in a note."""
    try:
        return parse_perft(path.read_text(encoding="utf-8"), path.stem, family)
    except NotationError as error:
        error.add_note(f"in {path.name}")
        raise


def parse_perft(text: str, variant: str, family: Family = DRAUGHTS) -> tuple[Block, ...]:
    """The blocks of a text. Raises `NotationError`, which names the line."""
    drafts: list[_Draft] = []
    rules = family.find_variant(variant)
    for number, line in _lines(text):
        try:
            _read(drafts, line, _Draft("", number, family, rules))
        except (TypeError, ValueError, SyntaxError) as error:
            raise NotationError(str(error), text, line=number) from error
    if not drafts:
        raise NotationError("no block", text)
    return tuple(_finish(draft, variant, text) for draft in drafts)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _read(drafts: list[_Draft], line: str, empty: _Draft) -> None:
    """Begins a block from an empty one, or puts what the line says into the last one."""
    if not line.startswith("["):
        if not drafts:
            raise ValueError("a block begins with its name in brackets")
        _add(drafts[-1], line)
        return
    name = line.removeprefix("[").removesuffix("]").strip()
    if not name or line != f"[{name}]":
        raise ValueError(f"not a name in brackets: {line}")
    if any(draft.name == name for draft in drafts):
        raise ValueError(f"a second block {line}")
    drafts.append(replace(empty, name=name))


def _add(draft: _Draft, line: str) -> None:
    """Puts what the line says into the block."""
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if not rest:
        raise ValueError(f"nothing after {word!r}")
    match word:
        case "rules" if draft.position is None:
            draft.rules = replace(draft.rules, **dict(_setting(each) for each in rest.split()))
        case "rules":
            raise ValueError("rules come before the position that is read by them")
        case draft.family.word:
            draft.position = draft.family.read(rest, draft.rules)
        case "count" if rest == "paths":
            draft.paths = True
        case "source":
            draft.sources.append(rest)
        case _ if word.isdecimal() and rest.isdecimal():
            _count(draft, int(word), int(rest))
        case _:
            raise ValueError(f"cannot be read: {line}")


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"not field=value: {text}")
    return name, ast.literal_eval(value)


def _count(draft: _Draft, depth: int, count: int) -> None:
    if depth <= max(draft.counts, default=0):
        raise ValueError(f"depth {depth} after depth {max(draft.counts, default=0)}")
    draft.counts[depth] = count


def _finish(draft: _Draft, variant: str, text: str) -> Block:
    for name in ("sources", "counts"):
        if not getattr(draft, name):
            raise NotationError(f"block [{draft.name}] has no {name}", text, line=draft.line)
    position = draft.position or draft.family.start(draft.rules)
    return Block(variant, draft.name, position, tuple(draft.sources), draft.counts, draft.paths)
