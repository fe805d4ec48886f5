"""Endgame tablebases: values, files, damage and interrupted builds. The core's tests have forward sweeps as oracle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import comb
from pathlib import Path
from typing import Any
from zlib import crc32

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
from tests.reference import to_core
from tests.reference.retrograde import all_positions, analyse_reference

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


def count_positions(rules: DraughtsRules, part: Slice) -> int:
    """Return the number of positions of a slice by a formula: no man is on its promotion row."""
    squares, free = len(rules.mover.squares), len(rules.mover.squares) - part.own_men - part.other_men
    far = sum(square.row == 0 for square in rules.mover.squares)
    # By the number of own men on the promotion row of the opponent, where none of its men is.
    men = sum(
        comb(far, near)
        * comb(squares - 2 * far, part.own_men - near)
        * comb(squares - far - part.own_men + near, part.other_men)
        for near in range(part.own_men + 1)
    )
    return men * comb(free, part.own_kings) * comb(free - part.own_kings, part.other_kings)


def all_slices(pieces: int) -> Iterator[Slice]:
    for counts in product(range(pieces + 1), repeat=4):
        if sum(counts) == pieces and counts[:2] != (0, 0) and counts[2:] != (0, 0):
            yield Slice(*counts)


@pytest.mark.parametrize(
    ("name", "published"),
    {
        "english": (3488, 196_032, 6_209_316, 139_450_808, 2_426_085_676),
        "international": (8845, 806_300, 41_971_200, 1_570_600_750, 46_198_758_750),
        "canadian": (18_780, 2_518_980, 194_246_505, 10_843_904_820),
        "turkish": (14_176, 1_647_264, 109_829_008, 5_290_530_944),
    }.items(),
)
def test_numbers_of_positions(name: str, published: tuple[int, ...]) -> None:
    rules = VARIANTS[name]
    numbers = (sum(count_positions(rules, part) for part in all_slices(pieces)) for pieces in range(2, 7))
    assert tuple(numbers)[: len(published)] == published


def test_numbers_of_positions_of_chinook() -> None:
    """Chinook's numbers include positions in which one side has no pieces."""
    one_side = [sum(comb(28, men) * comb(32 - men, count - men) for men in range(count + 1)) for count in range(1, 6)]
    numbers = [sum(count_positions(ENGLISH, part) for part in all_slices(count)) for count in range(1, 6)]
    published = [120, 6972, 261_224, 7_092_774, 148_688_232]
    assert [both + 2 * one for both, one in zip(numbers, one_side, strict=True)] == published


def check_slices(tablebase: Tablebase, parts: Iterable[Slice]) -> None:
    """Check every value of slices by those after the moves, and the number of positions."""
    for part in parts:
        if part <= part.twin:
            problem = tablebase.verify(part, threads=1)
            assert problem is None, f"{part}: {problem!r}"
        assert tablebase.statistics()[part].positions == count_positions(tablebase.rules, part)


def check_probes(tablebase: Tablebase, positions: Iterable[Position]) -> None:
    """Check that values follow from those after the moves, and that those of mirror images are the same."""
    for position in positions:
        check_certificate(tablebase, position)
        for probe in (tablebase.probe_wdl, tablebase.probe_distance):
            assert probe(position.mirror()) == probe(position)


@pytest.mark.parametrize("rules", SUPPORTED, ids=lambda rules: rules.name)
def test_values_of_two_pieces_are_proven(rules: DraughtsRules) -> None:
    tablebase = Tablebase(rules)
    tablebase.build_in_memory(2)
    assert tablebase.pieces == 2
    check_slices(tablebase, all_slices(2))
    check_probes(tablebase, random_positions(rules, 2, 100))


@pytest.mark.slow
@pytest.mark.parametrize("rules", SUPPORTED, ids=lambda rules: rules.name)
def test_values_of_three_pieces_are_proven(rules: DraughtsRules) -> None:
    tablebase = Tablebase(rules)
    tablebase.build_in_memory(3)
    check_slices(tablebase, all_slices(3))
    check_probes(tablebase, random_positions(rules, 3, 200))


def build_slices(name: str, pieces: int, parts: Iterable[Slice], folder: Path) -> Tablebase:
    """Build a tablebase with distances, and some slices with one piece more."""
    tablebase = build(name, pieces, folder=folder, distances=True)
    for part in parts:
        for built, content in tablebase.build_slice(part, distances=True):
            path = folder / f"{built}{SUFFIX}"
            path.write_bytes(content)
            tablebase.add_file(path)
    return tablebase


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english", "russian"])
def test_values_of_four_pieces_are_proven(name: str, tmp_path: Path) -> None:
    tablebase = build(name, 4, folder=tmp_path, distances=True)
    check_slices(tablebase, all_slices(4))
    check_probes(tablebase, random_positions(tablebase.rules, 4, 1000))
    if name == "english":
        assert total(tablebase, 4) == (2_574_304, 1_917_090, 1_717_922)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("international", [Slice(0, 2, 0, 2), Slice(0, 2, 1, 1)]),
        ("turkish", [Slice(0, 2, 0, 2)]),
    ],
)
def test_values_of_slices_of_four_pieces_are_proven(name: str, parts: list[Slice], tmp_path: Path) -> None:
    tablebase = build_slices(name, 3, parts, tmp_path)
    check_slices(tablebase, parts)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["international", "turkish"])
