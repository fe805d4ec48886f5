"""The texts of the full-screen interface, in a golden file: messages, questions and help pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen.draughts import INTERNATIONAL
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal
from tablemen.family import find_variant, get_family
from tablemen.mancala import KALAH, OWARE
from tablemen.mancala.rules import Capture, GrandSlam
from tablemen.tui.menu import check_engine
from tablemen.tui.table_screen import format_help
from tablemen.tui.widgets import ChoiceDialog, TextDialog
from tests.fake_engines import add_fakes
from tests.golden import check_golden
from tests.tui.fixtures import Player, async_test, make_session, open_app

FOLDER = Path(__file__).parent


@pytest.mark.golden
def test_help_pages_read_well() -> None:
    variants = ("english", "international", "poddavki", "breakthrough", "oware")
    pages = {name: format_help(make_session(name).game) for name in variants}
    rules = {name: page.partition("\n[b]How")[0] for name, page in pages.items()}  # the rest is the same for all
    check_golden(FOLDER / "help_pages.txt", rules | {"kalah": format_help(make_session("kalah").game)})


@pytest.mark.parametrize(
    "rules",
    [
        replace(INTERNATIONAL, precedence=()),
        *(
            replace(INTERNATIONAL, precedence=(each,))
            for each in (*Criterion, MostValue(2, 3))
            if each != Criterion.MOST_PIECES
        ),
        replace(INTERNATIONAL, capture_compulsory=False, precedence=()),
        replace(INTERNATIONAL, man_captures=Direction.FORWARD_DIAGONALS),
        replace(INTERNATIONAL, men_capture_kings=False),
        replace(INTERNATIONAL, removal=Removal.AT_ONCE),
        replace(INTERNATIONAL, promotion=Promotion.IN_FLIGHT),
        *(replace(INTERNATIONAL, king_landing=each) for each in KingLanding if each is not KingLanding.ANY),
        replace(KALAH, capture=Capture.EVEN_IF_OPPOSITE_EMPTY),
        *(replace(OWARE, grand_slam=each) for each in GrandSlam if each is not OWARE.grand_slam),
    ],
)
def test_the_help_explains_every_rule_of_capture(rules: Any) -> None:
    """The summary changes with each field."""
    family = get_family(rules)
    assert family.summarise_rules(rules) != family.summarise_rules(find_variant(rules.name))


@pytest.mark.golden
def test_messages_read_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)
    texts: dict[str, str] = {}

    async def collect() -> None:
        async with open_app(make_session("international", "human", "fake:waits"), tmp_path / "draughts") as player:
            texts["start against a computer"] = player.message
            await player.press("t")
            await player.wait_for(lambda: player.table.hint is not None)
            texts["hint"] = player.message
            await player.press("u")
            texts["nothing to take back"] = player.message
            await player.press("equals_sign")
            await player.wait_for(lambda: player.shows_error)
            texts["no draw"] = player.message
            await player.type("32-28")
            texts["computer to move"] = player.message
            await player.press("u")
            texts["took back"] = player.message
            await player.press("p")
            texts["pause"] = player.message
            texts.update(await ask_questions(player))
        async with open_app(make_session("kalah"), tmp_path / "kalah") as player:
            texts["start of two people"] = player.message
            await player.click("3")
            texts["extra turn"] = player.message
        async with open_app(make_session("kalah", "fake:dies", "human"), tmp_path / "failure") as player:
            await player.wait_for(lambda: player.shows_error)
            texts["failure"] = player.message

    async_test(collect)()
    check_golden(FOLDER / "messages.txt", texts)


async def ask_questions(player: Player) -> dict[str, str]:
    """Open each dialog with its key, and return the questions with their answers."""
    found = {}
    questions: dict[str, type[Any]] = {"r": ChoiceDialog, "o": TextDialog, "w": TextDialog}
    for key, dialog in questions.items():
        await player.press(key)
        await player.wait_for_screen(dialog)
        answers = getattr(player.app.screen, "answers", ())
        found[f"question of {key}"] = " / ".join((player.question, *answers))
        await player.press("escape")
    return found


@pytest.mark.golden
def test_engine_errors_read_well(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)
    start = get_family(KALAH).start(KALAH)
    engines = ("", "scan hub", "fake", "fake:plays,tim=1", "fake:choosy", "human")
    check_golden(FOLDER / "engine_errors.txt", {repr(text): str(check_engine(text, start)) for text in engines})
