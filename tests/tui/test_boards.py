"""The board widgets: places are where they are drawn, and the cursor reaches all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from rich.style import Style
from textual.geometry import Size

from tablemen import Game, Side
from tablemen.draughts import VARIANTS, Kind, Position
from tablemen.mancala import KALAH, Swap
from tablemen.mancala import Position as Pits
from tablemen.move_input import MoveInput
from tablemen.tui.board import BoardView, BoardWidget
from tablemen.tui.draughts_board import DraughtsBoard
from tablemen.tui.mancala_board import MancalaBoard
from tests.tui.fixtures import find_places

STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
SIGNS = {(Side.WHITE, Kind.MAN): "○", (Side.BLACK, Kind.MAN): "●"}


def sized(kind: type[BoardWidget], view: BoardView, size: tuple[int, int], *, colour: bool = False) -> Any:
    """Return a board of a size, without an app."""
    facts = {"size": Size(*size), "in_colour": colour, "rich_style": Style(), "has_focus": True}
    return type("Sized", (kind,), facts)(view)


def draughts_boards(variant: str) -> Iterator[DraughtsBoard]:
    """Yield boards with squares of every size, with and without spare room, in either orientation."""
    game = Game(Position.start(variant))
    rules = game.position.variant
    one = sized(DraughtsBoard, BoardView(game), (999, 999))
    below = int(any(one.below))
    for height in (1, 2, 3, 4):
        least = ((2 * height + 1) * rules.columns + 2 * one._margin(height), height * rules.rows + below)
        spare, side = (0, Side.BLACK) if height % 2 else (1, Side.WHITE)
        board = sized(DraughtsBoard, BoardView(game, side), (least[0] + 5 * spare, least[1] + spare))
        assert board.height_of_square == height
        yield board


def reached(board: Any) -> set[str]:
    """Return the places that the cursor reaches; check that every step goes in the direction of its arrow."""
    places = find_places(board)
    middles = {place: points[len(points) // 2] for place, points in places.items()}
    found, waiting = {board.cursor_place()}, deque([(board.cursor, getattr(board, "is_at_swap", False))])
    while waiting:
        state = waiting.popleft()
        for columns, rows in STEPS.values():
            board.cursor, board.is_at_swap = state
            before = board.cursor_place()
            board.step(columns, rows)
            after = board.cursor_place()
            if after != before:
                (x, y), (new_x, new_y) = middles[before], middles[after]
                assert (new_x - x) * columns > 0 or (new_y - y) * rows > 0, f"{before} to {after}"
            if after not in found:
                found.add(after)
                waiting.append((board.cursor, board.is_at_swap))
    return found


def texts(board: Any) -> list[str]:
    return ["".join(segment.text for segment in line) for line in board.lines()]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_square_can_be_clicked_and_reached(variant: str) -> None:
    names = {square.name for square in VARIANTS[variant].mover.squares}
    for board in draughts_boards(variant):
        places = find_places(board)
        assert set(places) == names
        height = board.height_of_square
        assert {len(points) for points in places.values()} == {height * (2 * height + 1)}
    assert reached(board) == names


@pytest.mark.parametrize("variant", VARIANTS)
def test_pieces_are_where_they_can_be_clicked(variant: str) -> None:
    for side in Side:
        board = sized(DraughtsBoard, BoardView(Game(Position.start(variant)), side), (60, 13))
        left, top = board.margins()
        drawn = texts(board)
        assert {len(line) for line in drawn} == {board.extent()[0]}
        for name, points in find_places(board).items():
            piece = board.view.game.position.piece_at(name)
            sign = "·" if piece is None else SIGNS[piece.side, piece.kind]
            x, y = points[1]
            assert drawn[y - top][x - left] == sign, name


def test_a_12x12_board_fits_the_smallest_window() -> None:
    assert sized(DraughtsBoard, BoardView(Game(Position.start("canadian"))), (40, 12)).extent() == (40, 12)
    assert sized(DraughtsBoard, BoardView(Game(Position.start("canadian"))), (39, 12)).extent() == (0, 0)


def kalah_view(
    houses: int, *, moves: tuple[str, ...] = (), orientation: Side = Side.WHITE, swap: bool = False
) -> BoardView:
    rules = replace(KALAH, houses=houses, seeds=2, swap=Swap.PIE if swap else Swap.NONE)
    game = Game(Pits.start(rules))
    for move in moves:
        game.push(move)
    return BoardView(game, orientation, MoveInput.for_game(game))


@pytest.mark.parametrize("orientation", Side)
@pytest.mark.parametrize("moves", [(), ("1",)], ids=["south", "north"])
@pytest.mark.parametrize(
    ("houses", "size", "is_horizontal"),
    [
        *((6, size, True) for size in [(40, 8), (48, 10), (56, 10), (90, 12), (150, 50)]),
        *((6, size, False) for size in [(39, 8), (24, 8), (39, 60)]),
        (1, (24, 10), True), (10, (59, 12), False), (24, (24, 26), False), (24, (130, 8), True), (24, (200, 60), True),
    ],
)  # fmt: skip
def test_every_house_can_be_clicked_and_reached(
    houses: int, size: tuple[int, int], moves: tuple[str, ...], orientation: Side, *, is_horizontal: bool
) -> None:
    board = sized(MancalaBoard, kalah_view(houses, moves=moves, orientation=orientation), size)
    assert (board._pit_size() is not None) is is_horizontal
    places = find_places(board)
    own = {str(number) for number in range(1, houses + 1)}
    other = "south" if moves else "north"
    assert set(places) == own | {f"{other} {number}" for number in range(1, houses + 1)}
    assert reached(board) == own
    left, top = board.margins()
    drawn = texts(board)
    assert {len(line) for line in drawn} == {board.extent()[0]}
    for place, points in places.items():
        seeds = board.view.game.position.houses(board.turn if place in own else board.turn.opponent)
        inside = "".join(drawn[y - top][x - left] for x, y in points)
        assert str(seeds[int(place.split()[-1]) - 1]) in inside, place


@pytest.mark.parametrize("orientation", Side)
@pytest.mark.parametrize(("houses", "size"), [(6, (40, 9)), (6, (30, 9)), (6, (100, 30)), (12, (40, 15))])
def test_the_swap_can_be_clicked_and_reached(houses: int, size: tuple[int, int], orientation: Side) -> None:
    view = kalah_view(houses, moves=("1",), orientation=orientation, swap=True)
    board = sized(MancalaBoard, view, size)
    assert reached(board) == {"swap", *map(str, range(1, houses + 1))}
    assert "[ swap sides ]" in texts(board)[-1]
    board.cursor, board.is_at_swap, board.has_cursor = 1, True, True
    assert "> swap sides <" in texts(board)[-1]


@pytest.mark.parametrize(("houses", "size"), [(6, (23, 8)), (6, (39, 7)), (24, (100, 25))])
def test_a_board_that_does_not_fit_has_no_places(houses: int, size: tuple[int, int]) -> None:
    board = sized(MancalaBoard, kalah_view(houses), size)
    assert board.extent() == (0, 0)
    assert find_places(board) == {}


def test_labels_are_apart_from_the_numbers_of_squares() -> None:
    view = BoardView(Game(Position.from_fen("W:W50:B1", "international")))
    board = sized(DraughtsBoard, view, (56, 20))  # the room in a window of 80 columns and 24 lines
    assert board.height_of_square == 2
    texts = ["".join(segment.text for segment in line) for line in board.lines()]
    for number, text in enumerate(texts):
        assert len(text) == 56
        has_label = bool((text[:2] + text[-2:]).strip())
        assert has_label == number % 2  # the numbers of squares are on the other lines
        assert text[2] + text[-3] == "  "


@pytest.mark.parametrize(
    ("kind", "position"),
    [
        (DraughtsBoard, Position.start("international")),
        (DraughtsBoard, Position.from_fen("W:W6,46:B5,45", "international")),
        (DraughtsBoard, Position.start("english")),
        (MancalaBoard, Pits.from_text("<6,0,0,0,0,0,2,0,0,1,1,1,1,1,1> south", KALAH)),
    ],
)
def test_the_cursor_starts_on_a_piece_that_can_move(kind: type[BoardWidget], position: Any) -> None:
    game = Game(position)
    board = sized(kind, BoardView(game, move_input=MoveInput.for_game(game)), (80, 24))
    board.action_move(0, 1)
    assert board.has_cursor
    assert board.cursor_place() in board.view.move_input.starts
