"""The program that somebody played against the last time, so that it need not be written again."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from tablemen.errors import TablemenError
from tablemen.players import HumanPlayer, parse_player

EXAMPLE = 'hub:"scan hub",time=1'
NAME = "program.txt"
LONGEST = 2000  # characters that are read of the file


def find_problem(text: str, start: Any) -> str | None:
    """Why no program that is written so can play from a position; None where that can be."""
    if not text.strip():
        return f"write who plays: {EXAMPLE}"
    try:
        player = parse_player(text)
        player.check(start)
    except TablemenError as error:
        return str(error)
    return "that is a person" if isinstance(player, HumanPlayer) else None


def recall_program(folder: Path) -> str:
    """What was written the last time; nothing where nobody did, or nobody can read it."""
    with contextlib.suppress(OSError, UnicodeDecodeError), (folder / NAME).open(encoding="utf-8") as file:
        return file.read(LONGEST).strip()
    return ""


def remember_program(text: str, folder: Path) -> None:
    """Keep it for the next time, where that can be done."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / NAME).write_text(f"{text}\n", encoding="utf-8")
