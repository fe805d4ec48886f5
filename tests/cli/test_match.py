"""`tablemen match`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.draughts import Position
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.mancala.notation import parse_records
from tablemen.players import RandomPlayer
from tests.fake_engines import add_fakes
from tests.timeouts import TIMEOUT, ended_when_late

COMMAND = [sys.executable, "-m", "tablemen", "match"]


def match(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["match", *arguments])


def test_result_and_running_score() -> None:
    result = match("english", "minimax:depth=1", "random", "--games", "4", "--openings", "random:2")
    assert result.exit_code == 0
    title, score = result.stdout.splitlines()
    assert title == "minimax:depth=1 against random, English draughts, 4 games"
    assert re.match(r"\+\d =\d -\d, \d+\.\d %, Elo \S+ \[\S+, \S+\], .*LOS", score)
    lines = result.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines[::2]] == [f"game {number} of 4" for number in range(1, 5)]
    assert lines[0].startswith("game 1 of 4: minimax:depth=1 - random: ")
    assert lines[2].startswith("game 2 of 4: random - minimax:depth=1: ")
    assert lines[-1].strip() == score


def test_same_seed_gives_the_same_games_for_any_concurrency(tmp_path: Path) -> None:
    arguments = ["russian", "random", "random:seed=5", "--games", "6", "--json"]
    one, two, three = (tmp_path / name for name in ("one.pdn", "two.pdn", "three.pdn"))
    first = match(*arguments, "--pdn", str(one))
    second = match(*arguments, "--pdn", str(two), "--concurrency", "2")
    other = match(*arguments, "--pdn", str(three), "--seed", "1")
    assert (first.stdout, first.exit_code) == (second.stdout, 0)

    def games(file: Path) -> list[PdnGame]:
        return sorted(read_pdn(file), key=lambda game: int(game.tags["Round"]))

    assert games(one) == games(two) != games(three)
    assert other.exit_code == 0


def test_json() -> None:
    result = match("kalah", "robot", "random", "--games", "3", "--seed", "7", "--json")
    facts = json.loads(result.stdout)
    assert facts["players"] == ["robot", "random"]
    assert (facts["variant"], facts["games"], facts["seed"], facts["interrupted"]) == ("kalah", 3, 7, False)
    assert facts["wins"] + facts["draws"] + facts["losses"] == 3
    assert facts["elo_interval"] == [None, None] or facts["elo_interval"][0] is not None
    assert sum(facts["terminations"].values()) == 3
    assert facts["failures"] == {}


def test_the_board_of_mancala_has_any_size(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    result = match("kalah", "robot", "random", "--games", "2", "--houses", "3", "--seeds", "2", "--record", str(file))
    assert result.stdout.splitlines()[0].endswith("Kalah with 3 houses a side, 2 seeds in each, 2 games")
    assert [sum(record.game.position.score().values()) for record in parse_records(file.read_text())] == [12, 12]
    facts = json.loads(match("kalah", "robot", "random", "--games", "2", "--seeds", "2", "--json").stdout)
    assert (facts["houses"], facts["seeds"]) == (6, 2)
    for arguments in (["kalah", "--houses", "99"], ["english", "--seeds", "3"]):
        refused = match(arguments[0], "random", "random", *arguments[1:])
        assert refused.exit_code == 2
        assert refused.stderr.startswith("Error: --houses and --seeds: ")


def test_json_has_the_settings() -> None:
    arguments = ["english", "minimax:depth=1", "minimax:depth=2", "--games", "4", "--openings", "all:2", "--json"]
    conditions = ["--openings-order", "random", "--clock", "40/9+1", "--clock-second", "9", "--margin", "50"]
    result = match(*arguments, *conditions, "--resign", "3", "--draw", "0.5:4:9")
    facts = json.loads(result.stdout)
    assert (facts["clocks"], facts["margin"]) == (["40/9+1", "9+0"], 0.05)
    assert (facts["resign"], facts["draw"], facts["sprt"]) == ("3:3", "0.5:4:9", None)
    assert (facts["openings"], facts["openings_order"]) == ("all:2", "random")
    assert sum(facts["pairs"]) == 2
    assert facts["error"] is None
    plain = json.loads(match("kalah", "robot", "random", "--games", "1", "--json").stdout)
    assert (plain["clocks"], plain["margin"], plain["resign"], plain["draw"]) == ([None, None], 0, None, None)
    assert (plain["openings"], plain["openings_order"], plain["pairs"]) == (None, "sequential", [0] * 5)


def test_games_are_adjudicated_by_a_tablebase() -> None:
    arguments = ["english", "minimax:depth=1", "random", "--games", "4", "--adjudicate", "tablebase"]
    result = match(*arguments)
    assert result.exit_code == 0
    assert "up to 3 pieces" in result.stderr.splitlines()[0]
    assert "tablemen tablebase build english --pieces 4" in result.stderr.splitlines()[1]
    assert "by the tablebase" in result.stderr
    facts = json.loads(match(*arguments, "--json").stdout)
    assert facts["adjudicate"] == "tablebase"
    assert facts["terminations"]["adjudication"] > 0
    plain = match("english", "random", "random", "--games", "1", "--json")
    assert (json.loads(plain.stdout)["adjudicate"], "tablebase" in plain.stderr) == (None, False)


def test_openings_in_random_order(tmp_path: Path) -> None:
    """Check that every opening is played twice, and that the order is not that of the list."""

    def first_moves(*order: str) -> list[str]:
        file = tmp_path / f"{'-'.join(order)}.pdn"
        arguments = ["--games", "14", "--openings", "all:1", "--longest", "1", "--pdn", str(file)]
        assert match("english", "random", "random", *arguments, *order).exit_code == 0
        return [str(game.moves[0]) for game in read_pdn(file)]

    listed, shuffled = first_moves(), first_moves("--openings-order", "random")
    assert listed[::2] == listed[1::2] == [str(move) for move in Position.start("english").legal_moves()]
    assert shuffled[::2] == shuffled[1::2] != listed[::2]
    assert sorted(shuffled) == sorted(listed)


def test_sprt_is_reported_and_ends_the_match() -> None:
    arguments = ["kalah", "minimax:depth=2", "random", "--openings", "random:2", "--sprt", "-50,250"]
    result = match(*arguments)
    assert result.exit_code == 0
    title, score, verdict = result.stdout.splitlines()
    pattern = r"LLR [+-]\d+\.\d\d \[-2\.94, \+2\.94\] of \d+ pairs?"
    assert re.fullmatch(r"SPRT -50,250: H1 accepted, " + pattern, verdict)
    games = int(title.split()[-2])
    assert games < 200
    lines = result.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines[::2]] == [f"game {n} of 100000" for n in range(1, games + 1)]
    assert all(re.fullmatch(r"  \+.*, " + pattern, line) for line in lines[1::2])
    assert lines[-1].startswith(f"  {score}, LLR")
    facts = json.loads(match(*arguments, "--json").stdout)["sprt"]
    assert (facts["elo0"], facts["elo1"], facts["alpha"], facts["beta"]) == (-50, 250, 0.05, 0.05)
    assert (facts["verdict"], sum(facts["pairs"]) * 2, facts["bounds"]) == ("h1", games, [-2.9444, 2.9444])
    assert facts["llr"] > 2.94
    undecided = match("english", "random", "random", "--games", "2", "--sprt", "0,5,0.1,0.1")
    assert undecided.stdout.splitlines()[-1].startswith("SPRT 0,5,0.1,0.1: undecided, LLR ")


def test_adjudication_is_reported_and_written(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    arguments = ["--games", "2", "--draw", "99:2:0", "--clock", "60", "--pdn", str(file)]
    result = match("english", "minimax:depth=1", "minimax:depth=1", *arguments)
    for line, game in zip(result.stderr.splitlines()[::2], read_pdn(file), strict=True):
        assert (game.tags["Termination"], game.tags["TimeControl"], len(game.moves)) == ("adjudication", "3600", 4)
        (reason,) = game.nodes[-1].comments
        assert line.endswith(f": Draw: {reason}")
        assert "99" in reason


def test_match_stops_if_a_player_cannot_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(RandomPlayer, "begin_game", fail)
    file = tmp_path / "games.pdn"
    result = match("english", "random", "minimax:depth=1", "--json", "--pdn", str(file))
    assert result.exit_code == 1
    facts = json.loads(result.stdout)
    assert (facts["games"], facts["losses"], facts["interrupted"]) == (3, 3, False)
    assert facts["error"].startswith("random ")
    assert facts["error"].endswith("RuntimeError: no idea")
    assert result.stderr.splitlines()[-1] == f"Error: {facts['error']}"
    assert [game.tags["Termination"] for game in read_pdn(file)] == ["a player failed"] * 3


def test_engine_that_cannot_be_started_ends_the_match(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    add_fakes(monkeypatch)
    file = tmp_path / "games.pdn"
    result = match("english", "random", "fake:refuses", "--pdn", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: fake:refuses: a fake 1 does not play english\n"
    assert not file.exists() or not file.read_text()
    facts = json.loads(match("english", "random", "fake:refuses", "--json").stdout)
    assert (facts["games"], facts["failures"]) == (0, {})
    assert facts["error"] == "fake:refuses: a fake 1 does not play english"


def test_reports_and_tags_have_the_id_of_an_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    add_fakes(monkeypatch)
    file = tmp_path / "games.pdn"
    arguments = ["english", "fake:named,time=1", "random", "--games", "2", "--longest", "4", "--pdn", str(file)]
    result = match(*arguments)
    assert result.stdout.startswith("Fake 1.0 by A. Nonymous against random, English draughts, 2 games\n")
    assert result.stderr.startswith("game 1 of 2: Fake 1.0 - random: ")
    first, second = read_pdn(file)
    assert (first.tags["White"], first.tags["WhiteAuthor"], first.tags["Black"]) == (
        "Fake 1.0",
        "A. Nonymous",
        "random",
    )
    assert (second.tags["Black"], second.tags["BlackAuthor"]) == ("Fake 1.0", "A. Nonymous")
    facts = json.loads(match(*arguments, "--json").stdout)
    assert (facts["players"], facts["authors"]) == (["Fake 1.0", "random"], ["A. Nonymous", None])
    assert facts["player_texts"] == ["fake:named,time=1", "random"]


def test_bad_option_of_a_player_names_the_player() -> None:
    for players in (["searcher:depth=-1", "random"], ["random", "searcher:depth=-1"]):
        result = match("english", *players)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: searcher:depth=-1: depth: expected a whole number of at least 1, got -1\n"


def test_games_are_written_with_their_tags(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text('[Event "before"]\n\n1. 11-15 *\n')
    assert match("english", "random", "random", "--games", "2", "--longest", "20", "--pdn", str(file)).exit_code == 0
    before, first, second = read_pdn(file)
    assert before.tags["Event"] == "before"
    assert dict(first.tags) == {
        "Event": "tablemen match",
        "Round": "1",
        "White": "random",
        "Black": "random",
        "Result": "1/2-1/2",
        "GameType": "21",
        "Termination": "adjudication",
    }
    assert len(first.moves) == 20
    (comment,) = first.nodes[-1].comments
    assert "20 plies" in comment
    assert second.tags["Round"] == "2"


def test_mancala_games_are_written_as_lines_of_text(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    assert match("oware", "robot", "random", "--games", "2", "--record", str(file)).exit_code == 0
    first, second = parse_records(file.read_text(), "oware")
    assert (first.tags["South"], first.tags["North"]) == ("robot", "random")
    assert (second.tags["South"], second.tags["North"]) == ("random", "robot")
    assert first.game.outcome() is not None


def test_openings_from_a_file(tmp_path: Path) -> None:
    openings, file = tmp_path / "openings.pdn", tmp_path / "games.pdn"
    openings.write_text("1. 11-15 23-19 *\n\n1. 9-13 *\n")
    match("english", "random", "random", "--games", "4", "--openings", str(openings), "--pdn", str(file))
    played = [[str(move) for move in game.moves[:2]] for game in read_pdn(file)]
    assert played[:2] == [["11-15", "23-19"]] * 2
    assert [first for first, _ in played[2:]] == ["9-13"] * 2


def test_player_failure_is_reported_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(RandomPlayer, "choose", fail)
    result = match("english", "random", "minimax:depth=1", "--games", "2", "--json")
    assert result.exit_code == 1
    failures = json.loads(result.stdout)["failures"]
    assert set(failures) == {"1", "2"}
    for reason, side in zip(failures.values(), ("White", "Black"), strict=True):
        assert re.fullmatch(f"random .*{side}: RuntimeError: no idea", reason)
        assert reason in result.stderr


def test_player_for_one_game_at_a_time_refuses_concurrency(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RandomPlayer, "is_single", True)
    result = match("english", "random", "random", "--concurrency", "2")
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: random ")


def test_unwritable_file_is_reported_before_the_first_game(tmp_path: Path) -> None:
    result = match("english", "random", "random", "--pdn", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert f"--pdn: {tmp_path}" in result.stderr


@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_ctrl_c_keeps_finished_games(tmp_path: Path, concurrency: str) -> None:
    file, log = tmp_path / "games.pdn", tmp_path / "errors.txt"
    arguments = ["english", "random", "random", "--games", "1000000", "--pdn", str(file), "--json"]
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*COMMAND, *arguments, "--concurrency", concurrency],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    with ended_when_late(process):
        while log.read_text().count("\n") < 10:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=TIMEOUT)
    lines = log.read_text().splitlines()
    assert (process.returncode, lines[-1]) == (130, "Interrupted.")
    assert [line for line in lines[:-1] if not line.startswith(("game ", "  +"))] == []
    facts = json.loads(out)
    assert facts["interrupted"]
    assert len(list(read_pdn(file))) == facts["games"] == (len(lines) - 1) / 2 >= 5


def test_ctrl_c_before_the_first_game_ends_prints_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(RandomPlayer, "choose", interrupt)
    result = match("english", "random", "random", "--json")
    facts = json.loads(result.stdout)
    assert (result.exit_code, facts["games"], facts["interrupted"]) == (130, 0, True)
    assert match("english", "random", "random").stdout == ""


def test_unreadable_openings_are_a_usage_error(tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "none.pdn"):
        result = CliRunner().invoke(main, ["match", "english", "random", "random", "--openings", str(file)])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"Error: --openings: {file}: ")
