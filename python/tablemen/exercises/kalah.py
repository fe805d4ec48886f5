"""The assignment "Kalah": a console for two players or a robot, whose output is specified to the character."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from tablemen.console import IO
from tablemen.errors import ArgumentError
from tablemen.mancala import KALAH, NORTH, SOUTH, KalahRules, Move, Position
from tablemen.mancala.moves import choose_robot_move
from tablemen.mancala.rules import is_kalah
from tablemen.outcome import Side

LABELS = {SOUTH: "P1", NORTH: "P2"}
QUIT, NEW, SAVE, LOAD, SWAP = "q", "n", "s", "l", "x"
NO_HOUSE = 0  # the cancel result of `read_integer`

Answer: TypeAlias = int | str  # a house, or one of the letters above


class Kalah:
    """A Kalah console. Each call of `play` plays one game.

    `start` is the start position, or rules, or the name of rules. The sides in `robots` are played by the program. With
    `menu` a player can also save, load and start a new game.

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
        self.start = _check_start(start)
        self.robots = _check_robots(robots)
        self.vertical = vertical
        self.menu = menu

    def play(self, io: IO) -> None:
        """Play one game until it ends or a player quits; the end of the input counts as quitting."""
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
            score = position.score()
            io.println(f"\tplayer 1:{score[SOUTH]}")
            io.println(f"\tplayer 2:{score[NORTH]}")
            io.println({SOUTH: "Player 1 wins!", NORTH: "Player 2 wins!", None: "A tie!"}[outcome.winner])

    def _print_board(self, io: IO, position: Position) -> None:
        for line in (draw_vertical if self.vertical else draw_horizontal)(position):
            io.println(line)

    def _ask(self, io: IO, position: Position) -> Answer:
        """Return the answer of the side to move; a robot also prints its move and the reason."""
        player = LABELS[position.turn]
        if position.turn in self.robots:
            move, reason = choose_robot_move(position)
            io.println(f"Player {player} (Robot) chooses house #{move.house} because {reason}")
            return move.house
        houses = len(position.houses(position.turn))
        can_swap = _find_move(position, SWAP) is not None
        swap = {SWAP} if can_swap else set()
        if self.menu:
            lines = [
                f"Player {player}",
                f"    (1-{houses}) - house number for move",
                *(["    X - Swap sides"] if can_swap else []),
                "    N - New game",
                "    S - Save game",
                "    L - Load game",
                "    q - Quit",
            ]
            return _MenuIO(io, lines, {QUIT, NEW, SAVE, LOAD} | swap).ask("Choice:", houses)
        prompt = f"Player {player}'s turn - Specify house number"
        if can_swap:
            return _MenuIO(io, [], {QUIT} | swap).ask(f"{prompt}, '{SWAP}' to swap sides or '{QUIT}' to quit: ", houses)
        return io.read_integer(f"{prompt} or '{QUIT}' to quit: ", 1, houses, NO_HOUSE, QUIT) or QUIT


class _MenuIO(IO):
    """A console that accepts letters of either case beside numbers, and prints `lines` before every prompt."""

    def __init__(self, io: IO, lines: list[str], letters: set[str]) -> None:
        self.io = io
        self.lines = lines
        self.letters = letters
        self.letter = QUIT

    def ask(self, prompt: str, houses: int) -> Answer:
        """Return a house from 1 to `houses`, or one of the letters."""
        return self.read_integer(prompt, 1, houses, NO_HOUSE, QUIT) or self.letter

    def print(self, text: str) -> None:
        """Write to the console."""
        self.io.print(text)

    def println(self, text: str = "") -> None:
        """Write a line to the console."""
        self.io.println(text)

    def read_from_keyboard(self, prompt: str) -> str:
        """Return the next line of input; store a letter and return `QUIT`, which cancels `read_integer`."""
        for line in self.lines:
            self.io.println(line)
        answer = self.io.read_from_keyboard(prompt)
        letter = answer.lower()
        if letter not in self.letters:
            return answer
        self.letter = letter
        return QUIT


