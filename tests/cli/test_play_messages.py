"""The messages of `tablemen play` line by line, with their wording in a golden file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablemen.cli import main
from tablemen.cli.play import start as starting
from tablemen.draughts import Position
from tests.cli.saved_games import MENU, OFFER_END, SAVED, save_game
from tests.fake_engines import add_fakes
from tests.golden import check_golden

GOLDEN = Path(__file__).with_name("play_messages.txt")
BOARD = re.compile(r" +\+-+\+\n(?:.*\|.*\n)+ +\+-+\+\n")
VARIANTS = re.compile(r"(?: +[0-9]+  [a-z].*\n)+")  # lines of the menu
PROMPT = re.compile(rf"(?:White|Black)'s move: |.*, \? for help: |{re.escape(MENU)}|.*{re.escape(OFFER_END)}")
PEOPLE = ("--white", "human", "--black", "human")


def play(arguments: list[str], *typed: str) -> dict[str, str]:
    """Run `tablemen play`, and return its output with the typed lines; boards and lists of variants are shortened."""
    result = CliRunner().invoke(main, ["play", *arguments], input="".join(f"{line}\n" for line in typed))
    assert result.exit_code == 0
    output = re.sub(SAVED, "saved today 12:00", result.stdout)
    prompts, answers = PROMPT.findall(output), PROMPT.split(output)
    lines = [
        f"{prompt}{line or '<Enter>'}\n" for prompt, line in zip(prompts, (*typed, "<end of input>"), strict=False)
    ]
    shortened = [VARIANTS.sub("<variants>\n", BOARD.sub("<board>\n", answer)) for answer in answers]
    text = "".join(line + answer for line, answer in zip(["", *lines], shortened, strict=True))
    return {" ".join(["tablemen play", *arguments]): text.rstrip()}


@pytest.mark.golden
def test_wording(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)
    console = play(
        ["english", *PEOPLE],
        *("?", "foo", "movs", "moves", "back", "draw", "clock", "again", "save", "load missing.pdn", "quit now"),
        *("seat", "seat red random", "seat white unknown", "seat white minimax:depth=1", "9-14", "back", "resign"),
        *("moves", "?", "9-14", "back"),
    )
    failures = play(["english", "--white", "fake:dies", "--black", "human"], "9-14", "", "22-18", "resign", "quit")
    monkeypatch.setattr(starting, "is_terminal", lambda _: True)
    save_game(data, Position.start("russian"), "c3-d4", black="random")
    save_game(data, Position.start("english"), "11-15", "22-18", black="searcher:level=5")
    menu = play(["--plain"], "99", "rusian", "drop", "drop 9", "drop 2", "drop 1", "drop 1", "q")
    for moves in (["11-15"], ["11-15", "22-18"]):
        save_game(data, Position.start("english"), *moves)
    offer = play(["english", "--plain"], "perhaps", "d", "q")
    saved = play(["english", "--plain", *PEOPLE], "9-14", "new", "9-14", "quit")
    check_golden(GOLDEN, console | failures | menu | offer | saved)
