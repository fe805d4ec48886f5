"""`tablemen play` line by line: whole games of every variant, and the commands of the console."""

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
from tablemen.console import IO
from tablemen.draughts import VARIANTS, Position
from tablemen.draughts.pdn import read_pdn
from tablemen.family import families, get_family
from tablemen.outcome import Outcome, Termination
from tablemen.players import RandomPlayer
from tablemen.transcript import Transcript, read_transcript, run_transcript
from tests.timeouts import TIMEOUT

COMMAND = [sys.executable, "-m", "tablemen", "play"]
TRANSCRIPTS = [read_transcript(path) for path in sorted((Path(__file__).parent / "transcripts").glob("*.transcript"))]
ALL = [rules for family in families() for rules in family.variants.values()]


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=typed)


def answers(*typed: str, options: tuple[str, ...] = ("--black", "human")) -> list[str]:
    """Return the output after each prompt of a game of international draughts, with boards as `<board>`."""
    result = play("international", "--white", "human", *options, typed="".join(f"{each}\n" for each in typed))
    assert (result.exit_code, result.stderr) == (0, "")
    parts = re.split(r"(?:White|Black)'s move: |The game is over, \? for help: ", result.stdout)[1:]
    return [re.sub(r" +\+-+\+\n(?:.*\|.*\n)+ +\+-+\+\n", "<board>\n", part) for part in parts]


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_computers_play_a_whole_game(rules: Any) -> None:
    options = ["--white", "random:seed=1", "--black", "random:seed=2"]
    result = play(rules.name, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    players = [RandomPlayer(seed=1), RandomPlayer(seed=2)]
    family = get_family(rules)
    game: Game[Any, Any] = Game(family.start(rules))
    while not (game.outcome() or game.claims()):
        game.push(players[game.position.turn is not next(iter(family.sides))].choose(game))
    outcome = game.outcome() or game.claim_draw()
    played = re.findall(r"^(\w+) \(random:seed=[12]\) plays (\S+)$", result.stdout, re.MULTILINE)
    assert played == [
        (family.side_name(position.turn), str(move)) for position, move in zip(game.positions, game.moves, strict=False)
    ]
    assert result.stdout.splitlines()[-1] == f"{family.describe_outcome(outcome, game.position)}."


@pytest.mark.parametrize("rules", [VARIANTS["english"], VARIANTS["turkish"], ALL[-1]], ids=lambda rules: rules.name)
def test_human_plays_a_whole_game_through_a_pipe(rules: Any) -> None:
    family = get_family(rules)
    game: Game[Any, Any] = Game(family.start(rules))
    players = [RandomPlayer(seed=1), RandomPlayer(seed=2)]
    typed = []
    sides = list(family.sides)
    while not game.outcome():
        side = game.position.turn
        if game.claims() and side is sides[1]:
            game.claim_draw()
            break
        move = game.push(players[side is sides[1]].choose(game))
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
    sentence, last = done.stdout.splitlines()[-2:]
    assert sentence == f"{family.describe_outcome(outcome, game.position)}."
    assert last.startswith("The game is over, ? for help: ")


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: Path(transcript.name).stem)
def test_console_follows_the_transcript(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, transcript: Transcript
) -> None:
    """Run the console in this process; the pytest plug-in runs the same files as commands at a terminal."""
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
    moved, unknown, similar, incomplete, illegal, empty, captured, end = answers(
        *("32-28", "foo", "movs", "19-24x", "28-22", "", "19-23")
    )
    assert moved == "<board>\nBlack to move\n"
    assert unknown.startswith("'foo' ")
    assert similar.startswith("'movs' ")
    assert similar.endswith(" moves?\n")
    assert "square" in incomplete
    assert "28" in illegal
    assert empty == ""
    assert captured == "<board>\nWhite to move\n"
    assert Game(Position.start("international"), ["32-28", "19-23"]).position.fen() in end


def test_help_lists_every_command() -> None:
    first, second, _ = answers("?", "HELP")
    assert first == second
    assert "31-27" in first.splitlines()[0]
    assert re.findall(r"^  (\w+)", first, re.MULTILINE) == list(ConsoleGame.COMMANDS)


def test_moves_hint_and_flip() -> None:
    moves, hint, flipped, *_ = answers("moves", "hint", "flip")
    assert moves.split() == [str(move) for move in Position.start("international").legal_moves()]
    assert hint.split()[-1] in moves.split()
    assert flipped == "<board>\nWhite to move\n"
    assert play("international", "--black", "human", "--white", "human", typed="flip\n").stdout.count("50 |") == 1


def test_back() -> None:
    nothing, moved, taken_back, *_ = answers("back", "32-28", "back", "31-27")
    assert "<board>" not in nothing
    assert moved == "<board>\nBlack to move\n"
    assert taken_back.endswith("<board>\nWhite to move\n")
    assert " 2 moves\n" in play("english", "--white", "random", typed="11-15\nback\n").stdout


def test_draw_and_resign() -> None:
    no_draw, resigned, over, again, _ = answers("draw", "resign", "32-28", "draw")
    assert no_draw.splitlines()[1].startswith("1 of 3: ")
    assert resigned == over == again
    assert resigned.startswith("Black wins")
    typed = "\n".join(["1-6", "32-27", "6-1", "27-32"] * 2 + ["draw"])
    options = ["--white", "human", "--black", "human", "--fen", "B:WK29,K32:BK1,K4"]
    position = Position.from_fen("B:WK29,K32:BK1,K4", "english")
    outcome = get_family(position).describe_outcome(Outcome(None, Termination.REPETITION), position)
    assert f"Black's move: {outcome}.\n" in play("english", *options, typed=typed).stdout