def _check_start(start: Any) -> Position:
    """Return the start position. Any object with the interface of a position is accepted."""
    position: Position = Position.start(start) if isinstance(start, str) or is_kalah(start) else start
    if not is_kalah(getattr(position, "variant", None)):
        raise ArgumentError("start", start, "a position or rules of Kalah")
    return position


def _check_robots(robots: object) -> frozenset[Side]:
    if not isinstance(robots, Iterable) or isinstance(robots, str):
        raise ArgumentError("robots", robots, "a set of sides, such as {NORTH}")
    sides = frozenset(robots)
    for side in sides - set(LABELS):
        raise ArgumentError("robots", side, "SOUTH or NORTH")
    return sides


def _find_move(position: Position, answer: Answer) -> Move | None:
    """Return the legal move for an answer, or None."""
    for move in position.legal_moves():
        if move.is_swap if answer == SWAP else not move.is_swap and move.house == answer:
            return move
    return None


# The boards. Counts are as wide as the number of all seeds, and at least two characters, so the width never changes.


def draw_horizontal(position: Position) -> list[str]:
    r"""Draw player 2's houses on top, from right to left, and player 1's below, from left to right.

    >>> print(*draw_horizontal(Position.start("kalah")), sep="\n")
    +----+-------+-------+-------+-------+-------+-------+----+
    | P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |
    |    |-------+-------+-------+-------+-------+-------|    |
    |  0 | 1[ 4] | 2[ 4] | 3[ 4] | 4[ 4] | 5[ 4] | 6[ 4] | P1 |
    +----+-------+-------+-------+-------+-------+-------+----+
    """
    digits = _digits(position)
    top, bottom = _cells(position, NORTH)[::-1], _cells(position, SOUTH)
    dashes = "+".join("-" * (len(cell) + 2) for cell in bottom)
    edge = "-" * (digits + 2)
    frame = f"+{edge}+{dashes}+{edge}+"
    label = {side: f"{text:>{digits}}" for side, text in LABELS.items()}
    store = {side: f"{count:>{digits}}" for side, count in position.stores.items()}
    return [
        frame,
        f"| {' | '.join([label[NORTH], *top, store[SOUTH]])} |",
        f"|{' ' * len(edge)}|{dashes}|{' ' * len(edge)}|",
        f"| {' | '.join([store[NORTH], *bottom, label[SOUTH]])} |",
        frame,
    ]


def draw_vertical(position: Position) -> list[str]:
    r"""Draw player 1's houses on the left, downwards, and player 2's on the right, upwards.

    >>> print(*draw_vertical(Position.start("kalah")), sep="\n")
    +---------------+
    |       | P2  0 |
    +-------+-------+
    | 1[ 4] | 6[ 4] |
    | 2[ 4] | 5[ 4] |
    | 3[ 4] | 4[ 4] |
    | 4[ 4] | 3[ 4] |
    | 5[ 4] | 2[ 4] |
    | 6[ 4] | 1[ 4] |
    +-------+-------+
    | P1  0 |       |
    +---------------+
    """
    left, right = _cells(position, SOUTH), _cells(position, NORTH)[::-1]
    width = len(left[0])
    store = {side: f"{text}{position.stores[side]:>{width - len(text)}}" for side, text in LABELS.items()}
    frame = f"+{'-' * (2 * width + 5)}+"
    middle = f"+{'-' * (width + 2)}+{'-' * (width + 2)}+"
    return [
        frame,
        f"| {' ' * width} | {store[NORTH]} |",
        middle,
        *(f"| {own} | {other} |" for own, other in zip(left, right, strict=True)),
        middle,
        f"| {store[SOUTH]} | {' ' * width} |",
        frame,
    ]


def _cells(position: Position, side: Side) -> list[str]:
    """Return the houses of a side in order, each with its number: `6[ 4]`."""
    houses = position.houses(side)
    wide, digits = len(str(len(houses))), _digits(position)
    return [f"{number:>{wide}}[{count:>{digits}}]" for number, count in enumerate(houses, 1)]


def _digits(position: Position) -> int:
    seeds = sum(position.stores[side] + sum(position.houses(side)) for side in LABELS)
    return max(2, len(str(seeds)))
