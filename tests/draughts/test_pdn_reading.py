"""Reading PDN files: spellings, annotations, encodings and errors."""

from __future__ import annotations

import io
import pickle
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, PdnError, Side, WorkLimitError, work_limit
from tablemen.draughts import INTERNATIONAL, VARIANTS, Move, Position
from tablemen.draughts.notation import format_move
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, format_pdn, parse_pdn, read_pdn
from tablemen.draughts.pdn.game import Result, parse_clocks
from tablemen.draughts.pdn.start_position import identify
from tests.strategies import positions, variants

GOLDEN = Path(__file__).parent / "pdn"
FILES = sorted(GOLDEN.glob("*.pdn"))


def moves(text: str, **options: str) -> list[str]:
    return [str(move) for move in parse_pdn(text, **options).moves]


def read(text: str | bytes, **options: Any) -> tuple[list[PdnGame], list[PdnError]]:
    """Return the games of a text, and its errors."""
    errors: list[PdnError] = []
    file = io.StringIO(text) if isinstance(text, str) else io.BytesIO(text)
    games = list(read_pdn(file, on_error=errors.append, **options))
    return games, errors


# Golden files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_game_is_written_exactly_as_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game = parse_pdn(text)
    assert game.variant is VARIANTS[path.stem]
    last = game.positions()[-1]
    assert last is not None
    assert last.fen() == game.tags["End"]
    outcome = last.outcome()
    assert outcome is not None
    assert game.result is (Result.WHITE if outcome.winner is Side.WHITE else Result.BLACK)
    assert format_pdn(game) == text


def test_every_variant_has_a_golden_game() -> None:
    assert {path.stem for path in FILES} == set(VARIANTS)


# Spellings


@pytest.mark.parametrize(
    "text",
    [
        "1. 32-28 19-23 2. 28x19 14x23",
        "1.32-28 19-23 2.28x19 14x23 *",
        "1. 32-28 19-23\n2. 28:19 14:23 1-0",
        "32-28 19-23 28x19 14x23",
        "01. 32-28 19-23 02. 28x19 14x23",
        "1. 32 - 28 19 - 23 2. 28 x 19 14 x 23",
        "1. 3228 1923 2. 2819 1423",
        "1. 32-28! 19-23 (?) 2. 28x19 $1 {c} 14x23",
        "% a line comment\n1. 32-28 19-23 ; to the end\n2. 28x19 % another\n14x23",
        "1. 32-28 {Black is next} 1. ... 19-23 2. 28X19 2... 14X23",
        "\ufeff1. 32-28 19-23 2. 28x19 14x23",
    ],
)
def test_spellings_of_moves(text: str) -> None:
    assert moves(text) == ["32-28", "19-23", "28x19", "14x23"]


@pytest.mark.parametrize("text", ["1. c3-d4 d6-c5", "1.c3d4 d6c5", "1. C3-D4 D6-C5", "1. c3 - d4 d6 - c5"])
def test_spellings_of_algebraic_moves(text: str) -> None:
    assert moves(text, variant="russian") == ["c3-d4", "d6-c5"]


def test_leading_zeros_and_whole_paths() -> None:
    assert moves('[FEN "B:W50:B1"] 1... 01-07 2. 50-45 07-012') == ["1-7", "50-45", "7-12"]
    head = '[FEN "W:WK10:B11,18,23,27"] 1. '
    assert moves(head + "10x32x16x2") == moves(head + "10x16x2") == moves(head + "10x2") == ["10x2"]


TWO_WAYS = '[GameType "21"] [FEN "W:W22:B9,10,17,18"] 1. '  # two captures from 22 to 6


def test_ambiguous_capture_needs_its_path() -> None:
    left, right = parse_pdn(TWO_WAYS + "22x13x6"), parse_pdn(TWO_WAYS + "22x15x6")
    assert get_move(left.line, 0).captured == (17, 9)
    assert get_move(right.line, 0).captured == (18, 10)
    assert format_pdn(left).endswith("\n1... 22x13x6 *\n")
    _, (error,) = read(TWO_WAYS + "22x6")
    assert all(text in error.problem for text in ("22x6", "22x15x6", "22x13x6"))
    assert error.column == 46


