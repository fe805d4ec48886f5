"""Default weights, from the rule fields alone, so that every rule set has an evaluation."""

from __future__ import annotations

from collections.abc import Callable

from tablemen.draughts.numbering import Playable
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.weights.model import Pair, Weights, pairs, view

MAN = 1000
FLYING_KING, SHORT_KING = 3000, 1400
FURTHER_FLYING_KING = 2000  # with flying kings, further kings add less than the first


def material_weights(rules: DraughtsRules) -> Weights:
    """Return weights for material only. They are negative if the side without a move wins.

    >>> from tablemen.draughts import VARIANTS
    >>> [material_weights(VARIANTS[name]).counts["man"] for name in ("russian", "poddavki")]
    [(1000, 1000), (-1000, -1000)]
    """
    nothing = ((0, 0),) * len(view(rules))
    return Weights(full=full_board(rules), counts=_material(rules), men=nothing, kings=nothing)


def default_weights(rules: DraughtsRules) -> Weights:
    """Return default weights: material, advanced and supported men, mobility of men and kings.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> default_weights(INTERNATIONAL).counts["man"]
    (1000, 1000)
    """
    men, kings = _men(rules), _kings(rules)
    counts = _material(rules) | _standing(rules)
    if rules.losing:
        # No piece-square tables are known for losing variants.
        men = kings = ((0, 0),) * len(men)
        counts = _material(rules) | {"step": (20, 40), "turn": (30, 30)}
    return Weights(full=full_board(rules), counts=counts, men=men, kings=kings)


def full_board(rules: DraughtsRules) -> int:
    """Return the number of pieces at the start, or that of a half full board if it is greater."""
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
    """Return the weights for structure and mobility."""
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
    """Return the piece-square table of men: better when advanced, on the own first row and in the centre."""
    last = rules.rows - 1
    goal = 1200 if rules.breakthrough else 250

    def opening(row: int, column: int) -> float:
        way = (last - row) / last
        home = 0.08 if row == last and not rules.breakthrough else 0
        return MAN * (home + 0.04 * way + 0.03 * _centre(column, rules.columns)) + 0.4 * goal * way**3

    def ending(row: int, _column: int) -> float:
        way = (last - row) / last
        return 0.06 * MAN * way + goal * way**3

    return _piece_square_table(rules, opening, ending)


def _kings(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Return the piece-square table of kings: better in the centre than on the edges."""

    def value(row: int, column: int) -> float:
        return 0.1 * MAN * (_centre(column, rules.columns) + _centre(row, rules.rows) - 1)

    return _piece_square_table(rules, value, value)


def _centre(place: int, size: int) -> float:
    """Return 1 in the middle of a row or column, 0 at its ends."""
    return 1 - abs(2 * place - (size - 1)) / (size - 1)


def _piece_square_table(
    rules: DraughtsRules, opening: Callable[[int, int], float], ending: Callable[[int, int], float]
) -> tuple[Pair, ...]:
    squares = view(rules)
    return pairs((round(opening(*square)) for square in squares), (round(ending(*square)) for square in squares))
