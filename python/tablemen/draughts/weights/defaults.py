"""Weights by rule of thumb, from the rule fields alone: every rule set has an opponent that knows what it plays for."""

from __future__ import annotations

from collections.abc import Callable

from tablemen.draughts.numbering import Playable
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.weights.model import Pair, Weights, pairs, view

MAN = 1000
FLYING_KING, SHORT_KING = 3000, 1400
FURTHER_FLYING_KING = 2000  # many kings are hardly more than one where they fly


def material_weights(rules: DraughtsRules) -> Weights:
    """Men and kings, and nothing else. Where the side without a move wins, each is a burden.

    >>> from tablemen.draughts import VARIANTS
    >>> [material_weights(VARIANTS[name]).counts["man"] for name in ("russian", "poddavki")]
    [(1000, 1000), (-1000, -1000)]
    """
    nothing = ((0, 0),) * len(view(rules))
    return Weights(full=full_board(rules), counts=_material(rules), men=nothing, kings=nothing)


def default_weights(rules: DraughtsRules) -> Weights:
    """What can be said of any rule set: material, men that get on and keep together, room for men and kings.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> default_weights(INTERNATIONAL).counts["man"]
    (1000, 1000)
    """
    men, kings = _men(rules), _kings(rules)
    counts = _material(rules) | _standing(rules)
    if rules.losing:
        # Nobody has a rule of thumb for where to stand in order to be captured.
        men = kings = ((0, 0),) * len(men)
        counts = _material(rules) | {"step": (20, 40), "turn": (30, 30)}
    return Weights(full=full_board(rules), counts=counts, men=men, kings=kings)


def full_board(rules: DraughtsRules) -> int:
    """The number of pieces that games begin with; where these are few, that of a board half full."""
    squares = rules.rows * rules.columns // (1 if rules.playable is Playable.ALL else 2)
    start = 2 * rules.start_rows * squares // rules.rows
    return max(start, squares // 2)


def _material(rules: DraughtsRules) -> dict[str, Pair]:
    king = FLYING_KING if rules.flying_kings else SHORT_KING
    further = FURTHER_FLYING_KING if rules.flying_kings else SHORT_KING
    sign = -1 if rules.losing else 1
    if rules.losing:
        king = further = MAN
    return {
        "man": (sign * MAN, sign * MAN),
        "king": (sign * king, sign * king),
        "further_king": (sign * further, sign * further),
    }


def _standing(rules: DraughtsRules) -> dict[str, Pair]:
    """How men and kings stand."""
    runner = (500, 1500) if rules.breakthrough else (150, 300)
    lone_kings = {"further_king_against_king": (-800, -1500)} if rules.flying_kings else {}
    return lone_kings | {
        "turn": (30, 30),
        "support": (12, 6),
        "loose": (-8, -4),
        "hanging": (-150, -150),
        "step": (6, 12),
        "stuck": (-6, -20),
        "runner": runner,
        "imbalance": (-10, -5),
        "king_reach": (8, 8),
        "king_denied": (-2, -2),
        "king_trapped": (-300, -300) if rules.flying_kings else (-100, -100),
    }


def _men(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Men gain as they get on, most near the far row; those at home guard it, those in the middle rule the board."""
    last = rules.rows - 1
    goal = 1200 if rules.breakthrough else 250

    def opening(row: int, column: int) -> float:
        way = (last - row) / last
        home = 0.08 if row == last and not rules.breakthrough else 0
        return MAN * (home + 0.04 * way + 0.03 * _centre(column, rules.columns)) + 0.4 * goal * way**3

    def ending(row: int, _column: int) -> float:
        way = (last - row) / last
        return 0.06 * MAN * way + goal * way**3

    return _seen(rules, opening, ending)


def _kings(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Kings stand better in the middle, where they see more; on edges they are shut in."""

    def value(row: int, column: int) -> float:
        return 0.1 * MAN * (_centre(column, rules.columns) + _centre(row, rules.rows) - 1)

    return _seen(rules, value, value)


def _centre(place: int, size: int) -> float:
    """1 in the middle of a row or column, 0 at its ends."""
    return 1 - abs(2 * place - (size - 1)) / (size - 1)


def _seen(
    rules: DraughtsRules, opening: Callable[[int, int], float], ending: Callable[[int, int], float]
) -> tuple[Pair, ...]:
    squares = view(rules)
    return pairs((round(opening(*square)) for square in squares), (round(ending(*square)) for square in squares))
