"""Rule sets as values: what they refuse, how they are found and copied."""

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
    ("change", "problem"),
    [
        ({"name": " "}, "name is empty"),
        ({"houses": 0}, "houses is 0, not 1 to 24"),
        ({"houses": 25}, "houses is 25, not 1 to 24"),
        ({"seeds": 0}, "seeds is 0, not 1 or more"),
        ({"seeds": 5462}, "5462 seeds in each house are more than 65535 on the board"),
        ({"seeds": True}, "seeds is True, not of type int"),
        ({"houses": 6.0}, "houses is 6.0, not of type int"),
        ({"capture": "even"}, "capture is 'even', not of type Capture"),
        ({"end": Capture.OPPOSITE_NOT_EMPTY}, "not of type End"),
        ({"draws": [Repetition(3)]}, "draws is"),
        ({"draws": ("never",)}, "draws has 'never', not a DrawRule"),
        ({"draws": (Repetition(3), Repetition(3))}, "draws contains a rule twice"),
        ({"draws": (Repetition(1),)}, "draws: in Repetition, times is 1"),
        ({"aliases": (1,)}, "aliases has 1, not a str"),
    ],
)
def test_rules_that_cannot_be_played(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidRulesError, match=problem):
        replace(KALAH, **change)


def test_oware_has_its_own_fields() -> None:
    with pytest.raises(InvalidRulesError, match="must_feed is 1, not of type bool"):
        replace(OWARE, must_feed=1)  # type: ignore[arg-type]
    with pytest.raises(InvalidRulesError, match="grand_slam is None"):
        replace(OWARE, grand_slam=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=str)
def test_a_variant_is_found_by_everything_it_is_called(rules: MancalaRules) -> None:
    for name in (rules.name, rules.title, *rules.aliases, rules.name.upper(), f" {rules.name} "):
        assert find_variant(name) is rules
    assert find_variant(rules) is rules
    assert rules.title
    assert rules.note
    assert rules.sources


def test_names_are_taken_once() -> None:
    names = [{rules.name, rules.title.casefold(), *rules.aliases} for rules in VARIANTS.values()]
    assert len(set().union(*names)) == sum(map(len, names))


@pytest.mark.parametrize(("name", "near"), [("kala", ("kalah",)), ("owari", ("oware",))])
def test_an_unknown_variant_brings_near_ones(name: str, near: tuple[str, ...]) -> None:
    with pytest.raises(UnknownVariantError, match="did you mean") as caught:
        Position.start(name)
    assert set(near) <= set(caught.value.suggestions)


def test_an_unknown_variant_that_is_near_to_none_brings_none() -> None:
    with pytest.raises(UnknownVariantError, match="`tablemen variants` lists them all") as caught:
        Position.start("zzz")
    assert caught.value.suggestions == ()


@pytest.mark.parametrize("other", [INTERNATIONAL, 20, None])
def test_rules_of_another_family_are_no_variant(other: Any) -> None:
    with pytest.raises(UnknownVariantError):
        Position.start(other)


@pytest.mark.parametrize("rules", [*VARIANTS.values(), replace(KALAH, name="own", seeds=5)], ids=str)
def test_rules_are_copied_whole(rules: MancalaRules) -> None:
    Position.start(rules)  # makes the compiled mover, which is not copied
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules
    assert hash(copy) == hash(rules)
    assert Position.start(copy) == Position.start(rules)


def test_the_presets_differ_as_they_say() -> None:
    kalah, irving, kgp, open_spiel, fairkalah = (VARIANTS[name] for name in list(VARIANTS)[:5])
    assert all(isinstance(each, KalahRules) for each in (kalah, irving, kgp, open_spiel, fairkalah))

    def played(rules: MancalaRules) -> tuple[object, ...]:
        return tuple(getattr(rules, name) for name in ("capture", "end", "rest", "swap", "houses", "seeds"))

    assert played(kalah)[:2] == (Capture.OPPOSITE_NOT_EMPTY, End.MOVER_EMPTY)
    assert played(irving)[:2] == (Capture.EVEN_IF_OPPOSITE_EMPTY, End.EITHER_EMPTY)
    assert played(kgp)[:2] == (Capture.OPPOSITE_NOT_EMPTY, End.EITHER_EMPTY_OR_MAJORITY)
    assert played(open_spiel)[:2] == (Capture.OPPOSITE_NOT_EMPTY, End.EITHER_EMPTY)
    assert played(fairkalah) == played(irving)
    assert {played(each)[2:] for each in (kalah, irving, kgp, open_spiel)} == {played(kalah)[2:]}
    assert {field.name for field in fields(kalah)} > {"draws", "note", "sources"}
