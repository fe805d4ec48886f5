"""Evaluation weights: round trips, and errors in files."""

from __future__ import annotations

import struct
from collections.abc import Callable
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
from tests.draughts import invalid_input
from tests.random_weights import random_weights

TEXT = format_weights(default_weights(ENGLISH), ENGLISH)


@settings(max_examples=50)
@given(strategies.rule_sets(), st.integers(0, 99))
def test_round_trip_of_text(rules: DraughtsRules, seed: int) -> None:
    weights = replace(random_weights(rules, seed), origin={"from": "3 games", "seed": "1"})
    tables = [pattern.table for pattern in weights.patterns]
    assert parse_weights(format_weights(weights, rules), rules, tables) == weights


@pytest.mark.parametrize("name", VARIANTS)
def test_round_trip_of_files(name: str, tmp_path: Path) -> None:
    weights = random_weights(VARIANTS[name], 1)
    path = tmp_path / f"{name}.weights"
    write_weights(weights, VARIANTS[name], path)
    assert read_weights(path, VARIANTS[name]) == weights
    assert Evaluation.read(path, name) == Evaluation(VARIANTS[name], weights)


def test_weights_without_patterns_are_one_file(tmp_path: Path) -> None:
    write_weights(default_weights(ENGLISH), ENGLISH, tmp_path / "english.weights")
    assert [path.name for path in tmp_path.iterdir()] == ["english.weights"]


def test_comments_and_blank_lines_are_ignored() -> None:
    text = "# by hand\n\n" + TEXT.replace("\n", "\n# more\n", 1)
    assert parse_weights(text, ENGLISH) == default_weights(ENGLISH)


@pytest.mark.parametrize(("before", "after", "line"), invalid_input.WEIGHTS)
def test_error_has_its_line(before: str, after: str, line: int) -> None:
    assert before in TEXT
    wrong = TEXT.replace(before, after, 1)
    with pytest.raises(NotationError) as caught:
        parse_weights(wrong, ENGLISH)
    assert caught.value.line == line


def test_tables_of_another_shape_are_rejected() -> None:
    lines = TEXT.splitlines()
    first = lines.index("men opening") + 1
    for wrong, line in (
        ([*lines[: first + 7], *lines[first + 8 :]], first + 8),  # a missing row
        ([*lines[:first], "7" + lines[first][6:], *lines[first + 1 :]], first + 1),  # a number for an unused square
        (lines[:-2], len(lines) - 2),  # two missing rows at the end
        (lines[: lines.index("kings ending")], 1),  # a missing table
    ):
        with pytest.raises(NotationError) as caught:
            parse_weights("\n".join(wrong), ENGLISH)
        assert caught.value.line == line


def write_pattern(tmp_path: Path) -> Path:
    table = b"".join(struct.pack("<hh", index, -index) for index in range(9))
    weights = replace(material_weights(INTERNATIONAL), patterns=(Pattern((1, 7), table),))
    path = tmp_path / "international.weights"
    write_weights(weights, INTERNATIONAL, path)
    assert read_weights(path, INTERNATIONAL) == weights
    return path


def test_damaged_pattern_file_is_rejected(tmp_path: Path) -> None:
    path = write_pattern(tmp_path)
    tables = path.with_suffix(".patterns")
    whole = tables.read_bytes()
    for damaged in (
        b"tablemen patterns 2\n" + whole[20:],
        whole[:-6],
        whole[:20] + bytes([whole[20] ^ 1]) + whole[21:],  # a wrong checksum
    ):
        tables.write_bytes(damaged)
        with pytest.raises(TablemenError, match=r"international\.patterns"):
            read_weights(path, INTERNATIONAL)
    tables.unlink()
    with pytest.raises(FileNotFoundError, match=r"international\.patterns"):
        read_weights(path, INTERNATIONAL)


def test_patterns_that_do_not_fit_their_tables_are_rejected(tmp_path: Path) -> None:
    path = write_pattern(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("pattern 1 7", "pattern 1 7 8"), encoding="utf-8")
    with pytest.raises(TablemenError, match=r"international\.patterns.*\b108\b.*\b36\b"):
        read_weights(path, INTERNATIONAL)
    path.write_text(text.replace("pattern 1 7", "pattern 1 51"), encoding="utf-8")
    with pytest.raises(NotationError, match=r"international\.weights.*\b51\b"):
        read_weights(path, INTERNATIONAL)
    with pytest.raises(NotationError, match=r"\b1\b.*\b0\b"):
        parse_weights(text, INTERNATIONAL)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TablemenError, match=r"international\.weights"):
        read_weights(path, INTERNATIONAL)


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (lambda: replace(material_weights(ENGLISH), full=0), "full", 0),
        (lambda: replace(material_weights(ENGLISH), counts={"queen": (1, 1)}), "counts", "queen"),
        (lambda: replace(material_weights(ENGLISH), counts={"man": (1000, 32768)}), "man", (1000, 32768)),
        (lambda: replace(material_weights(ENGLISH), kings=((1, 1), (1,))), "kings[1]", (1,)),  # type: ignore[arg-type]
        (lambda: Pattern((), b""), "squares", ()),
        (lambda: Pattern((1, 2), bytes(35)), "table", bytes(35)),
    ],
)
def test_invalid_weights_are_rejected(make: Callable[[], object], name: str, value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        make()
    assert (caught.value.name, caught.value.value) == (name, value)


def test_weights_of_another_board_are_rejected() -> None:
    with pytest.raises(TablemenError, match=r"\b50\b.*\b32\b"):
        _ = Evaluation(INTERNATIONAL, material_weights(ENGLISH)).compiled
    patterns = (Pattern((51,), bytes(12)),)
    with pytest.raises(TablemenError, match=r"\b51\b"):
        _ = Evaluation(INTERNATIONAL, replace(random_weights(INTERNATIONAL, 1), patterns=patterns)).compiled


def test_feature_names_are_unique_and_not_keywords() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert not {"full", "made", "variant", "pattern", "men", "kings"} & set(FEATURES)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.weights")), ids=lambda path: path.stem)
def test_weights_of_the_package_can_be_read(path: Path) -> None:
    weights: Weights = read_weights(path, VARIANTS[path.stem])
    assert {"from", "nodes", "seed", "loss"} <= set(weights.origin)
