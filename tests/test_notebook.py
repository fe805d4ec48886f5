"""The notebook runs, and values with a picture show it in a notebook.

The tests run the cells in order in one namespace, without a Jupyter kernel, which needs many packages. They draw the
value of the last line of a cell as a notebook does. Magic commands are not supported.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, Side, mancala
from tablemen.analysis import analyse_game, analyse_position
from tablemen.draughts import Move, Position
from tablemen.draughts.pdn import PdnGame, parse_pdn
from tablemen.match import Match
from tablemen.players import HumanPlayer
from tablemen.search import Limit
from tablemen.session import Session
from tests.pictures import parse
from tests.test_testing import Nim

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))


def read_cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def run_cell(code: str, names: dict[str, Any], place: str) -> Any:
    """Run a cell and return the value of its last line; None if that is a statement."""
    tree = ast.parse(code, place)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, place, "exec"), names)
    return eval(compile(ast.Expression(last.value), place, "eval"), names) if isinstance(last, ast.Expr) else None


def picture(value: Any) -> str | None:
    """Return the picture that a notebook shows for a value, if any; check that it is SVG."""
    draw = getattr(value, "_repr_svg_", None)
    drawn: str | None = draw() if draw else None
    if drawn is not None:
        parse(drawn)
    return drawn


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_run_in_order(path: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in read_cells(path) if cell["cell_type"] == "code"]
    shown = [run_cell("".join(cell["source"]), names, f"{path.name}, {cell['id']}") for cell in code]
    assert sum(picture(value) is not None for value in shown) >= len(code) - 1


def test_the_tour_is_the_only_notebook() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["tour"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    cells = read_cells(path)
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert path.read_text(encoding="utf-8") == json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def test_an_analysed_position_shows_its_best_move() -> None:
    shot = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international")
    drawn = picture(analyse_position(shot, Limit(depth=9), lines=1))
    assert drawn == shot.svg(arrows=[(38, 33)])


def test_a_position_without_a_best_move_shows_itself() -> None:
    over = Position.from_fen("B:W28:B", "international")
    assert picture(analyse_position(over)) == over.svg()
    kalah = mancala.Position.start("kalah")
    assert picture(analyse_position(kalah, Limit(depth=1))) == kalah.svg()


def test_an_analysed_game_shows_its_graph() -> None:
    drawn = picture(analyse_game(Game(Position.start("english"), ["11-15"]), Limit(depth=1)))
    assert drawn is not None
    assert 'class="curve"' in drawn


def test_a_pdn_game_shows_its_last_position_and_move() -> None:
    game = parse_pdn('[GameType "20"] 1. 32-28 19-23 2. 28x19 *')
    end, move = game.end(), game.moves[-1]
    assert end is not None
    assert isinstance(move, Move)
    assert picture(game) == end.svg(last_move=move)
    assert game.svg(size=100) == end.svg(last_move=move, size=100)


def test_a_pdn_game_with_unknown_moves_shows_the_last_known_position() -> None:
    game = parse_pdn('[GameType "20"] 1. 32-28 ... 2. 28x19 *')
    known, move = [position for position in game.positions() if position is not None], game.moves[0]
    assert isinstance(move, Move)
    assert picture(game) == known[-1].svg(last_move=move)


def test_no_move_is_marked_after_a_set_up() -> None:
    game = parse_pdn('[GameType "20"] 1. 32-28 /FEN "B:W31:B12"/ *')
    assert picture(game) == Position.from_fen("B:W31:B12", "international").svg()


def test_a_game_without_moves_shows_its_start() -> None:
    start = Position.start("russian")
    assert picture(PdnGame.from_moves(start, [])) == start.svg()


def test_match_games_and_sessions_show_their_game() -> None:
    (played,) = Match("english", "random", "random", games=1).play()
    drawn = played.played.game.svg()
    assert picture(played) == picture(played.played) == picture(played.played.sheet()) == drawn
    session = Session(Position.start("russian"), {side: HumanPlayer() for side in Side})
    move = session.move("c3-d4")
    assert picture(session) == session.game.position.svg(last_move=move)


def test_a_custom_game_needs_no_picture() -> None:
    assert picture(Game(Nim(5))) is None