def test_tags_results_and_stars_separate_games() -> None:
    text = '[Event "1"] 32-28 2-0\n\n[Event "2"]\n* [Event "3"] 33-28 [Event "4"] 1-1 * 34-29 *'
    games, errors = read(text, variant="international")
    assert errors == []
    assert [game.tags.get("Event") for game in games] == ["1", "2", "3", "4", None]
    assert [len(game.moves) for game in games] == [1, 0, 1, 0, 1]
    assert [game.result for game in games] == [Result.WHITE, Result.NONE, Result.NONE, Result.DRAW, Result.NONE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("32-28 1-0", "1-0"),
        ('[Result "*"] 32-28 0-2', "0-2"),
        ('[Result "?"] 32-28 1/2-1/2', "1/2-1/2"),
        ('[Result "2-0"] 32-28 *', "2-0"),
        ('[Result "2-0"] 32-28 0-2', "2-0"),
        ('[Result "1+ - 1-"] 32-28 1+ - 1-', "1+ - 1-"),
        ('[Result "4-6"] 32-28 4-6', "4-6"),
    ],
)
def test_result_tag_has_precedence_over_the_result_after_the_moves(text: str, expected: str) -> None:
    assert parse_pdn(text).tags["Result"] == expected


def test_written_result_is_the_result_after_the_moves() -> None:
    game = parse_pdn('[Result "2-0"] 32-28 0-2')
    assert (game.result, game.written_result) == (Result.WHITE, "0-2")
    assert PdnGame(game.line, game.tags).written_result is None


# The tree


def test_comments_glyphs_and_variations_keep_their_order() -> None:
    game = parse_pdn("{first} 1. 32-28! $1 {a} (1. 33-28 19-24 (19-23 {deep})) {b} 19-23 {[%clk 0:01:05]}")
    start = Position.start("international")
    assert game.line.comments == ("first",)
    node, reply = game.nodes
    assert node.strength == "!"
    assert [type(note) for note in node.notes] == [Nag, str, PdnLine, str]
    assert (node.nags, node.comments) == ((1,), ("a", "b"))
    (variation,) = node.variations
    assert variation.start == start
    assert [str(move) for move in variation.moves] == ["33-28", "19-24"]
    (inner,) = variation.nodes[1].variations
    assert inner.start == start.play(get_move(variation, 0))
    assert inner.nodes[0].comments == ("deep",)
    assert reply.clock == timedelta(seconds=65)
    assert node.clock is None


def get_move(line: PdnLine, index: int) -> Move:
    move = line.moves[index]
    assert isinstance(move, Move)
    return move


def test_positions_of_the_main_line() -> None:
    game = parse_pdn("1. 32-28 19-23 2. 28x19 14x23")
    positions = game.positions()
    assert positions[0] == game.start == Position.start("international")
    assert [position.turn for position in positions if position] == [Side.WHITE, Side.BLACK] * 2 + [Side.WHITE]


def test_set_up_changes_the_position() -> None:
    game = parse_pdn('1. 32-28 /FEN "B:W28:B19"/ 19-23 /FEN "B::"/ 23x32')
    after = game.positions()
    assert [None if position is None else position.fen() for position in after[1:]] == [
        "B:W28:B19",
        "B:W28:B23",
        "W:W:B32",
    ]
    assert parse_pdn(format_pdn(game)) == game


def test_set_up_before_the_first_move_is_the_start() -> None:
    game = parse_pdn('{c} /FEN "B:W28:B1"/ 1... 1-7')
    assert game.start.fen() == "B:W28:B1"
    assert game.line.notes == ("c",)
    with_tag = parse_pdn('[FEN "W:W28:B1"] /FEN "B:W28:B1"/ 1... 1-7')
    assert with_tag.start.fen() == "W:W28:B1"
    assert with_tag.line.notes == (Position.from_fen("B:W28:B1", "international"),)
    assert parse_pdn('/FEN "B::"/ 1... 19-23').start.turn is Side.BLACK


