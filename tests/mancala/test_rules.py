"""Rule sets as values: invalid fields, lookup by name, and copies."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from typing import Any

import pytest

from tablemen import InvalidRulesError, UnknownVariantError
from tablemen.draughts import INTERNATIONAL
from tablemen.draws import Repetition
from tablemen.mancala import KALAH, OWARE, VARIANTS, Capture, End, KalahRules, MancalaRules, Position, find_variant


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"name": " "}, "name is empty"),
        ({"houses": 0}, "not 0"),
        ({"houses": 25}, "not 25"),
        ({"seeds": 0}, "not 0"),
        ({"seeds": 5462}, "5462"),
        ({"seeds": True}, "int"),
        ({"houses": 6.0}, "int"),
        ({"capture": "even"}, "Capture"),
        ({"end": Capture.OPPOSITE_NOT_EMPTY}, "End"),
        ({"draws": [Repetition(3)]}, "tuple"),
        ({"draws": ("never",)}, "'never'"),
        ({"draws": (Repetition(3), Repetition(3))}, "twice"),
        ({"draws": (Repetition(1),)}, "Repetition"),
        ({"aliases": (1,)}, "str"),
    ],
)
def test_invalid_fields(change: dict[str, Any], fact: str) -> None:
    with pytest.raises(InvalidRulesError) as caught:
        replace(KALAH, **change)
    (problem,) = caught.value.problems
    (name,) = change
    assert name in problem
    assert fact in problem


@pytest.mark.parametrize(("name", "value"), [("must_feed", 1), ("grand_slam", None)])
def test_invalid_fields_of_oware(name: str, value: Any) -> None:
    with pytest.raises(InvalidRulesError) as caught:
        replace(OWARE, **{name: value})
    (problem,) = caught.value.problems
    assert name in problem


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=str)
def test_variants_are_found_by_name_title_and_alias(rules: MancalaRules) -> None:
    for name in (rules.name, rules.title, *rules.aliases, rules.name.upper(), f" {rules.name} "):
        assert find_variant(name) is rules
    assert find_variant(rules) is rules
    assert rules.title
    assert rules.note
    assert rules.sources


def test_names_are_unique() -> None:
    names = [{rules.name, rules.title.casefold(), *rules.aliases} for rules in VARIANTS.values()]
    assert len(set().union(*names)) == sum(map(len, names))


@pytest.mark.parametrize(("name", "near"), [("kala", ("kalah",)), ("owari", ("oware",))])
def test_an_unknown_name_has_suggestions(name: str, near: tuple[str, ...]) -> None:
    with pytest.raises(UnknownVariantError) as caught:
        Position.start(name)
    assert set(near) <= set(caught.value.suggestions)


def test_a_name_like_no_other_has_no_suggestions() -> None:
    with pytest.raises(UnknownVariantError) as caught:
        Position.start("zzz")
    assert caught.value.suggestions == ()


@pytest.mark.parametrize("other", [INTERNATIONAL, 20, None])
def test_rules_of_another_family_are_unknown(other: Any) -> None:
    with pytest.raises(UnknownVariantError):
        Position.start(other)


@pytest.mark.parametrize("rules", [*VARIANTS.values(), replace(KALAH, name="own", seeds=5)], ids=str)
def test_rules_can_be_pickled(rules: MancalaRules) -> None:
    Position.start(rules)  # creates the compiled mover, which is not pickled
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules
    assert hash(copy) == hash(rules)
    assert Position.start(copy) == Position.start(rules)


def test_fields_of_the_known_rule_sets() -> None:
    kalah, irving, kgp, open_spiel, fairkalah = (VARIANTS[name] for name in list(VARIANTS)[:5])
    assert all(isinstance(each, KalahRules) for each in (kalah, irving, kgp, open_spiel, fairkalah))

    def get_fields(rules: MancalaRules) -> tuple[object, ...]:
        return tuple(getattr(rules, name) for name in ("capture", "end", "rest", "swap", "houses", "seeds"))

    assert get_fields(kalah)[:2] == (Capture.OPPOSITE_NOT_EMPTY, End.MOVER_EMPTY)
    assert get_fields(irving)[:2] == (Capture.EVEN_IF_OPPOSITE_EMPTY, End.EITHER_EMPTY)
    assert get_fields(kgp)[:2] == (Capture.OPPOSITE_NOT_EMPTY, End.EITHER_EMPTY_OR_MAJORITY)
    assert get_fields(open_spiel)[:2] == (Capture.OPPOSITE_NOT_EMPTY, End.EITHER_EMPTY)
    assert get_fields(fairkalah) == get_fields(irving)
    assert {get_fields(each)[2:] for each in (kalah, irving, kgp, open_spiel)} == {get_fields(kalah)[2:]}
    assert {field.name for field in fields(kalah)} > {"draws", "note", "sources"}
