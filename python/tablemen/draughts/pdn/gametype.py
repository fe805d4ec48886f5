"""The rules of a game file: the tags GameType and Variant."""

from __future__ import annotations

import re
from dataclasses import replace

from tablemen.draughts.numbering import Corner, Notation
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import VARIANTS, find_variant
from tablemen.errors import TablemenError, UnknownVariantError
from tablemen.outcome import Side

_GAME_TYPE = re.compile(
    r"(?P<number>[0-9]{1,4})"
    r"(,(?P<first>[WB]),(?P<columns>[0-9]{1,3}),(?P<rows>[0-9]{1,3}),(?P<notation>[ANS])(?P<corner>[0-3])(,(?P<invert>[01]))?)?"
)


def parse_game_type(text: str) -> DraughtsRules:
    """Return the rules of a GameType: a number, or a number with the side that begins, the board and its numbering.

    Details that differ from those of the variant change its square names and the side that begins. The board has to be
    that of a variant with the number.

    >>> parse_game_type("25").name, parse_game_type("23,B,8,8,A1,1").name
    ('russian', 'jamaican')
    >>> parse_game_type("23,W,8,8,A0,0").first
    Side.WHITE
    >>> parse_game_type("23,B,8,8,N1,1").name  # pool checkers has the same number, but another board
    'jamaican'

    Raises `TablemenError` if there is no such game.
    """
    match = _GAME_TYPE.fullmatch(re.sub(r"\s", "", text).upper())
    if match is None:
        raise TablemenError(f"a GameType is written like 20 or 20,W,10,10,N2,0, not {text!r}")
    number = int(match["number"])
    base = find_variant(number)
    if match["first"] is None:
        return base
    for rules in VARIANTS.values():
        if rules.game_type_tag in (match[0], f"{match[0]},0"):
            return rules
    if match["notation"] == "S":
        raise TablemenError(f"GameType {match[0]}: S is the notation of chess")
    for rules in (base, *VARIANTS.values()):
        if rules.game_type == number and _has_board(rules, match):
            return _with_details(rules, match)
    raise TablemenError(f"GameType {match[0]}: {base} is not played on that board, but on {base.game_type_tag}")


def _has_board(rules: DraughtsRules, match: re.Match[str]) -> bool:
    """Return whether the variant has the board of a full GameType."""
    if match["invert"] not in (None, str(int(not rules.corner_playable))):
        return False
    return (rules.columns, rules.rows) == (int(match["columns"]), int(match["rows"]))


def _with_details(base: DraughtsRules, match: re.Match[str]) -> DraughtsRules:
    """Return the variant with the first side and the numbering of a full GameType."""
    first = Side.WHITE if match["first"] == "W" else Side.BLACK
    notation = Notation.NUMERIC if match["notation"] == "N" else Notation.ALGEBRAIC
    corner = Corner(int(match["corner"])).seen_by(first)
    return replace(base, first=first, notation=notation, first_square=corner)


def find_named(name: str, given: DraughtsRules | None = None) -> DraughtsRules | None:
    """Return the variant that a tag Variant names, the given one first; None if there is none of that name."""
    if given is not None and name == given.name:
        return given
    try:
        return None if name.strip().isdigit() else find_variant(name)
    except UnknownVariantError:
        return None


def identify(rules: DraughtsRules) -> tuple[str, str]:
    """Return the tag that identifies the rules: GameType if PDN has one for them, else Variant with their name.

    >>> from tablemen.draughts import INTERNATIONAL, VARIANTS
    >>> identify(INTERNATIONAL), identify(VARIANTS["jamaican"]), identify(VARIANTS["frysk"])
    (('GameType', '20'), ('GameType', '23,B,8,8,A1,1'), ('Variant', 'frysk'))
    """
    for text in (str(rules.game_type), str(rules.game_type_tag)):
        if rules.game_type is not None and _leads_to(text, rules):
            return "GameType", text
    return "Variant", rules.name


def _leads_to(text: str, rules: DraughtsRules) -> bool:
    try:
        return parse_game_type(text) == rules
    except TablemenError:
        return False
