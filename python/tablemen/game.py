"""A game: a position, what led to it, and what follows from that."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar, cast

from tablemen.draws import DrawRule, Ply, Repetition
from tablemen.errors import GameError, GameOverError
from tablemen.outcome import Outcome, Side, Termination
from tablemen.position import DrawCounters, Position

P = TypeVar("P", bound=Position[Any, Any])
M = TypeVar("M")

REPETITION, COUNTED, OWN = "repetition", "counted by the core", "counts for itself"  # kinds of draw rules
MEMBERS = ("variant", "turn", "legal_moves", "parse_move", "play", "outcome")  # of a position
LOSSES = (Termination.RESIGNATION, Termination.TIME)  # which either side can bring upon itself at any time


class Game(Generic[P, M]):
    """A position and the moves played from it; the one thing here that changes.

    Wins are seen in the position, draws by the rules of its variant. Games are equal when start, moves and declared
    result are.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.start("international"), ["32-28", "19-23"])
    >>> print(game.push("28x19"), game.pop())
    28x19 28x19
    >>> [str(move) for move in game.legal_moves()]
    ['28x19']
    >>> game.resign(game.position.turn)
    Outcome(winner=Side.BLACK, termination=Termination.RESIGNATION)
    """

    def __init__(
        self, position: Position[P, M], moves: Iterable[M | str] = (), *, declared: Outcome | None = None
    ) -> None:
        if not _is_position(position):
            raise TypeError(f"a game begins with a position, not {position!r}")
        start = cast("P", position)
        begin = getattr(start, "draw_counters", None)
        counters: DrawCounters[P, M] | None = begin() if begin else None
        self._rules = position.variant.draws
        self._kinds = _kinds_of(self._rules, () if counters is None else counters.rules)
        self._own_rules = tuple(rule for rule, kind in zip(self._rules, self._kinds, strict=True) if kind == OWN)
        self._repetition = min(  # the count at which a rule may be fulfilled
            (rule.limit for rule, kind in zip(self._rules, self._kinds, strict=True) if kind == REPETITION),
            default=math.inf,
        )
        own = tuple(rule.begin(start) for rule in self._own_rules)

        self._listed = getattr(type(start), "listed", _find_listed)
        self._positions = [start]
        self._seen = {start: 1}  # how often each position has occurred
        self._moves: list[M] = []
        self._counters = [counters]
        self._own_counts = [own]
        self._declared: Outcome | None = None
        self._ended = start.outcome() or self._drawn(start, 1, counters, own)
        for move in moves:
            self.push(move)
        if declared is not None:
            self._declare(self._checked(declared))

    @property
    def start(self) -> P:
        """The position that the game began with."""
        return self._positions[0]

    @property
    def position(self) -> P:
        """The position now."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[P, ...]:
        """Every position of the game, the first and the last included."""
        return tuple(self._positions)

    @property
    def moves(self) -> tuple[M, ...]:
        """The moves played."""
        return tuple(self._moves)

    @property
    def declared(self) -> Outcome | None:
        """The result that was declared: a resignation, an agreement, a claim or a flag that fell; else None."""
        return self._declared

    def count_moves(self, side: Side) -> int:
        """How many of the moves are those of the side.

        >>> from tablemen.mancala import Position
        >>> game = Game(Position.start("kalah"), ["3", "1"])  # the first gives another turn
        >>> game.count_moves(Side.WHITE), game.count_moves(Side.BLACK)
        (2, 0)
        """
        _check_side(side)
        return sum(position.turn is side for position in self._positions[:-1])

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. A win that shows in the position counts before any draw."""
        return self._ended if self._declared is None else self._declared

    def legal_moves(self) -> tuple[M, ...]:
        """Every move that can be pushed; none when the game is over."""
        if self._ended is not None or self._declared is not None:
            return ()
        return self._positions[-1].legal_moves()

    def push(self, move: M | str) -> M:
        """Play a move, or what a text says in the notation of the variant, and give it back.

        Raises `GameOverError` after the end, `IllegalMoveError` for another move than a legal one and what reading
        raises for a text. The game is then what it was.
        """
        if self._ended is not None or self._declared is not None:
            self._check_going_on()
        before = self._positions[-1]
        played: M = before.parse_move(move) if isinstance(move, str) else self._listed(before, move)
        after: P = before.play(played)
        times = self._seen.get(after, 0) + 1
        # Nothing is stored before the last call that can raise.
        counters, own = self._counters[-1], self._own_counts[-1]
        if counters is not None:
            counters = counters.advance(before, played, after)
        if own:
            ply = Ply(before, played, after, times)
            own = tuple(rule.advance(count, ply) for rule, count in zip(self._own_rules, own, strict=True))
        ended = after.outcome()
        if ended is None and (times >= self._repetition or own or (counters is not None and counters.is_drawn)):
            ended = self._drawn(after, times, counters, own)
        self._ended = ended
        self._seen[after] = times
        self._positions.append(after)
        self._moves.append(played)
        self._counters.append(counters)
        self._own_counts.append(own)
        return played

    def pop(self) -> M:
        """Take the last move back, with what was declared after it, and give the move.

        Raises `GameError` where no move was played.
        """
        if not self._moves:
            raise GameError("there is no move to take back")
        left = self._positions.pop()
        self._seen[left] -= 1
        if not self._seen[left]:
            del self._seen[left]
        self._counters.pop()
        self._own_counts.pop()
        self._ended = self._declared = None  # or the move could not have been played
        return self._moves.pop()

    def claims(self) -> tuple[DrawRule, ...]:
        """The draw rules that the players may call upon now."""
        if self.outcome():
            return ()
        return tuple(rule for rule, count in self._counts() if rule.is_fulfilled(count))

    def claim_draw(self) -> Outcome:
        """End the game by the first draw rule that can be called upon; `GameError` where there is none."""
        self._check_going_on()
        for rule in self.claims():
            return self._declare(rule.outcome(self.position))
        raise GameError("no draw can be claimed: `draw_counts()` says how far each rule has got")

    def agree_draw(self) -> Outcome:
        """End the game as a draw that the players agree on."""
        return self._declare(Outcome(None, Termination.AGREEMENT))

    def resign(self, side: Side) -> Outcome:
        """End the game: the side gives up, and its opponent wins."""
        return self._declare(_lost_by(side, Termination.RESIGNATION))

    def lose_on_time(self, side: Side) -> Outcome:
        """End the game: the side has no time left, and its opponent wins."""
        return self._declare(_lost_by(side, Termination.TIME))

    def draw_counts(self) -> dict[DrawRule, int]:
        """How far each draw rule that applies now has got: at its `limit` it is fulfilled."""
        return {rule: count for rule, count in self._counts() if count is not None}

    def svg(self, **options: Any) -> str:
        """The position now as a picture with the last move marked; the options are those of the position's `svg`."""
        last = {"last_move": self._moves[-1]} if self._moves else {}
        picture: str = cast("Any", self.position).svg(**{**last, **options})  # not every family must have pictures
        return picture

    def _repr_svg_(self) -> str | None:
        return self.svg() if hasattr(self.position, "svg") else None

    def copy(self) -> Game[P, M]:
        """A game that goes its own way from here."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._positions, other._seen, other._moves = self._positions.copy(), self._seen.copy(), self._moves.copy()
        other._counters, other._own_counts = self._counters.copy(), self._own_counts.copy()
        return other

    __copy__ = copy

    def _declare(self, outcome: Outcome) -> Outcome:
        self._check_going_on()
        self._declared = outcome
        return outcome

    def _checked(self, declared: Outcome) -> Outcome:
        """The result, if players can have declared it here."""
        if not isinstance(declared, Outcome):
            raise TypeError(f"a declared result is an Outcome, not {declared!r}")
        due = {rule.outcome(self.position) for rule in self.claims()} | {Outcome(None, Termination.AGREEMENT)}
        if declared not in due | {_lost_by(side, reason) for side in Side for reason in LOSSES}:
            raise GameError(f"nobody can have declared {declared!r} here")
        return declared

    def _check_going_on(self) -> None:
        if outcome := self.outcome():
            raise GameOverError(outcome)

    def _drawn(
        self, position: P, times: int, counters: DrawCounters[P, M] | None, own: tuple[int | None, ...]
    ) -> Outcome | None:
        """Return the outcome by the first draw rule that ends the game without a claim, if there is one."""
        for rule, count in self._zip_counts(times, counters, own):
            if not rule.by_claim and rule.is_fulfilled(count):
                return rule.outcome(position)
        return None

    def _counts(self) -> Iterator[tuple[DrawRule, int | None]]:
        """Each draw rule with its count now; None if it does not apply."""
        return self._zip_counts(self._seen[self.position], self._counters[-1], self._own_counts[-1])

    def _zip_counts(
        self, times: int, counters: DrawCounters[P, M] | None, own: tuple[int | None, ...]
    ) -> Iterator[tuple[DrawRule, int | None]]:
        by_kind: dict[str, Iterator[int | None]] = {COUNTED: iter(counters.counts if counters else ()), OWN: iter(own)}
        for rule, kind in zip(self._rules, self._kinds, strict=True):
            yield rule, times if kind == REPETITION else next(by_kind[kind])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.start, self._moves, self._declared) == (other.start, other._moves, other._declared)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        declared = "" if self._declared is None else f", declared={self._declared!r}"
        return f"Game({self.start!r}, {[str(move) for move in self._moves]!r}{declared})"

    def __getstate__(self) -> tuple[P, list[M], Outcome | None]:
        # The rest follows from these.
        return self.start, self._moves, self._declared

    def __setstate__(self, state: tuple[P, list[M], Outcome | None]) -> None:
        start, moves, declared = state
        Game.__init__(self, start, moves, declared=declared)


def _is_position(value: object) -> bool:
    # The same as `isinstance(value, Position)`, which takes as long as twenty moves.
    return not isinstance(value, type) and all(hasattr(value, name) for name in MEMBERS)


def _kinds_of(rules: tuple[DrawRule, ...], counted: tuple[DrawRule, ...]) -> list[str]:
    """How each rule is counted. A repetition that overrides the counting counts for itself."""
    in_core = set(map(id, counted))
    kinds = []
    for rule in rules:
        plain = type(rule).begin is Repetition.begin and type(rule).advance is Repetition.advance
        kinds.append(COUNTED if id(rule) in in_core else REPETITION if plain else OWN)
    return kinds


def _find_listed(position: Any, move: Any) -> Any:
    """The legal move that equals this one: fields that equality ignores may be wrong in a move made by hand."""
    legal = position.legal_moves()
    return legal[legal.index(move)] if move in legal else move


def _lost_by(side: Side, reason: Termination) -> Outcome:
    _check_side(side)
    return Outcome(side.opponent, reason)


def _check_side(side: Side) -> None:
    if not isinstance(side, Side):
        raise TypeError(f"expected a Side, not {side!r}")
