"""A page with pictures for every variant, generated from the rules.

`docs/conf.py` writes the pages when the documentation is built, to a folder that is not under version control.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from tablemen import draughts, mancala
from tablemen.draughts import DraughtsRules
from tablemen.draughts import Position as DraughtsPosition
from tablemen.draughts.svg import Arrow
from tablemen.mancala import MancalaRules
from tests.draughts.rule_positions import RulePosition, read_rule_positions
from tests.perft.suite import DRAUGHTS, MANCALA, Family, read_perft
from tools.pages import draughts_text, mancala_text
from tools.pages.draw_list import draw_line
from tools.pages.numbered_board import draw_numbers

MAX_DEPTH = 7  # maximum perft depth on a page
MAX_POSITIONS = 6  # maximum number of examples on a page
LARGE, SMALL, WIDE = 360, 300, 480  # pixels


class VariantPage(NamedTuple):
    """A page in Markdown, and its pictures by file name."""

    text: str
    pictures: Mapping[str, str]


def write_pages(folder: Path) -> None:
    """Write all pages and pictures to a folder, and remove all other files from it."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, str] = {}
    for name, page in all_pages().items():
        files |= {f"{name}.md": page.text, **page.pictures}
    for old in folder.iterdir():
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        path = folder / name
        # Leave unchanged files alone, so that Sphinx does not read them again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def all_pages() -> dict[str, VariantPage]:
    """Return the pages of all variants of both families, by name."""
    shown: dict[str, list[RulePosition]] = {}
    for block in read_rule_positions():
        shown.setdefault(block.variant.name, []).append(block)
    pages = {name: draughts_page(rules, shown.get(name, [])) for name, rules in draughts.VARIANTS.items()}
    return pages | {name: mancala_page(rules) for name, rules in mancala.VARIANTS.items()}


def page_list() -> str:
    """Return the table of contents of the pages, by family."""
    parts = []
    for caption, variants in (("Draughts", draughts.VARIANTS), ("Mancala", mancala.VARIANTS)):
        entries = "".join(f"variants/{name}\n" for name in variants)
        parts.append(f"```{{toctree}}\n:caption: {caption}\n:maxdepth: 1\n\n{entries}```\n")
    return "\n".join(parts)


def draughts_page(rules: DraughtsRules, shown: Iterable[RulePosition] = ()) -> VariantPage:
    """Return the page of a draughts variant, with example positions."""
    start = DraughtsPosition.start(rules)
    pictures = {
        f"{rules.name}-start.svg": start.svg(size=LARGE),
        f"{rules.name}-squares.svg": draw_numbers(rules, size=LARGE),
    }
    examples = list(islice((block for block in shown if not block.outcome), MAX_POSITIONS))
    pictures |= {f"{rules.name}-{block.name.lower()}.svg": _picture(block) for block in examples}
    text = draughts_text
    draws = "".join(f"- {draw_line(rule)}\n" for rule in rules.draws)
    drawn = (
        f"A game is drawn with\n\n{draws}" if draws else "There are no draw rules; the players can agree on a draw.\n"
    )
    tag = "" if rules.game_type_tag is None else f" The PDN GameType is `{rules.game_type_tag}`."
    parts = [
        _introduction(rules, f"![{rules} at the start]({rules.name}-start.svg)"),
        _section("Board", text.describe_board(rules)),
        _section("Men", text.describe_men(rules)),
        _section("Kings", text.describe_kings(rules)),
        _section("Captures", text.describe_captures(rules)),
        _section("End", text.describe_end(rules), drawn),
        _section(
            "Notation",
            text.describe_notation(rules),
            f"![The names of the squares]({rules.name}-squares.svg)\n",
            f"See [](../notation.md) for details.{tag} The start position as FEN:\n\n```text\n{start.fen()}\n```\n",
        ),
        *([_positions(rules, examples)] if examples else []),
        *_appendix(rules, DRAUGHTS),
    ]
    return VariantPage("\n".join(parts), pictures)


