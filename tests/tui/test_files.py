"""Games that are saved in files from the table, and opened there."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from tablemen.tui.dialogs import AskText
from tests.tui.tables import Player as Visitor
from tests.tui.tables import in_program, make_session, sit_down


async def ask_for_file(player: Visitor, key: str, name: str) -> None:
    """Answers the question for a file."""
    await player.press(key)
    await player.wait_for_screen(AskText)
    player.app.screen.query_one(Input).value = name
    await player.press("enter")
    await player.wait_for(player.is_at_table)


@pytest.mark.parametrize(
    ("variant", "moves", "file"),
    [
        pytest.param("russian", ["c3-d4", "f6-g5"], "[b]games.pdn", id="russian"),
        pytest.param("kalah", ["3", "6"], "games.txt", id="kalah", marks=pytest.mark.slow),
    ],
)
def test_saving_and_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, moves: list[str], file: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    async def save_and_open() -> None:
        async with sit_down(make_session(variant), tmp_path / "kept") as player:
            for move in moves:
                await player.type(move)
            await ask_for_file(player, "s", f"~/{file}")
            assert player.message == f"Saved in ~/{file}."
            await ask_for_file(player, "s", f"~/{file}")
            await player.press("u")
            await ask_for_file(player, "o", f"~/{file}")
            assert [str(move) for move in player.game.moves] == moves
            assert player.message == f"Opened ~/{file}, the last of 2 games."

    in_program(save_and_open)()
    assert (tmp_path / file).read_text().count(moves[0]) >= 2


@pytest.mark.slow
@in_program
async def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "other.pdn").write_text('[GameType "20"]\n\n1. 32-28 *\n')
    (tmp_path / "empty.pdn").write_text("")
    (tmp_path / "no text.pdn").write_bytes(b"\xff\xfe\x00\x80")
    async with sit_down(make_session("russian"), tmp_path / "kept") as player:
        await player.type("c3-d4")
        for key, name, told in (
            ("o", "missing.pdn", "No such file or directory"),
            ("o", "", "Is a directory"),
            ("o", "other.pdn", "international, not russian"),
            ("o", "empty.pdn", "has no games"),
            ("o", "no text.pdn", "is not a text"),
            ("s", "missing/x.pdn", "No such file or directory"),
            ("s", "", "Is a directory"),
        ):
            await ask_for_file(player, key, f"{tmp_path}/{name}")
            assert told in player.message, name
            assert player.table.query_one("#message").has_class("wrong")
            assert [str(move) for move in player.game.moves] == ["c3-d4"]
        await player.press("s")
        await player.wait_for_screen(AskText)
        assert player.app.screen.query_one(Input).value.startswith("russian-")
        await player.press("escape")
        assert player.is_at_table()