def test_empty_variation_is_ignored() -> None:
    assert parse_pdn("32-28 () (1.) 19-23") == parse_pdn("32-28 19-23")


def test_unknown_moves() -> None:
    game = parse_pdn('1. 32-28 ... 2. 37-32 - 3. 3228 /FEN "W:W28:B1"/ 4. 28-23')
    assert [str(move) for move in game.moves] == ["32-28", "...", "37-32", "...", "32-28", "28-23"]
    assert [isinstance(move, str) for move in game.moves] == [False, True, True, True, True, False]
    assert [position is None for position in game.positions()] == [False, False, True, True, True, False, False]
    # Three dots after a move number mean that Black is to move.
    assert moves("1. 32-28 1. ... 19-23") == ["32-28", "19-23"]
    assert moves("1. ... 19-23") == ["...", "19-23"]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("[%clk 1:00:05]", {"clk": 3605}),
        ("a [%emt 12] b [%egt 0:30]", {"emt": 12, "egt": 30}),
        ("[%mct 17]", {"mct": 17}),
        ("[%clk 0:00:01.5]", {"clk": 1.5}),
        ("[%clock w0:59:10 B1:00:00]", {"white": 3550, "black": 3600, "clk": 3550}),
        ("[%clock W0:59:10 b1:00:00]", {"white": 3550, "black": 3600, "clk": 3600}),
        ("[%clk soon] [%clk 1:2:3:4] [%eval 3]", {}),
    ],
)
def test_clocks_in_comments(comment: str, expected: dict[str, float]) -> None:
    assert parse_clocks(comment) == {name: timedelta(seconds=seconds) for name, seconds in expected.items()}


# Sources


def test_paths_binary_files_and_text_files_are_read_alike(tmp_path: Path) -> None:
    text = '[White "Сергей"] 1. 32-28 {é} *\n'
    path = tmp_path / "games.pdn"
    path.write_text(text, encoding="utf-8")
    expected = [parse_pdn(text)]
    assert list(read_pdn(path)) == list(read_pdn(str(path))) == expected
    with path.open("rb") as binary, path.open(encoding="utf-8") as characters:
        assert list(read_pdn(binary)) == list(read_pdn(characters)) == expected
    with read_pdn(path) as reader:
        assert next(reader) == expected[0]
        assert reader.games_read == 1


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8-sig"])
def test_encoding_can_be_given(encoding: str) -> None:
    text = '[White "Zoé"] 1. 32-28 {ü} *'
    (game,), errors = read(text.encode(encoding), encoding=encoding)
    assert errors == []
    assert (game.tags["White"], game.nodes[0].comments) == ("Zoé", ("ü",))


