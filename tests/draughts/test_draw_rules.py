"""Draw rules as values: problems, descriptions, and agreement with the rule table."""

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


INVALID_DRAWS: dict[str, Any] = {
    "in a list": [Repetition(3)],
    "as text": ("repetition",),
    "repeated": (Repetition(3), Repetition(3)),
    "times 1": (Repetition(1),),
    "times True": (Repetition(True),),  # noqa: FBT003
    "times as text": (Repetition("3"),),  # type: ignore[arg-type]
    "article 6": (Repetition(3, article=6),),  # type: ignore[arg-type]
    "by_claim 1": (Repetition(3, by_claim=1),),  # type: ignore[arg-type]
    "termination as text": (Repetition(3, termination="again"),),  # type: ignore[arg-type]
    "plies 0": (MoveCount(0, termination=KINGS),),
    "resets 3": (MoveCount(9, termination=KINGS, resets=3),),  # type: ignore[arg-type]
    "within a Force": (MoveCount(9, termination=KINGS, within=ONE),),  # type: ignore[arg-type]
    "outside a wrong range": (MoveCount(9, termination=KINGS, outside=Material(ONE, ONE, (3, 2))),),
    "outside the long diagonal": (
        MoveCount(9, termination=KINGS, outside=Material(ONE, Force(on_long_diagonal=True))),
    ),
    "material of a Force": (DrawnMaterial(ONE, termination=KINGS),),  # type: ignore[arg-type]
    "unless True": (DrawnMaterial(Material(ONE, ONE), termination=KINGS, unless=True),),  # type: ignore[arg-type]
    "material of a wrong range": (
        DrawnMaterial(Material(ONE, Force(men=(0,))), termination=KINGS),  # type: ignore[arg-type]
    ),
    "by resignation": (Repetition(3, termination=Termination.RESIGNATION),),
}


@pytest.mark.parametrize("draws", INVALID_DRAWS.values(), ids=INVALID_DRAWS)
def test_invalid_draw_rule_is_one_problem(draws: Any) -> None:
    with pytest.raises(InvalidRulesError) as caught:
        replace(INTERNATIONAL, name="mine", draws=draws)
    assert len(caught.value.problems) == 1


BY_RULE = {rule.termination for rules in VARIANTS.values() for rule in rules.draws}


@pytest.mark.parametrize("termination", sorted(set(Termination) - BY_RULE, key=str), ids=repr)
def test_termination_that_is_not_a_draw_is_rejected(termination: Termination) -> None:
    with pytest.raises(InvalidRulesError, match=termination.name) as caught:
        replace(INTERNATIONAL, name="mine", draws=(Repetition(3, termination=termination),))
    assert len(caught.value.problems) == 1


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
def test_description_of_a_rule(rule: DrawRule, text: str) -> None:
    assert str(rule) == text


def test_custom_draw_rule() -> None:
    hasty = replace(INTERNATIONAL, name="hasty", draws=(MoveCount(3, termination=Termination.KING_MOVES),))
    game: DraughtsGame = Game(Position.start(hasty), ["32-28", "19-23", "28x19"])
    assert game.outcome() == Outcome(None, Termination.KING_MOVES)


@pytest.mark.skipif(not SHARED.exists(), reason=f"no {SHARED.name} beside the checkout")
def test_variants_have_the_draws_of_the_rule_table() -> None:
    table = {each["id"]: each["draws"] for each in json.loads(SHARED.read_text(encoding="utf-8"))["variants"]}
    assert set(table) <= set(VARIANTS)
    for name, draws in table.items():
        limits = {_parse_rule(rule) for rule in draws if rule["type"] != "agreement"}
        assert limits <= {(type(rule), rule.limit, rule.by_claim) for rule in VARIANTS[name].draws}, name


def _parse_rule(rule: dict[str, Any]) -> tuple[type, int, bool]:
    """Return type, limit and `by_claim` of a rule in the table."""
    by_claim = rule.get("mode") == "claim"
    if rule["type"] == "repetition":
        return Repetition, rule["count"], by_claim
    return (MoveCount, rule["plies"], by_claim) if rule["plies"] else (DrawnMaterial, 1, by_claim)
