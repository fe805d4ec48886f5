"""The Kalah console that a session shows, for files that name no command."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace

from tablemen.errors import InvalidRulesError
from tablemen.exercises.kalah import draw_horizontal, draw_vertical
from tablemen.mancala import KALAH, Position
from tablemen.transcript import LineKind, Transcript

PROGRAM = (sys.executable, "-m", "tablemen", "play", "kalah")

HOUSE = re.compile(r"([0-9]{1,5})\[ *([0-9]{1,5})\]")
LYING = re.compile(rf"\| *P2 \|(?: *{HOUSE.pattern} \|)+ *[0-9]+ \|")  # the upper row
STANDING = re.compile(rf"\| *{HOUSE.pattern} \| *{HOUSE.pattern} \|")  # any row


def kalah_command(session: Transcript) -> list[str] | None:
    """The console with the boards, robots and menu that are shown; none where there is no board.

    How many houses and seeds it has is seen where the first board is one that a game can start from.
    """
    shown = [step.text for step in session.steps if step.kind is LineKind.OUTPUT]
    row = next((line for line in shown if LYING.fullmatch(line) or STANDING.fullmatch(line)), None)
    if row is None:
        return None
    vertical = STANDING.fullmatch(row) is not None
    options = [*_size_options(shown, row, vertical=vertical), *(["--vertical"] if vertical else [])]
    robots = [number for number in "12" if any(line.startswith(f"Player P{number} (Robot)") for line in shown)]
    if robots:
        options += ["--robot", "both" if len(robots) == 2 else robots[0]]
    if "Choice:" in shown:
        options.append("--menu")
    return [*PROGRAM, *options]


def _size_options(shown: Sequence[str], row: str, *, vertical: bool) -> list[str]:
    """The options for the houses and seeds of the first row, if all of the first board goes with it."""
    pairs = [(int(number), int(seeds)) for number, seeds in HOUSE.findall(row)]
    houses, seeds = max(number for number, _ in pairs), pairs[0][1]
    try:
        start = Position.start(replace(KALAH, houses=houses, seeds=seeds))
    except InvalidRulesError:
        return []
    board = draw_vertical(start) if vertical else draw_horizontal(start)
    if list(shown[: len(board)]) != board:
        return []
    sizes = [("--houses", houses, KALAH.houses), ("--seeds", seeds, KALAH.seeds)]
    return [word for name, size, usual in sizes if size != usual for word in (name, str(size))]
