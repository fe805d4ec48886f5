"""`tablemen pdn`."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.console import escape_controls
from tablemen.draughts import VARIANTS, Position
from tablemen.draughts.board import Notation
from tablemen.draughts.pdn import format_pdn, parse_pdn, read_pdn
from tablemen.draughts.pdn.start_position import identify
from tests.timeouts import TIMEOUT, ended_when_late

GAMES = """[Event "Open"] [White "Ann"] [Black "Bob"] [Date "2024.05.01"] [Result "2-0"]
1. 32-28! {c} 19-23 (18-22) 2. 28x19 14x23 2-0

[White "Cid"] [GameType "25"] 1. c3-d4 d6-c5 *
"""
BAD = '[GameType "20"]\n1. 32-29 *\n'


def pdn(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["pdn", *arguments], input=text)


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.pdn"
    path.write_text(GAMES, encoding="utf-8")
    return str(path)


def test_games_are_listed(games: str) -> None:
    result = pdn(games)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "   1  Ann - Bob  2-0  international  Open, 2024.05.01\n   2  Cid - ?  *  russian\n"


def test_lists_of_several_files_have_file_names(games: str) -> None:
    result = pdn(games, "-", text="1. 11-15 *")
    assert result.stdout.splitlines()[0].startswith(f"{games}:    1  Ann")
    assert result.stdout.splitlines()[2] == "-:    1  ? - ?  *  english"


def test_list_as_json(games: str) -> None:
    first, second = json.loads(pdn(games, "--json").stdout)
    assert first == {
        "file": games,
        "game": 1,
        "white": "Ann",
        "black": "Bob",
        "result": "2-0",
        "variant": "international",
    }
    assert (second["game"], second["variant"]) == (2, "russian")


def test_unreadable_game_is_reported_and_the_rest_is_listed() -> None:
    result = pdn("-", text=BAD + GAMES)
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("-: game 1, line 2, column 4: 32-29 ")
    assert [line[:10] for line in result.stdout.splitlines()] == ["   2  Ann ", "   3  Cid "]


def test_check_finds_no_problem_in_good_games(games: str) -> None:
    result = pdn("--check", games)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "2 games, no problems\n")
    assert json.loads(pdn("--check", games, "--json").stdout) == {"games": 2, "problems": []}


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        (BAD, "game 1, line 2, column 4: 32-29 .*"),
        ("32-28 (", r"game 1, line 1, column 7: .*\).*"),
        ('[Result "2-0"] 32-28 0-2', "game 1: .*2-0.*0-2.*"),
        ('[GameType "20"] [FEN "W:W28:B23"] [Result "0-2"] 28x19 *', "game 1: .*0-2.*White wins.*"),
        ('[GameType "20"] [FEN "W:W28:B23"] [Result "1-1"] 28x19 *', "game 1: .*1-1.*White wins.*"),
        ('[Result "weird\x1b"] 32-28 *', r"game 1: .*weird\\x1b.*"),
        ('[GameType "20"] [FEN "W:W28:B23"] [Result "*"] 28x19 *', "game 1: .*missing.*White wins.*"),
        ('[GameType "20"] [FEN "W:W28:B23"] 28x19 *', "game 1: .*missing.*White wins.*"),
        ("1. 32-28 19-23 3. 28x19 14x23 *", "game 1, line 1, column 16: moves are missing: move 3 follows move 1"),
        ("3. 32-28 19-23 *", "game 1, line 1, column 1: moves are missing: move 3 follows the start"),
        ("1. 32-28 (1. 31-26 20-24 5. 26-21) 19-23 *", "game 1, line 1, column 26: .*: move 5 follows move 1"),
        ("1. 32-28 ... *", r"game 1: moves are missing: the main line has \.\.\. at ply 2"),
        ('[PlyCount "40"] 1. 32-28 19-23 *', "game 1: the tag PlyCount says 40, but the game has 2 plies"),
        ("2-0", "game 1: the game has a result, 2-0, but no moves"),
        ("1. 32-28 {c}\n\n", "game 1, line 1, column 13: the terminator is missing: .*"),
        ('[Event "a"]', "game 1, line 1, column 12: the terminator is missing: .*"),
        ('[Variant "dutch"] 32-28 *', "game 1, line 1, column 2: unknown variant 'dutch'.*"),
    ],
)
def test_check_reports_problems(text: str, pattern: str) -> None:
    result = pdn("--check", "-", text=text)
    assert (result.exit_code, result.stderr) == (1, "1 game, 1 problem\n")
    assert re.fullmatch(f"-: {pattern}\n", result.stdout)
    facts = json.loads(pdn("--check", "-", "--json", text=text).stdout)
    assert facts["games"] == 1
    assert escape_controls(facts["problems"][0]["problem"]) in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        '[GameType "20"] [FEN "W:W28:B23"] [Result "2-0"] 28x19 2-0',
        '[GameType "20"] [FEN "W:W28,50:B23,1"] [Result "*"] 28x19 *',
        '[GameType "20"] [Result "?"] 32-28 *',
        '[GameType "20"] [FEN "W:W28:B23"] 28x19 1-0',
        '[GameType "20"] [Result "0-2"] 32-28 0-1',
        '[GameType "20"] [FEN "W:W28:B23"] [Result "2-0"] *',
        '[GameType "20"] [FEN "B:W28,32:B19"] [PlyCount "2"] 12... 19-24 13. 32-27 *',
    ],
)
def test_check_accepts_possible_results(text: str) -> None:
    assert pdn("--check", "-", text=text).exit_code == 0


def test_to_fen_prints_the_last_position_of_each_game() -> None:
    text = '[GameType "20"][FEN "W:W28,50:B23"] 28x19 * [GameType "20"] 32-28 ... *'
    assert pdn("-", "--to", "fen", text=text).stdout == "B:W19,50:B\n?\n"


def test_to_jsonl_has_everything() -> None:
    text = '[White "é"] {a} 1. 32-28! $7 (33-28) /FEN "B:W28:B1"/ 1-7 ... 28-22 *'
    (line,) = pdn("-", "--to", "jsonl", "--variant", "20", text=text.encode()).stdout.splitlines()
    facts = json.loads(line)
    start = facts["start"]
    assert start.startswith("W:W31,32")
    assert facts == {
        "game": 1,
        "variant": "international",
        "tags": {"White": "é"},
        "start": start,
        "notes": [{"comment": "a"}],
        "moves": [
            {
                "move": "32-28",
                "strength": "!",
                "notes": [
                    {"nag": 7},
                    {"variation": {"start": start, "moves": [{"move": "33-28"}]}},
                    {"setup": "B:W28:B1"},
                ],
            },
            {"move": "1-7"},
            {"move": "..."},
            {"move": "28-22"},
        ],
    }


def test_to_pdn_round_trip(games: str) -> None:
    result = pdn(games, "--to", "pdn")
    assert result.exit_code == 0
    expected = list(read_pdn(games))
    assert list(read_pdn(io.StringIO(result.stdout))) == expected
    assert result.stdout == "".join(f"{format_pdn(game)}\n" for game in expected)


@pytest.mark.parametrize("form", ["pdn", "jsonl", "numeric", "algebraic", "fen"])
def test_contradictory_result_is_reported(form: str) -> None:
    result = pdn("-", "--to", form, text='[GameType "25"] [Result "1-0"] c3-d4 0-1')
    if form == "fen":
        assert (result.exit_code, result.stderr) == (0, "")
    else:
        assert result.exit_code == 1
        assert re.fullmatch("-: game 1: .*1-0.*0-1.*\n", result.stderr)
    assert ("1-0" in result.stdout) is (form != "fen")


@pytest.mark.parametrize("rules", [each for each in VARIANTS.values() if each.game_type], ids=lambda rules: rules.name)
@pytest.mark.parametrize("form", ["numeric", "algebraic"])
def test_renamed_squares_round_trip(rules: object, form: str) -> None:
    assert isinstance(rules, type(VARIANTS["russian"]))
    text = (Path(__file__).parents[1] / "draughts" / "pdn" / f"{rules.name}.pdn").read_text(encoding="utf-8")
    game = parse_pdn(text)
    other = pdn("-", "--to", form, text=text)
    assert other.exit_code == 0
    renamed = parse_pdn(other.stdout)
    assert renamed.variant.name == rules.name
    assert (renamed.variant.notation is Notation.NUMERIC) == (form == "numeric")
    assert len(renamed.moves) == len(game.moves)
    end, renamed_end = game.end(), renamed.end()
    assert end is not None
    assert renamed_end is not None
    assert renamed_end.letters() == end.letters()
    is_common = rules.notation is not Notation.ALGEBRAIC_VERTICAL and rules.first_square.value in (0, 2)
    if identify(rules)[0] == "GameType" and is_common:
        again = pdn("-", "--to", "numeric" if rules.notation is Notation.NUMERIC else "algebraic", text=other.stdout)
        assert [str(move) for move in parse_pdn(again.stdout).moves] == [str(move) for move in game.moves]


def test_unconvertible_game_is_reported() -> None:
    result = pdn("-", "--to", "algebraic", text='[Variant "frysk"] 1. 46-41 *')
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch("-: game 1: .*Frysk!.*\n", result.stderr)
    assert '[Variant "frysk"]\n\n1. 46-41 *' in pdn("-", "--to", "numeric", text='[Variant "frysk"] 1. 46-41 *').stdout


def test_unicode_text_is_kept() -> None:
    text = (Path(__file__).parents[1] / "draughts" / "pdn" / "jamaican.pdn").read_text(encoding="utf-8")
    assert pdn("-", "--to", "algebraic", text=text).stdout == pdn("-", "--to", "pdn", text=text).stdout
    assert '[GameType "23,B,8,8,N1,1"]' in pdn("-", "--to", "numeric", text=text).stdout


def test_squares_of_a_start_position_are_renamed() -> None:
    fen = Position.start("russian").fen()
    result = pdn("-", "--to", "numeric", text=f'[GameType "25"] [FEN "{fen}"] c3-d4 *')
    assert f'[FEN "{Position.start("english").fen().replace("B:", "W:", 1)}"]' in result.stdout


def test_control_characters_are_escaped() -> None:
    result = pdn("-", text='[White "\x1b[31mé\u202e"] [Event "a\tb\xa0c"] 32-28 *')
    assert result.stdout == "   1  \\x1b[31mé\\u202e - ?  *  international  a\\tb\xa0c\n"


UNREADABLE = Path("/proc/self/mem")  # can be opened, but not read at its beginning


@pytest.mark.skipif(not UNREADABLE.exists(), reason=f"needs {UNREADABLE}")
@pytest.mark.parametrize("options", [(), ("--to", "fen")])
def test_unreadable_file_is_reported_and_the_others_are_read(options: tuple[str, ...], games: str) -> None:
    single = pdn(*options, str(UNREADABLE))
    assert (single.exit_code, single.stdout) == (2, "")
    assert re.fullmatch(f"{UNREADABLE}: .*Input/output error\n", single.stderr)
    with_others = pdn(*options, str(UNREADABLE), games)
    assert (with_others.exit_code, with_others.stderr) == (1, single.stderr)
    assert len(with_others.stdout.splitlines()) == 2


@pytest.mark.skipif(not UNREADABLE.exists(), reason=f"needs {UNREADABLE}")
def test_check_counts_an_unreadable_file_as_a_problem(games: str) -> None:
    result = pdn("--check", games, str(UNREADABLE))
    assert (result.exit_code, result.stdout) == (1, "")
    unreadable, summary = result.stderr.splitlines()
    assert summary == "2 games, 1 problem"
    (problem,) = json.loads(pdn("--check", games, str(UNREADABLE), "--json").stdout)["problems"]
    assert unreadable == f"{problem['file']}: {problem['problem']}"
    assert problem["file"] == str(UNREADABLE)
    assert "Input/output error" in problem["problem"]


def test_standard_input_may_be_closed() -> None:
    command = ["sh", "-c", '"$0" -m tablemen pdn - <&-', sys.executable]
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch("-: .*closed\n", result.stderr)


@pytest.mark.parametrize(
    ("arguments", "fact"), [(["nowhere.pdn"], "'nowhere.pdn'"), ([], "FILE..."), (["-", "--to", "pgn"], "'pgn'")]
)
def test_invalid_arguments_exit_with_2(arguments: list[str], fact: str) -> None:
    result = pdn(*arguments, text="32-28 *")
    assert (result.exit_code, result.stdout) == (2, "")
    assert fact in result.stderr


def test_other_encodings() -> None:
    text = '[White "Сергей"] 1. 32-28 *'.encode("cp1251")
    assert "Сергей" in pdn("-", "--encoding", "cp1251", text=text).stdout
    assert "UTF-8" in pdn("-", text=text).stderr
    result = pdn("-", "--encoding", "utf-16", text="32-28 *")
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch("-: .*encoding.*\n", result.stderr)


def test_large_file_shows_progress(tmp_path: Path) -> None:
    path = tmp_path / "large.pdn"
    path.write_text('[GameType "20"] 1. 32-28 {' + "x" * 6_000_000 + "} *\n", encoding="utf-8")
    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "tablemen", "pdn", "--check", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    output = b""
    with ended_when_late(process):
        try:
            while chunk := os.read(shown, 4096):
                output += chunk
        except OSError:  # Linux: the other end is closed
            pass
        os.close(shown)
        assert process.wait(TIMEOUT) == 0
    assert b"large.pdn" in output
    assert b"100%" in output
    assert b"1 game, no problems" in output


def test_unknown_game_type_is_read_with_a_variant() -> None:
    text = '[GameType "77"] 1. 32-28 *'
    assert pdn("-", text=text).stdout == ""
    result = pdn("-", "--variant", "international", "--to", "pdn", text=text)
    assert result.stdout == '[GameType "20"]\n\n1. 32-28 *\n\n'
    assert result.stderr == "-: game 1, line 1, column 2: unknown variant 77; read as international\n"


def test_guessed_variant_is_marked() -> None:
    assert pdn("-", "--to", "pdn", text="1. 32-28 *").stdout == '[GuessedGameType "20"]\n\n1. 32-28 *\n\n'
    assert json.loads(pdn("-", "--to", "jsonl", text="1. 32-28 *").stdout)["guessed"] is True
    assert "guessed" not in json.loads(pdn("-", "--to", "jsonl", text='[GameType "20"] 1. 32-28 *').stdout)
    converted = pdn("-", "--to", "numeric", text="1. c3-d4 *").stdout
    assert converted == '[GuessedGameType "25,W,8,8,N2,0"]\n\n1. 22-18 *\n\n'
