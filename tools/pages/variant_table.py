"""The table of draughts variants, generated from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from tablemen.draughts import VARIANTS, DraughtsRules, Kind, Position
from tablemen.draughts.board import Playable
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal

HEADINGS = (
    "name",
    "game",
    "board",
    "men",
    "first move",
    "kings",
    "men capture",
    "capture priority",
    "crowned in a capture",
    "other rules",
    "PDN",
)
CRITERIA = {
    Criterion.MOST_PIECES: "most pieces",
    Criterion.MOST_KINGS: "most kings",
    Criterion.WITH_KING: "with a king",
    Criterion.KINGS_FIRST: "kings first",
}
PROMOTIONS = {
    Promotion.AT_END: "if it ends there",
    Promotion.STOPS: "and stops",
    Promotion.IN_FLIGHT: "and continues",
}
LANDINGS = {
    KingLanding.BEHIND_EACH: "kings stop right behind each piece",
    KingLanding.BEHIND_LAST: "kings end right behind the last piece",
    KingLanding.BEHIND_LAST_KING: "kings end right behind a king taken last",
}


def variant_table() -> str:
    """Return a Markdown table with a row per variant; † marks variants whose sources disagree."""
    rows = [HEADINGS, tuple("---" for _ in HEADINGS), *map(variant_row, VARIANTS.values())]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def variant_row(rules: DraughtsRules) -> tuple[str, ...]:
    """Return the cells of a variant, in the order of the headings."""
    return (
        f"`{rules.name}`",
        f"{rules}{' †' if rules.provisional else ''}",
        f"{rules.columns}×{rules.rows}{', all squares' if rules.playable is Playable.ALL else ''}",
        str(len(Position.start(rules).squares(rules.first, Kind.MAN))),
        str(rules.first),
        "flying" if rules.flying_kings else "short",
        capture_directions(rules.man_captures),
        ", then ".join(map(describe_criterion, rules.precedence)) or "free choice",
        PROMOTIONS[rules.promotion],
        ", ".join(other_rules(rules)),
        "" if rules.game_type is None else str(rules.game_type),
    )


def capture_directions(directions: Direction) -> str:
    """Return the directions in which men capture; diagonal unless stated."""
    ways = {
        "forward": Direction.FORWARD | Direction.FORWARD_DIAGONALS,
        "sideways": Direction.SIDEWAYS,
        "backward": Direction.BACKWARD | Direction.BACKWARD_DIAGONALS,
    }
    words = ", ".join(word for word, way in ways.items() if directions & way)
    return f"{straight}: {words}" if (straight := describe_orthogonals(directions)) else words


def describe_orthogonals(directions: Direction) -> str:
    """Return how the directions differ from diagonal ones, or an empty text."""
    if not directions & Direction.ORTHOGONALS:
        return ""
    return "straight and diagonally" if directions & Direction.DIAGONALS else "straight"


def describe_criterion(each: Criterion | MostValue) -> str:
    """Describe a criterion of precedence."""
    return f"most value (man {each.man}, king {each.king})" if isinstance(each, MostValue) else CRITERIA[each]


def other_rules(rules: DraughtsRules) -> Iterator[str]:
    """Yield the other differences from international draughts."""
    if rules.playable is Playable.ONE_COLOUR and not rules.corner_playable:
        yield "left corner not used"
    if straight := describe_orthogonals(rules.man_moves):
        yield f"men move {straight}"
    if not rules.men_capture_kings:
        yield "men cannot take kings"
    if rules.king_landing in LANDINGS:
        yield LANDINGS[rules.king_landing]
    if rules.king_move_limit:
        yield f"a king makes at most {rules.king_move_limit} quiet moves in a row"
    if rules.removal is Removal.AT_ONCE:
        yield "captured pieces are removed at once"
    if rules.losing:
        yield "a player who cannot move wins"
    if rules.breakthrough:
        yield "a man on the far row wins"
