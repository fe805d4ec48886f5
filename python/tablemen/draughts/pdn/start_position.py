"""The rules and the start of a recorded game: the tags GameType, Variant and FEN, and set-ups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType

from tablemen._core import Move, PdnScan, Position
from tablemen.draughts.board import Corner, Notation
from tablemen.draughts.notation import format_move
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import (
    ANTIDRAUGHTS,
    BREAKTHROUGH,
    ENGLISH,
    FRYSK,
    INTERNATIONAL,
    VARIANTS,
    find_variant,
)
from tablemen.errors import NotationError, TablemenError, UnknownVariantError
from tablemen.outcome import Side

_GAME_TYPE = re.compile(
    r"(?P<number>[0-9]{1,4})"
    r"(,(?P<first>[WB]),(?P<columns>[0-9]{1,3}),(?P<rows>[0-9]{1,3}),(?P<notation>[ANS])(?P<corner>[0-3])(,(?P<invert>[01]))?)?"
)
# The numbers that Lidraughts gives to variants without a number in PDN, and to games from a position.
LIDRAUGHTS_GAME_TYPES: Mapping[int, DraughtsRules] = MappingProxyType(
    {96: BREAKTHROUGH, 97: FRYSK, 98: ANTIDRAUGHTS, 99: INTERNATIONAL}
)
_FROM_POSITION = "from position"  # the name of number 99, which can also be in the tag Variant


def parse_game_type(text: str) -> DraughtsRules:
    """Return the rules of a GameType: a number, or a number with the side that begins, the board and its numbering.

    Other details than those of the variant change its square names and the side that begins. The board must be
    that of a variant with this number.

    >>> parse_game_type("25").name, parse_game_type("23,B,8,8,A1,1").name
    ('russian', 'jamaican')
    >>> parse_game_type("97").name  # as Lidraughts writes it
    'frysk'
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
    base = LIDRAUGHTS_GAME_TYPES.get(number) or find_variant(number)
    if match["first"] is None:
        return base
    for rules in VARIANTS.values():
        if rules.game_type_tag in (match[0], f"{match[0]},0"):
            return rules
    if match["notation"] == "S":
        raise TablemenError(f"GameType {match[0]}: the chess notation S is not supported")
    for rules in (base, *VARIANTS.values()):
        if (rules is base or rules.game_type == number) and _has_board(rules, match):
            return _with_details(rules, match)
    expected = base.game_type_tag or number
    raise TablemenError(f"GameType {match[0]}: {base} has another board; its GameType is {expected}")


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
    if name.strip().casefold() == _FROM_POSITION:
        return INTERNATIONAL
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
GUESSED_GAME_TYPE = "GuessedGameType"  # the tag of a variant that was guessed from the moves, written like GameType
MAX_CACHED_TAGS = 1000
MAX_SAMPLED_GAMES = 100  # games without a variant from which that of a file is guessed
MAX_UNKNOWN_TURNS = 20  # positions of a game without the side to move

_ONLY_TURN = re.compile(r"\s*([WB])\s*:\s*:?\s*", re.IGNORECASE)  # a null move: only the turn changes
_UNKNOWN_TURN = re.compile(r"(\s*)\?(?=\s*:)")  # the start of a FEN without the side to move
_START = -1  # the index of the start position among the set-ups


class InvalidGameError(Exception):
    """An error in a game, and its byte in the game's text."""

    def __init__(self, problem: str, byte: int) -> None:
        super().__init__(problem, byte)
        self.problem = problem
        self.byte = byte


class UnplayableError(InvalidGameError):
    """A move that is illegal or ambiguous."""


@dataclass(frozen=True, slots=True)
class StartWarning:
    """A problem in spite of which the start of a game was found. Its place is a byte or the name of a tag."""

    problem: str
    place: int | str


