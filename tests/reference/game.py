"""A reference implementation of the draw rules, computed from the whole history of a game.

It is written from the articles of each variant, not from the values in the package. A rule book is a function that
yields all reasons for a draw. Wins are not covered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from tablemen import Side, Termination
from tests.reference.moves import Move, legal_moves, play
from tests.reference.two_kings import is_decided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.reference.position import ReferencePosition


@dataclass
class ReferenceGame:
    """The positions of a game, and the moves between them."""

    positions: list[ReferencePosition]
    moves: list[Move] = field(default_factory=list)

    def push(self, move: Move) -> None:
        self.positions.append(play(self.positions[-1], move))
        self.moves.append(move)

    def pop(self) -> None:
        self.positions.pop()
        self.moves.pop()


def due(game: ReferenceGame) -> set[Termination]:
    """Return the reasons why the game is drawn; empty if it is not."""
    return set(AUTOMATIC[game.positions[-1].rules.name](game))


def claimable(game: ReferenceGame) -> set[Termination]:
    """Return the reasons for which a player may claim a draw."""
    return set(CLAIMS.get(game.positions[-1].rules.name, _nothing)(game))


# Terms of the articles


def _times(game: ReferenceGame) -> int:
    """Return how often the position has occurred, with the same side to move."""
    return game.positions.count(game.positions[-1])


def _moves_by_kings(game: ReferenceGame) -> int:
    """Return the number of last moves in a row by kings, without captures."""
    plies = list(zip(game.moves, game.positions[:-1], strict=True))

    def is_by_king(ply: tuple[Move, ReferencePosition]) -> bool:
        move, before = ply
        return not move.captured and move.start in before.kings(before.turn)

    in_a_row = takewhile(is_by_king, reversed(plies))
    return _length(in_a_row)


def _moves_while(game: ReferenceGame, holds: Callable[[ReferencePosition], bool]) -> int:
    """Return the number of last moves in a row with a condition that holds before and after each."""
    in_a_row = takewhile(holds, reversed(game.positions))
    return max(0, _length(in_a_row) - 1)


def _moves_with_this_balance(game: ReferenceGame) -> int:
    """Return the number of last moves in a row that did not change the numbers of men and kings."""
    now = _balance(game.positions[-1])
    return _moves_while(game, lambda position: _balance(position) == now)


def _balance(position: ReferencePosition) -> list[int]:
    return [len(each(side)) for side in Side for each in (position.men, position.kings)]


def _length(items: Iterable[object]) -> int:
    return sum(1 for _ in items)


def _total(position: ReferencePosition) -> int:
    return sum(_balance(position))


def _both_have_kings(position: ReferencePosition) -> bool:
    return bool(position.white_kings) and bool(position.black_kings)


def _lone_kings(position: ReferencePosition) -> list[Side]:
    """Return the sides that have only a king."""
    return [side for side in Side if not position.men(side) and len(position.kings(side)) == 1]


def _against_lone_king(position: ReferencePosition, minimum: int, maximum: int, *, men: bool = True) -> bool:
    """Return whether a lone king faces this number of pieces, at least one of them a king; no men without `men`."""
    return any(
        minimum <= len(position.pieces(side.opponent)) <= maximum
        and position.kings(side.opponent)
        and (men or not position.men(side.opponent))
        for side in _lone_kings(position)
    )


def on_long_diagonal(position: ReferencePosition, side: Side) -> bool:
    """Return whether a king is on a diagonal that begins in a corner."""
    rows, columns = position.rules.rows, position.rules.columns
    from_corners = {
        place
        for far_row, far_column in ((False, False), (False, True), (True, False), (True, True))
        for step in range(min(rows, columns))
        for place in [(rows - 1 - step if far_row else step, columns - 1 - step if far_column else step)]
    }
    return bool(position.kings(side) & from_corners)


def _king_against_king_is_drawn(position: ReferencePosition) -> bool:
    """Return whether each side has only a king, and neither wins by force."""
    return len(_lone_kings(position)) == 2 and not is_decided(position)


def _captures(position: ReferencePosition) -> bool:
    return any(move.captured for move in legal_moves(position))


# The rule books


def _nothing(_game: ReferenceGame) -> Iterator[Termination]:
    return iter(())


def _threefold(game: ReferenceGame) -> Iterator[Termination]:
    if _times(game) >= 3:
        yield Termination.REPETITION


def _fmjd(game: ReferenceGame) -> Iterator[Termination]:
    """Implement Annex 1, article 6, and one king against one."""
    yield from _threefold(game)  # 6.1
    if _moves_by_kings(game) >= 2 * 25:  # 6.2
        yield Termination.KING_MOVES
    if _moves_while(game, lambda position: _against_lone_king(position, 3, 3)) >= 2 * 16:  # 6.3
        yield Termination.THREE_AGAINST_KING
    if _moves_while(game, lambda position: _against_lone_king(position, 1, 2)) >= 2 * 5:  # 6.4
        yield Termination.FEW_AGAINST_KING
    if _king_against_king_is_drawn(game.positions[-1]):
        yield Termination.KING_AGAINST_KING


def _fmjd_64(game: ReferenceGame) -> Iterator[Termination]:
    """Implement article 7.2 of the section for 64 squares."""
    now = game.positions[-1]

    def on_main_road(position: ReferencePosition) -> bool:
        return any(on_long_diagonal(position, side) for side in _lone_kings(position)) and _against_lone_king(
            position, 3, 3
        )

    yield from _threefold(game)  # 7.2.3
    if _moves_while(game, lambda position: _against_lone_king(position, 3, 99, men=False)) >= 2 * 15:  # 7.2.4
        yield Termination.THREE_AGAINST_KING
    if _both_have_kings(now) and 4 <= _total(now) <= 7:  # 7.2.6
        if _moves_with_this_balance(game) >= 2 * (30 if _total(now) <= 5 else 60):
            yield Termination.UNCHANGED_BALANCE
    elif _moves_by_kings(game) >= 2 * 15:  # 7.2.5
        yield Termination.KING_MOVES
    if _moves_while(game, on_main_road) >= 2 * 5:  # 7.2.7
        yield Termination.MAIN_ROAD
    if _moves_while(game, lambda position: _against_lone_king(position, 1, 2)) >= 2 * 5:  # 7.2.8
        yield Termination.FEW_AGAINST_KING


def _apca(game: ReferenceGame) -> Iterator[Termination]:
    yield from _threefold(game)
    if _moves_by_kings(game) >= 2 * 15:
        yield Termination.KING_MOVES
    if _moves_while(game, lambda position: _against_lone_king(position, 3, 3, men=False)) >= 2 * 13:
        yield Termination.THREE_AGAINST_KING


def _wcdf(game: ReferenceGame) -> Iterator[Termination]:
    yield from _threefold(game)  # 1.32.1
    if _moves_by_kings(game) >= 2 * 40:  # 1.32.2
        yield Termination.KING_MOVES


def _fid(game: ReferenceGame) -> Iterator[Termination]:
    if _times(game) >= 4:  # 9.3 b1
        yield Termination.REPETITION
    if _moves_by_kings(game) >= 2 * 40:  # 10.4
        yield Termination.KING_MOVES


def _river(game: ReferenceGame) -> Iterator[Termination]:
    """Implement FPD 3.2 b: three kings that hold the river against one."""

    def holds(position: ReferencePosition) -> bool:
        return _against_lone_king(position, 3, 3, men=False) and any(
            on_long_diagonal(position, side.opponent) for side in _lone_kings(position)
        )

    if _moves_while(game, holds) >= 2 * 12:
        yield Termination.MAIN_ROAD


def _spanish(game: ReferenceGame) -> Iterator[Termination]:
    yield from _threefold(game)
    if _moves_by_kings(game) >= 2 * 20:
        yield Termination.KING_MOVES
    yield from _river(game)


def _fpd(game: ReferenceGame) -> Iterator[Termination]:
    yield from _threefold(game)  # 3.2 c
    if _moves_with_this_balance(game) >= 2 * 20:  # 3.2 a
        yield Termination.UNCHANGED_BALANCE
    yield from _river(game)


def _czech(game: ReferenceGame) -> Iterator[Termination]:
    if _moves_by_kings(game) >= 2 * 15:
        yield Termination.KING_MOVES


def _frisian(game: ReferenceGame) -> Iterator[Termination]:
    if _king_against_king_is_drawn(game.positions[-1]):  # 21.1
        yield Termination.KING_AGAINST_KING
    if _moves_while(game, lambda position: _against_lone_king(position, 2, 2, men=False)) >= 2 * 7:  # 18
        yield Termination.FEW_AGAINST_KING


def _turkish(game: ReferenceGame) -> Iterator[Termination]:
    yield from _threefold(game)
    now = game.positions[-1]
    if all(len(now.pieces(side)) == 1 for side in Side) and not _captures(now):
        yield Termination.ONE_AGAINST_ONE


RuleBook: TypeAlias = "Callable[[ReferenceGame], Iterator[Termination]]"
AUTOMATIC: dict[str, RuleBook] = {
    "international": _fmjd,
    "canadian": _fmjd,
    "srilankan": _fmjd,
    "russian": _fmjd_64,
    "brazilian": _fmjd_64,
    "spantsiretti": _fmjd_64,
    "pool": _apca,
    "jamaican": _apca,
    "english": _nothing,
    "italian": _fid,
    "spanish": _spanish,
    "portuguese": _fpd,
    "czech": _czech,
    "frisian": _frisian,
    "frysk": _frisian,
    "turkish": _turkish,
    "armenian": _turkish,
    "breakthrough": _nothing,
    **dict.fromkeys(("malaysian", "thai", "filipino", "german", "gothic", "ghanaian", "argentine"), _threefold),
    **dict.fromkeys(("antidraughts", "poddavki", "killer", "interview"), _threefold),
}
CLAIMS: dict[str, RuleBook] = {"english": _wcdf, "czech": _threefold}
