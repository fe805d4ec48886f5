"""The adapters of the families: the same contract for every variant."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tablemen import (
    ArgumentError,
    Game,
    NotationError,
    Outcome,
    PdnError,
    Side,
    TablemenError,
    Termination,
    UnknownVariantError,
)
from tablemen.clock import TimeControl
from tablemen.draughts import ENGLISH, INTERNATIONAL
from tablemen.draughts import Position as Board
from tablemen.draughts.pdn import parse_pdn
from tablemen.draws import NOT_BY_DRAW_RULE
from tablemen.family import ScoreSheet, families, find_variant, get_family
from tablemen.game import DRAWS
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tests.golden import check_golden

VARIANTS = [rules for family in families() for rules in family.variants.values()]
BY_NAME = pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)


def played(rules: Any, plies: int = 30, seed: int = 0) -> Game[Any, Any]:
    game: Game[Any, Any] = Game(get_family(rules).start(rules))
    random = Random(seed)
    while len(game.moves) < plies and not game.outcome():
        game.push(random.choice(game.legal_moves()))
    return game


@BY_NAME
def test_a_variant_is_found_by_every_name(rules: Any) -> None:
    for name in (rules.name, rules.name.upper(), *rules.aliases, rules):
        assert find_variant(name) == rules
    assert get_family(rules).variants[rules.name] is rules


def test_no_name_is_in_two_families() -> None:
    names = [
        {word.casefold() for rules in family.variants.values() for word in (rules.name, *rules.aliases, rules.title)}
        for family in families()
    ]
    assert not names[0] & names[1]


def test_suggestions_come_from_every_family() -> None:
    assert suggest("rusian") == ("russian", "frisian")
    assert suggest("owari") == ("oware",)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("englsh", "english"), ("internatonal", "international"), ("kala", "kalah"), ("checkrs", "english")],
)
def test_a_typo_is_recognised(typed: str, meant: str) -> None:
    assert suggest(typed)[0] == meant


@pytest.mark.parametrize("name", ["chess", "draughts", "go", "reversi", "backgammon", "zzzzzz", ""])
def test_a_name_without_similar_ones_has_no_suggestions(name: str) -> None:
    assert suggest(name) == ()


def suggest(name: str) -> tuple[str, ...]:
    with pytest.raises(UnknownVariantError) as caught:
        find_variant(name)
    assert caught.value.name == name
    return caught.value.suggestions


@BY_NAME
def test_only_rules_with_dimensions_can_be_resized(rules: Any) -> None:
    family = get_family(rules)
    size = family.board_size(rules)
    assert family.resize(rules) == family.resize(rules, **size) == rules
    if size:
        assert family.board_size(family.resize(rules, houses=4)) == {"houses": 4, "seeds": rules.seeds}
        assert family.board_size(family.resize(rules, houses=4, seeds=3)) == {"houses": 4, "seeds": 3}
        return
    with pytest.raises(TablemenError, match=r"houses.*seeds"):
        family.resize(rules, houses=4, seeds=3)


def test_rules_and_positions_have_a_family() -> None:
    assert get_family(ENGLISH) is get_family(Board.start(ENGLISH))
    assert get_family(KALAH) is get_family(Pits.start(KALAH)) is not get_family(ENGLISH)
    with pytest.raises(ArgumentError) as caught:
        get_family("english")
    assert (caught.value.name, caught.value.value) == ("subject", "english")


@BY_NAME
def test_positions_and_games_make_a_round_trip(rules: Any) -> None:
    family, game = get_family(rules), played(rules)
    position = game.position
    assert family.parse_position(family.format_position(position), rules) == position
    players = {Side.WHITE: "random:seed=1", Side.BLACK: "human"}
    clocks = [None, *(300.0 - number for number in range(1, len(game.moves)))]
    control, other = TimeControl(300, 2.5), TimeControl(5400, moves=40)
    sheet = ScoreSheet(
        game=game,
        players=players,
        outcome=game.outcome(),
        event="a match",
        date=date(2026, 5, 9),
        round=7,
        note="it rained",
        controls={Side.WHITE: control, Side.BLACK: other},
        authors={Side.WHITE: "Ann"},
        clocks=clocks,
    )
    text = family.format_game(sheet)
    assert "it rained" in text
    assert family.parse_games(f"{text}\n{text}", rules) == [replace(sheet, note="")] * 2
    equal = replace(sheet, controls=dict.fromkeys(Side, control))
    assert family.parse_games(family.format_game(equal), rules) == [replace(equal, note="")]


@pytest.mark.parametrize(
    ("name", "value"),
    [("Date", "2026.02.30"), ("Date", "????.??.??"), ("Round", "1.2"), ("TimeControl", "0"), ("TimeControl", "1.2.3")],
)
def test_invalid_header_is_ignored(name: str, value: str) -> None:
    family = get_family(ENGLISH)
    assert family.parse_headers({name: value}) == family.parse_headers({})


@BY_NAME
def test_a_drawing_has_either_side_at_the_bottom(rules: Any) -> None:
    family, position = get_family(rules), played(rules, 3).position
    below = family.draw(position, orientation=Side.WHITE)
    above = family.draw(position, orientation=Side.BLACK)
    assert below != above
    assert below.splitlines()[-1] == above.splitlines()[-1] == f"{family.side_name(position.turn)} to move"


@BY_NAME
def test_only_illegal_moves_are_explained(rules: Any) -> None:
    game = played(rules, 11)
    family, position = get_family(rules), game.position
    for move in position.legal_moves():
        assert family.explain_illegal(str(move), position) is None
    for text in ("", "hello", "1-1", "99", "0", "-", "a1a1", "swap", "7 7"):
        assert family.explain_illegal(text, position)


def test_a_capture_along_another_path_is_explained_by_the_legal_path() -> None:
    position = Board.from_fen("W:W14:B8,9,18,19", INTERNATIONAL)
    (move,) = position.legal_moves()
    family = get_family(INTERNATIONAL)
    explanation = family.explain_illegal("14x25x14", position)
    assert explanation is not None
    assert family.format_move(move, full=True) in explanation


@pytest.mark.golden
def test_explanations_read_well() -> None:
    start = Board.start(INTERNATIONAL)
    family = get_family(INTERNATIONAL)
    texts = {text: str(family.explain_illegal(text, start)) for text in ("32-29", "19-23", "28-22", "31-72", "31")}
    round_trip = Board.from_fen("W:W14:B8,9,18,19", INTERNATIONAL)
    texts["14x25x14"] = str(family.explain_illegal("14x25x14", round_trip))
    check_golden(Path(__file__).with_name("illegal_moves.txt"), texts)


@pytest.mark.parametrize(
    ("text", "rules", "balance"),
    [
        ("W:W31,K40:B1,2,3", "international", 1.0),
        ("B:W31,K40:B1,2,3", "international", -1.0),
        ("W:W21,K30:B1,2,3", "english", -0.5),
        ("W:W31,K40:B1,2,3", "antidraughts", -1.0),
        ("<6,7,3,4,4,4,4,4,4,2,2,2,2,3,3> south", "kalah", 4),
        ("<6,7,3,4,4,4,4,4,4,2,2,2,2,3,3> north", "kalah", -4),
        ("<6,7,3,0,0,0,0,0,0,2,2,2,2,3,27> south", "kalah", 7 - 41),
    ],
)
def test_the_balance_is_that_of_the_side_to_move(text: str, rules: str, balance: float) -> None:
    family = get_family(find_variant(rules))
    assert family.balance(family.parse_position(text, find_variant(rules))) == balance


def test_an_outcome_names_the_sides_of_the_family() -> None:
    over = Pits.from_text("<6,7,3,0,0,0,0,0,0,2,2,2,2,3,27> south", KALAH)
    outcome = over.outcome()
    assert outcome is not None
    text = get_family(KALAH).describe_outcome(outcome, over)
    assert "North wins" in text
    assert "41 to 7" in text
    assert "Black" not in text


def test_an_outcome_names_the_side_without_pieces() -> None:
    for variant, winner in (("english", Side.BLACK), ("antidraughts", Side.WHITE)):
        family = get_family(find_variant(variant))
        position = Board.from_fen("W:W:B1", variant)
        outcome = position.outcome()
        assert outcome == Outcome(winner, Termination.NO_PIECES)
        text = family.describe_outcome(outcome, position)
        assert text.startswith(f"{family.side_name(winner)} wins")
        assert "White has no" in text


@pytest.mark.golden
def test_outcomes_read_well() -> None:
    english, kalah = get_family(ENGLISH), get_family(KALAH)
    board, pits = Board.start(ENGLISH), Pits.start(KALAH)
    texts = {}
    for termination in Termination:
        is_win = termination in NOT_BY_DRAW_RULE and termination not in DRAWS
        outcome = Outcome(Side.WHITE if is_win else None, termination)
        family, position = (kalah, pits) if "seeds" in str(termination) else (english, board)
        texts[termination.name] = f"{outcome}\n{family.describe_outcome(outcome, position)}"
    texts["Kalah"] = kalah.describe_outcome(Outcome(Side.BLACK, Termination.RESIGNATION), pits)
    over = Pits.from_text("<6,7,3,0,0,0,0,0,0,2,2,2,2,3,27> south", KALAH)
    texts["with a score"] = kalah.describe_outcome(Outcome(Side.BLACK, Termination.NO_SEEDS), over)
    check_golden(Path(__file__).with_name("outcomes.txt"), texts)


def test_a_game_without_a_result_has_an_asterisk() -> None:
    text = get_family(INTERNATIONAL).format_game(ScoreSheet(game=played(INTERNATIONAL, 0), note="not finished"))
    assert "Termination" not in text
    assert parse_pdn(text).tags["Result"] == "*"
    assert parse_pdn(text).line.comments == ("not finished",)


def test_openings_are_games_or_positions() -> None:
    english, kalah = get_family(ENGLISH), get_family(KALAH)
    start = Board.start(ENGLISH)
    (begun,) = english.parse_openings('[GameType "21"]\n1. 11-15 23-19 *\n', ENGLISH)
    assert [str(move) for move in begun.moves] == ["11-15", "23-19"]
    (bare,) = english.parse_openings("1. 11-15 *\n", ENGLISH)
    assert len(bare.moves) == 1
    lines = f"# ours\n\n{start.fen()}  # the start\nW:W31:B1\n"
    assert [each.start for each in english.parse_openings(lines, ENGLISH)] == [
        start,
        Board.from_fen("W:W31:B1", ENGLISH),
    ]
    board = Pits.start(KALAH).text()
    assert [each.start for each in kalah.parse_openings(f"{board}\n{board}", KALAH)] == [Pits.start(KALAH)] * 2
    assert [str(move) for move in kalah.parse_openings("Moves: 3 6", KALAH)[0].moves] == ["3", "6"]
    assert english.parse_openings("", ENGLISH) == kalah.parse_openings(" \n", KALAH) == []


@pytest.mark.parametrize(
    ("rules", "text", "place", "fact"),
    [
        pytest.param(ENGLISH, "W:W31:B1\nB:W31:B99", (2, 8), "'99'", id="no square"),
        pytest.param(ENGLISH, "1. 11-15 11-15 *", (1, 10), "11-15", id="illegal move"),
        pytest.param(ENGLISH, '[GameType "20"]\n1. 32-28 *', (1, 1), "international", id="another variant"),
        pytest.param(ENGLISH, "1. ... 23-19 *", (1, 1), "move 1", id="unknown move"),
        pytest.param(KALAH, "<6,0,0,4> south", (1, 1), "3 pits", id="number of pits"),
        pytest.param(KALAH, "Moves: 3 6 9", (1, 1), "house 9", id="no house"),
    ],
)
def test_openings_with_errors_are_refused(rules: Any, text: str, place: tuple[int, int], fact: str) -> None:
    with pytest.raises(NotationError, match=fact) as caught:
        get_family(rules).parse_openings(text, rules)
    assert (caught.value.line, caught.value.column) == place


def test_a_game_with_a_set_up_after_its_start_is_refused() -> None:
    text = '1. 32-28 /FEN "W:W31:B1"/ *'
    with pytest.raises(NotationError) as caught:
        get_family(INTERNATIONAL).parse_games(text, INTERNATIONAL)
    assert caught.type is PdnError


def test_games_by_custom_rules_make_a_round_trip() -> None:
    small = replace(KALAH, name="small", houses=3, seeds=2)
    family, game = get_family(small), played(replace(KALAH, name="small", houses=3, seeds=2), 5)
    assert family.parse_games(family.format_game(ScoreSheet(game=game)), small)[0].game == game
