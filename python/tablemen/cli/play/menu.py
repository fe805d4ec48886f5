"""`tablemen play` alone: what can be played, as a list or, at a terminal, as a menu."""

from __future__ import annotations

import click

from tablemen.cli.play.variant import play_at_table, play_lines
from tablemen.cli.play.way import Way, find_screen, is_at_terminal, list_saved, take_up
from tablemen.console import IO, StandardIO
from tablemen.errors import UnknownVariantError
from tablemen.families import family_of, find_variant
from tablemen.saved import SavedGame, SavedGames

LEAVES = ("q", "quit", "")
FIRST, COLUMNS = 2, 4  # the games with a line of their own, and those that share one: all fit on a small screen


def choose_game(rows: list[tuple[str, str]], way: Way) -> None:
    """Plays what somebody chooses, on the screen or from numbered lines; without a terminal, lists it.

    A row is the name of a game and what there is to say of it.
    """
    screen = find_screen(way)
    if screen is not None:
        screen(None, SavedGames(), offer=not way.new)
    elif is_at_terminal():
        _play_chosen(rows, way)
    else:
        width = max(len(name) for name, _ in rows)
        for name, about in rows:
            click.echo(f"tablemen play {name:<{width}}  {about}")


def _play_chosen(rows: list[tuple[str, str]], way: Way) -> None:
    saved, console = SavedGames(), StandardIO()
    left = [] if way.new else list_saved(saved)
    try:
        names = [name for name, _ in rows]
        chosen = _ask([*left, *names], _menu(left, names), console)
        if isinstance(chosen, SavedGame):
            session = take_up(saved, chosen)
            if session is not None:
                play_lines(session, console, offers=False)
    except KeyboardInterrupt:
        console.println()  # so that nothing is said on the line of the prompt
        raise
    if isinstance(chosen, str):
        rules = find_variant(chosen)
        play_at_table(family_of(rules).start(rules), None, None, Way(plain=True, new=True))


def _menu(left: list[SavedGame], names: list[str]) -> list[str]:
    """The lines of the menu."""
    lines = ["Games that were left:"] if left else []
    lines += [f"  {number:>2}  {game.describe()}" for number, game in enumerate(left, 1)]
    lines += ["New games:"] if left else []
    width = max(map(len, names))
    entries = [f"  {number:>2}  {name:<{width}}" for number, name in enumerate(names, len(left) + 1)]
    lines += [f"{entry}  {find_variant(name)}" for entry, name in zip(entries[:FIRST], names, strict=False)]
    others = entries[FIRST:]
    height = -(-len(others) // COLUMNS)
    return lines + ["".join(others[row::height]).rstrip() for row in range(height)]


def _ask(entries: list[SavedGame | str], lines: list[str], console: IO) -> SavedGame | str | None:
    """The entry whose number or name is typed; None where nobody wants any."""
    for line in lines:
        console.println(line)
    while True:
        try:
            answer = console.read_from_keyboard("A number or a name, or q to leave: ").strip().casefold()
        except EOFError:
            return None
        if answer in LEAVES:
            return None
        # A number of the menu goes before the PDN GameType of the same number.
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:9]) <= len(entries):
            return entries[int(answer) - 1]
        try:
            return str(find_variant(answer).name)
        except UnknownVariantError as error:
            console.println(f"{error}" if not answer.isdecimal() else f"there is no {answer}: 1 to {len(entries)}")
