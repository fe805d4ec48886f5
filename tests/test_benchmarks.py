"""Test the published benchmark results and their tables. Nothing is measured here."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import instructions, report, strength, table, tablebase
from benchmarks.cases import CASES, GROUPS
from benchmarks.instructions import Counts
from benchmarks.libraries import OURS, PEERS
from benchmarks.measure import Results
from tablemen.draughts import VARIANTS
from tablemen.draughts.weights import default_weights, write_weights


def test_page_is_up_to_date() -> None:
    assert report.PAGE.read_text(encoding="utf-8") == report.format_page(report.read_run(), instructions.read_counts())


def test_readme_table_is_up_to_date() -> None:
    text = report.README.read_text(encoding="utf-8")
    assert report.update_readme(report.read_run(), text) == text
    assert report.format_readme_table(report.read_run()) in text


def test_run_has_every_case_and_every_measured_library() -> None:
    values = report.read_run().values
    assert list(values) == list(CASES)
    for key, row in CASES.items():
        assert set(values[key]) == {library.name for library in (OURS, *PEERS) if row.is_measured(library)}, key
        assert all(value > 0 for value in values[key].values())


def test_groups_cover_every_part_of_the_package() -> None:
    assert set(GROUPS) == {"draughts", "pdn", "kalah", "search", "solver", "package"}


def test_run_has_date_machine_and_versions() -> None:
    run = report.read_run()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", run.date)
    assert set(run.versions) == {"Python", OURS.name, *(peer.name for peer in PEERS)}
    assert run.machine
    assert run.rounds > 1, "results of a quick run must not be published"


def test_every_workload_has_a_recorded_count() -> None:
    source = instructions.SOURCE.read_text(encoding="utf-8")
    listed = source.partition("const WORK")[2].partition("];")[0]
    assert list(instructions.read_counts().instructions) == re.findall(r'\("([a-z ]+)", ', listed)


def test_readme_compares_with_measured_libraries() -> None:
    for key, (_, _, peer, _) in report.SHOWN.items():
        assert not peer or peer in report.read_run().values[key]


def test_ratio_is_above_one_if_tablemen_is_better() -> None:
    results = Results()
    results.add("perft english", OURS.name, 300)
    results.add("perft english", "open_spiel", 100)
    results.add("moves english", OURS.name, 1)
    results.add("moves english", "open_spiel", 2)
    assert results.ratio("perft english", "open_spiel") == 3
    assert results.ratio("moves english", "open_spiel") == 2


def test_best_round_is_recorded() -> None:
    results = Results()
    for value in (2.0, 3.0, 1.0):
        results.add("perft english", OURS.name, value)
        results.add("moves english", OURS.name, value)
    assert results.values == {"perft english": {OURS.name: 3.0}, "moves english": {OURS.name: 1.0}}


def test_different_move_counts_are_reported() -> None:
    results = Results(counts={"perft english": {OURS.name: [7, 49, 302], "open_spiel": [7, 48]}})
    (note,) = report.find_problems(results)
    assert note.startswith("open_spiel ")
    assert "1 of 2" in note
    assert "(perft, english)" in note


def test_equal_move_counts_are_not_reported() -> None:
    results = Results(counts={"perft english": {OURS.name: [7, 49, 302], "open_spiel": [7, 49]}})
    assert not list(report.find_problems(results))


@pytest.mark.parametrize(("count", "regressions"), [(1020, []), (1021, ["a"])])
def test_growth_of_over_two_percent_is_a_regression(count: int, regressions: list[str]) -> None:
    recorded = Counts("rustc", {"a": 1000, "b": 1000})
    now = Counts("rustc", {"a": count, "b": 900})
    assert now.regressions(recorded) == regressions
    lines = instructions.format_counts(now, recorded).splitlines()
    assert f"| a | {count:,} | 1,000 | +{(count - 1000) / 10:.2f}%{' **more**' if regressions else ''} |" in lines
    assert "| b | 900 | 1,000 | -10.00% |" in lines
    assert lines[-1].endswith(": a.") == bool(regressions)


def test_report_names_other_compiler_and_new_and_removed_workloads() -> None:
    text = instructions.format_counts(Counts("rustc 2", {"new": 5}), Counts("rustc 1", {"old": 5}))
    assert "| new | 5 |  | new |" in text
    assert "rustc 1." in text
    assert "Removed: old." in text


def test_counts_round_trip(tmp_path: Path) -> None:
    counts = Counts("rustc 1", {"some work": 12_345_000, "less": 1})
    instructions.write_counts(counts, tmp_path / "counts.txt")
    assert instructions.read_counts(tmp_path / "counts.txt") == counts


def test_run_round_trips(tmp_path: Path) -> None:
    run = replace(report.read_run(), notes=["one"])
    report.write_run(run, tmp_path / "run.json")
    assert report.read_run(tmp_path / "run.json") == run


def test_tablebases_are_measured_and_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablebase, "POSITIONS", 100)
    monkeypatch.setattr(tablebase, "measure_core", lambda *_: [100.0, None])
    row = tablebase.measure("english", 2, distances=False, threads=1, concurrency=2)
    assert (row["positions"], row["distances"]) == (3488, False)
    assert row["memory"] > row["bytes"] > 128
    published = tablebase.round_row({**row, "target": 9, "seconds": 2.0, "date": "2030-01-01", "machine": "one"})
    cells = report.format_tablebase(published)
    assert len(cells) == len(report.TABLEBASE_COLUMNS)
    assert (cells[:4], cells[9], cells[11]) == (["english, 2 pieces", "3,488", "2 s", "9 s"], "0.1 µs", "")
    assert cells[12] == "2 × 1"
    assert f"| {' | '.join(cells)} |" in report.format_tablebases([published])
    assert report.format_tablebases([]) == ""


def test_measurements_of_tablebases_replace_older_ones() -> None:
    def row(variant: str, pieces: int, machine: str, seconds: float, concurrency: int = 1) -> dict[str, object]:
        settings = {"distances": False, "threads": 1, "concurrency": concurrency}
        return {"variant": variant, "pieces": pieces, "machine": machine, "seconds": seconds, **settings}

    rows = report.add_tablebases([], [row("russian", 4, "one", 1), row("english", 5, "one", 2)])
    rows = report.add_tablebases(rows, [row("english", 4, "one", 3), row("english", 5, "one", 4)])
    rows = report.add_tablebases(rows, [row("english", 5, "one", 5, concurrency=2)])
    assert [each["seconds"] for each in rows] == [3, 1, 4, 5]
    assert report.add_tablebases(rows, [row("english", 4, "two", 5)]) == [row("english", 4, "two", 5)]


def test_an_interrupted_match_is_continued_and_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "SAVED", tmp_path)
    rows: list[dict[str, Any]] = []
    monkeypatch.setattr(report, "record_strength", rows.append)
    command = ["english", "--opponent", "random:seed=2", "--nodes", "5", "--table", "1", "--games", "6", "--record"]
    assert strength.main(command) == 0
    (saved,) = tmp_path.iterdir()
    games = saved.read_text(encoding="utf-8").splitlines(keepends=True)
    saved.write_text("".join(games[:3]) + games[3][:7], encoding="utf-8")  # as if ended while a game was written
    capsys.readouterr()
    assert strength.main(command) == 0
    assert capsys.readouterr().err.count("of 6: ") == 3
    assert strength.main(command) == 0
    assert capsys.readouterr().err == ""
    assert rows[0] == rows[1] == rows[2]
    assert sum(rows[0][name] for name in ("wins", "draws", "losses")) == rows[0]["games"] == 6
    assert sum(rows[0]["pairs"]) == 3
    assert strength.main([*command, "--new", "--games", "2", "--seed", "2"]) == 0
    assert rows[-1]["games"] == 2


def test_a_match_against_an_evaluation_file_names_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "SAVED", tmp_path / "games")
    file = tmp_path / "old.weights"
    write_weights(default_weights(VARIANTS["english"]), VARIANTS["english"], file)
    assert (
        strength.main(["english", "--against", str(file), "--nodes", "5", "--table", "1", "--games", "2", "--json"])
        == 0
    )
    row = json.loads(capsys.readouterr().out)
    assert row["opponent"] == f"tablemen, {strength.describe_evaluation('english', str(file))}"
    assert str(tmp_path) not in json.dumps(row)
    assert strength.main(["english", "--against", str(tmp_path / "none.weights")]) == 1
    assert "none.weights" in capsys.readouterr().err


def test_results_of_matches_are_published() -> None:
    def row(variant: str, seconds: float, wins: int) -> dict[str, Any]:
        limits = {"seconds": seconds, "nodes": None, "table_mb": 64, "threads": 1, "openings": "all:2"}
        about = {"options": {"size": "22"}, "version": "1.0", "evaluation": "network 12ab34cd", "machine": "one"}
        score = {"wins": wins, "draws": 20, "losses": 10, "pairs": [0, 0, 0, 0, 0], "forfeits": 0, "games": wins + 30}
        return {"variant": variant, "opponent": "Other 3", "date": "2030-01-01", **limits, **about, **score}

    rows = report.add_strength([], row("english", 0.2, 10))
    rows = report.add_strength(rows, row("international", 1, 10))
    rows = report.add_strength(rows, row("english", 0.2, 30))
    assert [(each["variant"], each["wins"]) for each in rows] == [("international", 10), ("english", 30)]
    cells = report.format_strength(rows[1])
    assert len(cells) == len(report.STRENGTH_COLUMNS)
    assert cells[1:4] == ["1.0, network 12ab34cd", "Other 3 (size=22)", "0.2 s a move"]
    assert cells[6:11] == ["60", "30", "20", "10", "66.7 %"]
    assert re.fullmatch(r"\+120 \[\+\d+, \+\d+\]", cells[11])
    assert f"| {' | '.join(cells)} |" in report.format_strengths(rows)
    assert report.format_strength(row("russian", 1, 0) | {"draws": 0})[11].startswith("-∞ [")
    assert report.format_strengths([]) == ""


def test_the_figures_of_a_cluster_are_a_section() -> None:
    figures = {
        "overhead": 0.0028,
        "overhead_ratio": 0.00028,
        "searches": 40,
        "speed_up": 1.9,
        "cpu_ratio": 0.98,
        "start": 0.8,
    }
    section = report.format_cluster({**figures, "date": "2030-01-01", "machine": "a machine"})
    assert all(
        cell in section for cell in ("| 2.8 ms |", "| 0.03 % | below 3 % |", "| 1.90 times as fast | 1.9 times |")
    )
    assert report.format_cluster(None) == ""


def test_rounding_ignores_noise_and_never_favours_tablemen() -> None:
    assert table.about(254) == table.about(250) == table.about(262) == "250"
    assert [table.about(value) for value in (0.573, 1.44, 9.8, 1_391_205)] == ["0.55", "1.4", "9.5", "1,200,000"]
    assert [table.about(value, up=True) for value in (0.573, 25, 437)] == ["0.6", "25", "450"]


def test_readme_without_markers_is_an_error() -> None:
    with pytest.raises(ValueError, match="<!-- benchmarks: begin -->"):
        report.update_readme(report.read_run(), "# tablemen\n")
