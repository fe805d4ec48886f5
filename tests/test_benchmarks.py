"""The pages show one and the same run, with every row and every count that there is. Nothing is measured here."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import instructions, report, table
from benchmarks.instructions import Counts
from benchmarks.libraries import OURS, PEERS
from benchmarks.measure import Results
from benchmarks.rows import GROUPS, ROWS


def test_the_page_shows_the_run_and_the_counts_that_are_kept() -> None:
    assert report.PAGE.read_text(encoding="utf-8") == report.page(report.read_run(), instructions.read_counts())


def test_the_readme_shows_the_same_run() -> None:
    text = report.README.read_text(encoding="utf-8")
    assert report.readme_with(report.read_run(), text) == text
    assert report.readme_table(report.read_run()) in text


def test_every_row_is_there_with_everyone_who_is_measured() -> None:
    values = report.read_run().values
    assert list(values) == list(ROWS)
    for key, row in ROWS.items():
        assert set(values[key]) == {library.name for library in (OURS, *PEERS) if row.is_measured(library)}, key
        assert all(value > 0 for value in values[key].values())


def test_every_part_of_the_package_has_a_row() -> None:
    assert set(GROUPS) == {"draughts", "pdn", "kalah", "search", "solver", "package"}


def test_the_run_says_when_on_what_and_with_what() -> None:
    run = report.read_run()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", run.date)
    assert set(run.versions) == {"Python", OURS.name, *(peer.name for peer in PEERS)}
    assert run.machine
    assert run.rounds > 1, "a quick run is not kept"


def test_every_piece_of_work_has_a_count() -> None:
    source = instructions.SOURCE.read_text(encoding="utf-8")
    listed = source.partition("const WORK")[2].partition("];")[0]
    assert list(instructions.read_counts().instructions) == re.findall(r'\("([a-z ]+)", ', listed)


def test_rows_of_the_readme_are_rows_of_the_table() -> None:
    for key, (_, _, peer, _) in report.SHOWN.items():
        assert not peer or peer in report.read_run().values[key]


def test_a_ratio_is_above_one_where_ours_is_better() -> None:
    results = Results()
    results.add("perft english", OURS.name, 300)
    results.add("perft english", "open_spiel", 100)
    results.add("moves english", OURS.name, 1)
    results.add("moves english", "open_spiel", 2)
    assert results.ratio("perft english", "open_spiel") == 3
    assert results.ratio("moves english", "open_spiel") == 2


def test_the_best_round_counts() -> None:
    results = Results()
    for value in (2.0, 3.0, 1.0):
        results.add("perft english", OURS.name, value)
        results.add("moves english", OURS.name, value)
    assert results.values == {"perft english": {OURS.name: 3.0}, "moves english": {OURS.name: 1.0}}


def test_a_peer_that_counts_otherwise_is_named() -> None:
    results = Results(counts={"perft english": {OURS.name: [7, 49, 302], "open_spiel": [7, 48]}})
    assert list(report.remarks(results)) == ["open_spiel comes to other numbers in 1 of 2 cases (perft, english)."]


@pytest.mark.parametrize(
    ("now", "said"), [(1020, "None takes over 2% more"), (1021, "OVER 2% MORE than what is kept: a")]
)
def test_a_count_that_grows_by_more_than_two_percent_is_told(now: int, said: str) -> None:
    kept = Counts("rustc", {"a": 1000, "b": 1000})
    told = instructions.format_counts(Counts("rustc", {"a": now, "b": 900}), kept)
    assert said in told
    assert "-10.00%" in told


def test_counts_of_another_compiler_new_ones_and_lost_ones_are_told() -> None:
    told = instructions.format_counts(Counts("rustc 2", {"new": 5}), Counts("rustc 1", {"old": 5}))
    assert "| new | 5 |  | new |" in told
    assert "built with rustc 1: they say little here" in told
    assert "No longer there: old." in told


def test_counts_are_read_as_they_were_written(tmp_path: Path) -> None:
    counts = Counts("rustc 1", {"some work": 12_345_000, "less": 1})
    instructions.write_counts(counts, tmp_path / "counts.txt")
    assert instructions.read_counts(tmp_path / "counts.txt") == counts


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = replace(report.read_run(), notes=["one"])
    report.write_run(run, tmp_path / "run.json")
    assert report.read_run(tmp_path / "run.json") == run


def test_round_numbers_hold_when_the_figure_moves_a_little_and_never_flatter() -> None:
    assert table.about(254) == table.about(250) == table.about(262) == "250"
    assert [table.about(value) for value in (0.573, 1.44, 9.8, 1_391_205)] == ["0.55", "1.4", "9.5", "1,200,000"]
    assert [table.about(value, up=True) for value in (0.573, 25, 437)] == ["0.6", "25", "450"]


def test_a_readme_without_the_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="no <!-- benchmarks: begin -->"):
        report.readme_with(report.read_run(), "# tablemen\n")
