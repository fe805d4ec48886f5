"""A page for every variant, and its pictures, from the rules themselves.

`docs/conf.py` has them written when the documentation is built, into a folder that is not kept: what they say is in the
rules.
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
from tools.pages import draughts_words, mancala_words
from tools.pages.draw_list import draw_line
from tools.pages.numbered_board import draw_numbers

DEPTHS = 7  # counts that a page shows
MOST_POSITIONS = 6  # positions that a page shows for its rules
LARGE, SMALL, WIDE = 360, 300, 480  # pixels


class VariantPage(NamedTuple):
    """A page in Markdown, and the pictures that it shows, by the names of their files."""

    text: str
    pictures: Mapping[str, str]


def write_pages(folder: Path) -> None:
    """Write all pages and pictures into a folder of their own; what else lies there is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, str] = {}
    for name, page in all_pages().items():
        files |= {f"{name}.md": page.text, **page.pictures}
    for old in folder.iterdir():
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        path = folder / name
        # A file that is as it was is left alone: Sphinx then reads it no more.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def all_pages() -> dict[str, VariantPage]:
    """The page of every variant of both families, by its name."""
    shown: dict[str, list[RulePosition]] = {}
    for block in read_rule_positions():
        shown.setdefault(block.variant.name, []).append(block)
    pages = {name: draughts_page(rules, shown.get(name, [])) for name, rules in draughts.VARIANTS.items()}
    return pages | {name: mancala_page(rules) for name, rules in mancala.VARIANTS.items()}


def page_list() -> str:
    """The pages as lists for the contents, family by family."""
    parts = []
    for caption, variants in (("Draughts", draughts.VARIANTS), ("Mancala", mancala.VARIANTS)):
        entries = "".join(f"variants/{name}\n" for name in variants)
        parts.append(f"```{{toctree}}\n:caption: {caption}\n:maxdepth: 1\n\n{entries}```\n")
    return "\n".join(parts)


def draughts_page(rules: DraughtsRules, shown: Iterable[RulePosition] = ()) -> VariantPage:
    """The page of a variant of draughts, with positions that show its rules."""
    start = DraughtsPosition.start(rules)
    pictures = {
        f"{rules.name}-start.svg": start.svg(size=LARGE),
        f"{rules.name}-squares.svg": draw_numbers(rules, size=LARGE),
    }
    examples = list(islice((block for block in shown if not block.outcome), MOST_POSITIONS))
    pictures |= {f"{rules.name}-{block.name.lower()}.svg": _picture(block) for block in examples}
    words = draughts_words
    draws = "".join(f"- {draw_line(rule)}\n" for rule in rules.draws)
    drawn = f"A game is drawn with\n\n{draws}" if draws else "No rule makes a game a draw: players may agree on one.\n"
    tag = "" if rules.game_type_tag is None else f" In game files its GameType is `{rules.game_type_tag}`."
    parts = [
        _head(rules, f"![{rules} at the start]({rules.name}-start.svg)"),
        _section("Board", words.tell_board(rules)),
        _section("Men", words.tell_men(rules)),
        _section("Kings", words.tell_kings(rules)),
        _section("Captures", words.tell_captures(rules)),
        _section("End", words.tell_end(rules), drawn),
        _section(
            "Notation",
            words.tell_notation(rules),
            f"![The squares and what they are called]({rules.name}-squares.svg)\n",
            f"[](../notation.md) has more.{tag} The start as FEN:\n\n```text\n{start.fen()}\n```\n",
        ),
        *([_positions(rules, examples)] if examples else []),
        *_tail(rules, DRAUGHTS),
    ]
    return VariantPage("\n".join(parts), pictures)


