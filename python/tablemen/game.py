"""Games: a start position, the moves played, draw rules and declared results."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from tablemen.draws import DrawRule, Ply, Repetition
from tablemen.errors import AmbiguousMoveError, GameError, GameOverError, IllegalMoveError, NotationError, TablemenError
from tablemen.outcome import Outcome, Side, Termination
from tablemen.position import DrawCounters, Position

if TYPE_CHECKING:
    from tablemen.endgame import WdlTablebase

P = TypeVar("P", bound=Position[Any, Any])
M = TypeVar("M")

POSITION_MEMBERS = ("variant", "turn", "legal_moves", "parse_move", "play", "outcome")
_MOVE_NUMBER = re.compile(r"[0-9]+\.+")
_WORD = re.compile(r"\S+")
_RESULTS = {"*", "0-0", "0-1", "0-2", "1-0", "1-1", "2-0", "1/2-1/2", "½-½"}
LOSSES = (Termination.RESIGNATION, Termination.TIME)  # declared losses, possible for either side at any time
DRAWS = (Termination.AGREEMENT, Termination.PROVEN_DRAW)  # declared draws that no draw rule has to permit

# The component that counts a draw rule: the game, the compiled draw counters, or the methods of the rule.
_BY_GAME, _BY_CORE, _BY_RULE = "game", "core", "rule"


class Game(Generic[P, M]):
    """A start position and the moves played from it. Unlike positions, games are mutable.

    Positions determine wins, and the draw rules of the variant determine draws. Games are equal when start, moves and
    declared result are.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.start("international"), ["32-28", "19-23"])
    >>> print(game.push("28x19"), game.pop())
    28x19 28x19
    >>> [str(move) for move in game.legal_moves()]
    ['28x19']
    >>> game.resign(game.turn)
    Outcome(winner=Side.BLACK, termination=Termination.RESIGNATION)

    The moves can also be one text, separated by blanks. Move numbers such as `1.` and a result at the end are skipped.
    Raises `NotationError`, with the line, the column and the number of the move, if one of them cannot be played.

    >>> len(Game(Position.start("russian"), "1. c3-d4 d6-c5 2. b2-c3").moves)
    3
    """

    def __init__(
        self, position: Position[P, M], moves: Iterable[M | str] | str = (), *, declared: Outcome | None = None
    ) -> None:
        if not _is_position(position):
            raise TypeError(f"expected a position, got {position!r}")
        start = cast("P", position)
        draw_counters = getattr(start, "draw_counters", None)
        counters: DrawCounters[P, M] | None = draw_counters() if draw_counters else None
        self._rules = position.variant.draws
        self._counted_by = _find_counting(self._rules, () if counters is None else counters.rules)
        rules = tuple(zip(self._rules, self._counted_by, strict=True))
        self._own_rules = tuple(rule for rule, by in rules if by == _BY_RULE)
        self._min_repetition = min((rule.limit for rule, by in rules if by == _BY_GAME), default=math.inf)
        own_counts = tuple(rule.begin(start) for rule in self._own_rules)

        self._find_legal = getattr(type(start), "listed", _find_legal)
        self._positions = [start]
        self._occurrences = {start: 1}
        self._moves: list[M] = []
        self._counters = [counters]
        self._own_counts = [own_counts]
        self._declared: Outcome | None = None
        self._ended = start.outcome() or self._find_draw(start, 1, counters, own_counts)
        if isinstance(moves, str):
            self._push_text(moves)
        else:
            for move in moves:
                self.push(move)
        if declared is not None:
            self._check_declared(declared)
            self._declare(declared)

    @property
    def start(self) -> P:
        """The start position."""
        return self._positions[0]

    @property
    def position(self) -> P:
        """The current position."""
        return self._positions[-1]

    @property
    def turn(self) -> Side:
        """The side to move in the current position."""
        return self._positions[-1].turn

    @property
    def positions(self) -> tuple[P, ...]:
        """All positions of the game, from the start to the current one."""
        return tuple(self._positions)

    @property
    def moves(self) -> tuple[M, ...]:
        """The moves played."""
        return tuple(self._moves)

    @property
    def declared(self) -> Outcome | None:
        """The declared result: a resignation, an agreement, a claim or a loss on time; None if there is none."""
        return self._declared

    def text(self) -> str:
        """Return the current position as text, in the notation of its family.

        >>> from tablemen.mancala import Position
        >>> Game(Position.start("kalah"), "3 1").text()
        '<6,1,0,0,5,1,6,6,5,4,4,4,4,4,4> north'
        """
        text: str = cast("Any", self.position).text()  # `text` is optional for a family
        return text

    def fen(self) -> str:
        """Return the FEN of the current position of a game of draughts; `text` is the method for all families.

        >>> from tablemen.draughts import Position
        >>> Game(Position.from_fen("W:W31:B1", "international"), "31-27").fen()
        'B:W27:B1'

        Raises `GameError` in other families.
        """
        position: Any = self.position
        if not hasattr(position, "fen"):
            raise GameError(f"{position.variant} has no FEN: use text()")
        fen: str = position.fen()
        return fen

    def count_moves(self, side: Side) -> int:
        """Return the number of moves that a side has played.

        >>> from tablemen.mancala import Position
        >>> game = Game(Position.start("kalah"), ["3", "1"])  # the first move gives an extra turn
        >>> game.count_moves(Side.WHITE), game.count_moves(Side.BLACK)
        (2, 0)
        """
        _check_side(side)
        return sum(position.turn is side for position in self._positions[:-1])

    def outcome(self) -> Outcome | None:
        """Return the outcome; None if the game is not over. A win in the position has precedence over a draw."""
        return self._ended if self._declared is None else self._declared

    def legal_moves(self) -> tuple[M, ...]:
        """Return all legal moves; none if the game is over."""
        if self._ended is not None or self._declared is not None:
            return ()
        return self._positions[-1].legal_moves()

    def push(self, move: M | str) -> M:
        """Play a move, given as such or in the notation of the variant, and return it.

        Raises `GameOverError` if the game is over, `IllegalMoveError` if the move is not legal, and the errors of
        `parse_move`. The game is then unchanged.
        """
        if self._ended is not None or self._declared is not None:
            self._check_not_over()
        before = self._positions[-1]
        played: M = before.parse_move(move) if isinstance(move, str) else self._find_legal(before, move)
        after: P = before.play(played)
        times = self._occurrences.get(after, 0) + 1
        # Change no attribute before the last call that can raise.
        counters, own_counts = self._counters[-1], self._own_counts[-1]
        if counters is not None:
            counters = counters.advance(before, played, after)
        if own_counts:
            ply = Ply(before, played, after, times)
            counted = zip(self._own_rules, own_counts, strict=True)
            own_counts = tuple(rule.advance(count, ply) for rule, count in counted)
        ended = after.outcome()
        may_be_drawn = times >= self._min_repetition or own_counts or (counters is not None and counters.is_drawn)
        if ended is None and may_be_drawn:
            ended = self._find_draw(after, times, counters, own_counts)
        self._ended = ended
        self._occurrences[after] = times
        self._positions.append(after)
        self._moves.append(played)
        self._counters.append(counters)
        self._own_counts.append(own_counts)
        return played

    def _push_text(self, text: str) -> None:
        """Play the moves of a text. Raises `NotationError` with the location of the first that cannot be played."""
        words = list(_WORD.finditer(text))
        if words and words[-1].group() in _RESULTS:
            words.pop()
        for word in words:
            number = _MOVE_NUMBER.match(word.group())
            start = word.start() + (number.end() if number else 0)
            move = text[start : word.end()]
            if not move:
                continue
            try:
                self.push(move)
            except (NotationError, IllegalMoveError, GameOverError) as error:
                raise self._locate(error, move, text, start) from error

    def _locate(self, error: TablemenError, move: str, text: str, start: int) -> NotationError:
        """Return the error about a move of a text with its number and location."""
        before = text[:start]
        line, column = before.count("\n") + 1, start - before.rfind("\n")
        if isinstance(error, NotationError):
            reason = error.problem
            column += error.column - 1
        else:
            reason = error.reason if isinstance(error, IllegalMoveError) else str(error)
        problem = f"move {len(self._moves) + 1}, {move}: {reason}"
        if isinstance(error, AmbiguousMoveError):
            return AmbiguousMoveError(problem, text, error.candidates, line=line, column=column)
        return NotationError(problem, text, line=line, column=column)

    def pop(self) -> M:
        """Take back the last move and a result declared after it, and return the move.

        Raises `GameError` if no move was played.
        """
        if not self._moves:
            raise GameError("there is no move to take back")
        position = self._positions.pop()
        self._occurrences[position] -= 1
        if not self._occurrences[position]:
            del self._occurrences[position]
        self._counters.pop()
        self._own_counts.pop()
        self._ended = self._declared = None  # the game was not over before the move
        return self._moves.pop()

    def claims(self) -> tuple[DrawRule, ...]:
        """Return the draw rules by which a draw can be claimed now."""
        if self.outcome():
            return ()
        return tuple(rule for rule, count in self._counts() if rule.is_fulfilled(count))

    def claim_draw(self) -> Outcome:
        """End the game by the first draw rule that permits a claim; `draw_counts` returns the count of each rule.

        Raises `GameError` if no rule permits a claim.
        """
        self._check_not_over()
        for rule in self.claims():
            return self._declare(rule.outcome(self.position))
        raise GameError("no draw can be claimed now")

    def claim_proven_draw(self, tablebase: WdlTablebase) -> Outcome:
        """End the game as a draw if a tablebase proves that neither side can win.

        Raises `GameError` if the tablebase does not have the position or its value is not a draw, and the errors of
        its `probe_wdl`. The game is then unchanged.
        """
        from tablemen.endgame import Wdl

        self._check_not_over()
        value = tablebase.probe_wdl(self.position)
        if value is None:
            raise GameError("no draw can be claimed: the tablebase does not have this position")
        if value is not Wdl.DRAW:
            raise GameError(f"no draw can be claimed: the tablebase proves a {value.name.lower()} of the side to move")
        return self._declare(Outcome(None, Termination.PROVEN_DRAW))

    def agree_draw(self) -> Outcome:
        """End the game as a draw by agreement."""
        return self._declare(Outcome(None, Termination.AGREEMENT))

    def resign(self, side: Side) -> Outcome:
        """End the game by the resignation of a side: its opponent wins."""
        return self._declare(_loss(side, Termination.RESIGNATION))

    def lose_on_time(self, side: Side) -> Outcome:
        """End the game because a side has no time left: its opponent wins."""
        return self._declare(_loss(side, Termination.TIME))

    def draw_counts(self) -> dict[DrawRule, int]:
        """Return the count of each draw rule that applies now; a rule is fulfilled at its `limit`."""
        return {rule: count for rule, count in self._counts() if count is not None}

    def svg(self, **options: Any) -> str:
        """Draw the current position as SVG with the last move marked; options are those of the position's `svg`."""
        if self._moves:
            options = {"last_move": self._moves[-1], **options}
        picture: str = cast("Any", self.position).svg(**options)  # `svg` is optional for a family
        return picture

    def _repr_svg_(self) -> str | None:
        return self.svg() if hasattr(self.position, "svg") else None

    def copy(self) -> Game[P, M]:
        """Return an independent copy."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._positions, other._occurrences = self._positions.copy(), self._occurrences.copy()
        other._moves, other._counters = self._moves.copy(), self._counters.copy()
        other._own_counts = self._own_counts.copy()
        return other

    __copy__ = copy

    def _declare(self, outcome: Outcome) -> Outcome:
        self._check_not_over()
        self._declared = outcome
        return outcome

    def _check_declared(self, declared: Outcome) -> None:
        """Raise unless players can declare this result in the current position."""
        if not isinstance(declared, Outcome):
            raise TypeError(f"expected an Outcome as the declared result, got {declared!r}")
        draws = {rule.outcome(self.position) for rule in self.claims()} | {Outcome(None, reason) for reason in DRAWS}
        if declared not in draws | {_loss(side, reason) for side in Side for reason in LOSSES}:
            raise GameError(f"players cannot declare {declared!r} in this position")

    def _check_not_over(self) -> None:
        if outcome := self.outcome():
            raise GameOverError(outcome)

    def _find_draw(
        self, position: P, times: int, counters: DrawCounters[P, M] | None, own_counts: tuple[int | None, ...]
    ) -> Outcome | None:
        """Return the outcome by the first draw rule that ends the game without a claim, if there is one."""
        for rule, count in self._zip_counts(times, counters, own_counts):
            if not rule.by_claim and rule.is_fulfilled(count):
                return rule.outcome(position)
        return None

    def _counts(self) -> Iterator[tuple[DrawRule, int | None]]:
        """Yield each draw rule with its current count, which is None if the rule does not apply."""
        return self._zip_counts(self._occurrences[self.position], self._counters[-1], self._own_counts[-1])

    def _zip_counts(
        self, times: int, counters: DrawCounters[P, M] | None, own_counts: tuple[int | None, ...]
    ) -> Iterator[tuple[DrawRule, int | None]]:
        core_counts = counters.counts if counters else ()
        counts: dict[str, Iterator[int | None]] = {_BY_CORE: iter(core_counts), _BY_RULE: iter(own_counts)}
        for rule, by in zip(self._rules, self._counted_by, strict=True):
            yield rule, times if by == _BY_GAME else next(counts[by])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.start, self._moves, self._declared) == (other.start, other._moves, other._declared)

    __hash__ = None  # type: ignore[assignment]  # games are mutable

    def __repr__(self) -> str:
        declared = "" if self._declared is None else f", declared={self._declared!r}"
        return f"Game({self.start!r}, {[str(move) for move in self._moves]!r}{declared})"

    def __getstate__(self) -> tuple[P, list[M], Outcome | None]:
        # `__init__` computes the other attributes from these.
        return self.start, self._moves, self._declared

    def __setstate__(self, state: tuple[P, list[M], Outcome | None]) -> None:
        start, moves, declared = state
        Game.__init__(self, start, moves, declared=declared)


def number_moves(position: Any, moves: Iterable[Any]) -> list[int]:
    """Return the number of each of successive moves: its index in the legal moves of its position.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.start("english"), ["9-14", "22-18"])
    >>> number_moves(game.start, game.moves)
    [0, 1]
    """
    numbers = []
    for move in moves:
        numbers.append(position.legal_moves().index(move))
        position = position.play(move)
    return numbers


def list_moves(position: Any, numbers: Iterable[int]) -> list[Any]:
    """Return the successive moves with these numbers, the inverse of `number_moves`."""
    moves = []
    for number in numbers:
        moves.append(position.legal_moves()[number])
        position = position.play(moves[-1])
    return moves


def _is_position(value: object) -> bool:
    # `isinstance(value, Position)` gives the same result, but takes as long as twenty moves.
    return not isinstance(value, type) and all(hasattr(value, name) for name in POSITION_MEMBERS)


def _find_counting(rules: tuple[DrawRule, ...], core_rules: tuple[DrawRule, ...]) -> list[str]:
    """Return the component that counts each rule: the rule itself if it overrides `begin` or `advance`."""
    in_core = set(map(id, core_rules))
    found = []
    for rule in rules:
        is_plain = type(rule).begin is Repetition.begin and type(rule).advance is Repetition.advance
        found.append(_BY_CORE if id(rule) in in_core else _BY_GAME if is_plain else _BY_RULE)
    return found


def _find_legal(position: Any, move: Any) -> Any:
    """Return the legal move that equals this one; fields that equality ignores may differ."""
    legal = position.legal_moves()
    return legal[legal.index(move)] if move in legal else move


def _loss(side: Side, reason: Termination) -> Outcome:
    _check_side(side)
    return Outcome(side.opponent, reason)


def _check_side(side: Side) -> None:
    if not isinstance(side, Side):
        raise TypeError(f"expected a Side, got {side!r}")
