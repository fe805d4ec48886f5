"""The rules and the start of a recorded game: the tags GameType, Variant and FEN, and set-ups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from tablemen._core import Move, PdnScan, Position
from tablemen.draughts.board import Corner, Notation
from tablemen.draughts.notation import format_move
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import ENGLISH, VARIANTS, find_variant
from tablemen.errors import NotationError, TablemenError, UnknownVariantError
from tablemen.outcome import Side

_GAME_TYPE = re.compile(
    r"(?P<number>[0-9]{1,4})"
    r"(,(?P<first>[WB]),(?P<columns>[0-9]{1,3}),(?P<rows>[0-9]{1,3}),(?P<notation>[ANS])(?P<corner>[0-3])(,(?P<invert>[01]))?)?"
)


def parse_game_type(text: str) -> DraughtsRules:
    """Return the rules of a GameType: a number, or a number with the side that begins, the board and its numbering.

    Other details than those of the variant change its square names and the side that begins. The board must be
    that of a variant with this number.

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
        raise TablemenError(f"expected a GameType such as 20 or 20,W,10,10,N2,0, got {text!r}")
    number = int(match["number"])
    base = find_variant(number)
    if match["first"] is None:
        return base
    for rules in VARIANTS.values():
        if rules.game_type_tag in (match[0], f"{match[0]},0"):
            return rules
    if match["notation"] == "S":
        raise TablemenError(f"GameType {match[0]}: the chess notation S is not supported")
    for rules in (base, *VARIANTS.values()):
        if rules.game_type == number and _has_board(rules, match):
            return _with_details(rules, match)
    raise TablemenError(f"GameType {match[0]}: {base} has another board; its GameType is {base.game_type_tag}")


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
    """Return the variant with the name in a Variant tag, preferably the given one; None if there is no such variant."""
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
        if rules.game_type is not None and _means(text, rules):
            return "GameType", text
    return "Variant", rules.name


def _means(text: str, rules: DraughtsRules) -> bool:
    try:
        return parse_game_type(text) == rules
    except TablemenError:
        return False


UNKNOWN_VALUES = ("", "?")
MAX_CACHED_TAGS = 1000

_ONLY_TURN = re.compile(r"\s*([WB])\s*:\s*:?\s*", re.IGNORECASE)  # a null move: only the turn changes


class InvalidGameError(Exception):
    """An error in a game, and its byte in the game's text."""

    def __init__(self, problem: str, byte: int) -> None:
        super().__init__(problem, byte)
        self.problem = problem
        self.byte = byte


class UnplayableError(InvalidGameError):
    """A move that is illegal or ambiguous."""


@dataclass(frozen=True, slots=True)
class GameStart:
    """The start position of a game and the changes of its set-ups.

    `begins_with_setup` is true if the first set-up is the start position.
    """

    start: Position
    setups: Sequence[Position | Side] = ()
    begins_with_setup: bool = False


@cache
def _standard_start(rules: DraughtsRules) -> GameStart:
    return GameStart(Position.start(rules))


def find_start(scan: PdnScan, given: DraughtsRules | None) -> GameStart:
    """Return the start of the game, and check its moves. Raises `InvalidGameError` if it cannot be played."""
    named = _named_rules(scan, given)
    return _find_playable(scan, named or _common_variants(scan), is_guess=not named)


class StartCache:
    """A cache of probable starts by tags: most games of a file have the same tags."""

    def __init__(self, given: DraughtsRules | None) -> None:
        self._given = given
        self._by_tags: dict[tuple[str | None, str | None], GameStart | None] = {}

    def probable_start(self, scan: PdnScan) -> GameStart | None:
        """Return the start under the first rules that the tags allow, without checking the moves.

        If all moves can be played from it, `find_start` returns the same. The result is None if the game has a syntax
        error or set-ups, or if the tags are invalid.
        """
        found = scan.start_tags()
        if found is None:
            return None
        tags, has_fen = found
        if has_fen:
            return self._find(scan)
        if tags not in self._by_tags:
            if len(self._by_tags) >= MAX_CACHED_TAGS:
                self._by_tags.clear()
            self._by_tags[tags] = self._find(scan)
        return self._by_tags[tags]

    def _find(self, scan: PdnScan) -> GameStart | None:
        try:
            choices = _named_rules(scan, self._given) or _common_variants(scan)
            return _start_under(scan, choices[0])
        except InvalidGameError:
            return None