def mancala_page(rules: MancalaRules) -> VariantPage:
    """Return the page of a mancala game."""
    start = mancala.Position.start(rules)
    moves = start.legal_moves()
    move = next((each for each in moves if each.extra_turn), moves[0])
    again = ". The last seed landed in the store, so South moves again" if move.extra_turn else ""
    pictures = {
        f"{rules.name}-start.svg": start.svg(size=WIDE),
        f"{rules.name}-move.svg": start.play(move).svg(size=WIDE, last_move=move),
    }
    text = mancala_text
    parts = [
        _introduction(rules, f"![{rules} at the start]({rules.name}-start.svg)"),
        _section("Board", text.describe_board(rules)),
        _section(
            "Sowing",
            text.describe_sowing(rules),
            f"The board after South played house {move}{again}:\n\n"
            f"![The board after house {move}]({rules.name}-move.svg)\n",
        ),
        _section("Captures", text.describe_captures(rules)),
        _section("End", text.describe_end(rules)),
        _section(
            "Notation",
            text.describe_notation(rules),
            f"The start position as text is `{start.text()}`. See [](../mancala.md) for details and disputed rules.\n",
        ),
        *_appendix(rules, MANCALA),
    ]
    return VariantPage("\n".join(parts), pictures)


def _introduction(rules: DraughtsRules | MancalaRules, picture: str) -> str:
    aliases = f", also called {draughts_text.join_words(rules.aliases)}" if rules.aliases else ""
    disputed = isinstance(rules, DraughtsRules) and rules.provisional
    warning = "Sources disagree on some of its rules: see [below](#disputed).\n\n" if disputed else ""
    return (
        f"# {rules}\n\nThe name of this variant is `{rules.name}`{aliases}. To play it:\n\n"
        f"```text\ntablemen play {rules.name}\n```\n\n{warning}{picture}\n"
    )


def _section(title: str, sentences: Iterable[str], *more: str) -> str:
    return "\n".join([f"## {title}\n", f"{' '.join(sentences)}\n", *more])


def _positions(rules: DraughtsRules, examples: Iterable[RulePosition]) -> str:
    parts = ["## Examples\n", "Positions with all legal moves.\n"]
    for block in examples:
        moves = draughts_text.join_words([f"`{move.text}`" for move in block.moves])
        picture = f"{rules.name}-{block.name.lower()}.svg"
        parts.append(f"{block.rule}\n\n![{block.rule}]({picture})\n\nLegal: {moves}.\n")
    return "\n".join(parts)


def _picture(block: RulePosition) -> str:
    """Draw the position of an example, with an arrow for every move."""
    position = block.position
    for text in block.played:
        position = position.play(position.parse_move(text))
    arrows = dict.fromkeys(
        Arrow(one.name, other.name) for move in position.legal_moves() for one, other in pairwise(move.path)
    )
    return position.svg(size=SMALL, arrows=list(arrows))


def _appendix(rules: DraughtsRules | MancalaRules, family: Family) -> Iterator[str]:
    if rules.note:
        disputed = isinstance(rules, DraughtsRules) and rules.provisional
        fields = (
            "\n\nThe names in code style are fields of the rules; [](../rules.md) explains how to change them."
            if disputed
            else ""
        )
        yield f"## {'Disputed' if disputed else 'Note'}\n\n{rules.note}{fields}\n"
    yield _counts(rules, family)
    yield f"## Sources\n\n{''.join(f'- {source}{chr(10)}' for source in rules.sources)}"


def _counts(rules: DraughtsRules | MancalaRules, family: Family) -> str:
    """Return the perft counts from the start position, and their sources."""
    (block,) = (each for each in read_perft(family.folder / f"{rules.name}.perft", family) if each.name == "start")
    counts = list(islice(block.counts.items(), MAX_DEPTH))
    head = "| depth | " + " | ".join(str(depth) for depth, _ in counts) + " |"
    line = "| --- |" + " ---: |" * len(counts)
    row = "| leaves | " + " | ".join(f"{count:,}" for _, count in counts) + " |"
    sources = "".join(f"- {source}\n" for source in block.sources)
    return (
        "## Perft\n\nThe number of move sequences from the start position, by their length in moves of both sides:\n\n"
        f"{head}\n{line}\n{row}\n\nSources of these counts and of the deeper ones:\n\n{sources}"
    )
