"""Endgame tablebases: values, files, damage and interrupted builds. The core's tests have forward sweeps as oracle."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Side, TablemenError
from tablemen.draughts import ENGLISH, VARIANTS, DraughtsRules, Position
from tablemen.draughts.tablebase import (
    SUFFIX,
    Progress,
    Slice,
    Statistics,
    Tablebase,
    Wdl,
    build,
    check_samples,
    estimate_size,
    list_files,
    random_positions,
    remove,
    rules_id,
)
from tablemen.errors import TablebaseError

SUPPORTED = [rules for rules in VARIANTS.values() if not rules.king_move_limit]
SMALL = replace(ENGLISH, name="small", title="Small board", columns=6, rows=6, start_rows=2)


def check_certificate(tablebase: Tablebase, position: Position) -> None:
    """Check a value by those after the moves. With distances, these conditions together prove every value."""
    wdl, distance = tablebase.probe_wdl(position), tablebase.probe_distance(position)
    if outcome := position.outcome():
        assert wdl is (Wdl.WIN if outcome.winner is position.turn else Wdl.LOSS)
        assert distance == 0
        return
    ranked = tablebase.rank_moves(position)
    assert ranked is not None
    assert (wdl, distance) == (ranked[0].wdl, ranked[0].distance)
    assert all(each.distance is None for each in ranked if each.wdl is Wdl.DRAW)
    assert {each.move for each in ranked} == set(position.legal_moves())
    best = tablebase.best_moves(position)
    assert best is not None
    assert set(best) == {each.move for each in ranked if each[1:] == ranked[0][1:]}


@pytest.mark.parametrize("rules", SUPPORTED, ids=lambda rules: rules.name)
def test_values_of_every_variant_are_proven_by_those_after_the_moves(rules: DraughtsRules, tmp_path: Path) -> None:
    tablebase = build(rules, 2, folder=tmp_path, distances=True)
    assert tablebase.pieces == 2
    for position in random_positions(rules, 2, 300):
        check_certificate(tablebase, position)


@pytest.mark.slow
@pytest.mark.parametrize("rules", SUPPORTED, ids=lambda rules: rules.name)
def test_values_with_three_pieces(rules: DraughtsRules, tmp_path: Path) -> None:
    tablebase = build(rules, 3, folder=tmp_path, distances=True)
    for position in random_positions(rules, 3, 2000):
        check_certificate(tablebase, position)


def test_published_values_of_english_draughts(tmp_path: Path) -> None:
    """The counts are those of a program by the authors; king against king is a published slice."""
    statistics = build("english", 3, folder=tmp_path).statistics()

    def total(pieces: int) -> tuple[int, ...]:
        found = [(each.wins, each.losses, each.draws) for part, each in statistics.items() if part.pieces == pieces]
        return tuple(map(sum, zip(*found, strict=True)))

    assert statistics[Slice(0, 1, 0, 1)] == Statistics(wins=230, draws=654, losses=108, longest=None)
    assert total(2) == (716, 402, 2370)
    assert total(3) == (100_250, 87_305, 8_477)


def test_a_build_continues_with_the_missing_slices(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.slice.pieces == 3:
            raise StoppedError

    with pytest.raises(StoppedError):
        build(SMALL, 3, folder=tmp_path, on_progress=stop)
    first = {path.name: path.stat().st_mtime_ns for path in list_files(tmp_path, SMALL)}
    assert len(first) == 4
    seen: list[Progress] = []
    build(SMALL, 3, folder=tmp_path, on_progress=seen.append)
    assert [each.slice.pieces for each in seen] == [3] * len(seen)
    assert (seen[0].done, seen[-1].done < seen[-1].total) == (0, True)
    assert {path.name: path.stat().st_mtime_ns for path in list_files(tmp_path, SMALL)}.items() >= first.items()
    whole = build(SMALL, 3, folder=tmp_path / "other", threads=1)
    for path in list_files(tmp_path, SMALL):
        assert path.read_bytes() == (tmp_path / "other" / "small" / path.name).read_bytes()
    assert whole.missing(3) == []
    assert len(whole.missing(3, distances=True)) == len(whole.slices) == 16


def test_distances_are_added_to_existing_files(tmp_path: Path) -> None:
    position = Position.from_fen("W:WK10,K14:BK27", "english")
    tablebase = build("english", 3, folder=tmp_path)
    assert (tablebase.probe_wdl(position), tablebase.probe_distance(position)) == (Wdl.WIN, None)
    tablebase = build("english", 3, folder=tmp_path, distances=True)
    assert (tablebase.probe_wdl(position), tablebase.probe_distance(position)) == (Wdl.WIN, 23)
    assert [str(move) for move in tablebase.best_moves(position) or ()] == ["14-18"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tablebases")
    build(SMALL, 2, folder=path, distances=True)
    return path


def test_positions_that_the_tablebase_does_not_have(folder: Path) -> None:
    tablebase = Tablebase.open(folder, SMALL)
    position = Position.from_fen("W:W13,14:BK3", SMALL)
    assert tablebase.probe_wdl(position) is None
    probes = (tablebase.probe_distance, tablebase.rank_moves, tablebase.best_moves)
    assert [probe(position) for probe in probes] == [None] * 3
    with pytest.raises(TablemenError, match="Small board"):
        tablebase.probe_wdl(Position.start("english"))


@pytest.mark.parametrize("seed", range(20))
def test_damaged_files_are_refused(folder: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    place = tmp_path / "small"
    place.mkdir()
    content = bytearray((folder / "small" / f"K-M{SUFFIX}").read_bytes())
    if seed % 2:
        content = content[: chance.randrange(len(content))]
    else:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    (place / f"K-M{SUFFIX}").write_bytes(content)
    assert isinstance(find_problem(tmp_path), TablebaseError)


def find_problem(folder: Path) -> TablebaseError | None:
    """Return the error of the only file, on opening it or by its checksum."""
    try:
        (found,) = Tablebase.open(folder, SMALL).check().values()
    except TablebaseError as error:
        return error
    return found


def test_files_of_other_rules_are_refused(folder: Path, tmp_path: Path) -> None:
    other = replace(SMALL, flying_kings=True, name="flying")
    assert rules_id(other) != rules_id(SMALL) == rules_id(replace(SMALL, name="flying", draws=(), first=Side.BLACK))
    (tmp_path / "flying").mkdir()
    (tmp_path / "flying" / f"K-M{SUFFIX}").write_bytes((folder / "small" / f"K-M{SUFFIX}").read_bytes())
    with pytest.raises(TablebaseError):
        Tablebase.open(tmp_path, other)
    assert len(Tablebase.open(tmp_path, replace(SMALL, name="flying")).slices) == 1


@pytest.mark.parametrize("pieces", [1, 8, True, "3"])
def test_the_number_of_pieces_is_checked(pieces: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError) as caught:
        build(SMALL, pieces, folder=tmp_path)
    assert caught.value.name == "pieces"


def test_rules_with_a_king_move_limit_are_not_supported(tmp_path: Path) -> None:
    with pytest.raises(TablemenError, match="Frisian"):
        build("frisian", 2, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_slice_needs_those_after_captures_and_promotions(tmp_path: Path) -> None:
    tablebase = Tablebase(SMALL)
    with pytest.raises(TablebaseError, match="K-K"):
        tablebase.build_slice(Slice(1, 0, 0, 1))
    tablebase = build(SMALL, 2, folder=tmp_path)
    with pytest.raises(TablebaseError, match="K-K"):
        tablebase.build_slice(Slice(1, 0, 0, 1), distances=True)
    assert {part for part, _ in tablebase.build_slice(Slice(1, 0, 0, 1))} == {Slice(1, 0, 0, 1), Slice(0, 1, 1, 0)}


def test_files_are_removed(tmp_path: Path) -> None:
    build(SMALL, 2, folder=tmp_path)
    assert remove(SMALL, folder=tmp_path) == 4
    assert list(tmp_path.iterdir()) == []
    assert Tablebase.open(tmp_path, SMALL).pieces == 0


def test_the_estimate_of_the_size_is_high(folder: Path) -> None:
    size = sum(path.stat().st_size for path in list_files(folder, SMALL))
    slices = Tablebase.open(folder, SMALL).slices
    assert size < estimate_size(SMALL, slices, distances=True) < 5 * size


def test_small_tablebases_need_no_files() -> None:
    tablebase = Tablebase(SMALL)
    tablebase.build_in_memory(3)
    assert tablebase.pieces == 3
    for position in random_positions(SMALL, 3, 100):
        check_certificate(tablebase, position)
    assert check_samples(tablebase, 100) == []