def test_the_hint_and_a_claim_follow_a_tablebase() -> None:
    options = ["--white", "human", "--black", "human", "--fen"]
    won = play("english", *options, "W:WK10,K14:BK27", typed="hint\ndraw\n").stdout
    assert "Try 14-18: it wins in 23 plies\n" in won
    assert "No draw can be claimed now." in won
    drawn = Position.from_fen("W:WK10:BK27", "english")
    outcome = get_family(drawn).describe_outcome(Outcome(None, Termination.PROVEN_DRAW), drawn)
    printed = play("english", *options, "W:WK10:BK27", typed="hint\ndraw\n").stdout
    assert "it keeps the draw\n" in printed
    assert f"White's move: {outcome}.\n" in printed


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "a game.pdn"
    saved = answers("32-28", f"save {file}", "19-23", f"save {file}", "back", "back", f"load {file}", "28x19")
    assert saved[1].endswith(f"{file}\n")
    assert f"{file}" in saved[6]
    assert "2 games\n<board>\nWhite to move\n" in saved[6]
    assert saved[7] == "<board>\nBlack to move\n"
    assert [game.moves for game in read_pdn(file)] == [
        Game(Position.start("international"), moves).moves for moves in (["32-28"], ["32-28", "19-23"])
    ]


def test_errors_of_save_and_load(tmp_path: Path) -> None:
    save, load, missing, folder, argument, _ = answers(
        *("save", "load", "load /no/such/file", f"save {tmp_path}", "quit now")
    )
    assert (save, load) == ("usage: save FILE\n", "usage: load FILE\n")
    assert missing.startswith("/no/such/file: ")
    assert folder.startswith(f"{tmp_path}: ")
    assert argument.startswith("quit ")


def test_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    _, saved, _, loaded, unknown, _ = answers(
        *("32-28", "save ~/game.pdn", "back", "load ~/game.pdn", "load ~no-such-user/x")
    )
    assert saved.endswith(" ~/game.pdn\n")
    assert loaded.endswith(" ~/game.pdn\n<board>\nBlack to move\n")
    assert unknown.startswith("~no-such-user/x: ")
    assert (tmp_path / "game.pdn").exists()


def test_file_of_another_family_is_refused_and_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "kalah.txt"
    file.write_text("Variant: kalah\nMoves: 3\n")
    save, load, *_ = answers(f"save {file}", f"load {file}")
    assert save == load
    assert all(word in load for word in (str(file), "mancala", "draughts"))
    assert file.read_text() == "Variant: kalah\nMoves: 3\n"


def test_finished_game_can_be_saved_and_taken_back(tmp_path: Path) -> None:
    typed = ["28x19", f"save {tmp_path / 'won.pdn'}", "moves", "?", "back", "quit"]
    won, _, moves, usage, taken_back, _ = answers(*typed, options=("--black", "human", "--fen", "W:W28:B23"))
    assert won.startswith("<board>\nWhite wins")
    assert "-" not in moves
    assert "such as" not in usage
    assert taken_back.endswith("<board>\nWhite to move\n")
    assert '[Result "2-0"]' in (tmp_path / "won.pdn").read_text()


def test_game_that_is_over_from_the_start() -> None:
    result = play("english", "--white", "random", "--black", "random", "--fen", "W:W:B1")
    assert result.stdout.splitlines()[-1].startswith("Black wins")


def test_default_players() -> None:
    assert "Black (computer, level 5) plays " in play("russian", typed="c3-d4\n").stdout
    assert "White (computer, level 5) plays " in play("russian", "--black", "human").stdout
    assert "White (random) plays " in play("russian", "--white", "random").stdout
    assert "North (robot) plays " in play("oware", "--north", "robot", typed="1\n").stdout


def test_mancala_explains_mistakes_and_starts_from_a_position() -> None:
    result = play(
        *("oware", "--south", "human", "--position", "<6,20,20,1,0,0,0,1,6,0,0,0,0,0,0> south"), typed="1\n2\n"
    )
    assert re.search(r"South's move: .*North.*6\n", result.stdout)
    assert re.search(r"South's move: .*house 2.*\n", result.stdout)


def test_kalah_with_players_is_played_like_other_games() -> None:
    result = play("kalah", "--houses", "3", "--seeds", "2", "--north", "minimax:depth=2", typed="2\n1\n")
    assert "South's move: " in result.stdout
    assert "North (minimax:depth=2) plays " in result.stdout


def test_kalah_starts_from_a_position_of_any_size() -> None:
    options = ["--position", "<3,1,2,3,0,1,0,2,2> north", "--north", "human"]
    assert re.search(r"North's move: .*house 4.*1 to 3.*\n", play("kalah", *options, typed="4\n").stdout)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_help_lists_suitable_players(rules: Any) -> None:
    page = " ".join(play(rules.name, "--help").stdout.split())
    robot = ", random or robot," if get_family(rules).name == "mancala" else " or random,"
    assert re.search(rf"A PLAYER is human, searcher, mcts, minimax{robot}", page)


@pytest.mark.parametrize("name", ["checkers", "25", "Kalaha", "awale"])
def test_variant_is_found_by_all_its_names(name: str) -> None:
    assert play(name).exit_code == 0
