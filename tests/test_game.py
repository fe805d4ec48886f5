"""Games: moves, takebacks, declared results, copies, and the errors of each."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from tablemen import (
    AmbiguousMoveError,
    Game,
    GameError,
    GameOverError,
    IllegalMoveError,
    NotationError,
    Outcome,
    Side,
    Termination,
    mancala,
)
from tablemen.draughts import ENGLISH, Move, Position
from tablemen.draughts.tablebase import Tablebase, random_positions
from tablemen.draws import DrawRule, Repetition
from tablemen.endgame import Wdl
from tests.guided_play import DraughtsGame

OPENING = ("32-28", "19-23", "28x19", "14x23")


def opening(variant: str = "international") -> DraughtsGame:
    return Game(Position.start(variant), OPENING)


SHUTTLES = {
    "english": ("B:WK29,K32:BK1,K4", ("1-6", "32-27", "6-1", "27-32")),
    "czech": ("W:WKc1,Ke1,a3:BKd8,Kf8,h6", ("c1-d2", "f8-e7", "d2-c1", "e7-f8")),
}


def almost_claimed(variant: str = "english") -> DraughtsGame:
    """Return a game in which kings move to and fro, one move before the third repetition."""
    fen, moves = SHUTTLES[variant]
    return Game(Position.from_fen(fen, variant), [*moves, *moves[:-1]])


def test_a_game_begins_with_its_position() -> None:
    start = Position.start("frisian")
    game: DraughtsGame = Game(start)
    assert (game.start, game.position, game.moves, game.positions) == (start, start, (), (start,))
    assert (game.outcome(), game.declared, game.claims()) == (None, None, ())
    assert game.legal_moves() == start.legal_moves()


def test_moves_and_texts_are_pushed() -> None:
    game: DraughtsGame = Game(Position.start("international"))
    first = game.legal_moves()[0]
    assert game.push(first) == first
    assert isinstance(game.push("20-24"), Move)
    assert [str(move) for move in game.moves] == [str(first), "20-24"]
    assert game.positions == (game.start, game.start.play(first), game.position)


def test_moves_are_taken_back_in_reverse_order() -> None:
    game = opening()
    assert [str(game.pop()) for _ in OPENING] == list(reversed(OPENING))
    assert game == Game(game.start)
    with pytest.raises(GameError):
        game.pop()


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ("31-26", IllegalMoveError),
        ("1-6", IllegalMoveError),
        ("32-27", IllegalMoveError),
        ("spam", NotationError),
        ("", NotationError),
        (Move("international", [1, 6]), IllegalMoveError),
        (Move("english", [9, 13]), IllegalMoveError),
        (32, TypeError),
        (None, TypeError),
    ],
)
def test_a_refused_push_changes_nothing(move: Any, error: type[Exception]) -> None:
    game = Game(Position.start("international"), OPENING[:2])  # White must capture
    before = copy.deepcopy(vars(game))
    with pytest.raises(error):
        game.push(move)
    assert vars(game) == before


def test_a_game_needs_a_position() -> None:
    with pytest.raises(TypeError, match="'international'"):
        Game("international")  # type: ignore[arg-type]


def test_an_illegal_move_in_the_list_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        Game(Position.start("international"), ["32-28", "32-28"])


def test_moves_can_be_a_text() -> None:
    start = Position.start("international")
    moves = "32-28 19-23 28x19 14x23"
    expected: DraughtsGame = Game(start, OPENING)
    for text in (
        moves,
        f"  {moves}\n",
        f"1.{moves.replace(' 28', ' 2.28')} 1-1",
        f"1. {moves.replace(' 28', chr(10) + '2. 28')} *",
        moves.replace("19-23", "1... 19–23"),
    ):
        assert Game(start, text) == expected
    assert Game(start, " ") == Game(start, "1. *") == Game(start)
    assert [move.house for move in Game(mancala.Position.start("kalah"), "1. 3 1 1... 2").moves] == [3, 1, 2]


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("32-28 19-28", 1, 7, "move 2, 19-28: a white man stands on 28"),
        ("1. 32-28\n   19-99", 2, 7, "move 2, 19-99: "),
        ("32-28 1-1 19-23", 1, 7, "move 2, 1-1: a move must end on another square"),
        ("32-28 {a comment}", 1, 7, "move 2, {a: "),
    ],
)
def test_an_error_in_a_text_of_moves_has_its_place(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Game(Position.start("international"), text)
    assert (caught.value.line, caught.value.column, caught.value.text) == (line, column, text)
    assert caught.value.problem.startswith(problem)


def test_an_ambiguous_move_and_a_move_after_the_end_of_a_text() -> None:
    with pytest.raises(AmbiguousMoveError) as caught:
        Game(Position.from_fen("W:WK10:B14,17,27,31", "international"), "1. 10x3")
    assert (caught.value.column, len(caught.value.candidates)) == (4, 2)
    over = Position.from_fen("W:WK48:BK1,K43", "international")
    with pytest.raises(NotationError, match=r"column 7: move 2, 1-6: the game is over: a king against a king"):
        Game(over, "48x30 1-6")


def test_turn_and_text_are_those_of_the_position() -> None:
    game = opening()
    assert (game.turn, game.fen(), game.text()) == (game.position.turn, game.position.fen(), game.position.text())
    sowing = Game(mancala.Position.start("kalah"), "3 1")
    assert (sowing.turn, sowing.text()) == (Side.BLACK, sowing.position.text())
    with pytest.raises(GameError, match="Kalah has no FEN"):
        sowing.fen()


def test_a_side_is_neither_true_nor_false() -> None:
    for side in Side:
        with pytest.raises(TypeError, match=r"side\.opponent"):
            bool(side)


@pytest.mark.parametrize("side", Side)
def test_a_side_that_resigns_loses(side: Side) -> None:
    for variant in ("international", "antidraughts"):
        game = opening(variant)
        assert game.resign(side) == Outcome(side.opponent, Termination.RESIGNATION) == game.outcome() == game.declared
        assert game.legal_moves() == ()


@pytest.mark.parametrize("side", Side)
def test_a_side_without_time_loses(side: Side) -> None:
    game = opening()
    assert game.lose_on_time(side) == Outcome(side.opponent, Termination.TIME) == game.outcome() == game.declared
    with pytest.raises(GameOverError):
        game.lose_on_time(side)
    game.pop()
    assert game.outcome() is None


@pytest.mark.parametrize("method", [Game.resign, Game.lose_on_time, Game.count_moves])
def test_methods_that_take_a_side_check_its_type(method: Callable[[Game[Position, Move], str], object]) -> None:
    game = opening()
    with pytest.raises(TypeError, match="'white'"):
        method(game, "white")
    assert game.outcome() is None


def test_players_can_agree_on_a_draw() -> None:
    game = opening()
    assert game.agree_draw() == Outcome(None, Termination.AGREEMENT) == game.outcome()


@cache
def english_tablebase() -> Tablebase:
    """Return a tablebase of all positions with two pieces."""
    tablebase = Tablebase("english")
    tablebase.build_in_memory(2)
    return tablebase


def test_a_draw_can_be_claimed_exactly_if_a_tablebase_proves_it() -> None:
    values = set()
    for start in random_positions(ENGLISH, 3, 200, seed=3):
        game: DraughtsGame = Game(start)
        if game.outcome() is not None:
            continue
        value = english_tablebase().probe_wdl(start)  # None with three pieces
        values.add(value)
        if value is Wdl.DRAW:
            assert game.claim_proven_draw(english_tablebase()) == Outcome(None, Termination.PROVEN_DRAW)
            assert game.outcome() == game.declared == Outcome(None, Termination.PROVEN_DRAW)
            with pytest.raises(GameOverError):
                game.claim_proven_draw(english_tablebase())
        else:
            with pytest.raises(GameError):
                game.claim_proven_draw(english_tablebase())
            assert game.outcome() is None
    assert values == {*Wdl, None}


@pytest.mark.parametrize("variant", SHUTTLES)
def test_a_repetition_can_be_claimed(variant: str) -> None:
    game = almost_claimed(variant)
    assert game.claims() == ()
    with pytest.raises(GameError):
        game.claim_draw()
    game.push(SHUTTLES[variant][1][-1])
    assert game.outcome() is None
    (rule,) = game.claims()
    assert isinstance(rule, Repetition)
    assert game.draw_counts()[rule] == rule.limit
    assert game.claim_draw() == Outcome(None, Termination.REPETITION) == game.outcome()
    assert game.claims() == ()


def test_a_game_continues_if_no_draw_is_claimed() -> None:
    game = almost_claimed()
    game.push("27-32")
    game.push("1-6")
    game.push("32-28")
    assert game.outcome() is None
    assert game.claims() == ()


@pytest.mark.parametrize("ended_by", ["resign", "time", "agree", "claim", "proven", "position", "rule"])
def test_a_finished_game_refuses_every_action(ended_by: str) -> None:
    game = ended(ended_by)
    outcome = game.outcome()
    before = copy.deepcopy(vars(game))
    for action in (
        lambda: game.push("31-26"),
        lambda: game.push(game.start.legal_moves()[0]),
        lambda: game.resign(Side.WHITE),
        game.agree_draw,
        game.claim_draw,
    ):
        with pytest.raises(GameOverError) as caught:
            action()
        assert caught.value.outcome == outcome
        assert pickle.loads(pickle.dumps(caught.value)).outcome == outcome
    assert (game.legal_moves(), game.claims()) == ((), ())
    assert vars(game) == before


def ended(by: str) -> DraughtsGame:
    if by == "position":
        return Game(Position.from_fen("W:W28:B23", "international"), ["28x19"])
    if by == "rule":
        return Game(Position.from_fen("W:WK48:BK1,K43", "international"), ["48x30"])
    if by == "claim":
        game = almost_claimed()
        game.push("27-32")
        game.claim_draw()
        return game
    if by == "proven":
        game = Game(Position.from_fen("W:WK10:BK27", "english"), ["10-7"])
        game.claim_proven_draw(english_tablebase())
        return game
    game = opening()
    if by == "resign":
        game.resign(Side.BLACK)
    elif by == "time":
        game.lose_on_time(Side.BLACK)
    else:
        game.agree_draw()
    return game


@pytest.mark.parametrize("ended_by", ["resign", "time", "agree", "claim", "proven", "position", "rule"])
def test_taking_back_the_last_move_resumes_a_finished_game(ended_by: str) -> None:
    game = ended(ended_by)
    outcome, last = game.outcome(), game.moves[-1]
    assert game.pop() == last
    assert game.outcome() is None
    assert game.declared is None
    assert game == Game(game.start, game.moves)
    game.push(last)
    assert game.outcome() == (outcome if ended_by in {"position", "rule"} else None)


def test_a_game_can_be_over_at_its_start() -> None:
    game: DraughtsGame = Game(Position.from_fen("B:W28:B", "international"))
    assert game.outcome() == Outcome(Side.WHITE, Termination.NO_PIECES)
    with pytest.raises(GameOverError):
        game.resign(Side.BLACK)
    with pytest.raises(GameOverError):
        Game(game.start, declared=Outcome(None, Termination.AGREEMENT))


def test_draw_counts_are_taken_back_with_the_moves() -> None:
    game: DraughtsGame = Game(Position.from_fen("W:WK47,K48,K49:BK3", "international"))
    counts = [game.draw_counts()]
    for text in ("47-36", "3-26", "36-47", "26-3"):
        game.push(text)
        counts.append(game.draw_counts())
    assert len({tuple(each.values()) for each in counts}) == 5
    while game.moves:
        assert game.draw_counts() == counts.pop()
        game.pop()
    assert game.draw_counts() == counts.pop()


def test_equal_games_have_the_same_start_moves_and_declared_result() -> None:
    game = opening()
    assert game == opening()
    assert game != opening("antidraughts")
    assert game != Game(game.start, OPENING[:3])
    assert game != game.moves
    resigned = opening()
    resigned.resign(Side.WHITE)
    assert game != resigned
    assert resigned == Game(game.start, OPENING, declared=Outcome(Side.BLACK, Termination.RESIGNATION))
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


@pytest.mark.parametrize("ended_by", ["resign", "time", "agree", "claim", "proven", "position", "rule"])
def test_repr_pickle_and_copies_make_a_round_trip(ended_by: str) -> None:
    for game in (ended(ended_by), Game(ended(ended_by).start)):
        names = {each.__name__: each for each in (Game, Position, Outcome, Side, Termination)}
        for other in (
            eval(repr(game), names),
            pickle.loads(pickle.dumps(game)),
            copy.copy(game),
            copy.deepcopy(game),
            game.copy(),
        ):
            assert other == game
            assert vars(other) == vars(game)


def test_a_copy_is_independent() -> None:
    game = opening()
    for other in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        before = copy.deepcopy(vars(game))
        other.push("33-28")
        other.agree_draw()
        assert vars(game) == before
        other.pop()
        other.pop()
        assert vars(game) == before


@pytest.mark.parametrize("path", [[10, 32, 21, 3], [10, 1, 2, 3]])
def test_a_constructed_move_is_replaced_by_the_legal_one(path: list[int]) -> None:
    start = Position.from_fen("W:WK10:B14,17,27,31", "international")
    game = Game(start, [Move("international", path, [14, 17, 27])])
    assert game.moves[0].path == (10, 32, 21, 3)
    assert repr(game) == repr(Game(start, ["10x32x21x3"]))


@pytest.mark.parametrize("declared", [Outcome(None, Termination.REPETITION), Outcome(Side.WHITE, Termination.NO_MOVE)])
def test_other_outcomes_cannot_be_declared(declared: Outcome) -> None:
    with pytest.raises(GameError, match=declared.termination.name):
        Game(Position.start("english"), declared=declared)


@pytest.mark.parametrize("declared", ["draw", 0, False])
def test_a_declared_result_must_be_an_outcome(declared: Outcome) -> None:
    with pytest.raises(TypeError, match=repr(declared)):
        Game(Position.start("english"), declared=declared)


def test_a_valid_claim_can_be_declared() -> None:
    moves = ["1-6", "32-27", "6-1", "27-32"] * 2
    game = Game(Position.from_fen("B:WK29,K32:BK1,K4", "english"), moves)
    outcome = game.claim_draw()
    assert Game(game.start, moves, declared=outcome) == game


def test_a_picture_marks_the_last_move() -> None:
    game = Game(Position.start("international"))
    assert game.svg() == game.position.svg()
    move = game.push("32-28")
    assert game._repr_svg_() == game.svg() == game.position.svg(last_move=move)
    assert game.svg(size=100, last_move=None) == game.position.svg(size=100)


# A minimal family: positions need nothing but these members.


@dataclass(frozen=True)
class Rules:
    draws: tuple[DrawRule, ...] = (Repetition(2),)


@dataclass(frozen=True)
class Walk:
    """A game on stairs: reaching the top wins, and a step up from the second stair gives another turn."""

    stair: int = 0
    turn: Side = Side.WHITE
    variant: Rules = Rules()

    def legal_moves(self) -> tuple[int, ...]:
        return (1, -1) if self.outcome() is None else ()

    def parse_move(self, text: str) -> int:
        return {"up": 1, "down": -1}[text]

    def play(self, move: int) -> Walk:
        if move not in self.legal_moves():
            raise IllegalMoveError(move, self)
        again = (self.stair, move) == (2, 1)
        return Walk(self.stair + move, self.turn if again else self.turn.opponent)

    def outcome(self) -> Outcome | None:
        return Outcome(self.turn, Termination.BREAKTHROUGH) if self.stair >= 4 else None


def test_a_minimal_family_can_be_played() -> None:
    game: Game[Walk, int] = Game(Walk(), ["up", "up", 1])
    assert (game.position.stair, game.position.turn) == (3, Side.WHITE)
    assert game.push("up") == 1
    assert game.outcome() == Outcome(Side.BLACK, Termination.BREAKTHROUGH)
    game.pop()
    with pytest.raises(IllegalMoveError):
        game.push(5)
    circle: Game[Walk, int] = Game(Walk(), ["up", "down"])
    assert circle.outcome() == Outcome(None, Termination.REPETITION)