@pytest.mark.parametrize("encoding", ["hex", "nope", "undefined", "idna", "a\0b", ""])
def test_unknown_encoding_is_rejected(encoding: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        read_pdn(io.BytesIO(b"32-28 *"), encoding=encoding)
    assert (caught.value.name, caught.value.value) == ("encoding", encoding)


def test_bytes_that_do_not_fit_the_given_encoding_are_an_error() -> None:
    games, (error,) = read(b'[White "\x81"] 32-28 * 32-28 *', encoding="shift_jis")
    assert (len(games), error.game, error.column) == (1, 1, 9)
    _, (error,) = read("32-28 *".encode("utf-16-le") + b"x", encoding="utf-16-le")
    assert (error.game, error.column, set(error.text)) == (2, 8, {"\N{REPLACEMENT CHARACTER}"})
    reader = read_pdn(io.BytesIO(b"32-28 *"), encoding="utf-16")
    with pytest.raises(PdnError, match="BOM"):
        next(reader)
    assert list(reader) == []


def test_invalid_utf_8_is_an_error() -> None:
    games, (error,) = read('[White "Zoé"] 32-28 * [White "Ann"] 32-28 *'.encode("latin-1"))
    assert (error.line, error.column, error.game) == (1, 11, 1)
    assert "UTF-8" in error.problem
    assert [game.tags["White"] for game in games] == ["Ann"]


def test_error_is_raised_without_on_error_and_the_next_game_can_be_read() -> None:
    reader = read_pdn(io.StringIO("32-28 * 32-27 32-28 * 33-28 *"), variant="international")
    assert [str(move) for move in next(reader).moves] == ["32-28"]
    with pytest.raises(PdnError) as caught:
        next(reader)
    assert (caught.value.game, caught.value.text) == (2, "32-27 32-28 *")
    assert [str(move) for move in next(reader).moves] == ["33-28"]
    with pytest.raises(StopIteration):
        next(reader)


def test_parse_pdn_needs_exactly_one_game() -> None:
    for count, text in ((2, "32-28 * 32-28 *"), (0, " % nothing")):
        with pytest.raises(PdnError, match=rf"\b{count}\b") as caught:
            parse_pdn(text)
        assert (caught.value.game, caught.value.text) == (0, text)
    with pytest.raises(ArgumentError):
        parse_pdn(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError):
        read_pdn(32)  # type: ignore[arg-type]


# Agreement with `Position.find_moves`


@settings(max_examples=60)
@given(positions(variants()), st.randoms(use_true_random=False))
def test_reader_and_position_find_the_same_moves(position: Position, chance: Random) -> None:
    legal = {(move.start, move.end) for move in position.legal_moves()}
    squares = position.variant.mover.squares
    others = {(chance.choice(squares), chance.choice(squares)) for _ in range(10)}
    name, value = identify(position.variant)
    for start, end in sorted(legal | others):
        found = position.find_moves([start, end])
        games, errors = read(f'[{name} "{value}"] [FEN "{position.fen()}"] {start.name}-{end.name}')
        if start == end == 1 and start.name == "1":
            continue  # 1-1 is a draw
        assert [game.moves for game in games] == ([found] if len(found) == 1 else [])
        assert len(errors) == (len(found) != 1)
        for error in errors:
            assert all(format_move(move, full=True) in error.problem for move in found)


def test_deeply_nested_variations() -> None:
    game = parse_pdn("32-28 (" * 99 + "33-28" + ")" * 99)
    again = parse_pdn(format_pdn(game))
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game
    assert repr(game.line) == repr(again.line)


def test_separator_decides_between_a_step_and_a_capture_with_the_same_squares() -> None:
    free = replace(INTERNATIONAL, name="free", capture_compulsory=False)
    position = Position.from_fen("W:WK26:B12,13,25,39", free)
    capture, step = sorted(position.find_moves([26, 48]), key=lambda move: not move.is_capture)
    assert (len(capture.captured), len(step.captured)) == (3, 0)
    head = f'[FEN "{position.fen()}"] 1. '
    for text, move in (("26-48", step), ("26x48", capture), ("26:48", capture), ("26x8x30x48", capture)):
        assert parse_pdn(head + text, variant=free).moves == (move,)
    for move in (capture, step):
        game = PdnGame.from_moves(position, [move])
        assert parse_pdn(format_pdn(game), variant=free) == game


# Ambiguous moves, positions without a side to move, typographic signs

CROSSING = '[GameType "20"] [FEN "W:WK10:B14,17,27,31"]'  # 10x3 takes 14, 17 and either 27 or 31


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("1. 10x3 31-36 *", "10x32x21x3"),
        ("1. 10x3 {c} 27-32 2. 3-9 *", "10x37x26x3"),
        ("1. 10x3 - (1... 31-36) *", "10x32x21x3"),
        ("1. 10x3 (1. 10x32x21x3) 27-32 (1... 27-31) *", "10x37x26x3"),
        ('1. 10x37x26x3 /FEN "W:WK10:B14,17,27,31"/ 10x3 31-36 *', "10x37x26x3"),
    ],
)
def test_ambiguous_capture_is_resolved_by_the_moves_after_it(text: str, path: str) -> None:
    game = parse_pdn(f"{CROSSING}\n{text}")
    move = game.moves[0]
    assert isinstance(move, Move)
    assert format_move(move, full=True) == path
    (warning,) = game.warnings
    assert warning.problem.startswith("10x3 is ambiguous: 10x32x21x3 or 10x37x26x3; read as 10x3")
    assert (warning.line, warning.column) == (2, text.rindex("10x3 ") + 1)
    again = parse_pdn(format_pdn(game))
    assert (again, again.warnings) == (game, ())
    assert game.end() == game.positions()[-1]


