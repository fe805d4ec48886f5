"""Reader of the `.perft` files, which contain the number of leaves of game trees by depth.

A file has the name of its variant and consists of blocks; the files of mancala are in a separate folder. A block begins
with its name in brackets, followed by these lines::

    [12 men a side]
    rules start_rows=3 losing=True      fields that differ from the variant, if any
    fen W:W31-50:B1-20                  the position, in the notation of the variant; the default is the start
    text <3,0,0,2,2,2,2,2,2> north      the position of a mancala variant
    count paths                         count every path of a capture; by default, equal captures count once
    source origin of the counts         one line or more
    1 7                                 depth and count; depths are ascending

Captures are equal if start, end and captured squares are. Empty lines and lines that begin with `#` are ignored.
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
    """The functions that find variants and positions of a family."""

    folder: Path
    find_variant: Callable[[str], Any]
    start: Callable[[Any], Any]
    keyword: str  # of the line with the position
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
        """Return the count at a depth, with the options of the block."""
        options = {"paths": True} if self.paths else {}
        return int(self.position.perft(depth, threads=threads, **options))

    def __str__(self) -> str:
        return f"{self.variant}-{self.name.replace(' ', '_')}"


@dataclass
class _Draft:
    """A block that is being parsed."""

    name: str
    line: int
    family: Family
    rules: Any
    position: Any = None
    paths: bool = False
    sources: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)


def read_suite(family: Family = DRAUGHTS) -> tuple[Block, ...]:
    """Read the blocks of all files of a family."""
    return tuple(block for path in sorted(family.folder.glob("*.perft")) for block in read_perft(path, family))


def read_perft(path: Path, family: Family = DRAUGHTS) -> tuple[Block, ...]:
    """Read the blocks of a file. Raises `NotationError` with the file name as a note."""
    try:
        return parse_perft(path.read_text(encoding="utf-8"), path.stem, family)
    except NotationError as error:
        error.add_note(f"in {path.name}")
        raise


def parse_perft(text: str, variant: str, family: Family = DRAUGHTS) -> tuple[Block, ...]:
    """Parse the blocks of a text. Raises `NotationError` with the line."""
    drafts: list[_Draft] = []
    rules = family.find_variant(variant)
    for number, line in _lines(text):
        try:
            _read(drafts, line, _Draft("", number, family, rules))
        except (TypeError, ValueError, SyntaxError) as error:
            raise NotationError(str(error), text, line=number) from error
    if not drafts:
        raise NotationError("the file has no blocks", text)
    return tuple(_finish(draft, variant, text) for draft in drafts)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, without comments and empty lines."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _read(drafts: list[_Draft], line: str, empty: _Draft) -> None:
    """Begin a new block, or add the line to the last one."""
    if not line.startswith("["):
        if not drafts:
            raise ValueError("a block must begin with its name in brackets")
        _add(drafts[-1], line)
        return
    name = line.removeprefix("[").removesuffix("]").strip()
    if not name or line != f"[{name}]":
        raise ValueError(f"expected a name in brackets, got {line}")
    if any(draft.name == name for draft in drafts):
        raise ValueError(f"block {line} occurs twice")
    drafts.append(replace(empty, name=name))


def _add(draft: _Draft, line: str) -> None:
    """Add a line to a block."""
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if not rest:
        raise ValueError(f"expected a value after {word!r}")
    match word:
        case "rules" if draft.position is None:
            draft.rules = replace(draft.rules, **dict(_setting(each) for each in rest.split()))
        case "rules":
            raise ValueError("rules must come before the position")
        case draft.family.keyword:
            draft.position = draft.family.read(rest, draft.rules)
        case "count" if rest == "paths":
            draft.paths = True
        case "source":
            draft.sources.append(rest)
        case _ if word.isdecimal() and rest.isdecimal():
            _count(draft, int(word), int(rest))
        case _:
            raise ValueError(f"expected a keyword or a depth and a count, got {line}")


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"expected field=value, got {text}")
    return name, ast.literal_eval(value)


def _count(draft: _Draft, depth: int, count: int) -> None:
    if depth <= max(draft.counts, default=0):
        raise ValueError(f"depth {depth} is not greater than {max(draft.counts, default=0)}")
    draft.counts[depth] = count


def _finish(draft: _Draft, variant: str, text: str) -> Block:
    for name in ("sources", "counts"):
        if not getattr(draft, name):
            raise NotationError(f"block [{draft.name}] has no {name}", text, line=draft.line)
    position = draft.position or draft.family.start(draft.rules)
    return Block(variant, draft.name, position, tuple(draft.sources), draft.counts, draft.paths)
