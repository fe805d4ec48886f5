"""Where a written game starts: its rules, its first position and its set-ups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from tablemen._core import Move, PdnScan, Position
from tablemen.draughts.notation import format_move
from tablemen.draughts.pdn.gametype import find_named, parse_game_type
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import ENGLISH, VARIANTS, find_variant
from tablemen.errors import NotationError, TablemenError
from tablemen.outcome import Side

UNKNOWN_VALUES = ("", "?")

_ONLY_TURN = re.compile(r"\s*([WB])\s*:\s*:?\s*", re.IGNORECASE)  # a null move: only the turn changes


class SceneError(Exception):
    """What is wrong with a game, and at which of its bytes."""

    def __init__(self, problem: str, byte: int) -> None:
        super().__init__(problem, byte)
        self.problem = problem
        self.byte = byte


class UnplayableError(SceneError):
    """A move that cannot be played."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a game starts and what its set-ups change; `begins_with_setup` where the first of them is the start."""

    start: Position
    scenes: Sequence[Position | Side] = ()
    begins_with_setup: bool = False


@cache
def _start_of(rules: DraughtsRules) -> Opening:
    return Opening(Position.start(rules))


def find_opening(scan: PdnScan, given: DraughtsRules | None) -> Opening:
    """Where the game starts, its moves checked. Raises `SceneError` where it cannot be played."""
    named = _named_rules(scan, given)
    return _first_that_fits(scan, named or _common_variants(scan), is_guess=not named)


@cache
def _rules_of(game_type: str) -> tuple[DraughtsRules, ...] | str:
    """The rules that a GameType can mean, or what is wrong with it.

    Some programs write details that are not those of their games: the number alone is the second choice.
    """
    try:
        number = find_variant(int(game_type.partition(",")[0])) if "," in game_type else None
        rules = parse_game_type(game_type)
    except ValueError as error:
        return str(error)
    return (rules,) if number in (None, rules) else (rules, number)


def _named_rules(scan: PdnScan, given: DraughtsRules | None) -> tuple[DraughtsRules, ...]:
    """The rules that the tags name, or the given ones; none where nothing is known of them."""
    game_type, name = scan.tag("GameType"), scan.tag("Variant")
    named = None if name is None else find_named(name, given)
    if game_type is None or game_type in UNKNOWN_VALUES:
        rules = named or given
        return () if rules is None else (rules,)
    choices = _rules_of(game_type)
    if isinstance(choices, str):
        raise SceneError(choices, _tag_place(scan, "GameType"))
    # Variants that PDN has no number for go by that of a sister.
    return (named,) if named is not None and named.game_type in (None, choices[0].game_type) else choices


def _first_that_fits(scan: PdnScan, choices: Iterable[DraughtsRules], *, is_guess: bool) -> Opening:
    """The opening under the first rules that allow every move; else the error of those that allow the most."""
    best = -1
    error: SceneError | None = None
    for rules in choices:
        try:
            opening = _set_out(scan, rules)
        except SceneError as failure:
            error = error or failure
            continue
        trouble = scan.check(opening.start, opening.scenes)
        if trouble is None:
            return opening
        if trouble[0] > best:
            best = trouble[0]
            hint = f" (read as {rules.name}: no GameType is named)" if is_guess else ""
            error = UnplayableError(_problem(scan, *trouble) + hint, best)
    assert error is not None
    raise error


def _tag_place(scan: PdnScan, name: str) -> int:
    return next(place for tag, _, place in scan.tags() if tag == name)


def _common_variants(scan: PdnScan) -> list[DraughtsRules]:
    """The variants that PDN has numbers for.

    A position on squares 1 to 32 is rather one of English draughts than one on the upper rows of a larger board.
    """
    common = [rules for rules in VARIANTS.values() if rules.game_type is not None]
    return common if scan.tag("FEN") is None and not scan.setups() else [ENGLISH, *common]


def _set_out(scan: PdnScan, rules: DraughtsRules) -> Opening:
    """The start of the game under these rules, and its set-ups."""
    fen = scan.tag("FEN")
    has_fen = fen is not None and fen not in UNKNOWN_VALUES
    setups = scan.setups()
    if not has_fen and not setups:
        return _start_of(rules)
    start = _start_of(rules).start
    if has_fen:
        start = _parse(str(fen), rules, _tag_place(scan, "FEN"))
    scenes = [_parse_scene(text, rules, place) for text, place in setups]
    if has_fen or not setups or setups[0][1] > scan.moves_place:
        return Opening(start, scenes)
    first = scenes[0]
    start = first if isinstance(first, Position) else with_turn(start, first)
    return Opening(start, scenes, begins_with_setup=True)


def with_turn(position: Position, turn: Side) -> Position:
    """The position with the given side to move."""
    letter = "W" if turn is Side.WHITE else "B"
    return Position.from_fen(letter + position.fen()[1:], position.variant)


def _parse_scene(text: str, rules: DraughtsRules, place: int) -> Position | Side:
    only_turn = _ONLY_TURN.fullmatch(text)
    if only_turn:
        return Side.WHITE if only_turn[1].upper() == "W" else Side.BLACK
    return _parse(text, rules, place)


def _parse(fen: str, rules: DraughtsRules, place: int) -> Position:
    try:
        return Position.from_fen(fen, rules)
    except NotationError as error:
        raise SceneError(f"FEN, column {error.column}: {error.problem}", place) from error
    except TablemenError as error:
        raise SceneError(f"FEN: {error}", place) from error


def _problem(scan: PdnScan, place: int, candidates: tuple[Move, ...]) -> str:
    """What is wrong with the move at a place, in words."""
    written = re.match(r"[\w:/-]+", scan.text.encode("utf-8")[place:].decode("utf-8"))
    text = written[0] if written else "this move"
    if not candidates:
        return f"{text} is not legal here"
    return f"{text} is ambiguous: {' or '.join(format_move(each, full=True) for each in candidates)}"
