"""What players, matches and tables ask of a family: the same of every one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random
from typing import Any

import pytest

from tablemen import ArgumentError, Game, NotationError, Outcome, Side, TablemenError, Termination, UnknownVariantError
from tablemen.draughts import ENGLISH, INTERNATIONAL
from tablemen.draughts import Position as Board
from tablemen.draughts.pdn import parse_pdn
from tablemen.family import ScoreSheet, families, find_variant, get_family
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits

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
    with pytest.raises(UnknownVariantError, match="did you mean russian or frisian"):
        find_variant("rusian")
    with pytest.raises(UnknownVariantError, match="did you mean oware"):
        find_variant("owari")
    with pytest.raises(UnknownVariantError, match="`tablemen variants` lists them all"):
        find_variant("zzzzzz")


@BY_NAME
def test_only_rules_with_dimensions_can_be_resized(rules: Any) -> None:
    family = get_family(rules)
    size = family.board_size(rules)
    assert family.resize(rules) == family.resize(rules, **size) == rules
    if size:
        assert family.board_size(family.resize(rules, houses=4)) == {"houses": 4, "seeds": rules.seeds}
        assert family.board_size(family.resize(rules, houses=4, seeds=3)) == {"houses": 4, "seeds": 3}
        return
    with pytest.raises(TablemenError, match="has no houses and seeds"):
        family.resize(rules, houses=4, seeds=3)


def test_a_family_is_that_of_rules_or_of_a_position() -> None:
    assert get_family(ENGLISH) is get_family(Board.start(ENGLISH))
    assert get_family(KALAH) is get_family(Pits.start(KALAH)) is not get_family(ENGLISH)
    with pytest.raises(ArgumentError, match="a position or rules"):
        get_family("english")


@BY_NAME
def test_positions_and_games_come_back_from_text(rules: Any) -> None:
    family, game = get_family(rules), played(rules)
    position = game.position
    assert family.parse_position(family.format_position(position), rules) == position
    players = {Side.WHITE: "random:seed=1", Side.BLACK: "human"}
    facts: dict[str, Any] = {"event": "a match", "date": date(2026, 5, 9), "round": 7, "note": "it rained"}
    sheet = ScoreSheet(game=game, players=players, outcome=game.outcome(), **facts)
    text = family.format_game(sheet)
    again, once_more = family.parse_games(f"{text}\n{text}", rules)
    assert again.game == once_more.game == game
    assert again.players == players
    assert "it rained" in text
    assert "2026.05.09" in text
    assert again.outcome == game.outcome()


@BY_NAME
def test_a_drawing_has_either_side_at_the_bottom(rules: Any) -> None:
    family, position = get_family(rules), played(rules, 3).position
    below = family.draw(position, orientation=Side.WHITE)
    above = family.draw(position, orientation=Side.BLACK)
    assert below != above
    assert below.splitlines()[-1] == above.splitlines()[-1] == f"{family.side_name(position.turn)} to move"


@BY_NAME
def test_a_legal_move_has_no_objection_and_any_other_has(rules: Any) -> None:
    game = played(rules, 11)
    family, position = get_family(rules), game.position
    for move in position.legal_moves():
        assert family.explain_illegal(str(move), position) is None
    for text in ("", "hello", "1-1", "99", "0", "-", "a1a1", "swap", "7 7"):
        assert family.explain_illegal(text, position)


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("32-29", "32 to 29 is not a diagonal step"),
        ("19-23", "the man on 19 is Black's, and White is to move"),
        ("28-22", "no piece stands on 28"),
        ("31-72", "international has no square '72'"),
        ("31", "31 is a single square: a move needs two"),
    ],
)
def test_what_is_wrong_with_a_typed_move(text: str, objection: str) -> None:
    assert get_family(INTERNATIONAL).explain_illegal(text, Board.start(INTERNATIONAL)) == objection


def test_a_capture_that_goes_another_way() -> None:
    position = Board.from_fen("W:W14:B8,9,18,19", INTERNATIONAL)
    assert len(position.legal_moves()) == 1
    objection = get_family(INTERNATIONAL).explain_illegal("14x25x14", position)
    assert objection is not None
    assert objection.startswith("no capture has this path; the legal ones are 14x")


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


def test_outcomes_in_words() -> None:
    english, kalah = get_family(ENGLISH), get_family(KALAH)
    lost = Board.from_fen("W:W:B1", ENGLISH)
    assert english.describe_outcome(Outcome(Side.BLACK, Termination.NO_PIECES), lost) == "Black wins: no pieces left"
    assert english.describe_outcome(Outcome(None, Termination.AGREEMENT), lost) == "A draw: agreement"
    over = Pits.from_text("<6,7,3,0,0,0,0,0,0,2,2,2,2,3,27> south", KALAH)
    outcome = over.outcome()
    assert outcome is not None
    assert kalah.describe_outcome(outcome, over) == f"North wins, 41 to 7: {outcome.termination}"
    resigned = Outcome(Side.WHITE, Termination.RESIGNATION)
    assert kalah.describe_outcome(resigned, Pits.start(KALAH)) == "South wins: resignation"


def test_a_game_without_a_result_is_written_so() -> None:
    text = get_family(INTERNATIONAL).format_game(ScoreSheet(game=played(INTERNATIONAL, 0), note="nobody came"))
    assert "Termination" not in text
    assert parse_pdn(text).tags["Result"] == "*"
    assert parse_pdn(text).line.comments == ("nobody came",)


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
    ("rules", "text", "problem"),
    [
        (ENGLISH, "W:W31:B1\nB:W31:B99", "line 2, column 8: english has no square '99'"),
        (ENGLISH, "1. 11-15 11-15 *", "11-15 is not legal"),
        (
            ENGLISH,
            '[GameType "20"]\n1. 32-28 *',
            "game 1, line 1, column 1: the game is international, not english",
        ),
        (ENGLISH, "1. ... 23-19 *", "game 1, line 1, column 1: move 1 cannot be played"),
        (KALAH, "<6,0,0,4> south", "line 1, column 1: the board has 3 pits, not 14"),
        (KALAH, "Moves: 3 6 9", "line 1, column 1: move 3: there is no house 9"),
    ],
)
def test_openings_that_cannot_be_read(rules: Any, text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        get_family(rules).parse_openings(text, rules)


def test_a_game_that_goes_on_elsewhere_is_no_opening() -> None:
    text = '1. 32-28 /FEN "W:W31:B1"/ *'
    with pytest.raises(TablemenError, match="the game has a set-up after its start"):
        get_family(INTERNATIONAL).parse_games(text, INTERNATIONAL)


def test_rules_of_ones_own_keep_their_games() -> None:
    small = replace(KALAH, name="small", houses=3, seeds=2)
    family, game = get_family(small), played(replace(KALAH, name="small", houses=3, seeds=2), 5)
    assert family.parse_games(family.format_game(ScoreSheet(game=game)), small)[0].game == game