@dataclass(frozen=True, slots=True)
class GameStart:
    """The start position of a game and the changes of its set-ups.

    `begins_with_setup` is true if the first set-up is the start position, `is_guess` if the variant was guessed, and
    `is_resolved` if the game has ambiguous moves that the moves after them resolve. `unknown_turns` has the index among
    the set-ups and the byte of each position without a side to move.
    """

    start: Position
    setups: Sequence[Position | Side] = ()
    begins_with_setup: bool = False
    is_guess: bool = False
    is_resolved: bool = False
    unknown_turns: tuple[tuple[int, int], ...] = ()
    warnings: tuple[StartWarning, ...] = ()

    def at(self, position: Position) -> GameStart:
        """Return the start at another position, without set-ups."""
        if position is self.start:
            return self
        return GameStart(position, is_guess=self.is_guess, warnings=self.warnings)

    def find_warnings(self, scan: PdnScan) -> list[tuple[str, int]]:
        """Return the problems in spite of which the game was read, each with its byte."""
        found = [(each.problem, _find_place(scan, each.place)) for each in self.warnings]
        for index, byte in self.unknown_turns:
            position = self.start if index == _START else self.setups[index]
            assert isinstance(position, Position)
            found.append((f"the side to move is unknown; read with {position.turn.name.title()} to move", byte))
        for byte, move, candidates in scan.resolved(self.start, self.setups) if self.is_resolved else ():
            problem = _describe_unplayable(scan, byte, candidates)
            reason = "since only this move lets the following moves be played"
            found.append((f"{problem}; read as {format_move(move, full=True)}, {reason}", byte))
        return sorted(found, key=lambda each: each[1])

    def with_other_turn(self, index: int) -> GameStart:
        """Return the start with the other side to move in one of its positions."""
        setups = list(self.setups)
        if index == _START:
            return replace(self, start=with_turn(self.start, self.start.turn.opponent))
        position = setups[index]
        assert isinstance(position, Position)
        setups[index] = position = with_turn(position, position.turn.opponent)
        is_start = self.begins_with_setup and index == 0
        return replace(self, setups=setups, start=position if is_start else self.start)


@cache
def _standard_start(rules: DraughtsRules) -> Position:
    return Position.start(rules)


@dataclass(frozen=True, slots=True)
class _NamedRules:
    """The rules that the tags of a game can mean, in order of preference; none if the variant has to be guessed."""

    choices: tuple[DraughtsRules, ...]
    warnings: tuple[StartWarning, ...] = ()


