"""General behaviour of the searcher: determinism, limits, results, lines and history."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from examples.heap import Heap, HeapRules
from tablemen import (
    ArgumentError,
    Game,
    GameError,
    GameOverError,
    IllegalMoveError,
    NotationError,
    Side,
    TablemenError,
    mancala,
)
from tablemen.draughts import VARIANTS, Move, Position
from tablemen.players import SearcherPlayer
from tablemen.search import Info, Level, Limit, Searcher
from tests.reference.minimax import AnyGame

START_POSITIONS: dict[str, Any] = {name: Position.start(name) for name in VARIANTS} | {
    name: mancala.Position.start(name) for name in mancala.VARIANTS
}
SOME = ("international", "english", "frisian", "turkish", "antidraughts", "kalah", "oware")

every_game = pytest.mark.parametrize("name", START_POSITIONS)
some_games = pytest.mark.parametrize("name", SOME)


def searcher(**options: Any) -> Searcher:
    return Searcher(**{"table_mb": 1, **options})


def without_time(infos: list[Info[Any]]) -> list[tuple[Any, ...]]:
    return [(info.depth, info.rank, info.score, info.nodes, info.line) for info in infos]


def collect_infos(searcher: Searcher, position: Any, limit: Limit, multipv: int = 1) -> list[tuple[Any, ...]]:
    """Return all infos of a search without their times."""
    return without_time(list(searcher.analyse(position, limit, multipv=multipv)))


# Determinism


@some_games
def test_search_is_deterministic(name: str) -> None:
    position, limit = START_POSITIONS[name], Limit(nodes=5000)
    first = collect_infos(searcher(seed=7), position, limit)
    assert first
    assert collect_infos(searcher(seed=7), position, limit) == first


def test_clear_empties_the_table() -> None:
    one, limit = searcher(), Limit(nodes=5000)
    first = collect_infos(one, Position.start("english"), limit)
    one.choose(Position.start("international"), limit)
    one.clear()
    assert collect_infos(one, Position.start("english"), limit) == first


def test_a_filled_table_saves_nodes() -> None:
    one, position, limit = searcher(), Position.start("english"), Limit(depth=9)
    first = one.choose(position, limit).lines[0].nodes
    assert one.choose(position, limit).lines[0].nodes < first


def test_searchers_share_nothing() -> None:
    position, limit = Position.start("russian"), Limit(nodes=5000)
    alone = collect_infos(searcher(), position, limit)
    other = searcher()
    with other.analyse(position, Limit()):
        assert collect_infos(searcher(), position, limit) == alone


# Limits


@every_game
def test_iterations_deepen_by_one_ply_to_the_limit(name: str) -> None:
    infos = list(searcher().analyse(START_POSITIONS[name], Limit(depth=5)))
    assert [info.depth for info in infos] == list(range(1, len(infos) + 1))
    assert infos[-1].depth == 5 or infos[-1].score.exact
    nodes = [info.nodes for info in infos]
    assert nodes == sorted(nodes)
    assert all(info.time >= 0 and info.rank == 1 for info in infos)


@some_games
@pytest.mark.parametrize("nodes", [1, 50, 1000, 4321])
def test_a_node_limit_is_respected(name: str, nodes: int) -> None:
    """Check that only the first iteration may exceed the limit."""
    minimum = searcher().choose(START_POSITIONS[name], Limit(depth=1)).lines[0].nodes
    searched = searcher().choose(START_POSITIONS[name], Limit(nodes=nodes)).lines[0].nodes
    assert 0 < searched <= max(nodes, minimum + 1)


def test_the_first_iteration_ends_among_many_captures() -> None:
    """Check that the limits apply to the quiescence search of many kings, which would take 100,000 nodes."""
    white, black = (",".join(f"K{column}{row}" for row in "87" for column in columns) for columns in ("aceg", "bdfh"))
    position = Position.from_fen(f"W:W{white}:B{black}", "turkish")
    choice = searcher().choose(position, Limit(nodes=1))
    assert choice.move in position.legal_moves()
    assert choice.lines[0].nodes < 12_000


def test_the_first_limit_reached_ends_the_search() -> None:
    position = Position.start("english")
    assert searcher().choose(position, Limit(depth=2, nodes=1_000_000, time=60)).lines[0].depth == 2
    assert searcher().choose(position, Limit(depth=99, nodes=2000, time=60)).lines[0].nodes <= 2000
    assert searcher().choose(position, Limit(depth=99, nodes=10**12, time=0.01)).move in position.legal_moves()


def test_a_single_legal_move_is_returned_at_once() -> None:
    position = Position.from_fen("W:W32:B28", "international")
    assert [str(searcher().choose(position, limit).move) for limit in (Limit(depth=1), Limit(nodes=1))] == ["32x23"] * 2


# Results


@every_game
def test_every_line_can_be_played(name: str) -> None:
    start = START_POSITIONS[name]
    for info in searcher().analyse(start, Limit(nodes=3000), multipv=2):
        game: AnyGame = Game(start)
        for move in info.line:
            game.push(move)
        assert game.moves == info.line
        assert info.line


@every_game
def test_the_result_is_the_last_info(name: str) -> None:
    analysis = searcher().analyse(START_POSITIONS[name], Limit(depth=4))
    infos, result = list(analysis), analysis.result()
    assert (result.move, result.score) == (infos[-1].line[0], infos[-1].score)
    assert without_time([result.lines[0]]) == without_time([infos[-1]])
    assert len(result.lines) == 1
    after = START_POSITIONS[name].play(result.move)
    assert result.ponder is None or result.ponder in after.legal_moves()


def test_a_stopped_search_returns_the_last_complete_iteration() -> None:
    analysis = searcher().analyse(Position.start("english"), Limit(nodes=20_000))
    infos, result = list(analysis), analysis.result()
    assert result.lines[0].depth >= infos[-1].depth
    assert result.move in Position.start("english").legal_moves()


def test_the_line_of_a_win_ends_the_game() -> None:
    position = Position.from_fen("B:WK25,26:B16,27,K40", "international")
    result = searcher(pruning=False).choose(position, Limit(depth=5))
    assert (result.score.is_win, result.score.plies) == (True, 5)
    game: AnyGame = Game(position, result.lines[0].line)
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, len(game.moves)) == (Side.BLACK, 5)


# Several lines


@some_games
def test_lines_start_with_different_moves_and_are_sorted_by_score(name: str) -> None:
    position = START_POSITIONS[name]
    infos = list(searcher().analyse(position, Limit(depth=5), multipv=3))
    for depth in range(1, 6):
        of_depth = [info for info in infos if info.depth == depth]
        assert [info.rank for info in of_depth] == [1, 2, 3]
        assert len({info.line[0] for info in of_depth}) == 3
        values = [info.score.value for info in of_depth]
        assert values == sorted(values, reverse=True)


@some_games
def test_more_lines_do_not_change_the_best_score(name: str) -> None:
    position = START_POSITIONS[name]
    alone = searcher(pruning=False).choose(position, Limit(depth=4))
    together = searcher(pruning=False).analyse(position, Limit(depth=4), multipv=3).result()
    assert together.score == alone.score
    assert together.lines[0].score.value == max(line.score.value for line in together.lines)


@some_games
def test_the_score_of_a_line_is_the_value_of_its_move(name: str) -> None:
    """Compare the score of a move with that of the position after it, searched one ply less deep."""
    position = START_POSITIONS[name]
    lines = searcher(pruning=False).analyse(position, Limit(depth=3), multipv=99).result().lines
    assert {line.line[0] for line in lines} == set(position.legal_moves())
    assert len(lines) == len(position.legal_moves())
    for line in lines:
        after = position.play(line.line[0])
        score = searcher(pruning=False).choose(after, Limit(depth=2)).score
        assert line.score.value == (score.value if after.turn is position.turn else -score.value)


# Games


def test_the_history_of_a_game_matters() -> None:
    """Check that a king draws by a third repetition, and loses without the history."""
    moves = ["41-46", "1-7", "46-41", "7-1", "41-46", "1-7", "46-41"]
    game: AnyGame = Game(Position.from_fen("B:WK1:BK41,K47", "killer"), moves)
    limit = Limit(depth=1)
    assert searcher(pruning=False).choose(game.position, limit).score.value < 0
    result = searcher(pruning=False).choose(game, limit)
    assert (str(result.move), result.score.value) == ("7-1", 0)


def test_one_repetition_is_not_a_draw() -> None:
    """Check that a win is found even if a position has occurred once before."""
    moves = ["14x23", "2-6", "23-19", "6-10", "19-23", "10-14", "23-26", "14-9", "26-30", "9-13", "30-25", "13-9"]
    game: AnyGame = Game(Position.from_fen("B:WK2,K18:BK14", "english"), moves)
    assert searcher().choose(game, Limit(depth=11)).score.is_loss


def test_repetitions_of_one_game_do_not_affect_another() -> None:
    moves = ["14x23", "2-6", "23-19", "6-10", "19-23", "10-14", "23-26", "14-9", "26-30", "9-13", "30-25", "13-9"]
    game: AnyGame = Game(Position.from_fen("B:WK2,K18:BK14", "english"), moves)
    both = searcher()
    both.choose(game, Limit(depth=11))
    assert both.choose(game.position, Limit(depth=11)).score.is_loss


@pytest.mark.parametrize("nodes", range(300, 2000, 170))
def test_a_stopped_search_returns_complete_lines(nodes: int) -> None:
    lines = searcher().analyse(Position.start("international"), Limit(nodes=nodes), multipv=3).result().lines
    assert len({line.line[0] for line in lines}) == 3
    assert [line.rank for line in lines] == [1, 2, 3]
    values = [line.score.value for line in lines]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("nodes", range(5, 60))
def test_exact_scores_of_a_stopped_search_are_exact(nodes: int) -> None:
    rules = replace(mancala.VARIANTS["kgp"], name="small", houses=4, seeds=2)
    position = mancala.Position.start(rules)
    exact = searcher(pruning=False).choose(position, Limit(depth=60)).score
    score = searcher().choose(position, Limit(nodes=nodes)).score
    assert exact.exact
    assert not score.exact or score == exact


def test_a_table_that_is_too_large_is_an_error() -> None:
    with pytest.raises(TablemenError, match="table_mb"):
        Searcher(table_mb=1 << 30)


@pytest.mark.parametrize("subject", ["W", 3, None])
def test_only_positions_and_games_are_searched(subject: Any) -> None:
    for search in (lambda: searcher().choose(subject, Level(2)), lambda: searcher().evaluate(subject)):
        with pytest.raises(TypeError, match=repr(subject)):
            search()


def test_a_custom_family_is_not_searched() -> None:
    heap = Heap(HeapRules(), 13)
    for search in (
        lambda: searcher().choose(heap, Level(2)),
        lambda: searcher().evaluate(heap),
        lambda: SearcherPlayer().check(heap),
    ):
        with pytest.raises(GameError, match="The heap"):
            search()


def test_a_game_is_not_modified() -> None:
    game: AnyGame = Game(Position.start("english"), ["11-15", "23-19"])
    copy = game.copy()
    searcher().choose(game, Limit(nodes=2000))
    assert game == copy
    assert game.outcome() is None


def finished_games() -> list[AnyGame]:
    resigned: AnyGame = Game(Position.start("english"))
    resigned.resign(Side.WHITE)
    shuttle = ("1-7", "46-41", "7-1", "41-46")
    return [
        resigned,
        Game(Position.from_fen("W:WK1:BK46,K47", "killer"), shuttle * 2),
        Game(Position.from_fen("W:W32:B28", "international"), ["32x23"]),
        Game(mancala.Position.from_text("<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south", "kalah")),
    ]


@pytest.mark.parametrize("game", finished_games(), ids=lambda game: game.outcome().termination.name)
def test_a_finished_game_is_not_searched(game: AnyGame) -> None:
    assert game.outcome() is not None
    for search in (searcher().analyse, searcher().choose):
        with pytest.raises(GameOverError):
            search(game, Limit(depth=1))


def test_a_finished_position_is_not_searched() -> None:
    with pytest.raises(GameOverError):
        searcher().choose(Position.from_fen("B:W32:B", "international"), Limit(depth=1))


# Root moves


@some_games
def test_all_root_moves_are_the_unrestricted_search(name: str) -> None:
    position, limit = START_POSITIONS[name], Limit(depth=6)
    moves = reversed(position.legal_moves())
    restricted = without_time(list(searcher().analyse(position, limit, multipv=2, root_moves=moves)))
    assert restricted == collect_infos(searcher(), position, limit, multipv=2)


@some_games
def test_a_single_root_move_has_the_value_of_its_line(name: str) -> None:
    position, one = START_POSITIONS[name], searcher(pruning=False)
    for line in one.analyse(position, Limit(depth=4), multipv=99).result().lines:
        result = one.choose(position, Limit(depth=4), root_moves=[line.line[0]])
        assert (result.move, result.score) == (line.line[0], line.score)


def test_excluded_moves_do_not_affect_later_searches() -> None:
    position, limit = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), Limit(depth=12)
    best = searcher().choose(position, limit)
    assert best.score.is_win
    others = [move for move in position.legal_moves() if move != best.move]
    second = searcher().choose(position, limit, root_moves=others)
    assert second.move in others
    assert not second.score.is_win
    one = searcher()
    for moves, expected in ((others, second), (None, best), (others, second), ([str(best.move)], best)):
        result = one.choose(position, limit, root_moves=moves)
        assert (result.move, result.score.is_win) == (expected.move, expected.score.is_win)


@pytest.mark.parametrize("level", [Level(1), Level(8)], ids=str)
def test_root_moves_limit_lines_and_levels(level: Level) -> None:
    game: Game[Position, Move] = Game(Position.start("international"), "32-28")
    first, second, *_ = game.legal_moves()
    root_moves: list[Move | str] = [first, str(second), str(first)]
    lines = searcher().analyse(game, Limit(depth=3), multipv=9, root_moves=root_moves).result().lines
    assert {line.line[0] for line in lines} == {first, second}
    assert len(lines) == 2
    assert searcher().choose(game, level, root_moves=[second]).move == second


@pytest.mark.parametrize(
    ("root_moves", "error", "problem"),
    [
        ([], ArgumentError, "root_moves: expected at least one legal move"),
        ("31-27", ArgumentError, "root_moves: expected a list of moves"),
        (27, ArgumentError, "root_moves: expected a list of moves"),
        (["31-27", "31-22"], IllegalMoveError, "31 to 22 is too far"),
        ([Position.start("frisian").legal_moves()[0]], IllegalMoveError, "a move of Frisian draughts"),
        (["31-72"], NotationError, "72"),
        ([31], TypeError, "Move"),
    ],
)
def test_root_moves_must_be_legal(root_moves: Any, error: type[Exception], problem: str) -> None:
    for limit in (Limit(depth=1), Level(1)):
        with pytest.raises(error, match=problem):
            searcher().choose(Position.start("international"), limit, root_moves=root_moves)