def test_ambiguous_capture_in_a_variation_is_resolved_by_the_variation() -> None:
    game = parse_pdn(f"{CROSSING} 1. 10x32x21x3 (1. 10x3 27-32 (1... 27-31)) 31-36 *")
    assert [str(move) for move in game.nodes[0].variations[0].moves] == ["10x37x26x3", "27-32"]
    assert len(game.warnings) == 1


@pytest.mark.parametrize("text", ["1. 10x3 *", "1. 10x3 1-2 *", "1. 10x3 (1... 31-36) (1... 27-32) *", "1. 10x3 ... *"])
def test_capture_stays_ambiguous_without_exactly_one_reading(text: str) -> None:
    _, (error,) = read(f"{CROSSING}\n{text}")
    assert error.problem == "10x3 is ambiguous: 10x32x21x3 or 10x37x26x3"
    assert (error.line, error.column) == (2, 4)


def test_work_to_resolve_ambiguous_captures_is_limited() -> None:
    setup = '/FEN "W:WK10:B14,17,27,31"/'
    for count in (10, 200, 2000):
        text = f"{CROSSING} " + f"10x3 {setup} " * count + "10x3 1-2 *"
        with work_limit(300_000):
            _, (error,) = read(text)
        assert error.problem.startswith("10x3 is ambiguous")
    with work_limit(2000), pytest.raises(WorkLimitError):
        read(f"{CROSSING} " + f"10x3 {setup} " * 30 + "10x3 1-2 *")


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ('[FEN "?:W31,32:B19,20"] 1. 32-28 19-23 *', [Side.WHITE]),
        ('[FEN "?:W31,32:B19,20"] 1... 19-23 *', [Side.BLACK]),
        ('[FEN " ? :W31,32"] *', [Side.WHITE]),
        ('/FEN "?:W31,32:B19,20"/ 19-23 *', [Side.BLACK]),
        ('1. 32-28 /FEN "?:W31,32:B19,20"/ 19-23 /FEN "?:W31,32:B19,20"/ 31-26 *', [Side.BLACK, Side.WHITE]),
        ('[FEN "?:W31:B20"] 1... 20-24 (/FEN "?:W28:B1"/ 28-22) 31-26 *', [Side.BLACK, Side.WHITE]),
    ],
)
def test_unknown_side_to_move_is_that_of_the_next_move(text: str, turns: list[Side]) -> None:
    game = parse_pdn(f'[GameType "20"] {text}')
    expected = [f"the side to move is unknown; read with {turn.name.title()} to move" for turn in turns]
    assert [warning.problem for warning in game.warnings] == expected
    assert parse_pdn(format_pdn(game)) == game


def test_unknown_side_to_move_of_many_positions_is_an_error() -> None:
    _, (error,) = read('[GameType "20"] ' + '/FEN "?:W31:B20"/ ' * 21)
    assert error.problem == "more than 20 positions have no side to move"


def test_typographic_signs_in_moves() -> None:
    plain = "1. 32-28! 19-23 {a – b} (1... 18-23 2. 38-32) 2. 28x19 14x23 3. ... *"
    signs = "1.\u00a032–28! 19—23 {a – b} (1… 18 − 23 2. 38‐32) 2. 28×19 14х23\u202f3. … *"
    assert parse_pdn(signs, variant="international") == parse_pdn(plain, variant="international")
    games, (error,) = read('1. 32–28 ½–½ [Result "1–0"] 32—28 1–0\n1. 32–28 19–23 2. 33–27', variant="international")
    assert [game.result for game in games] == [Result.DRAW, Result.WHITE]
    assert (error.line, error.column) == (2, 19)
