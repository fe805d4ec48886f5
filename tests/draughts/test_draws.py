"""Each draw rule ends a game exactly at its limit, and not if the last move resets the count."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from tablemen import Game, IllegalMoveError, Outcome, Side, Termination
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Move, Position
from tablemen.draughts.draws import DrawnMaterial, Force, Material
from tablemen.draughts.federation_draws import FMJD
from tablemen.draws import Repetition
from tests.guided_play import (
    DraughtsGame,
    Predicate,
    by_king,
    by_man,
    capture,
    crowning,
    play_matching,
    play_safe,
    safe_moves,
)


def is_lone(position: Position) -> bool:
    """Return whether the side to move has a single piece."""
    return sum(len(position.squares(position.turn, kind)) for kind in Kind) == 1


def takes_road(position: Position, move: Move) -> bool:
    """Return whether a king of the side to move is on the long diagonal after the move, on a board of 8×8."""
    kings = position.play(move).squares(position.turn, Kind.KING)
    return any(king.row in (king.column, 7 - king.column) for king in kings)


def lone_off_road(position: Position, move: Move) -> bool:
    """Return whether a king moves, and a lone king stays off the long diagonal."""
    return by_king(position, move) and not (is_lone(position) and takes_road(position, move))


def lone_on_road(position: Position, move: Move) -> bool:
    """Return whether a king moves, and a lone king stays on the long diagonal."""
    return by_king(position, move) and (not is_lone(position) or takes_road(position, move))


def lone_leaves_road(position: Position, move: Move) -> bool:
    return is_lone(position) and not takes_road(position, move)


def strong_off_road(position: Position, move: Move) -> bool:
    """Return whether a king moves, and the side with several kings stays off the long diagonal."""
    return by_king(position, move) and (is_lone(position) or not takes_road(position, move))


def strong_on_road(position: Position, move: Move) -> bool:
    """Return whether a king moves, and the side with several kings keeps one on the long diagonal."""
    return by_king(position, move) and (is_lone(position) or takes_road(position, move))


def strong_leaves_road(position: Position, move: Move) -> bool:
    return not is_lone(position) and not takes_road(position, move)


@dataclass(frozen=True)
class Case:
    """A position in which a rule starts to count; `misses` are last moves that prevent the draw."""

    variant: str
    termination: Termination
    plies: int
    fen: str
    misses: tuple[tuple[Predicate, ...], ...]
    predicate: Predicate = by_king
    by_claim: bool = False

    @property
    def game(self) -> DraughtsGame:
        return Game(Position.from_fen(self.fen, self.variant))

    def __str__(self) -> str:
        return f"{self.variant}-{self.termination.name}-{self.plies}"


BY_CAPTURE = (by_king, capture)
CASES = [
    Case("international", Termination.KING_MOVES, 50, "W:WK47,K48,45:BK3,K4,6", ((by_man,), BY_CAPTURE)),
    Case("international", Termination.KING_MOVES, 50, "B:WK47,K48,6:BK3,K4,35", ((crowning,),)),
    Case("international", Termination.THREE_AGAINST_KING, 32, "W:WK47,K48,K49:BK3", (BY_CAPTURE,)),
    Case("international", Termination.THREE_AGAINST_KING, 32, "B:WK47,36,45:BK3", (BY_CAPTURE,)),
    Case("international", Termination.FEW_AGAINST_KING, 10, "B:WK47,K48:BK3", (BY_CAPTURE,)),
    Case("international", Termination.FEW_AGAINST_KING, 10, "W:WK3:BK47,6", (BY_CAPTURE,)),
    Case("canadian", Termination.THREE_AGAINST_KING, 32, "W:WK68,K69,K70:BK3", (BY_CAPTURE,)),
    Case("russian", Termination.THREE_AGAINST_KING, 30, "B:WKa3,Ka5,Kc1,Ke1:BKh2", (BY_CAPTURE,)),
    Case("russian", Termination.THREE_AGAINST_KING, 30, "W:WKa3,Ka5,Kc1:BKh2", (BY_CAPTURE,), lone_off_road),
    Case("russian", Termination.KING_MOVES, 30, "W:WKc1,a3,a5,e1:BKf8,h6,h4,d8", ((by_man,), BY_CAPTURE)),
    Case("russian", Termination.UNCHANGED_BALANCE, 60, "W:WKa3,Kc1:BKh6,Kf8", (BY_CAPTURE,)),
    Case("russian", Termination.UNCHANGED_BALANCE, 60, "B:WKa3,Kc1,a7:BKh6,Kf8", ((crowning,),)),
    Case("russian", Termination.UNCHANGED_BALANCE, 120, "W:WKa3,Kc1,Ke1:BKh6,Kf8,Kd8", (BY_CAPTURE,)),
    Case("russian", Termination.MAIN_ROAD, 10, "W:WKa5,Ka3,Kc1:BKh8", ((lone_leaves_road,), BY_CAPTURE), lone_on_road),
    Case("russian", Termination.FEW_AGAINST_KING, 10, "B:WKa3,Kc1:BKh6", (BY_CAPTURE,)),
    Case("brazilian", Termination.MAIN_ROAD, 10, "W:WKa5,a3,c1:BKh8", ((lone_leaves_road,),), lone_on_road),
    Case("spantsiretti", Termination.UNCHANGED_BALANCE, 60, "W:WKa3,Kc1:BKj6,Kh8", (BY_CAPTURE,)),
    Case("pool", Termination.KING_MOVES, 30, "W:WK29,K30,21:BK3,K4,12", ((by_man,), BY_CAPTURE)),
    Case("pool", Termination.THREE_AGAINST_KING, 26, "W:WK29,K30,K31:BK3", (BY_CAPTURE,)),
    Case("english", Termination.KING_MOVES, 80, "B:WK29,K30,21:BK3,K4,12", ((by_man,),), by_claim=True),
    Case("italian", Termination.KING_MOVES, 80, "W:WK29,K30,21:BK3,K4,12", ((by_man,),)),
    Case("spanish", Termination.KING_MOVES, 40, "W:WK1,K2,12:BK31,K32,21", ((by_man,), BY_CAPTURE)),
    Case("spanish", Termination.KING_MOVES, 40, "W:WK3,K2,K12:BK31", (BY_CAPTURE,), strong_off_road),
    Case("spanish", Termination.MAIN_ROAD, 24, "B:WK1,K3,K12:BK30", ((strong_leaves_road,),), strong_on_road),
    Case("portuguese", Termination.UNCHANGED_BALANCE, 40, "B:WK1,K2,25:BK31,K32,24", ((crowning,), BY_CAPTURE)),
    Case("portuguese", Termination.MAIN_ROAD, 24, "B:WK1,K3,K12:BK30", ((strong_leaves_road,),), strong_on_road),
    Case("czech", Termination.KING_MOVES, 30, "W:WKc1,Ke1,a3:BKf8,Kd8,h6", ((by_man,), BY_CAPTURE)),
    Case("frisian", Termination.FEW_AGAINST_KING, 14, "W:WK47,K48:BK3", (BY_CAPTURE,)),
]


def reason(game: DraughtsGame) -> set[Termination]:
    """Return why the game is drawn, or can be claimed as a draw."""
    outcome = game.outcome()
    return {rule.termination for rule in game.claims()} | ({outcome.termination} if outcome else set())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_game_is_drawn_exactly_at_the_limit(case: Case) -> None:
    game = case.game
    play_safe(game, case.plies - 1, case.predicate)
    assert reason(game) == set()
    play_safe(game, 1, case.predicate)
    assert reason(game) == {case.termination}
    if case.by_claim:
        assert game.outcome() is None
        assert game.claim_draw() == Outcome(None, case.termination)
    assert game.outcome() == Outcome(None, case.termination)
    assert game.legal_moves() == ()
    assert game.position.legal_moves()


@pytest.mark.parametrize(
    ("case", "miss"),
    [(case, miss) for case in CASES for miss in case.misses],
    ids=lambda part: str(part) if isinstance(part, Case) else "-".join(predicate.__name__ for predicate in part),
)
def test_last_move_can_prevent_the_draw(case: Case, miss: tuple[Predicate, ...]) -> None:
    game = case.game
    play_safe(game, case.plies - len(miss), case.predicate, then=miss)
    assert len(game.moves) == case.plies
    # The capture may have won the game, but it is not drawn. If the rule still applies, it counts from here.
    outcome = game.outcome()
    assert outcome is None or outcome.winner is not None
    assert game.claims() == ()
    (rule,) = (
        rule for rule in game.start.variant.draws if (rule.termination, rule.limit) == (case.termination, case.plies)
    )
    assert game.draw_counts().get(rule, 0) == 0


def shuttle(rules: DraughtsRules, plies: int) -> DraughtsGame:
    """Play this number of plies with two kings a side, one of which moves to and fro."""
    squares = rules.mover.squares
    bottom, top = ([each for each in squares if each.row == row] for row in (rules.rows - 1, 0))
    start = Position(rules, rules.first, white_kings=bottom[1:3], black_kings=top[1:3])
    for first in safe_moves(Game(start), by_king):
        for answer in safe_moves(Game(start, [first]), by_king):
            there = [(first.start, first.end), (answer.start, answer.end)]
            cycle = [*there, *((end, start) for start, end in there)]
            try:
                return Game(start, [Move(rules, cycle[ply % 4]) for ply in range(plies)])
            except IllegalMoveError:
                continue
    raise AssertionError(f"no king can move to and fro in {rules}")


REPEATING = {name: rule for name, rules in VARIANTS.items() for rule in rules.draws if isinstance(rule, Repetition)}


@pytest.mark.parametrize("name", REPEATING)
def test_repetition(name: str) -> None:
    rule = REPEATING[name]
    game = shuttle(VARIANTS[name], 4 * (rule.times - 1))
    assert game.position == game.start
    assert reason(game) == {Termination.REPETITION}
    assert (game.outcome() is None) == rule.by_claim
    # The game is not drawn one move earlier, nor after another last move.
    last = game.pop()
    assert reason(game) == set()
    assert game.draw_counts()[rule] == rule.times - 1
    game.push(next(move for move in safe_moves(game, by_king) if move != last))
    assert reason(game) == set()
    assert game.draw_counts()[rule] < rule.times


@pytest.mark.parametrize("name", sorted(set(VARIANTS) - set(REPEATING) - {"breakthrough"}))
def test_positions_may_repeat_without_the_rule(name: str) -> None:
    assert name in {"frisian", "frysk"}
    assert reason(shuttle(VARIANTS[name], 40)) == set()


# One against one


@pytest.mark.parametrize("name", ["international", "canadian", "srilankan", "frisian", "frysk"])
def test_one_king_against_one_is_an_immediate_draw(name: str) -> None:
    fen = {"canadian": "W:WK68:BK1,K62", "srilankan": "W:WK67:BK2,K62"}.get(name, "W:WK48:BK1,K43")
    game: DraughtsGame = Game(Position.from_fen(fen, name))
    assert game.outcome() is None
    play_matching(game, capture)
    assert game.outcome() == Outcome(None, Termination.KING_AGAINST_KING)


@pytest.mark.parametrize("name", ["international", "frisian"])
def test_one_king_against_one_is_not_drawn_before_a_capture(name: str) -> None:
    game: DraughtsGame = Game(Position.from_fen("W:WK46:BK14", name))
    assert game.outcome() is None
    play_matching(game, capture)
    assert game.outcome() == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_one_king_against_one_is_not_drawn_if_a_king_cannot_escape() -> None:
    # White cannot leave the long diagonal, where Black can capture it.
    game: DraughtsGame = Game(Position.from_fen("W:WK46:BK5", "international"))
    assert game.outcome() is None
    for move in game.legal_moves():
        game.push(move)
        assert game.outcome() is None
        assert all(answer.is_capture for answer in game.legal_moves())
        game.pop()
    # On 47, beside the corner, White can escape.
    drawn = Outcome(None, Termination.KING_AGAINST_KING)
    assert Game(Position.from_fen("W:WK47:BK5", "international")).outcome() == drawn


@pytest.mark.parametrize(
    ("fen", "drawn"),
    [
        ("W:Wa4:Bh7", True),
        ("W:WKa4:BKh7", True),
        ("B:WKa4:Bh7", True),
        ("W:Wd4:Bd5", False),  # White can capture
        ("B:Wd4:Bd5", False),  # Black can capture
        ("W:WKa4:Bf4", False),
        ("W:Wa4,b4:Bh7", False),
    ],
)
def test_one_piece_against_one_in_turkish_draughts(fen: str, *, drawn: bool) -> None:
    outcome = Game(Position.from_fen(fen, "turkish")).outcome()
    assert outcome == (Outcome(None, Termination.ONE_AGAINST_ONE) if drawn else None)


def test_win_has_precedence_over_a_draw() -> None:
    newer = replace(VARIANTS["turkish"], name="newer", lone_man_loses_to_king=True)
    assert Game(Position.from_fen("B:WKa4:Bh7", newer)).outcome() == Outcome(Side.WHITE, Termination.LONE_PIECE)
    blocked = Game(Position.from_fen("W:W6:B1", replace(INTERNATIONAL, name="mine", draws=(ALWAYS,))))
    assert blocked.outcome() == Outcome(Side.BLACK, Termination.NO_MOVE)


ALWAYS = DrawnMaterial(Material(Force(), Force()), termination=Termination.ONE_AGAINST_ONE)


# Moves that do not reset a count


def test_move_of_a_man_and_crowning_do_not_reset_sixteen_moves() -> None:
    game: DraughtsGame = Game(Position.from_fen("W:WK47,16,45:BK3", "international"))
    (rule,) = (rule for rule in FMJD if rule.termination is Termination.THREE_AGAINST_KING)
    for _ in range(8):
        move = next(safe_moves(game, lambda position, move: not by_king(position, move) or is_lone(position)))
        game.push(move)
    assert any(move.crowns for move in game.moves)
    assert game.draw_counts()[rule] == 8


def test_capture_of_one_of_three_kings_starts_the_count_of_five_moves() -> None:
    game: DraughtsGame = Game(Position.from_fen("W:WK47,K48,K49:BK3", "international"))
    three, few = (rule for rule in FMJD if rule.termination.name.endswith("AGAINST_KING") and rule.limit > 1)
    play_safe(game, 20)
    assert (game.draw_counts()[three], few in game.draw_counts()) == (20, False)
    play_matching(game, by_king, capture)
    assert (three in game.draw_counts(), game.draw_counts()[few]) == (False, 0)


def test_move_of_a_man_does_not_reset_an_unchanged_balance() -> None:
    game: DraughtsGame = Game(Position.from_fen("W:WKa3,Kc1,e1:BKh6,Kf8", "russian"))
    (rule,) = (rule for rule in VARIANTS["russian"].draws if rule.limit == 60)
    play_safe(game, 4)
    play_safe(game, 1, by_man)
    assert game.draw_counts()[rule] == 5


def test_main_road_counts_from_the_move_that_occupies_it() -> None:
    game: DraughtsGame = Game(Position.from_fen("B:WKa5,Ka3,Kc1:BKh2", "russian"))
    (rule,) = (rule for rule in VARIANTS["russian"].draws if rule.termination is Termination.MAIN_ROAD)
    counts = []
    for predicate in (lone_off_road, by_king, lone_on_road, by_king, lone_on_road):
        play_safe(game, 1, predicate)
        counts.append(game.draw_counts()[rule])
    assert counts == [0, 0, 0, 1, 2]
