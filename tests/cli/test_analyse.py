"""`tablemen analyse`."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from tablemen import TablemenError
from tablemen.analysis import analyse_pdn, annotate_pdn
from tablemen.cli import main
from tablemen.cli.group import SignalInterrupt
from tablemen.draughts.pdn import PdnLine, parse_pdn, read_pdn
from tablemen.mancala.notation import parse_records
from tests.timeouts import TIMEOUT

COUP = """[White "Ann"] [Black "Bob"] [GameType "20"] [Result "2-0"]
1. 33-28 {solid} 18-23 2. 39-33 12-18 3. 44-39 7-12 4. 31-26 20-25 (4... 2-7) 5. 28-22 17x28 *
"""
SHORT = '[White "Cid"] [GameType "25"] 1. c3-d4! d6-c5 *\n'
BAD = '[GameType "20"]\n1. 32-29 *\n'
RECORDS = """South: Ann
Variant: kalah
Moves: 3 6 2

South: Eve
Variant: kalah
Moves: 3 9

Variant: oware
Moves: 1 1
"""
QUICK = ("--nodes", "20000")


def analyse(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["analyse", *arguments], input=text)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(COUP + SHORT, encoding="utf-8")
    return path


def test_position_lists_every_move_best_first() -> None:
    result = analyse("english", "--depth", "5")
    assert (result.exit_code, result.stderr) == (0, "")
    title, verdict, empty, head, *rows = result.stdout.splitlines()
    assert title == "English draughts, Black to move"
    assert "even" in verdict
    assert (empty, head.split()) == ("", ["move", "score", "depth", "line"])
    assert {row.split()[0] for row in rows} == {"9-14", "10-15", "11-16", "9-13", "10-14", "11-15", "12-16"}
    scores = [float(row.split()[1]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert all(row.split()[2] == "5" and row.split()[3] == row.split()[0] for row in rows)


def test_proven_win_has_its_length() -> None:
    result = analyse("international", "--fen", "W:WK29,38,42,45:B27,35,K47", "--lines", "1", *QUICK)
    _, verdict, _, _, row = result.stdout.splitlines()
    assert "White wins in 9 plies" in verdict
    assert row.startswith("38-33  win in 9 plies ")


def test_position_after_moves() -> None:
    result = analyse("kalah", "--moves", "3 6", "--lines", "2", *QUICK)
    assert result.stdout.splitlines()[0] == "Kalah, North to move"
    assert len(result.stdout.splitlines()) == 6
    over = analyse("kalah", "--position", "<6,20,24,0,0,0,0,0,0,0,0,0,0,0,4> south")
    assert over.stdout.splitlines()[1].startswith("North wins, 28 to 20")


@pytest.mark.parametrize(
    ("rules", "moves", "same"),
    [
        ("english", "1. 11-15 22-17 2. 15-19", "11-15 22-17 15-19"),
        ("english", "1.11-15 1...22-17 2... 15-19", "11-15 22-17 15-19"),
        ("english", "1… 11-15", "11-15"),
        ("kalah", "1. 3 2. 6 1... 2", "3 6 2"),
    ],
)
def test_moves_can_have_move_numbers(rules: str, moves: str, same: str) -> None:
    numbered, bare = (analyse(rules, "--moves", each, "--depth", "3") for each in (moves, same))
    assert (numbered.exit_code, numbered.stdout) == (0, bare.stdout)


def test_the_values_of_a_tablebase_are_printed() -> None:
    result = analyse("english", "--fen", "W:WK10,K14:BK27", "--lines", "2")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert "White wins in 23 plies" in lines[1]
    assert lines[2].startswith("win: 14-18 (23), 10-6 (27)")
    assert [line.split()[0] for line in lines[-2:]] == ["14-18", "10-6"]
    facts = json.loads(analyse("english", "--fen", "W:WK10,K14:BK27", "--lines", "1", "--json").stdout)
    assert (facts["endgame"]["value"], facts["score"]["plies"]) == ("win", 23)
    assert facts["lines"][0]["line"] == facts["endgame"]["line"]


@pytest.mark.parametrize(
    ("variant", "fen", "is_suggested"),
    [("english", "W:WK10,K14:BK27,K3", True), ("frisian", "W:WK1,K2:BK50,K49", False), ("english", "W:W:B1", False)],
)
def test_the_command_that_builds_a_missing_tablebase_is_suggested(
    variant: str, fen: str, *, is_suggested: bool
) -> None:
    result = analyse(variant, "--fen", fen, "--lines", "1", *QUICK)
    assert result.exit_code == 0
    assert (f"tablemen tablebase build {variant} --pieces 4 --distances" in result.stderr) == is_suggested
    assert bool(result.stderr) == is_suggested
    assert json.loads(analyse(variant, "--fen", fen, "--json", *QUICK).stdout)["endgame"] is None


def test_position_as_json() -> None:
    facts = json.loads(analyse("kalah", "--moves", "3", "--lines", "2", "--depth", "4", "--json").stdout)
    assert (facts["variant"], facts["turn"]) == ("kalah", "south")
    assert facts["position"].startswith("<6,1,0,4,4,0,5,5,5,")
    assert len(facts["lines"]) == 2
    assert facts["lines"][0]["move"] == facts["lines"][0]["line"][0]
    assert facts["score"] == facts["lines"][0]["score"]
    assert facts["score"]["value"] > 0
    assert facts["chances"]["south"] > 0.5
    assert facts["chances"]["south"] + facts["chances"]["north"] == 1


def test_game_is_listed_move_by_move(games: Path) -> None:
    result = analyse(str(games), "--game", "1", *QUICK)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "Game 1: Ann - Bob  2-0  international"
    assert lines[2].split() == ["move", "White"]
    assert [line.split()[:2] for line in lines[3:5]] == [["1.", "33-28"], ["1...", "18-23"]]
    (blunder,) = (line for line in lines if "??" in line)
    assert blunder.startswith("4...  20-25??  +")
    assert "is better, " in blunder
    assert "even  ──────────" in lines
    assert "             X" in lines
    assert lines[-3].startswith("White ")
    summary = "{}: 5 moves, no inaccuracies, no mistakes, {}; .* per move"
    assert re.fullmatch(summary.format("White", "no blunders"), lines[-2])
    assert re.fullmatch(summary.format("Black", "1 blunder"), lines[-1])


def test_games_are_printed_in_order(games: Path) -> None:
    both = analyse(str(games), *QUICK).stdout
    each = [analyse(str(games), "--game", number, *QUICK).stdout for number in "12"]
    assert both == "\n".join(each)


def test_games_as_json(games: Path) -> None:
    first, second = json.loads(analyse(str(games), "--json", *QUICK).stdout)
    assert (first["game"], first["tags"]["White"], first["variant"]) == (1, "Ann", "international")
    marks = {move["ply"]: (move["move"], move["mark"]) for move in first["moves"] if move["mark"]}
    assert marks == {8: ("20-25", "blunder")}
    assert first["summary"]["black"]["blunder"] == 1
    assert (second["game"], len(second["moves"])) == (2, 2)


def test_annotated_games_are_written(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "analysed.pdn"
    target.write_text("something old", encoding="utf-8")
    assert analyse(str(games), "--pdn", str(target), *QUICK).exit_code == 0
    first, second = read_pdn(target)
    old = parse_pdn(COUP)
    assert (first.moves, first.tags) == (old.moves, {**old.tags, "Analysed": "tablemen"})
    blunder = first.nodes[7]
    assert blunder.strength == "??"
    assert "blunder" in blunder.comments[0]
    assert [type(note) for note in blunder.notes] == [str, PdnLine, PdnLine]
    assert blunder.variations[1] == old.nodes[7].variations[0]
    assert first.nodes[0].comments[0] == "solid"
    assert len(first.nodes[0].comments) == 2
    assert second.nodes[0].strength == "!"


def test_earlier_analysis_does_not_change_the_result(games: Path, tmp_path: Path) -> None:
    quick, again, deep = (tmp_path / name for name in ("quick.pdn", "again.pdn", "deep.pdn"))
    analyse(str(games), "--pdn", str(quick), "--nodes", "100")
    analyse(str(quick), "--pdn", str(again), *QUICK)
    analyse(str(games), "--pdn", str(deep), *QUICK)
    assert quick.read_bytes() != again.read_bytes() == deep.read_bytes()


def test_standard_output_has_only_the_games(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "analysed.pdn"
    analyse(str(games), "--pdn", str(target), *QUICK)
    result = analyse("-", "--pdn", "-", *QUICK, text=games.read_bytes())
    assert result.stdout == target.read_text(encoding="utf-8")


def test_each_game_has_a_graph_file(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "graph.svg"
    analyse(str(games), "--svg", str(target), *QUICK)
    titles = []
    for path in (target, tmp_path / "graph-2.svg"):
        title = ET.parse(path).getroot().findtext("{http://www.w3.org/2000/svg}title")
        titles.append(title)
    assert titles == ["Game 1: Ann - Bob  2-0  international", "Game 2: Cid - ?  *  russian"]
    second = analyse(str(games), "--game", "2", "--svg", "-", *QUICK)
    assert second.stdout == (tmp_path / "graph-2.svg").read_text(encoding="utf-8")


def test_mancala_games_are_lines_of_text(tmp_path: Path) -> None:
    source, target = tmp_path / "games.txt", tmp_path / "analysed.txt"
    source.write_text(RECORDS, encoding="utf-8")
    result = analyse(str(source), "--record", str(target), *QUICK)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{source}: game 2, line 7: move 2: ")
    assert len(result.stderr.splitlines()) == 1
    heads = [line for line in result.stdout.splitlines() if line.startswith("Game")]
    assert heads == ["Game 1: Ann - ?  *  kalah", "Game 3: ? - ?  *  oware"]
    first, second = parse_records(target.read_text(encoding="utf-8"))
    assert first.tags["South"] == "Ann"
    assert len(first.tags["Scores"].split()) == 3
    assert [str(move) for move in second.game.moves] == ["1", "1"]


def test_unreadable_game_is_reported_and_the_others_are_analysed() -> None:
    result = analyse("-", *QUICK, text=BAD + SHORT)
    assert result.exit_code == 1
    assert result.stderr.startswith("-: game 1, line 2, column 4: 32-29 ")
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout.startswith("Game 2: Cid - ?  *  russian\n")
    good = analyse("-", "--game", "2", *QUICK, text=BAD + SHORT)
    assert (good.exit_code, good.stderr) == (0, "")
    bad = analyse("-", "--game", "1", "--json", *QUICK, text=BAD + SHORT)
    assert (bad.exit_code, bad.stdout) == (1, "[]\n")


def test_contradictory_results_are_reported_and_the_tag_is_used() -> None:
    text = '[GameType "20"] [Result "0-2"] 1. 32-28 2-0\n[GameType "20"] [Result "0-2"] 1. 32-28 0-1\n'
    result = analyse("-", "--pdn", "-", *QUICK, text=text)
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert re.match("-: game 1: .*0-2.*2-0", line)
    assert result.stdout.count('[Result "0-2"]') == 2
    assert analyse("-", "--game", "2", *QUICK, text=text).stderr == ""


def test_variant_option_applies_to_games_without_a_variant() -> None:
    assert "  english\n" in analyse("-", "--variant", "english", *QUICK, text="1. 11-15 *").stdout
    assert "  irving\n" in analyse("-", "--variant", "irving", *QUICK, text="Moves: 1").stdout


def test_game_that_cannot_be_written_is_reported(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "analysed.pdn"

    def refuse(game: Any, analysis: Any) -> Any:
        if game.variant.name == "international":
            raise TablemenError("it has a lone surrogate")
        return annotate_pdn(game, analysis)

    monkeypatch.setattr("tablemen.cli.analyse.input.annotate_pdn", refuse)
    result = analyse(str(games), "--pdn", str(target), *QUICK)
    assert result.exit_code == 1
    assert re.fullmatch(f"{re.escape(str(games))}: game 1: .*it has a lone surrogate\n", result.stderr)
    assert "Game 1: Ann" in result.stdout
    assert [game.tags["White"] for game in read_pdn(target)] == ["Cid"]


def test_ctrl_c_keeps_finished_games(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "analysed.pdn"

    def interrupt_second(game: Any, *arguments: Any, **options: Any) -> Any:
        if game.variant.name == "russian":
            raise SignalInterrupt(signal.SIGINT)
        return analyse_pdn(game, *arguments, **options)

    monkeypatch.setattr("tablemen.cli.analyse.input.analyse_pdn", interrupt_second)
    result = analyse(str(games), "--pdn", str(target), *QUICK)
    assert (result.exit_code, result.stderr) == (130, "Interrupted.\n")
    assert [line for line in result.stdout.splitlines() if line.startswith("Game")] == [
        "Game 1: Ann - Bob  2-0  international"
    ]
    assert [game.tags["White"] for game in read_pdn(target)] == ["Ann"]
    (facts,) = json.loads(analyse(str(games), "--json", *QUICK).stdout)
    assert facts["game"] == 1


def test_invalid_depth_exits_with_2() -> None:
    result = analyse("english", "--depth", "0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--depth" in result.stderr


def test_empty_standard_input_exits_with_2() -> None:
    result = analyse("-")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: - ")


def test_control_characters_are_escaped() -> None:
    result = analyse("-", *QUICK, text='[White "\x1b[2J"] [GameType "20"] 1. 32-28 *')
    assert result.stdout.startswith("Game 1: \\x1b[2J - ?")


def test_american_spelling_is_accepted() -> None:
    assert CliRunner().invoke(main, ["analyze", "english", "--depth", "1"]).stdout.startswith("English draughts")


def test_terminal_shows_progress_and_latin_1_output_has_ascii_graph(games: Path) -> None:
    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "tablemen", "analyse", str(games), "--game", "1", "--nodes", "1000"]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=environment)
    os.close(terminal)
    output, _ = process.communicate(timeout=TIMEOUT)
    status = os.read(shown, 100_000)
    os.close(shown)
    assert process.returncode == 0
    assert b"\rgame 1: move 3 of 10" in status
    assert status.endswith(b"\r")
    assert b"even  ----------" in output
    assert output.isascii()