def test_values_of_four_pieces_on_large_boards_are_proven(name: str, tmp_path: Path) -> None:
    check_slices(build(name, 4, folder=tmp_path, distances=True), all_slices(4))


@pytest.mark.deep
@pytest.mark.parametrize(("name", "pieces"), [("english", 5), ("italian", 4), ("russian", 4), ("international", 3)])
def test_a_million_random_positions(name: str, pieces: int, tmp_path: Path) -> None:
    tablebase = build(name, pieces, folder=tmp_path, distances=True)
    assert check_samples(tablebase, 1_000_000) == []


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("english", 2),
        pytest.param("international", 2, marks=pytest.mark.slow),
        pytest.param("turkish", 2, marks=pytest.mark.deep),
        pytest.param("english", 3, marks=pytest.mark.deep),
        pytest.param("russian", 3, marks=pytest.mark.deep),
    ],
)
def test_values_are_those_of_the_reference(name: str, pieces: int) -> None:
    """Compare every value, distance and number with retrograde analysis by an independent move generator."""
    tablebase = Tablebase(name)
    tablebase.build_in_memory(pieces)
    counts: Counter[tuple[Slice, Wdl]] = Counter()
    for reference, verdict in analyse_reference(all_positions(tablebase.rules, pieces)).items():
        if not reference.pieces(Side.WHITE) or not reference.pieces(Side.BLACK):
            continue
        position = to_core(reference)
        wdl = Wdl.DRAW if verdict is None else Wdl.WIN if verdict.wins else Wdl.LOSS
        found = tablebase.probe_wdl(position), tablebase.probe_distance(position)
        assert found == (wdl, verdict and verdict.plies), repr(position)
        own, other = reference.turn, reference.turn.opponent
        groups = reference.men(own), reference.kings(own), reference.men(other), reference.kings(other)
        counts[Slice(*map(len, groups)), wdl] += 1
    for part, each in tablebase.statistics().items():
        # The positions with Black to move are those with White to move, turned by half a turn.
        numbers = counts[part, Wdl.WIN], counts[part, Wdl.DRAW], counts[part, Wdl.LOSS]
        assert numbers == (2 * each.wins, 2 * each.draws, 2 * each.losses)


def total(tablebase: Tablebase, pieces: int) -> tuple[int, ...]:
    """Return the wins, losses and draws of all positions with a number of pieces."""
    statistics = tablebase.statistics().items()
    found = [(each.wins, each.losses, each.draws) for part, each in statistics if part.pieces == pieces]
    return tuple(map(sum, zip(*found, strict=True)))


def test_published_values_of_english_draughts(tmp_path: Path) -> None:
    """The counts are those of a program by the authors; king against king is a published slice."""
    tablebase = build("english", 3, folder=tmp_path)
    king_against_king = tablebase.statistics()[Slice(0, 1, 0, 1)]
    assert king_against_king == Statistics(wins=230, draws=654, losses=108, longest=None)
    assert total(tablebase, 2) == (716, 402, 2370)
    assert total(tablebase, 3) == (100_250, 87_305, 8_477)


def test_positions_that_cannot_occur_have_no_value() -> None:
    tablebase = Tablebase("english")
    tablebase.build_in_memory(2)
    for fen in ("B:W1:B10", "W:WK10:B32"):  # a man on its promotion row
        position = Position.from_fen(fen, "english")
        probes = (tablebase.probe_wdl, tablebase.probe_distance, tablebase.rank_moves, tablebase.best_moves)
        assert [probe(position) for probe in probes] == [None] * 4


@pytest.mark.parametrize("part", [(9, 0, 0, 0), (0, 0, 0, 1), (300, 0, 0, 1), (-1, 1, 0, 1), (8, 0, 1, 0)])
def test_a_slice_has_few_pieces_of_both_sides(part: tuple[int, int, int, int]) -> None:
    tablebase = Tablebase(SMALL)
    for call in (tablebase.size, tablebase.build_slice, tablebase.verify):
        with pytest.raises(ArgumentError) as caught:
            call(Slice(*part))
        assert (caught.value.name, caught.value.value) == ("slice", part)


def test_slices_with_too_many_positions_are_refused() -> None:
    with pytest.raises(TablebaseError, match="KKKK-KKK"):
        Tablebase("canadian").build_slice(Slice(0, 4, 0, 3))


def test_verify_finds_wrong_values(tmp_path: Path) -> None:
    """The values of other rules do not follow from those after the moves."""
    place = tmp_path / SMALL.name
    place.mkdir()
    tablebase = build(replace(SMALL, name="flying", flying_kings=True), 2, folder=tmp_path, distances=True)
    wrong = Tablebase(SMALL)
    for path in list_files(tmp_path, tablebase.rules):
        content = bytearray(path.read_bytes())
        content[24:40] = rules_id(SMALL)
        content[-4:] = crc32(content[:-4]).to_bytes(4, "little")
        (place / path.name).write_bytes(content)
        wrong.add_file(place / path.name)
    assert wrong.check() == dict.fromkeys(wrong.slices)
    assert tablebase.verify(Slice(0, 1, 0, 1)) is None
    position = wrong.verify(Slice(0, 1, 0, 1))
    assert position is not None
    assert len(position.piece_map()) == 2
    with pytest.raises(TablebaseError, match="KK-K"):
        wrong.verify(Slice(0, 2, 0, 1))


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
