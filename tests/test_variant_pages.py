"""Test that the generated pages describe every rule of every variant."""

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
from tools.pages import draughts_text, draw_list, mancala_text, variant_pages, variant_table

VARIANT_NAMES = [*VARIANTS, *mancala.VARIANTS]
# Fields about the name and the notation of a variant, which do not affect play.
NAMING = (
    *("name", "title", "aliases", "game_type", "notation", "first_square", "capture_separator"),
    *("provisional", "note", "sources"),
)


def test_variants_with_the_same_description_have_the_same_rules() -> None:
    by_row: dict[tuple[str, ...], DraughtsRules] = {}
    for rules in VARIANTS.values():
        _, _, *described, _ = variant_table.variant_row(rules)  # without name, title and GameType
        described += (draw_list.draw_line(rule) for rule in rules.draws)
        twin = by_row.setdefault(tuple(described), rules)
        assert rules == replace(twin, **{name: getattr(rules, name) for name in NAMING}), f"{rules} and {twin}"


@pytest.fixture(scope="module")
def variant_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("variants")
    (folder / "old.md").write_text("a removed variant", encoding="utf-8")
    variant_pages.write_pages(folder)
    return folder


def test_folder_has_a_page_per_variant_and_their_pictures_only(variant_folder: Path) -> None:
    assert {page.stem for page in variant_folder.glob("*.md")} == set(VARIANT_NAMES)
    shown = {
        picture
        for page in variant_folder.glob("*.md")
        for picture in re.findall(r"\]\((.*?\.svg)\)", page.read_text(encoding="utf-8"))
    }
    assert {picture.name for picture in variant_folder.glob("*.svg")} == shown
    assert all(ET.parse(picture) for picture in variant_folder.glob("*.svg"))


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_page_has_command_note_sources_and_draw_rules(variant_folder: Path, name: str) -> None:
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


def test_unchanged_pages_are_not_rewritten(variant_folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in variant_folder.iterdir()}
    variant_pages.write_pages(variant_folder)
    assert {path: path.stat().st_mtime_ns for path in variant_folder.iterdir()} == before


def describe_draughts(rules: DraughtsRules) -> str:
    """Return the description of the rules of a variant, without the notation."""
    parts = (
        draughts_text.describe_board,
        draughts_text.describe_men,
        draughts_text.describe_kings,
        draughts_text.describe_captures,
        draughts_text.describe_end,
    )
    return " ".join(sentence for describe in parts for sentence in describe(rules))


# Changes of a field, in a variant where the change matters. The description must change too.
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
def test_changed_draughts_rule_changes_the_description(name: str, change: dict[str, Any]) -> None:
    rules = VARIANTS[name]
    assert describe_draughts(replace(rules, **change)) != describe_draughts(rules)


def test_changes_cover_every_draughts_rule() -> None:
    changed = {field for _, change in CHANGES for field in change}
    assert changed == {field.name for field in fields(DraughtsRules)} - {*NAMING, "draws", "rows", "playable"}


def describe_mancala(rules: mancala.MancalaRules) -> str:
    """Return the description of the rules of a mancala game, without the notation."""
    parts = (
        mancala_text.describe_board,
        mancala_text.describe_sowing,
        mancala_text.describe_captures,
        mancala_text.describe_end,
    )
    return " ".join(sentence for describe in parts for sentence in describe(rules))


def test_changed_mancala_rule_changes_the_description() -> None:
    for rules in (mancala.KALAH, mancala.OWARE):
        unchanged = {describe_mancala(rules)}
        changes: list[dict[str, Any]] = [{"houses": 7}, {"seeds": 1}, {"draws": (Repetition(5),)}]
        for field in fields(rules):
            value = getattr(rules, field.name)
            if isinstance(value, bool):
                changes.append({field.name: not value})
            elif isinstance(value, enum.Enum):
                changes += [{field.name: each} for each in type(value) if each is not value]
        texts = {describe_mancala(replace(rules, **change)) for change in changes}
        assert len(texts - unchanged) == len(changes)
