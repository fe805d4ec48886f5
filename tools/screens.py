"""Snapshots of the full screen: `python -m tools.screens` updates them.

A test compares them with the current screens, and the documentation shows them. Everything that could differ between
runs is fixed: clocks do not run, and the evaluation is given.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tablemen import Side
from tablemen.clock import GameClock, TimeControl
from tablemen.family import find_variant, get_family
from tablemen.players import parse_player
from tablemen.saved_games import SavedGames
from tablemen.search import Score
from tablemen.session import Session
from tablemen.tui import TablemenApp
from tablemen.tui.table_screen import TableScreen

FOLDER = Path(__file__).parents[1] / "docs" / "screens"
FONT = "Fira Code, DejaVu Sans Mono, Menlo, Consolas, monospace"
CONTROL = TimeControl(600, 5)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A screen: a game, its evaluation, and the keys that are pressed."""

    variant: str | None  # None for the menu
    moves: str = ""
    start: str | None = None
    players: tuple[str, str] = ("human", "searcher:level=3")
    used: tuple[int, int] = (83, 61)  # seconds of White and Black
    control: TimeControl | None = CONTROL
    score: float = 0.0
    keys: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    size: tuple[int, int] = (80, 24)
    colour: bool = True


INTERNATIONAL = "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-29 23x34 40x29 20-25 45-40 5-10 32-28 10-14"
RUSSIAN = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"  # a capture with two paths
KALAH = "3 6 5 1"
FRIENDS = ("human", "human")

SCENES: Mapping[str, Scene] = {
    "international": Scene(variant="international", moves=INTERNATIONAL, score=-0.06, size=(102, 32)),
    "picked": Scene(variant="russian", start=RUSSIAN, score=3.51, touched=("c3",)),
    "kalah": Scene(variant="kalah", moves=KALAH, players=FRIENDS, score=-2, used=(41, 35), size=(100, 24)),
    "standing": Scene(variant="kalah", moves=KALAH, players=FRIENDS, score=-2, control=None, size=(36, 20)),
    "menu": Scene(variant=None),
    "help": Scene(variant="international", keys=("question_mark",), size=(80, 30)),
    "end": Scene(variant="kalah", start="<6,24,20,0,0,0,0,0,1,0,1,0,2,0,0> south", moves="6"),
    "small": Scene(variant="international", moves=INTERNATIONAL, score=-0.06, size=(40, 20), keys=("right", "up")),
    "plain": Scene(variant="international", moves=INTERNATIONAL, score=-0.06, colour=False, keys=("right", "up")),
}


def make_session(scene: Scene) -> Session | None:
    """Return the session of a scene, in which no computer moves."""
    if scene.variant is None:
        return None
    rules = find_variant(scene.variant)
    family = get_family(rules)
    position = family.start(rules) if scene.start is None else family.parse_position(scene.start, rules)
    session = Session(position, {side: parse_player("human") for side in Side}, control=scene.control)
    for move in scene.moves.split():
        session.move(move)
    session.players = dict(zip(Side, map(parse_player, scene.players), strict=True))
    used = dict(zip(Side, map(float, scene.used), strict=True))
    session.clock = GameClock(scene.control, used=used, now=lambda: 0.0)
    return session


@contextmanager
def _colours(*, wanted: bool) -> Iterator[None]:
    """Set or remove NO_COLOR."""
    before = os.environ.pop("NO_COLOR", None)
    if not wanted:
        os.environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        os.environ.pop("NO_COLOR", None)
        if before is not None:
            os.environ["NO_COLOR"] = before


def draw(scene: Scene) -> str:
    """Return the scene as SVG."""
    with TemporaryDirectory() as folder, chdir(folder), _colours(wanted=scene.colour):
        return asyncio.run(_draw(scene, Path("games")))  # a relative path, because the screen shows it


async def _draw(scene: Scene, folder: Path) -> str:
    app = TablemenApp(make_session(scene), SavedGames(folder), offer=False, pace=0)
    async with app.run_test(size=scene.size) as pilot:
        await pilot.pause()
        table = app.table
        if table is not None:
            table.meter.stop()
            await _settle(pilot, table, scene)
        await pilot.press(*scene.keys)
        before, picture = "", "?"
        while picture != before:  # until nothing changes
            await pilot.pause(0.02)
            before, picture = picture, normalise(app.export_screenshot(simplify=True))
        app.close()
    return picture


async def _settle(pilot: Any, table: TableScreen, scene: Scene) -> None:
    """Wait for the workers, touch the places, and set the evaluation."""
    while not str(table.query_one("#message").render()):
        await pilot.pause()
    for worker in [worker for worker in table.workers if worker.group == "evaluation"]:
        await worker.wait()
    for place in scene.touched:
        table.on_board_widget_touched(table.board.Touched(place))
    if table.session.game.outcome() is None:
        table.meter.score = (table.session.game.copy(), Score(scene.score))
        table.show()
    await pilot.pause()


def normalise(picture: str) -> str:
    """Remove generated names, and use local fonts."""
    picture = re.sub(r"terminal-\d+", "terminal", picture)
    picture = re.sub(r"\s*@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    picture = re.sub(r"font-family: [^;]*;", f"font-family: {FONT};", picture)
    return "\n".join(line.rstrip() for line in picture.splitlines()) + "\n"


def get_path(name: str) -> Path:
    """Return the path of a snapshot."""
    return FOLDER / f"{name}.svg"


def main() -> None:
    """Write all snapshots."""
    FOLDER.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        get_path(name).write_text(draw(scene), encoding="utf-8")


if __name__ == "__main__":
    main()
