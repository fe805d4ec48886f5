"""Copies of the Kalah reference with one wrong rule each, which the transcripts must detect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from tablemen import Outcome, Side, Termination
from tablemen.exercises import Kalah
from tablemen.mancala import KalahRules, Position
from tests.mancala.oracle import to_plain_rules
from tests.reference.kalah import NORTH, Board, KalahPosition, Move, Pit


class EitherSideEmptyEnds(KalahPosition):
    def is_over(self) -> bool:
        return any(self.seeds_in_houses(side) == 0 for side in Side)


class CapturesOppositeNothing(KalahPosition):
    def is_capture(self, last: Pit, begin: Pit, board: Board) -> bool:
        return last.side is begin.side and last.number > 0 and board[last] == 1


class NoCaptureAfterAFullLap(KalahPosition):
    def is_capture(self, last: Pit, begin: Pit, board: Board) -> bool:
        return last != begin and super().is_capture(last, begin, board)


class SkipsTheEmptiedHouse(KalahPosition):
    def way_around(self, begin: Pit) -> list[Pit]:
        return [pit for pit in super().way_around(begin) if pit != begin]


class SowsTheOpponentsStore(KalahPosition):
    def way_around(self, begin: Pit) -> list[Pit]:
        way = super().way_around(begin)
        last = Pit(begin.side.opponent, self.rules.houses)
        way.insert(way.index(last) + 1, Pit(begin.side.opponent, 0))
        return way


class SowsNoStore(KalahPosition):
    def way_around(self, begin: Pit) -> list[Pit]:
        return [pit for pit in super().way_around(begin) if pit.number]


class NoExtraMove(KalahPosition):
    def gives_extra_turn(self, last: Pit) -> bool:  # noqa: ARG002 - never
        return False


class NoExtraMoveForTheSecondPlayer(KalahPosition):
    def gives_extra_turn(self, last: Pit) -> bool:
        return self.turn is not NORTH and super().gives_extra_turn(last)


class ScoresFromStoresOnly(KalahPosition):
    def score(self) -> dict[Side, int]:
        return self.stores


class LooksForCapturesBeforeSowing(KalahPosition):
    def is_capture(self, last: Pit, begin: Pit, board: Board) -> bool:
        own = last.side is begin.side and last.number > 0
        return own and board[last] == 1 and self.board[self.opposite(last)] > 0


class CapturesOnTheOpponentsSide(KalahPosition):
    def is_capture(self, last: Pit, begin: Pit, board: Board) -> bool:  # noqa: ARG002 - from any house
        return last.number > 0 and board[last] == 1 and board[self.opposite(last)] > 0


class CapturesInAnyOwnHouse(KalahPosition):
    def is_capture(self, last: Pit, begin: Pit, board: Board) -> bool:
        return last.side is begin.side and last.number > 0 and board[self.opposite(last)] > 0


class LeavesTheCapturingSeed(KalahPosition):
    def try_house(self, house: int) -> tuple[Move, Board]:
        move, board = super().try_house(house)
        if move.captured:
            last = self.way_around(Pit(self.turn, house))[(move.sown - 1) % (2 * self.rules.houses + 1)]
            board[last] += 1
            board[Pit(self.turn, 0)] -= 1
        return move, board


class EndsWithTheMajority(KalahPosition):
    def is_over(self) -> bool:
        return super().is_over() or max(self.stores.values()) > sum(self.board.values()) / 2


MUTANTS: list[type[KalahPosition]] = [
    EitherSideEmptyEnds,
    CapturesOppositeNothing,
    NoCaptureAfterAFullLap,
    SkipsTheEmptiedHouse,
    SowsTheOpponentsStore,
    SowsNoStore,
    NoExtraMove,
    NoExtraMoveForTheSecondPlayer,
    ScoresFromStoresOnly,
    LooksForCapturesBeforeSowing,
    CapturesOnTheOpponentsSide,
    CapturesInAnyOwnHouse,
    LeavesTheCapturingSeed,
    EndsWithTheMajority,
]


@dataclass(frozen=True)
class PlainPosition:
    """A position of the reference with the interface that the console needs."""

    variant: KalahRules
    plain: KalahPosition

    @property
    def turn(self) -> Side:
        return self.plain.turn

    @property
    def stores(self) -> dict[Side, int]:
        return self.plain.stores

    def houses(self, side: Side) -> tuple[int, ...]:
        return self.plain.houses(side)

    def legal_moves(self) -> tuple[Move, ...]:
        return self.plain.legal_moves()

    def play(self, move: Move) -> PlainPosition:
        return PlainPosition(self.variant, self.plain.play(move))

    def score(self) -> dict[Side, int]:
        return self.plain.score()

    def outcome(self) -> Outcome | None:
        return Outcome(self.plain.winner(), Termination.NO_MOVE) if self.plain.is_over() else None


def with_reference(kind: type[KalahPosition], game: Kalah) -> Kalah:
    """Return the same console with the rules of a reference."""
    rules = game.start.variant
    assert isinstance(rules, KalahRules)
    start = PlainPosition(rules, kind.start(to_plain_rules(rules)))
    return Kalah(cast("Position", start), vertical=game.vertical, robots=game.robots, menu=game.menu)