def mancala_page(rules: MancalaRules) -> VariantPage:
    """The page of a mancala game."""
    start = mancala.Position.start(rules)
    moves = start.legal_moves()
    move = next((each for each in moves if each.extra_turn), moves[0])
    again = ": the last seed fell into the store, and South moves again" if move.extra_turn else ""
    pictures = {
        f"{rules.name}-start.svg": start.svg(size=WIDE),
        f"{rules.name}-move.svg": start.play(move).svg(size=WIDE, last_move=move),
    }
    words = mancala_words
    parts = [
        _head(rules, f"![{rules} at the start]({rules.name}-start.svg)"),
        _section("Board", words.tell_board(rules)),
        _section(
            "Sowing",
            words.tell_sowing(rules),
            f"South has played house {move}{again}.\n\n![House {move} was played]({rules.name}-move.svg)\n",
        ),
        _section("Captures", words.tell_captures(rules)),
        _section("End", words.tell_end(rules)),
        _section(
            "Notation",
            words.tell_notation(rules),
            f"The start as text is `{start.text()}`. [](../mancala.md) has more, and all rules that are disputed.\n",
        ),
        *_tail(rules, MANCALA),
    ]
    return VariantPage("\n".join(parts), pictures)


def _head(rules: DraughtsRules | MancalaRules, picture: str) -> str:
    called = f", also called {draughts_words.listed(rules.aliases)}" if rules.aliases else ""
    disputed = isinstance(rules, DraughtsRules) and rules.provisional
    warning = "Sources disagree on some of its rules: see [below](#disputed).\n\n" if disputed else ""
    return (
        f"# {rules}\n\nIts name is `{rules.name}`{called}. To play it:\n\n"
        f"```text\ntablemen play {rules.name}\n```\n\n{warning}{picture}\n"
    )


def _section(title: str, sentences: Iterable[str], *more: str) -> str:
    return "\n".join([f"## {title}\n", f"{' '.join(sentences)}\n", *more])


def _positions(rules: DraughtsRules, examples: Iterable[RulePosition]) -> str:
    parts = ["## Shown on the board\n", "Positions with all their legal moves.\n"]
    for block in examples:
        moves = draughts_words.listed([f"`{move.text}`" for move in block.moves])
        picture = f"{rules.name}-{block.name.lower()}.svg"
        parts.append(f"{block.rule}\n\n![{block.rule}]({picture})\n\nLegal: {moves}.\n")
    return "\n".join(parts)


def _picture(block: RulePosition) -> str:
    """The position of a block with an arrow for every move."""
    position = block.position
    for text in block.played:
        position = position.play(position.parse_move(text))
    arrows = dict.fromkeys(
        Arrow(one.name, other.name) for move in position.legal_moves() for one, other in pairwise(move.path)
    )
    return position.svg(size=SMALL, arrows=list(arrows))


def _tail(rules: DraughtsRules | MancalaRules, family: Family) -> Iterator[str]:
    if rules.note:
        disputed = isinstance(rules, DraughtsRules) and rules.provisional
        fields = (
            "\n\nThe words in code are fields of the rules: [](../rules.md) says how to change them."
            if disputed
            else ""
        )
        yield f"## {'Disputed' if disputed else 'Note'}\n\n{rules.note}{fields}\n"
    yield _counts(rules, family)
    yield f"## Sources\n\n{''.join(f'- {source}{chr(10)}' for source in rules.sources)}"


def _counts(rules: DraughtsRules | MancalaRules, family: Family) -> str:
    """How many ways the game can go from the start, and who counted them."""
    (block,) = (each for each in read_perft(family.folder / f"{rules.name}.perft", family) if each.name == "start")
    counts = list(islice(block.counts.items(), DEPTHS))
    head = "| moves | " + " | ".join(str(depth) for depth, _ in counts) + " |"
    line = "| --- |" + " ---: |" * len(counts)
    row = "| ways | " + " | ".join(f"{count:,}" for _, count in counts) + " |"
    sources = "".join(f"- {source}\n" for source in block.sources)
    return (
        "## Counts\n\nSo many ways a game can go from the start (perft), by the number of moves of both sides:\n\n"
        f"{head}\n{line}\n{row}\n\nWhere these and the deeper ones come from:\n\n{sources}"
    )
