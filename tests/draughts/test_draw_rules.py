"""Draw rules as values: what makes them nonsense, how they are told, and whether they are those of the rule table."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, InvalidRulesError, Outcome, Termination
from tablemen.draughts import INTERNATIONAL, VARIANTS, Position
from tablemen.draughts.draws import DrawnMaterial, Force, Material, MoveCount, Threat, ZeroingMove
from tablemen.draws import DrawRule, Repetition
from tests.guided_play import DraughtsGame

SHARED = Path(__file__).parents[3] / "shared" / "rules" / "variants.json"


@pytest.mark.parametrize("name", VARIANTS)
def test_draw_rules_are_values(name: str) -> None:
    draws = VARIANTS[name].draws
    names = {
        each.__name__: each
        for each in (Repetition, MoveCount, DrawnMaterial, Material, Force, ZeroingMove, Threat, Termination)
    }
    assert eval(repr(draws), names) == draws
    assert pickle.loads(pickle.dumps(draws)) == draws
    assert hash(pickle.loads(pickle.dumps(draws))) == hash(draws)
    assert len(set(map(str, draws))) == len(draws)


KINGS = Termination.KING_MOVES
ONE = Force(pieces=(1, 1))


@pytest.mark.parametrize(
    ("draws", "problem"),
    [
        ([Repetition(3)], r"draws is \[.*\], not of type tuple"),
        (("repetition",), "draws has 'repetition', not a DrawRule"),
        ((Repetition(3), Repetition(3)), "draws contains a rule twice"),
        ((Repetition(1),), "in Repetition, times is 1, not a whole number from 2 up"),
        ((Repetition(True),), "times is True"),  # noqa: FBT003
        ((Repetition("3"),), "times is '3'"),  # type: ignore[arg-type]
        ((Repetition(3, article=6),), "article is 6, not of type str"),  # type: ignore[arg-type]
        ((Repetition(3, by_claim=1),), "by_claim is 1, not of type bool"),  # type: ignore[arg-type]
        ((Repetition(3, termination="again"),), "termination is 'again'"),  # type: ignore[arg-type]
        ((MoveCount(0, termination=KINGS),), "in MoveCount, plies is 0, not a whole number from 1 up"),
        ((MoveCount(9, termination=KINGS, resets=3),), "resets is 3, not of type ZeroingMove"),  # type: ignore[arg-type]
        ((MoveCount(9, termination=KINGS, within=ONE),), "within is Force"),  # type: ignore[arg-type]
        ((MoveCount(9, termination=KINGS, outside=Material(ONE, ONE, (3, 2))),), "outside is Material"),
        (
            (MoveCount(9, termination=KINGS, outside=Material(ONE, Force(on_long_diagonal=True))),),
            "outside cannot require the long diagonal",
        ),
        ((DrawnMaterial(ONE, termination=KINGS),), "material is Force"),  # type: ignore[arg-type]
        ((DrawnMaterial(Material(ONE, ONE), termination=KINGS, unless=True),), "unless is True"),  # type: ignore[arg-type]
        ((DrawnMaterial(Material(ONE, Force(men=(0,))), termination=KINGS),), "material is Material"),  # type: ignore[arg-type]
    ],
)
def test_nonsense_is_refused_and_named(draws: Any, problem: str) -> None:
    with pytest.raises(InvalidRulesError, match=problem) as caught:
        replace(INTERNATIONAL, name="mine", draws=draws)
    assert len(caught.value.problems) == 1


BY_RULE = {rule.termination for rules in VARIANTS.values() for rule in rules.draws}


@pytest.mark.parametrize("termination", sorted(set(Termination) - BY_RULE, key=str), ids=repr)
def test_other_endings_are_no_draws_by_a_rule(termination: Termination) -> None:
    with pytest.raises(InvalidRulesError, match="which is not a draw by a rule"):
        replace(INTERNATIONAL, name="mine", draws=(Repetition(3, termination=termination),))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (Repetition(4), "the same position for the 4th time"),
        (MoveCount(7, termination=KINGS), "7 moves of both sides together"),
        (
            MoveCount(8, termination=KINGS, resets=ZeroingMove.CROWNING, within=Material(ONE, Force(), (2, 5))),
            "4 moves each without a crowning with a piece against any pieces, 2-5 pieces on the board",
        ),
        (
            DrawnMaterial(Material(ONE, Force(kings=(1, 1), men=(2, 3))), termination=KINGS),
            "a piece against a king and 2-3 men, at once",
        ),
    ],
)
def test_a_rule_in_words(rule: DrawRule, text: str) -> None:
    assert str(rule) == text


def test_rules_of_ones_own() -> None:
    hasty = replace(INTERNATIONAL, name="hasty", draws=(MoveCount(3, termination=Termination.KING_MOVES),))
    game: DraughtsGame = Game(Position.start(hasty), ["32-28", "19-23", "28x19"])
    assert game.outcome() == Outcome(None, Termination.KING_MOVES)


@pytest.mark.skipif(not SHARED.exists(), reason=f"no {SHARED.name} beside the checkout")
def test_the_draws_of_the_rule_table_are_ours() -> None:
    table = {each["id"]: each["draws"] for each in json.loads(SHARED.read_text(encoding="utf-8"))["variants"]}
    assert set(table) <= set(VARIANTS)
    for name, told in table.items():
        limits = {_told(rule) for rule in told if rule["type"] != "agreement"}
        assert limits <= {(type(rule), rule.limit, rule.by_claim) for rule in VARIANTS[name].draws}, name


def _told(rule: dict[str, Any]) -> tuple[type, int, bool]:
    """The kind of a rule in the table, what it counts to, and whether it must be claimed."""
    by_claim = rule.get("mode") == "claim"
    if rule["type"] == "repetition":
        return Repetition, rule["count"], by_claim
    return (MoveCount, rule["plies"], by_claim) if rule["plies"] else (DrawnMaterial, 1, by_claim)
