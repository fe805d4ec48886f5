"""What the pages say of each variant is what its rules say, and all that they say."""

from __future__ import annotations

import enum
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tablemen import Side, mancala
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.rules import Criterion, Direction, KingLanding, Promotion
from tablemen.draws import Repetition
from tools.pages import draughts_words, draw_list, mancala_words, variant_pages, variant_table

VARIANT_NAMES = [*VARIANTS, *mancala.VARIANTS]
# Fields that say how a variant is called and written, and not how it is played.
NAMING = (
    *("name", "title", "aliases", "game_type", "notation", "first_square", "capture_separator"),
    *("provisional", "note", "sources"),
)


def test_variants_that_read_alike_in_the_pages_play_alike() -> None:
    by_row: dict[tuple[str, ...], DraughtsRules] = {}
    for rules in VARIANTS.values():
        _, _, *told, _ = variant_table.variant_row(rules)  # all but the name, the title and the GameType
        told += (draw_list.draw_line(rule) for rule in rules.draws)
        twin = by_row.setdefault(tuple(told), rules)
        assert rules == replace(twin, **{name: getattr(rules, name) for name in NAMING}), f"{rules} and {twin}"


@pytest.fixture(scope="module")
def variant_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("variants")
    (folder / "old.md").write_text("a variant that is no more", encoding="utf-8")
    variant_pages.write_pages(folder)
    return folder


def test_every_variant_has_a_page_and_nothing_else_has(variant_folder: Path) -> None:
    assert {page.stem for page in variant_folder.glob("*.md")} == set(VARIANT_NAMES)
    shown = {
        picture
        for page in variant_folder.glob("*.md")
        for picture in re.findall(r"\]\((.*?\.svg)\)", page.read_text(encoding="utf-8"))
    }
    assert {picture.name for picture in variant_folder.glob("*.svg")} == shown
    assert all(ET.parse(picture) for picture in variant_folder.glob("*.svg"))


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_page_of_a_variant_has_what_there_is_to_say(variant_folder: Path, name: str) -> None:
    text = (variant_folder / f"{name}.md").read_text(encoding="utf-8")
    rules = VARIANTS.get(name) or mancala.VARIANTS[name]
    assert text.startswith(f"# {rules}\n")
    assert f"tablemen play {name}\n" in text
    assert rules.note in text
    assert all(f"- {source}\n" in text for source in rules.sources)
    assert not re.search(r"\b(None|True|False)\b|\w+\.[A-Z_]{3,}|\{|  +\w|,,|\.\.(?!/)|,\.", text)
    if isinstance(rules, DraughtsRules):
        assert all(f"- {draw_list.draw_line(rule)}\n" in text for rule in rules.draws)
        assert Position.start(rules).fen() in text


def test_pages_that_are_as_they_were_are_left_alone(variant_folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in variant_folder.iterdir()}
    variant_pages.write_pages(variant_folder)
    assert {path: path.stat().st_mtime_ns for path in variant_folder.iterdir()} == before


def draughts_text(rules: DraughtsRules) -> str:
    """All that is said of the rules of a variant, notation aside."""
    words = draughts_words
    tellers = (words.tell_board, words.tell_men, words.tell_kings, words.tell_captures, words.tell_end)
    return " ".join(sentence for tell in tellers for sentence in tell(rules))


# A field changed in a rule set where it makes a difference must change what the page says.
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("international", {"columns": 12}),
    ("international", {"corner_playable": False}),
    ("international", {"start_rows": 3}),
    ("international", {"start_gap": 1, "start_rows": 3}),
    ("international", {"first": Side.BLACK}),
    ("international", {"man_moves": Direction.FORWARD_LEFT | Direction.FORWARD_RIGHT | Direction.RIGHT}),
    ("international", {"man_captures": Direction.FORWARD_DIAGONALS}),
    ("international", {"men_capture_kings": False}),
    *(("international", {"promotion": each}) for each in (Promotion.STOPS, Promotion.IN_FLIGHT)),
    ("international", {"flying_kings": False}),
    ("international", {"king_moves": Direction.ALL}),
    ("international", {"king_captures": Direction.ALL}),
    *(("international", {"king_landing": each}) for each in KingLanding if each is not KingLanding.ANY),
    ("international", {"king_move_limit": 3}),
    ("international", {"capture_compulsory": False}),
    *(("italian", {"precedence": VARIANTS["italian"].precedence[:count]}) for count in range(4)),
    ("international", {"precedence": (Criterion.WITH_KING,)}),
    ("turkish", {"removal": VARIANTS["international"].removal}),
    ("turkish", {"reverse_captures": True}),
    ("international", {"losing": True}),
    ("international", {"breakthrough": True}),
    ("international", {"lone_piece_loses": True}),
    ("international", {"lone_man_loses_to_king": True}),
]


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=str)
def test_every_rule_of_draughts_is_told(name: str, change: dict[str, Any]) -> None:
    rules = VARIANTS[name]
    assert draughts_text(replace(rules, **change)) != draughts_text(rules)


def test_every_rule_of_draughts_is_changed_here() -> None:
    told = {field for _, change in CHANGES for field in change}
    written = {field.name for field in fields(DraughtsRules)} - {*NAMING, "draws", "rows", "playable"}
    assert told == written


def mancala_text(rules: mancala.MancalaRules) -> str:
    """All that is said of the rules of a mancala game, notation aside."""
    words = mancala_words
    tellers = (words.tell_board, words.tell_sowing, words.tell_captures, words.tell_end)
    return " ".join(sentence for tell in tellers for sentence in tell(rules))


def test_every_rule_of_mancala_is_told() -> None:
    for rules in (mancala.KALAH, mancala.OWARE):
        told = {mancala_text(rules)}
        changes: list[dict[str, Any]] = [{"houses": 7}, {"seeds": 1}, {"draws": (Repetition(5),)}]
        for field in fields(rules):
            value = getattr(rules, field.name)
            if isinstance(value, bool):
                changes.append({field.name: not value})
            elif isinstance(value, enum.Enum):
                changes += [{field.name: each} for each in type(value) if each is not value]
        texts = {mancala_text(replace(rules, **change)) for change in changes}
        assert len(texts - told) == len(changes)
