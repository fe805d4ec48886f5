"""The known variants: names, suggestions, sources, and agreement with the rule table."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import UnknownVariantError
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, DraughtsRules, Position, find_variant
from tablemen.draughts.board import Corner, Notation
from tablemen.mancala import KALAH

SHARED = Path(__file__).parents[3] / "shared" / "rules" / "variants.json"


@pytest.mark.parametrize("name", VARIANTS)
def test_variant_is_found_by_all_its_names(name: str) -> None:
    rules = VARIANTS[name]
    for each in (rules.name, rules.title, *rules.aliases):
        assert find_variant(each) is find_variant(f" {each.upper()} ") is rules
    if rules.game_type is not None:
        assert find_variant(str(rules.game_type_tag)) is rules
    assert find_variant(rules) is rules


def test_names_are_unique() -> None:
    names = Counter(
        each for rules in VARIANTS.values() for each in {rules.name, rules.title.casefold(), *rules.aliases}
    )
    assert [name for name, times in names.items() if times > 1] == []
    assert [name for name in VARIANTS if VARIANTS[name].name != name] == []


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (20, "international"),
        ("20", "international"),
        (23, "pool"),
        ("23,B,8,8,A1,1", "jamaican"),
        ("Checkers", "english"),
    ],
)
def test_find_variant(given: str | int, name: str) -> None:
    assert find_variant(given).name == name


@pytest.mark.parametrize(
    ("given", "near"), [("brasilian", "brazilian"), ("Polsh", "international"), ("chekers", "english")]
)
def test_similar_name_is_suggested(given: str, near: str) -> None:
    with pytest.raises(UnknownVariantError, match=f"'{given}'.*{near}") as caught:
        find_variant(given)
    assert near in caught.value.suggestions
    assert caught.value.name == given


@pytest.mark.parametrize("given", ["go", "", 99, 0])
def test_name_without_similar_ones_has_no_suggestions(given: str | int) -> None:
    with pytest.raises(UnknownVariantError) as caught:
        find_variant(given)
    assert caught.value.suggestions == ()


@pytest.mark.parametrize("other", [KALAH, 99, None])
def test_rules_of_another_family_are_rejected(other: Any) -> None:
    with pytest.raises(UnknownVariantError):
        Position.start(other)


@pytest.mark.parametrize("name", VARIANTS)
def test_provisional_variant_names_the_disputed_fields(name: str) -> None:
    rules = VARIANTS[name]
    assert rules.sources
    assert rules.provisional == bool(rules.note)
    disputed = set(re.findall(r"`(\w+)`", rules.note))
    assert disputed <= {field.name for field in fields(DraughtsRules)}
    assert bool(disputed) == rules.provisional


def test_variants_are_immutable() -> None:
    with pytest.raises(TypeError):
        VARIANTS["mine"] = INTERNATIONAL  # type: ignore[index]
    assert VARIANTS["english"] is ENGLISH


@pytest.mark.skipif(not SHARED.exists(), reason=f"no {SHARED.name} beside the checkout")
def test_tags_and_starts_agree_with_the_rule_table() -> None:
    table = {each["id"]: each for each in json.loads(SHARED.read_text(encoding="utf-8"))["variants"]}
    assert set(table) <= set(VARIANTS)
    for name, row in table.items():
        rules = VARIANTS[name]
        assert rules.game_type_tag == row["notation"]["pdn_full"]
        uniform = replace(rules, name="uniform", notation=Notation.NUMERIC, first_square=Corner.TOP_LEFT)
        start = Position.from_fen(row["setup"]["fen_uniform"], uniform)
        assert start == Position.start(uniform)


def test_square_is_immutable() -> None:
    square = VARIANTS["russian"].mover.squares[0]
    with pytest.raises(AttributeError, match=r"\bname\b"):
        square.name = "z9"
    assert square.name == "b8"
