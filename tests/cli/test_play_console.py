"""`tablemen play` line by line: whole games of every variant, and every command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tablemen import Game
from tablemen.cli import main
from tablemen.cli.play import start as starting
from tablemen.cli.play.console import ConsoleGame
from tablemen.clock import EXPECTED
from tablemen.console import IO
from tablemen.draughts import VARIANTS, Position
from tablemen.family import families, get_family
from tablemen.players import RandomPlayer
from tablemen.transcript import Transcript, read_transcript, run_transcript
from tests.timeouts import TIMEOUT

COMMAND = [sys.executable, "-m", "tablemen", "play"]
TRANSCRIPTS = [read_transcript(path) for path in sorted((Path(__file__).parent / "transcripts").glob("*.transcript"))]
ALL = [rules for family in families() for rules in family.variants.values()]


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=typed)


def said(*typed: str, options: tuple[str, ...] = ("--black", "human")) -> list[str]:
    """Return the output after each prompt of a game of international draughts, without boards."""
    result = play("international", "--white", "human", *options, typed="".join(f"{each}\n" for each in typed))
    assert (result.exit_code, result.stderr) == (0, "")
    answers = re.split(r"(?:White|Black)'s move: |The game is over, \? for help: ", result.stdout)[1:]
    return [re.sub(r" +\+-+\+\n(?:.*\|.*\n)+ +\+-+\+\n", "<board>\n", answer) for answer in answers]


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_every_variant_is_played_to_its_end_by_computers(rules: Any) -> None:
    options = ["--white", "random:seed=1", "--black", "random:seed=2"]
    result = play(rules.name, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    players = [RandomPlayer(seed=1), RandomPlayer(seed=2)]
    family = get_family(rules)
    game: Game[Any, Any] = Game(family.start(rules))
    while not (game.outcome() or game.claims()):
        game.push(players[game.position.turn is not next(iter(family.sides))].choose(game))
    outcome = game.outcome() or game.claim_draw()
    told = re.findall(r"^(\w+) \(random:seed=[12]\) plays (\S+)$", result.stdout, re.MULTILINE)
    assert told == [
        (family.side_name(position.turn), str(move)) for position, move in zip(game.positions, game.moves, strict=False)
    ]
    assert result.stdout.splitlines()[-1] == f"{family.describe_outcome(outcome, game.position)}."


@pytest.mark.parametrize("rules", [VARIANTS["english"], VARIANTS["turkish"], ALL[-1]], ids=lambda rules: rules.name)
def test_human_plays_a_whole_game_through_a_pipe(rules: Any) -> None:
    family = get_family(rules)
    game: Game[Any, Any] = Game(family.start(rules))
    chance = [RandomPlayer(seed=1), RandomPlayer(seed=2)]
    typed = []
    sides = list(family.sides)
    while not game.outcome():
        side = game.position.turn
        if game.claims() and side is sides[1]:
            game.claim_draw()
            break
        move = game.push(chance[side is sides[1]].choose(game))
        if side is sides[0]:
            typed.append(str(move))
    done = subprocess.run(
        [*COMMAND, rules.name, "--black", "random:seed=2"],
        input="\n".join(typed) + "\n",
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    outcome = game.outcome()
    assert outcome is not None
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == [
        f"{family.describe_outcome(outcome, game.position)}.",
        "The game is over, ? for help: Left.",
    ]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: Path(transcript.name).stem)
def test_console_follows_the_transcript(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, transcript: Transcript
) -> None:
    """Run the console in this process; the transcript plug-in runs the same files as commands at a terminal."""
    command = transcript.command
    assert command is not None
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)

    def run(console: IO) -> None:
        monkeypatch.setattr(starting, "StandardIO", lambda: console)
        main.main([*command[1:]], standalone_mode=False)

    report = run_transcript(transcript, run)
    assert report.passed, str(report)


def test_moves_and_mistakes() -> None:
    assert said("32-28", "foo", "movs", "19-24x", "28-22", "", "19-23") == [
        "<board>\nBlack to move\n",
        "'foo' is neither a move nor a command; ? lists what can be typed\n",
        "'movs' is neither a move nor a command; did you mean moves?\n",
        "a square is missing here\n",
        "the man on 28 is White's, and Black is to move\n",
        "",
        "<board>\nWhite to move\n",
        f"Left at {Game(Position.start('international'), ['32-28', '19-23']).position.fen()}\n",
    ]


def test_help_lists_every_command() -> None:
    first, second, _ = said("?", "HELP")
    assert first == second
    assert first.startswith("Type a move, such as 31-27, or:\n")
    assert re.findall(r"^  (\w+)", first, re.MULTILINE) == list(ConsoleGame.COMMANDS)


def test_moves_hints_and_flips() -> None:
    moves, hint, flipped, *_ = said("moves", "hint", "flip")
    assert moves.split() == [str(move) for move in Position.start("international").legal_moves()]
    assert hint.removeprefix("Try ").strip() in moves.split()
    assert flipped == "<board>\nWhite to move\n"
    assert play("international", "--black", "human", "--white", "human", typed="flip\n").stdout.count("50 |") == 1


def test_back() -> None:
    assert said("back", "32-28", "back", "31-27")[:3] == [
        "you have no move to take back\n",
        "<board>\nBlack to move\n",
        "Took back a move\n<board>\nWhite to move\n",
    ]
    assert "Took back 2 moves\n" in play("english", "--white", "random", typed="11-15\nback\n").stdout


def test_draws_and_resignations() -> None:
    told, resigned, over, again, left = said("draw", "resign", "32-28", "draw")
    assert told.splitlines()[0] == "No draw can be claimed now."
    assert told.splitlines()[1] == "1 of 3: the same position for the 3rd time"
    assert resigned == over == again == "Black wins: White resigned.\n"
    assert left == "Left.\n"
    typed = "\n".join(["1-6", "32-27", "6-1", "27-32"] * 2 + ["draw"])
    options = ["--white", "human", "--black", "human", "--fen", "B:WK29,K32:BK1,K4"]
    claimed = play("english", *options, typed=typed).stdout
    assert "Black's move: Draw: the same position occurred again.\n" in claimed


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "a game.pdn"
    saved = said("32-28", f"save {file}", "19-23", f"save {file}", "back", "back", f"load {file}", "28x19")
    assert saved[1] == f"Saved in {file}\n"
    assert saved[6] == f"Loaded from {file}, the last of 2 games\n<board>\nWhite to move\n"
    assert saved[7] == "<board>\nBlack to move\n"
    wrong = said("save", "load", "load /no/such/file", f"save {tmp_path}", "quit now")
    assert wrong[:5] == [
        "write save FILE\n",
        "write load FILE\n",
        "/no/such/file: No such file or directory\n",
        f"{tmp_path}: Is a directory\n",
        "quit takes no argument\n",
    ]


def test_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    answers = said("32-28", "save ~/game.pdn", "back", "load ~/game.pdn", "load ~nobody-of-that-name/x")
    assert answers[1] == "Saved in ~/game.pdn\n"
    assert answers[3] == "Loaded from ~/game.pdn\n<board>\nBlack to move\n"
    assert answers[4] == "~nobody-of-that-name/x: No such file or directory\n"
    assert (tmp_path / "game.pdn").exists()


def test_failed_load_is_reported_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kalah.txt"
    file.write_text("Variant: kalah\nMoves: 3\n")
    told = f"{file} has games of mancala, not of draughts\n".replace("\n", " ")
    save, load, *_ = said(f"save {file}", f"load {file}")
    assert save.replace("\n", " ") == load.replace("\n", " ") == told
    assert file.read_text() == "Variant: kalah\nMoves: 3\n"


def test_a_finished_game_can_be_saved_and_taken_back(tmp_path: Path) -> None:
    typed = ["28x19", f"save {tmp_path / 'won.pdn'}", "moves", "?", "back", "quit"]
    answers = said(*typed, options=("--black", "human", "--fen", "W:W28:B23"))
    assert answers[0] == "<board>\nWhite wins: Black has no pieces left.\n"
    assert answers[2] == "there are none: the game is over\n"
    assert answers[3].startswith("Type a move, or:\n")
    assert answers[4] == "Took back a move\n<board>\nWhite to move\n"
    assert '[Result "2-0"]' in (tmp_path / "won.pdn").read_text()


def test_a_game_that_is_over_from_the_start() -> None:
    result = play("english", "--white", "random", "--black", "random", "--fen", "W:W:B1")
    assert result.stdout.splitlines()[-1] == "Black wins: White has no pieces left."


def test_default_players() -> None:
    assert "Black (searcher:level=5) plays " in play("russian", typed="c3-d4\n").stdout
    assert "White (searcher:level=5) plays " in play("russian", "--black", "human").stdout
    assert "White (random) plays " in play("russian", "--white", "random").stdout
    assert "North (robot) plays " in play("oware", "--north", "robot", typed="1\n").stdout


def test_mancala_explains_mistakes_and_starts_from_a_position() -> None:
    result = play(
        *("oware", "--south", "human", "--position", "<6,20,20,1,0,0,0,1,6,0,0,0,0,0,0> south"), typed="1\n2\n"
    )
    assert "South's move: North has no seeds and must be given some: play 6\n" in result.stdout
    assert "South's move: house 2 is empty\n" in result.stdout


def test_kalah_with_players_is_played_as_other_games() -> None:
    result = play("kalah", "--houses", "3", "--seeds", "2", "--north", "minimax:depth=2", typed="2\n1\n")
    assert "South's move: " in result.stdout
    assert "North (minimax:depth=2) plays " in result.stdout
    wrong = play("kalah", "--north", "random", "--menu")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "--vertical, --robot and --menu do not go with --south, --north, --clock and --position" in wrong.stderr


def test_kalah_starts_from_a_position_of_any_size() -> None:
    options = ["--position", "<3,1,2,3,0,1,0,2,2> north", "--north", "human"]
    assert "North's move: there is no house 4: they are 1 to 3\n" in play("kalah", *options, typed="4\n").stdout
    for wrong, told in (
        (["--position", "<3,1> north"], "--position: line 1, column 1: the board has 1 pit, not 8"),
        ([*options, "--seeds", "3"], "--seeds goes with the start, not with --position"),
        ([*options, "--menu"], "--vertical, --robot and --menu do not go with"),
    ):
        result = play("kalah", *wrong)
        assert (result.exit_code, result.stdout) == (2, "")
        assert told in result.stderr


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_help_lists_suitable_players(rules: Any) -> None:
    page = " ".join(play(rules.name, "--help").stdout.split())
    robot = ", random or robot," if get_family(rules).name == "mancala" else " or random,"
    assert re.search(rf"A PLAYER is human, searcher, minimax{robot}", page)


@pytest.mark.parametrize("name", ["checkers", "25", "Kalaha", "awale"])
def test_variant_is_found_by_all_its_names(name: str) -> None:
    assert play(name).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["rusian"], "unknown variant 'rusian'; did you mean russian or frisian?"),
        (["owari"], "unknown variant 'owari'; did you mean oware?"),
        (["english", "--black", "serch"], "--black: there is no player 'serch'; did you mean searcher?"),
        (["oware", "--north", "robot:seed=1"], "--north: robot takes no options, got 'seed'"),
        (["english", "--black", "robot"], "the robot plays only mancala, not English draughts"),
        (
            ["english", "--clock", "soon"],
            f"--clock: time control is 'soon': {EXPECTED} is expected",
        ),
        (["english", "--fen", "W:W99:B1"], "--fen: line 1, column 4: english has no square '99'"),
        (["oware", "--fen", "<3,1> north"], "--position: line 1, column 2: the board has 3 houses a side, oware has 6"),
    ],
)
def test_usage_errors_end_with_2_and_a_message(arguments: list[str], problem: str) -> None:
    result = play(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {problem}\n")
