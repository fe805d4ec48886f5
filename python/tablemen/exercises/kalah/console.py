"""A game of Kalah from the first board to the last line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablemen.console import IO
from tablemen.errors import ArgumentError
from tablemen.exercises.kalah.board import LABELS, draw_horizontal, draw_vertical
from tablemen.exercises.kalah.prompt import LOAD, NEW, QUIT, SAVE, SWAP, Answer, ask_for_house, ask_with_menu
from tablemen.mancala import KALAH, NORTH, SOUTH, KalahRules, Move, Position
from tablemen.mancala.robot import choose
from tablemen.outcome import Outcome, Side


class Kalah:
    """A Kalah console: who plays, on which board, by which rules; `play` can be called any number of times.

    `start` is the first position, or the rules that it comes from, or their name. Sides in `robots` move by themselves.
    With `menu` a player can also save, load and begin anew.

    >>> from tablemen.console import StandardIO
    >>> Kalah("kalah", robots=[SOUTH, NORTH]).play(StandardIO())
    +----+-------+-------+-------+-------+-------+-------+----+
    | P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |
    |    |-------+-------+-------+-------+-------+-------|    |
    |  0 | 1[ 4] | 2[ 4] | 3[ 4] | 4[ 4] | 5[ 4] | 6[ 4] | P1 |
    +----+-------+-------+-------+-------+-------+-------+----+
    Player P1 (Robot) chooses house #3 because it leads to an extra move
    ...
    """

    def __init__(
        self,
        start: Position | KalahRules | str = KALAH,
        *,
        vertical: bool = False,
        robots: Iterable[Side] = (),
        menu: bool = False,
    ) -> None:
        self.start = _read_start(start)
        self.robots = _read_robots(robots)
        self.vertical = vertical
        self.menu = menu

    def play(self, io: IO) -> None:
        """Plays one game, to its end or until a player leaves it; the end of the input is a player leaving."""
        position, saved = self.start, None
        self._print_board(io, position)
        while (outcome := position.outcome()) is None:
            answer = self._ask(io, position)
            if answer == QUIT:
                break
            if answer == NEW:
                position, saved = self.start, None
            elif answer == SAVE:
                saved = position
            elif answer == LOAD and saved is not None:
                position = saved
            elif answer == LOAD:
                io.println("No saved game")
            elif (move := _find_move(position, answer)) is not None:
                position = position.play(move)
            else:
                io.println("House is empty. Move again.")
            self._print_board(io, position)
        io.println("Game over")
        self._print_board(io, position)
        if outcome is not None:
            _print_result(io, position, outcome)

    def _print_board(self, io: IO, position: Position) -> None:
        for line in (draw_vertical if self.vertical else draw_horizontal)(position):
            io.println(line)

    def _ask(self, io: IO, position: Position) -> Answer:
        """What the side to move wants; a robot says what, and why."""
        player = LABELS[position.turn]
        if position.turn in self.robots:
            move, reason = choose(position)
            io.println(f"Player {player} (Robot) chooses house #{move.house} because {reason}")
            return move.house
        may_swap = _find_move(position, SWAP) is not None
        ask = ask_with_menu if self.menu else ask_for_house
        return ask(io, player, len(position.houses(position.turn)), may_swap=may_swap)


def _read_start(start: Any) -> Position:
    """The position that games begin with: anything that plays like one will do."""
    position: Position = Position.start(start) if isinstance(start, KalahRules | str) else start
    if not isinstance(getattr(position, "variant", None), KalahRules):
        raise ArgumentError("start", start, "a position or rules of Kalah")
    return position


def _read_robots(robots: object) -> frozenset[Side]:
    """The sides that move by themselves."""
    if not isinstance(robots, Iterable) or isinstance(robots, str):
        raise ArgumentError("robots", robots, "a set of sides, such as {NORTH}")
    sides = frozenset(robots)
    for side in sides - set(LABELS):
        raise ArgumentError("robots", side, "SOUTH or NORTH")
    return sides


def _find_move(position: Position, answer: Answer) -> Move | None:
    """The legal move that the answer means, if there is one."""
    for move in position.legal_moves():
        if move.is_swap if answer == SWAP else not move.is_swap and move.house == answer:
            return move
    return None


def _print_result(io: IO, position: Position, outcome: Outcome) -> None:
    score = position.score()
    for number, side in enumerate((SOUTH, NORTH), 1):
        io.println(f"\tplayer {number}:{score[side]}")
    verdicts = {SOUTH: "Player 1 wins!", NORTH: "Player 2 wins!", None: "A tie!"}
    io.println(verdicts[outcome.winner])
