"""`tablemen play` line by line with engines that fail: the game continues."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from tablemen.cli import main
from tablemen.draughts import Position
from tests.cli.test_completion import offered
from tests.fake_engines import add_fakes


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)


def play(*typed: str, black: str = "fake:dies", white: str = "human") -> str:
    """Play English draughts with these lines as input, and return the output."""
    arguments = ["play", "english", "--white", white, "--black", black]
    result = CliRunner().invoke(main, arguments, input="".join(f"{each}\n" for each in typed))
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


PROMPT = "Black (fake:dies) has failed, ? for help: "
FAILURE = re.compile(r"Black \(fake:dies\) failed: .*status 3: no \\x1b\[2J book\n")


def test_crashed_engine_is_reported_and_can_retry() -> None:
    output = play("", "again", "9-14", "hint", "quit")
    assert len(FAILURE.findall(output)) == 3
    *_, move, hint, end = output.split(PROMPT)
    assert "Black (fake:dies)" in move
    assert hint.split()[-1] in map(str, Position.start("english").legal_moves())
    assert len(end.splitlines()) == 1


def test_failed_engine_can_be_replaced() -> None:
    output = play("seat black fake:plays", "24-20", "again", "seat black", "seat red random", "seat white unknown")
    assert re.search(f"{re.escape(PROMPT)}Black .*fake:plays\nBlack \\(fake:plays\\) plays 9-14\n", output)
    assert output.count("Black (fake:plays) plays") == 2
    *_, again, no_player, no_side, unknown_player, _ = output.split("White's move: ")
    assert "failed" in again
    assert no_player == no_side == "usage: seat white PLAYER or seat black PLAYER\n"
    assert "'unknown'" in unknown_player


def test_moves_can_be_taken_back_after_a_failure() -> None:
    output = play("seat black fake:plays", "24-20", "seat black fake:dies", "23-18", "back", "resign")
    assert len(FAILURE.findall(output)) == 2
    *_, taken_back, resigned, _ = re.split(r"White's move: |The game is over, \? for help: |has failed, .*: ", output)
    assert taken_back.endswith("White to move\n")
    assert resigned.startswith("Black wins")


def test_human_can_resign_after_a_failure() -> None:
    assert f"{PROMPT}Black wins" in play("resign")


def test_end_of_input_quits_after_a_failure() -> None:
    *_, end = play(white="fake:plays").split(PROMPT)
    assert len(end.splitlines()) == 1


def test_completion_of_engines() -> None:
    assert "fake" not in offered("play", "english", "--white", "fa")
    assert offered("play", "english", "--white", "fa") == ["fake:"]
    assert offered("play", "english", "--white", "fake:pl") == []
    assert offered("play", "english", "--white", "fake:plays,") == [
        *("fake:plays,depth=", "fake:plays,nodes=", "fake:plays,time=", "fake:plays,name=")
    ]
    assert offered("play", "english", "--white", 'fake:"a,') == []
    assert offered("play", "english", "--white", 'fake:"a b",time=1,d') == ['fake:"a b",time=1,depth=']


def test_help_shows_the_form_of_engine_addresses() -> None:
    page = " ".join(CliRunner().invoke(main, ["play", "english", "--help"]).stdout.split())
    assert "fake:ADDRESS" in page