class StartFinder:
    """Finds the start positions of the games of a file.

    A game without a variant is of the given one. Otherwise the variant is guessed once for the file: it is the first
    that allows the most of the games without a variant.
    """

    def __init__(self, given: DraughtsRules | None) -> None:
        self._given = given
        self._guess: DraughtsRules | None = None
        # The standard starts by the tags of their variant: most games of a file have the same.
        self._by_tags: dict[tuple[str | None, str | None, str | None], GameStart] = {}

    def probable_start(self, scan: PdnScan, following: Sequence[PdnScan]) -> GameStart | None:
        """Return the standard start under the first rules that the tags allow.

        If `PdnScan.check_all` can play the game under these rules, `find_start` would return them too. The result is
        None if the game has a syntax error or set-ups, or if the tags are invalid. `following` has this and the
        following games, from which the variant is guessed.
        """
        tags = scan.variant_tags()
        if tags is None:
            return None
        if tags not in self._by_tags:
            if len(self._by_tags) >= MAX_CACHED_TAGS:
                self._by_tags.clear()
            start = self._find_probable(scan, following)
            if start is None:
                return None
            self._by_tags[tags] = start
        return self._by_tags[tags]

    def find_start(self, scan: PdnScan) -> GameStart:
        """Return the start of the game, and check its moves. Raises `InvalidGameError` if it cannot be played."""
        named = self._named_rules(scan)
        if named.choices:
            return replace(_find_playable(scan, named.choices), warnings=named.warnings)
        start = self._find_guessed(scan, self._guessed_rules(scan) or self._guess)
        return replace(start, is_guess=True, warnings=(*named.warnings, *start.warnings))

    def guess_variant(self, scans: Sequence[PdnScan]) -> None:
        """Guess the variant of the games that name none, unless it is known already."""
        if self._guess is not None or self._given is not None:
            return
        sample = [scan for scan in scans if scan.variant_tags() is not None and self._is_guess_needed(scan)]
        sample = sample[:MAX_SAMPLED_GAMES]
        have_positions = all(scan.tag("FEN") is not None for scan in sample)
        max_playable = 0
        for rules in _common_variants(are_positions=have_positions) if sample else ():
            found = PdnScan.check_all(sample, [_standard_start(rules)] * len(sample))
            playable = len(found) - found.count(None)
            if playable > max_playable:
                max_playable, self._guess = playable, rules
            if playable == len(sample):
                break

    def _find_probable(self, scan: PdnScan, following: Sequence[PdnScan]) -> GameStart | None:
        """Return the standard start under the first rules that the tags allow; None if there are none."""
        try:
            named = self._named_rules(scan)
        except InvalidGameError:
            return None
        if named.choices:
            return GameStart(_standard_start(named.choices[0]), warnings=named.warnings)
        rules = self._guessed_rules(scan)
        if rules is None:
            self.guess_variant(following)
            rules = self._guess
        return None if rules is None else GameStart(_standard_start(rules), is_guess=True, warnings=named.warnings)

    def _is_guess_needed(self, scan: PdnScan) -> bool:
        try:
            return not self._named_rules(scan).choices and self._guessed_rules(scan) is None
        except InvalidGameError:
            return False

    def _guessed_rules(self, scan: PdnScan) -> DraughtsRules | None:
        """Return the rules of the tag GuessedGameType; None if it is missing or invalid."""
        choices = _find_rules(scan.tag(GUESSED_GAME_TYPE) or "")
        return None if isinstance(choices, str) else choices[0]

    def _named_rules(self, scan: PdnScan) -> _NamedRules:
        """Return the rules that the tags name, or else the given rules. Raises `InvalidGameError`."""
        game_type, name = scan.tag("GameType"), scan.tag("Variant")
        named = None if name is None else find_named(name, self._given)
        warnings: tuple[StartWarning, ...] = ()
        if named is None and name is not None and name.strip() not in UNKNOWN_VALUES:
            warnings = (StartWarning(f"unknown variant {name!r}; the tag is ignored", "Variant"),)
        rules = named or self._given
        if game_type is None or game_type in UNKNOWN_VALUES:
            return _NamedRules(() if rules is None else (rules,), warnings)
        choices = _find_rules(game_type)
        if isinstance(choices, str) and rules is None:
            raise InvalidGameError(choices, _find_place(scan, "GameType"))
        if isinstance(choices, str):
            assert rules is not None
            return _NamedRules((rules,), (*warnings, StartWarning(f"{choices}; read as {rules.name}", "GameType")))
        # Variants without a number of their own use that of a related variant.
        if named is not None and named.game_type in (None, choices[0].game_type):
            return _NamedRules((named,), warnings)
        return _NamedRules(choices, warnings)

    def _find_guessed(self, scan: PdnScan, guess: DraughtsRules | None) -> GameStart:
        """Return the start under the guessed rules, or with a warning under the first rules that allow every move."""
        common = _common_variants(are_positions=scan.tag("FEN") is not None or bool(scan.setups()))
        if guess is None:
            return _find_playable(scan, common, is_guess=True)
        try:
            return _find_playable(scan, (guess,), is_guess=True)
        except InvalidGameError as error:
            try:
                start = _find_playable(scan, [rules for rules in common if rules != guess])
            except InvalidGameError:
                raise error from None
            problem = f"read as {start.start.variant.name}, unlike other games without GameType: {error.problem}"
            return replace(start, warnings=(StartWarning(problem, error.byte),))


@lru_cache(maxsize=MAX_CACHED_TAGS)
def _find_rules(game_type: str) -> tuple[DraughtsRules, ...] | str:
    """Return the rules that a GameType can mean, or the error message if it is invalid.

    Some programs write details that do not match their games, so the rules of the number alone are the second choice.
    """
    try:
        number = parse_game_type(game_type.partition(",")[0]) if "," in game_type else None
        rules = parse_game_type(game_type)
    except UnknownVariantError as error:
        return f"unknown variant {error.name!r}"  # without the hint at a shell command
    except ValueError as error:
        return str(error)
    return (rules,) if number in (None, rules) else (rules, number)


def _find_playable(scan: PdnScan, choices: Iterable[DraughtsRules], *, is_guess: bool = False) -> GameStart:
    """Return the start under the first rules that allow every move, or else that resolve every ambiguous move.

    Raises the `InvalidGameError` of the rules that allow the most moves if none allow all.
    """
    best = -1
    error: InvalidGameError | None = None
    ambiguous: list[DraughtsRules] = []
    for rules in choices:
        try:
            start, unplayable = _play(scan, _start_under(scan, rules))
        except InvalidGameError as failure:
            error = error or failure
            continue
        if unplayable is None:
            return start
        byte, candidates = unplayable
        if candidates:
            ambiguous.append(rules)
        if byte > best:
            best = byte
            hint = f" (read as {rules.name}, since there is no GameType)" if is_guess else ""
            error = UnplayableError(_describe_unplayable(scan, byte, candidates) + hint, byte)
    for rules in ambiguous:
        start, unplayable = _play(scan, _start_under(scan, rules), resolve=True)
        if unplayable is None:
            return replace(start, is_resolved=True)
    assert error is not None
    raise error


