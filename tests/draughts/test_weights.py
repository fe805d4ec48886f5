"""Weights come back from their files, and damaged files say what is wrong."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, NotationError, TablemenError
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, DraughtsRules
from tablemen.draughts.evaluation import FOLDER, Evaluation
from tablemen.draughts.weights import (
    FEATURES,
    Pattern,
    Weights,
    default_weights,
    format_weights,
    material_weights,
    parse_weights,
    read_weights,
    write_weights,
)
from tests import strategies
from tests.random_weights import any_weights

TEXT = format_weights(default_weights(ENGLISH), ENGLISH)


@settings(max_examples=50)
@given(strategies.rule_sets(), st.integers(0, 99))
def test_text_comes_back(rules: DraughtsRules, seed: int) -> None:
    weights = replace(any_weights(rules, seed), origin={"from": "3 games", "seed": "1"})
    tables = [pattern.table for pattern in weights.patterns]
    assert parse_weights(format_weights(weights, rules), rules, tables) == weights


@pytest.mark.parametrize("name", VARIANTS)
def test_files_come_back(name: str, tmp_path: Path) -> None:
    weights = any_weights(VARIANTS[name], 1)
    path = tmp_path / f"{name}.weights"
    write_weights(weights, VARIANTS[name], path)
    assert read_weights(path, VARIANTS[name]) == weights
    assert Evaluation.read(path, name) == Evaluation(VARIANTS[name], weights)


def test_weights_without_patterns_are_one_file(tmp_path: Path) -> None:
    write_weights(default_weights(ENGLISH), ENGLISH, tmp_path / "english.weights")
    assert [path.name for path in tmp_path.iterdir()] == ["english.weights"]


def test_lines_for_people_and_blank_ones_do_not_count() -> None:
    text = "# by hand\n\n" + TEXT.replace("\n", "\n# more\n", 1)
    assert parse_weights(text, ENGLISH) == default_weights(ENGLISH)


@pytest.mark.parametrize(
    ("before", "after", "line", "told"),
    [
        ("tablemen weights 1", "tablemen weights 2", 1, "the first line is not"),
        ("variant english", "variant italian", 2, "these are weights for italian, not for english"),
        ("full 24", "full 0", 3, "full is 0"),
        ("full 24", "full 24 24", 3, "2 numbers, not 1"),
        ("full 24\n", "", 1, "there is no line `full`"),
        ("man 1000 1000", "man 1000", 4, "1 number, not 2"),
        ("man 1000 1000", "man 1000 1e3", 4, "'1e3' is not a whole number"),
        ("man 1000 1000", "man 1000 32768", 4, "32768 is not from -32767 to 32767"),
        ("man 1000 1000", "men 1000 1000", 4, "'men' is not a feature"),
        ("man 1000 1000", "man 1000 1000\nman 1 1", 5, "man occurs twice"),
        ("kings ending", "kings opening", 45, "kings opening occurs twice"),
    ],
)
def test_a_text_that_cannot_be_read_points_at_the_line(before: str, after: str, line: int, told: str) -> None:
    assert before in TEXT
    wrong = TEXT.replace(before, after, 1)
    with pytest.raises(NotationError, match=re.escape(told)) as caught:
        parse_weights(wrong, ENGLISH)
    assert caught.value.line == line


def test_boards_of_another_shape_are_told() -> None:
    lines = TEXT.splitlines()
    first = lines.index("men opening") + 1
    short = "\n".join([*lines[: first + 7], *lines[first + 8 :]])
    with pytest.raises(NotationError, match="row 8 of a board has 2 cells, not 8") as caught:
        parse_weights(short, ENGLISH)
    assert caught.value.line == first + 8
    shifted = "\n".join([*lines[:first], "7" + lines[first][6:], *lines[first + 1 :]])
    with pytest.raises(NotationError, match="row 1, column 1 is 7") as caught:
        parse_weights(shifted, ENGLISH)
    with pytest.raises(NotationError, match="cells, not 8"):
        parse_weights("\n".join(lines[:-2]), ENGLISH)
    with pytest.raises(NotationError, match="there is no line `kings ending`"):
        parse_weights(TEXT.partition("kings ending")[0], ENGLISH)


def with_pattern(tmp_path: Path) -> Path:
    table = b"".join(struct.pack("<hh", index, -index) for index in range(9))
    weights = replace(material_weights(INTERNATIONAL), patterns=(Pattern((1, 7), table),))
    path = tmp_path / "international.weights"
    write_weights(weights, INTERNATIONAL, path)
    assert read_weights(path, INTERNATIONAL) == weights
    return path


def test_a_damaged_file_of_patterns_is_told(tmp_path: Path) -> None:
    path = with_pattern(tmp_path)
    tables = path.with_suffix(".patterns")
    whole = tables.read_bytes()
    for damaged, told in (
        (b"tablemen patterns 2\n" + whole[20:], "does not begin with 'tablemen patterns 1'"),
        (whole[:-6], "cannot be decompressed"),
        (whole[:20] + bytes([whole[20] ^ 1]) + whole[21:], "its checksum is wrong"),
    ):
        tables.write_bytes(damaged)
        with pytest.raises(TablemenError, match=told):
            read_weights(path, INTERNATIONAL)
    tables.unlink()
    with pytest.raises(FileNotFoundError, match=r"international\.patterns"):
        read_weights(path, INTERNATIONAL)


def test_patterns_that_do_not_fit_their_tables_are_told(tmp_path: Path) -> None:
    path = with_pattern(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("pattern 1 7", "pattern 1 7 8"), encoding="utf-8")
    with pytest.raises(TablemenError, match="36 bytes of weights, not 108"):
        read_weights(path, INTERNATIONAL)
    path.write_text(text.replace("pattern 1 7", "pattern 1 51"), encoding="utf-8")
    with pytest.raises(NotationError, match=r"international\.weights: no square 51 on the board"):
        read_weights(path, INTERNATIONAL)
    with pytest.raises(NotationError, match="1 patterns and 0 tables"):
        parse_weights(text, INTERNATIONAL)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TablemenError, match=r"international\.weights is not a text file"):
        read_weights(path, INTERNATIONAL)


def test_what_is_no_weight_is_told() -> None:
    weights = material_weights(ENGLISH)
    with pytest.raises(ArgumentError, match="full is 0"):
        replace(weights, full=0)
    with pytest.raises(ArgumentError, match="counts is 'queen': one of man"):
        replace(weights, counts={"queen": (1, 1)})
    with pytest.raises(ArgumentError, match=re.escape("man is (1000, 32768)")):
        replace(weights, counts={"man": (1000, 32768)})
    with pytest.raises(ArgumentError, match=re.escape("kings[1] is (1,)")):
        replace(weights, kings=((1, 1), (1,)))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="1 to 10 squares"):
        Pattern((), b"")
    with pytest.raises(ArgumentError, match="36 bytes for 2 squares"):
        Pattern((1, 2), bytes(35))
    with pytest.raises(TablemenError, match="32 weights for men on a board of 50 squares"):
        _ = Evaluation(INTERNATIONAL, weights).compiled
    with pytest.raises(TablemenError, match="no square 51"):
        _ = Evaluation(
            INTERNATIONAL, replace(any_weights(INTERNATIONAL, 1), patterns=(Pattern((51,), bytes(12)),))
        ).compiled


def test_features_have_names_of_their_own() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert not {"full", "made", "variant", "pattern", "men", "kings"} & set(FEATURES)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.weights")), ids=lambda path: path.stem)
def test_the_weights_of_the_package_can_be_read(path: Path) -> None:
    weights: Weights = read_weights(path, VARIANTS[path.stem])
    assert {"from", "nodes", "seed", "loss"} <= set(weights.origin)
