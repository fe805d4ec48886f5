"""`tablemen play` line by line with engines: their failures do not end the game."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tablemen.cli import main
from tests.cli.test_completion import offered
from tests.fake_engines import add_fakes


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)


def said(*typed: str, black: str = "fake:dies", white: str = "human") -> str:
    arguments = ["play", "english", "--white", white, "--black", black]
    result = CliRunner().invoke(main, arguments, input="".join(f"{each}\n" for each in typed))
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


FAILED = "Black (fake:dies) has failed, ? for help: "
TOLD = "Black (fake:dies) fails: a fake ended with status 3: no \\x1b[2J book\nagain, or Enter, lets it try once more; "


def test_crashed_engine_is_reported_and_can_retry() -> None:
    told = said("", "again", "9-14", "hint", "quit")
    assert told.count(TOLD) == 3
    assert f"{FAILED}it is for Black (fake:dies) to move; again, or Enter," in told
    assert f"{FAILED}Try " in told
    assert told.endswith(f"{FAILED}Left.\n")


def test_failed_engine_can_be_replaced() -> None:
    told = said("seat black fake:plays", "24-20", "again", "seat black", "seat red random", "seat white nobody")
    assert f"{FAILED}Black is played by fake:plays\nBlack (fake:plays) plays 9-14\n" in told
    assert told.count("Black (fake:plays) plays") == 2
    assert "White's move: no player has failed\n" in told
    assert told.count("write seat white PLAYER, or seat black PLAYER\n") == 2
    assert "there is no player 'nobody'" in told


def test_moves_can_be_taken_back_after_a_failure() -> None:
    told = said("seat black fake:plays", "24-20", "seat black fake:dies", "23-18", "back", "resign")
    assert told.count("fails:") == 2
    assert "Took back a move\n" in told
    assert "Black wins: White resigned.\n" in told


def test_human_can_resign_after_a_failure() -> None:
    assert f"{FAILED}Black wins: White resigned.\n" in said("resign")


def test_end_of_input_quits_after_a_failure() -> None:
    told = said(white="fake:plays")
    assert told.endswith(f"{FAILED}Left.\n")


def test_completion_of_engines() -> None:
    assert "fake" not in offered("play", "english", "--white", "fa")
    assert offered("play", "english", "--white", "fa") == ["fake:"]
    assert offered("play", "english", "--white", "fake:pl") == []
    assert offered("play", "english", "--white", "fake:plays,") == [
        *("fake:plays,depth=", "fake:plays,nodes=", "fake:plays,time=")
    ]
    assert offered("play", "english", "--white", 'fake:"a,') == []
    assert offered("play", "english", "--white", 'fake:"a b",time=1,d') == ['fake:"a b",time=1,depth=']


def test_help_shows_the_form_of_engine_addresses() -> None:
    page = " ".join(CliRunner().invoke(main, ["play", "english", "--help"]).stdout.split())
    assert "Other programs play as" in page
    assert "fake:ADDRESS" in page
