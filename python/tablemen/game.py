"""A game: a position, what led to it, and what follows from that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar, cast

from tablemen.draws import DrawRule, Ply
from tablemen.errors import GameError, GameOverError
from tablemen.outcome import Outcome, Side, Termination
from tablemen.position import Position

P = TypeVar("P", bound=Position[Any, Any])
M = TypeVar("M")

LOSSES = (Termination.RESIGNATION, Termination.TIME)  # which either side can bring upon itself at any time


class _State(NamedTuple, Generic[P]):
    """What a game knows after a move; a count is None where its rule does not apply."""

    position: P
    counts: tuple[int | None, ...]
    outcome: Outcome | None


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
        given: object = position
        if not isinstance(given, Position) or isinstance(given, type):
            raise TypeError(f"a game begins with a position, not {position!r}")
        self._rules = position.variant.draws
        start = cast("P", position)
        counts = tuple(rule.begin(start) for rule in self._rules)
        self._states = [_State(start, counts, self._outcome_of(start, counts))]
        self._seen = {start: 1}
        self._moves: list[M] = []
        self._declared: Outcome | None = None
        for move in moves:
            self.push(move)
        if declared is not None:
            self._declare(self._checked(declared))

    @property
    def start(self) -> P:
        """The position that the game began with."""
        return self._states[0].position

    @property
    def position(self) -> P:
        """The position now."""
        return self._states[-1].position

    @property
    def positions(self) -> tuple[P, ...]:
        """Every position of the game, the first and the last included."""
        return tuple(state.position for state in self._states)

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
        return sum(state.position.turn is side for state in self._states[:-1])

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. A win that shows in the position counts before any draw."""
        return self._states[-1].outcome if self._declared is None else self._declared

    def legal_moves(self) -> tuple[M, ...]:
        """Every move that can be pushed; none when the game is over."""
        return () if self.outcome() else self.position.legal_moves()

    def push(self, move: M | str) -> M:
        """Play a move, or what a text says in the notation of the variant, and give it back.

        Raises `GameOverError` after the end, `IllegalMoveError` for another move than a legal one and what reading
        raises for a text. The game is then what it was.
        """
        self._check_going_on()
        before, counts, _ = self._states[-1]
        played = cast("M", before.parse_move(move)) if isinstance(move, str) else self._listed(move)
        after = before.play(played)
        times = self._seen.get(after, 0) + 1
        ply = Ply(before, played, after, times)
        counts = tuple(rule.advance(count, ply) for rule, count in zip(self._rules, counts, strict=True))
        state = _State(after, counts, self._outcome_of(after, counts))
        self._seen[after] = times
        self._moves.append(played)
        self._states.append(state)
        return played

    def pop(self) -> M:
        """Take the last move back, with what was declared after it, and give the move.

        Raises `GameError` where no move was played.
        """
        if not self._moves:
            raise GameError("there is no move to take back")
        left = self._states.pop().position
        self._seen[left] -= 1
        if not self._seen[left]:
            del self._seen[left]
        self._declared = None
        return self._moves.pop()

    def claims(self) -> tuple[DrawRule, ...]:
        """The draw rules that the players may call upon now."""
        if self.outcome():
            return ()
        counts = self._states[-1].counts
        return tuple(rule for rule, count in zip(self._rules, counts, strict=True) if rule.is_fulfilled(count))

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
        counts = self._states[-1].counts
        return {rule: count for rule, count in zip(self._rules, counts, strict=True) if count is not None}

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
        other._states, other._seen, other._moves = self._states.copy(), self._seen.copy(), self._moves.copy()
        return other

    __copy__ = copy

    def _declare(self, outcome: Outcome) -> Outcome:
        self._check_going_on()
        self._declared = outcome
        return outcome

    def _listed(self, move: M) -> M:
        """The legal move that equals this one: what does not count for equality may be wrong in one made by hand."""
        legal = self.position.legal_moves()
        return cast("M", legal[legal.index(move)]) if move in legal else move

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

    def _outcome_of(self, position: P, counts: tuple[int | None, ...]) -> Outcome | None:
        """The result that needs nobody's word."""
        if shown := position.outcome():
            return shown
        for rule, count in zip(self._rules, counts, strict=True):
            if not rule.by_claim and rule.is_fulfilled(count):
                return rule.outcome(position)
        return None

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


def _lost_by(side: Side, reason: Termination) -> Outcome:
    _check_side(side)
    return Outcome(side.opponent, reason)


def _check_side(side: Side) -> None:
    if not isinstance(side, Side):
        raise TypeError(f"expected a Side, not {side!r}")