@lru_cache(maxsize=MAX_CACHED_TAGS)
def _find_rules(game_type: str) -> tuple[DraughtsRules, ...] | str:
    """Return the rules that a GameType can mean, or the error message if it is invalid.

    Some programs write details that do not match their games, so the rules of the number alone are the second choice.
    """
    try:
        number = find_variant(int(game_type.partition(",")[0])) if "," in game_type else None
        rules = parse_game_type(game_type)
    except UnknownVariantError as error:
        return f"unknown variant {error.name!r}"  # without the hint at a shell command
    except ValueError as error:
        return str(error)
    return (rules,) if number in (None, rules) else (rules, number)


def _named_rules(scan: PdnScan, given: DraughtsRules | None) -> Sequence[DraughtsRules]:
    """Return the rules that the tags name, or else the given rules; empty if there are neither."""
    game_type, name = scan.tag("GameType"), scan.tag("Variant")
    named = None if name is None else find_named(name, given)
    if game_type is None or game_type in UNKNOWN_VALUES:
        rules = named or given
        return () if rules is None else (rules,)
    choices = _find_rules(game_type)
    if isinstance(choices, str):
        raise InvalidGameError(choices, _tag_place(scan, "GameType"))
    # Variants without a number of their own use that of a related variant.
    return (named,) if named is not None and named.game_type in (None, choices[0].game_type) else choices


def _find_playable(scan: PdnScan, choices: Iterable[DraughtsRules], *, is_guess: bool) -> GameStart:
    """Return the start under the first rules that allow every move.

    Raises the `InvalidGameError` of the rules that allow the most moves if none allow all.
    """
    best = -1
    error: InvalidGameError | None = None
    for rules in choices:
        try:
            start = _start_under(scan, rules)
        except InvalidGameError as failure:
            error = error or failure
            continue
        unplayable = scan.check(start.start, start.setups)
        if unplayable is None:
            return start
        if unplayable[0] > best:
            best = unplayable[0]
            hint = f" (read as {rules.name}, since there is no GameType)" if is_guess else ""
            error = UnplayableError(_describe_unplayable(scan, *unplayable) + hint, best)
    assert error is not None
    raise error


def _tag_place(scan: PdnScan, name: str) -> int:
    return next(place for tag, _, place in scan.tags() if tag == name)


def _common_variants(scan: PdnScan) -> list[DraughtsRules]:
    """Return the variants that have a GameType number.

    English draughts is tried first for positions: squares 1 to 32 are its whole board, but only part of a larger one.
    """
    common = [rules for rules in VARIANTS.values() if rules.game_type is not None]
    return common if scan.tag("FEN") is None and not scan.setups() else [ENGLISH, *common]


def _start_under(scan: PdnScan, rules: DraughtsRules) -> GameStart:
    """Return the start of the game under these rules."""
    fen = scan.tag("FEN")
    has_fen = fen is not None and fen not in UNKNOWN_VALUES
    setups = scan.setups()
    if not has_fen and not setups:
        return _standard_start(rules)
    start = _standard_start(rules).start
    if has_fen:
        start = _parse_fen(str(fen), rules, _tag_place(scan, "FEN"))
    changes = [_parse_setup(text, rules, place) for text, place in setups]
    if has_fen or not setups or setups[0][1] > scan.moves_place:
        return GameStart(start, changes)
    first = changes[0]
    start = first if isinstance(first, Position) else with_turn(start, first)
    return GameStart(start, changes, begins_with_setup=True)


def with_turn(position: Position, turn: Side) -> Position:
    """Return the position with the given side to move."""
    letter = "W" if turn is Side.WHITE else "B"
    return Position.from_fen(letter + position.fen()[1:], position.variant)


def _parse_setup(text: str, rules: DraughtsRules, place: int) -> Position | Side:
    only_turn = _ONLY_TURN.fullmatch(text)
    if only_turn:
        return Side.WHITE if only_turn[1].upper() == "W" else Side.BLACK
    return _parse_fen(text, rules, place)


def _parse_fen(fen: str, rules: DraughtsRules, place: int) -> Position:
    try:
        return Position.from_fen(fen, rules)
    except NotationError as error:
        raise InvalidGameError(f"FEN, column {error.column}: {error.problem}", place) from error
    except TablemenError as error:
        raise InvalidGameError(f"FEN: {error}", place) from error


def _describe_unplayable(scan: PdnScan, place: int, candidates: tuple[Move, ...]) -> str:
    """Return the error message for the move at a place."""
    written = re.match(r"[\w:/-]+", scan.text.encode("utf-8")[place:].decode("utf-8"))
    text = written[0] if written else "this move"
    if not candidates:
        return f"{text} is not legal here"
    return f"{text} is ambiguous: {' or '.join(format_move(each, full=True) for each in candidates)}"