def _play(
    scan: PdnScan, start: GameStart, *, resolve: bool = False
) -> tuple[GameStart, tuple[int, tuple[Move, ...]] | None]:
    """Check the moves; return the start and the result of `PdnScan.check`.

    If the side to move is unknown in a position, it is the side that moves first in the variant, or else the other one.
    """
    unchanged = list(start.unknown_turns)
    while True:
        unplayable = scan.check(start.start, start.setups, resolve=resolve)
        before = [] if unplayable is None else [each for each in unchanged if each[1] <= unplayable[0]]
        if not before:
            return start, unplayable
        unchanged.remove(before[-1])
        start = start.with_other_turn(before[-1][0])


def _find_place(scan: PdnScan, place: int | str) -> int:
    """Return the byte of a place: a byte, or the name of a tag."""
    return place if isinstance(place, int) else next(byte for tag, _, byte in scan.tags() if tag == place)


def _common_variants(*, are_positions: bool) -> list[DraughtsRules]:
    """Return the variants that have a GameType number.

    English draughts is tried first for positions: squares 1 to 32 are its whole board, but only part of a larger one.
    """
    common = [rules for rules in VARIANTS.values() if rules.game_type is not None]
    return [ENGLISH, *common] if are_positions else common


def _start_under(scan: PdnScan, rules: DraughtsRules) -> GameStart:
    """Return the start of the game under these rules."""
    fen = scan.tag("FEN")
    has_fen = fen is not None and fen not in UNKNOWN_VALUES
    setups = scan.setups()
    start = _standard_start(rules)
    if not has_fen and not setups:
        return GameStart(start)
    unknown_turns: list[tuple[int, int]] = []
    if has_fen:
        start = _parse_fen(str(fen), rules, scan)
        if _UNKNOWN_TURN.match(str(fen)):
            unknown_turns.append((_START, _find_place(scan, "FEN")))
    changes = [_parse_setup(text, rules, byte) for text, byte in setups]
    unknown_turns += [(index, byte) for index, (text, byte) in enumerate(setups) if _UNKNOWN_TURN.match(text)]
    if len(unknown_turns) > MAX_UNKNOWN_TURNS:
        problem = f"more than {MAX_UNKNOWN_TURNS} positions have no side to move"
        raise InvalidGameError(problem, unknown_turns[MAX_UNKNOWN_TURNS][1])
    if has_fen or not setups or setups[0][1] > scan.moves_place:
        return GameStart(start, changes, unknown_turns=tuple(unknown_turns))
    first = changes[0]
    start = first if isinstance(first, Position) else with_turn(start, first)
    return GameStart(start, changes, begins_with_setup=True, unknown_turns=tuple(unknown_turns))


def with_turn(position: Position, turn: Side) -> Position:
    """Return the position with the given side to move."""
    letter = "W" if turn is Side.WHITE else "B"
    return Position.from_fen(letter + position.fen()[1:], position.variant)


def _parse_setup(text: str, rules: DraughtsRules, byte: int) -> Position | Side:
    only_turn = _ONLY_TURN.fullmatch(text)
    if only_turn:
        return Side.WHITE if only_turn[1].upper() == "W" else Side.BLACK
    return _parse_fen(text, rules, byte)


def _parse_fen(fen: str, rules: DraughtsRules, place: PdnScan | int) -> Position:
    """Parse a FEN at a byte, or in the tag of a game. The variant's first side moves if the side to move is unknown."""
    try:
        return Position.from_fen(_UNKNOWN_TURN.sub(rf"\1{'W' if rules.first is Side.WHITE else 'B'}", fen, 1), rules)
    except TablemenError as error:
        byte = place if isinstance(place, int) else _find_place(place, "FEN")
        where, problem = "FEN", str(error)
        if isinstance(error, NotationError):
            where, problem = f"FEN, column {error.column}", error.problem
        raise InvalidGameError(f"{where}: {problem}", byte) from error


def _describe_unplayable(scan: PdnScan, place: int, candidates: tuple[Move, ...]) -> str:
    """Return the error message for the move at a place."""
    written = re.match(r"[\w:/-]+", scan.text.encode("utf-8")[place:].decode("utf-8"))
    text = written[0] if written else "this move"
    if not candidates:
        return f"{text} is not legal here"
    return f"{text} is ambiguous: {' or '.join(format_move(each, full=True) for each in candidates)}"
