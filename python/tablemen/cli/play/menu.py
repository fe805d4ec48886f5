"""The console menu of new and unfinished games, and the offer to resume a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from tablemen.cli.play.start import UiMode, end_prompt, play_from, play_lines
from tablemen.console import IO, StandardIO, escape_controls
from tablemen.errors import TablemenError, UnknownVariantError
from tablemen.family import find_variant, get_family
from tablemen.saved_games import DamagedGame, SavedGame, SavedGames
from tablemen.session import Session

QUIT = ("q", "quit")
RESUME, NEW, DROP = ("", "y", "yes"), ("n", "no"), ("d", "drop")
DROP_WORD = "drop"
MAX_UNFINISHED = 9  # only the latest unfinished games are shown, so that the menu fits on a small screen
FIRST, COLUMNS = 2, 4  # the number of variants with their own line, and the number of columns for the others


def choose_game(names: Sequence[str], mode: UiMode) -> None:
    """Show the menu, full-screen or as numbered lines, and play the game that the user chooses."""
    run_screen = mode.find_screen()
    if run_screen is not None:
        run_screen(None, SavedGames(), offer=not mode.new)
        return
    console = StandardIO()
    with end_prompt(console):
        chosen = ConsoleMenu(names, SavedGames(), console, offer=not mode.new).choose()
        if isinstance(chosen, Session):
            play_lines(chosen, console, offer=False)
    if isinstance(chosen, str):
        rules = find_variant(chosen)
        play_from(get_family(rules).start(rules), None, None, UiMode(plain=True, new=True, control=mode.control))


class ConsoleMenu:
    """A menu of numbered lines."""

    def __init__(self, names: Sequence[str], saved: SavedGames, console: IO, *, offer: bool) -> None:
        self._names = names
        self._saved = saved
        self._console = console
        self._unfinished = _list_unfinished(saved) if offer else []
        self._damaged = list(saved.damaged) if offer else []

    def choose(self) -> Session | str | None:
        """Return the session of the chosen unfinished game, or the name of the variant; None if the user quits."""
        self._show()
        while True:
            try:
                answer = (
                    self._console.read_from_keyboard("Choose a number or a name, or q to quit: ").strip().casefold()
                )
            except EOFError:
                return None
            if answer in (*QUIT, ""):
                return None
            word, _, number = answer.partition(" ")
            if word == DROP_WORD:
                self._drop(number.strip())
                continue
            chosen = self._find(answer)
            if isinstance(chosen, DamagedGame):
                self._console.println(str(chosen))
                continue
            # If a game cannot be resumed, the reason is printed and the user can choose again.
            found = _resume(self._saved, chosen) if isinstance(chosen, SavedGame) else chosen
            if found is not None:
                return found

    @property
    def _shown(self) -> list[SavedGame | DamagedGame]:
        """The unfinished and damaged games that the menu shows with a number."""
        return [*self._unfinished[:MAX_UNFINISHED], *self._damaged[:MAX_UNFINISHED]]

    def _show(self) -> None:
        for line in self._lines():
            self._console.println(line)

    def _lines(self) -> list[str]:
        lines = []
        if self._shown:
            older = max(0, len(self._unfinished) - MAX_UNFINISHED)
            shown = f"the latest {MAX_UNFINISHED}, {older} older; " if older else ""
            lines += [f"Unfinished games ({shown}{DROP_WORD} NUMBER deletes one):"]
            lines += [f"  {number:>2}  {game.describe()}" for number, game in enumerate(self._shown, 1)]
            lines += ["New games:"]
        width = max(map(len, self._names))
        entries = [f"  {number:>2}  {name:<{width}}" for number, name in enumerate(self._names, len(self._shown) + 1)]
        lines += [f"{entry}  {find_variant(name)}" for entry, name in zip(entries[:FIRST], self._names, strict=False)]
        others = entries[FIRST:]
        height = -(-len(others) // COLUMNS)
        return lines + ["".join(others[row::height]).rstrip() for row in range(height)]

    def _find(self, answer: str) -> SavedGame | DamagedGame | str | None:
        """Return the entry with this number or name; if there is none, print a message and return None."""
        entries: list[SavedGame | DamagedGame | str] = [*self._shown, *self._names]
        # A number of the menu takes precedence over a PDN GameType of the same number.
        number = _parse_number(answer)
        if number is not None and 1 <= number <= len(entries):
            return entries[number - 1]
        try:
            return str(find_variant(answer).name)
        except UnknownVariantError as error:
            message = f"expected a number from 1 to {len(entries)}, got {answer}"
            self._console.println(str(error) if number is None else message)
        return None

    def _drop(self, text: str) -> None:
        number = _parse_number(text)
        if number is None or not 1 <= number <= len(self._shown):
            usage = f"usage: {DROP_WORD} NUMBER, with a number from 1 to {len(self._shown)}"
            self._console.println(usage if self._shown else "there are no unfinished games")
            return
        game = self._shown[number - 1]
        if _drop_game(self._saved, game, self._console):
            self._unfinished = [each for each in self._unfinished if each is not game]
            self._damaged = [each for each in self._damaged if each is not game]
            self._show()


def _parse_number(text: str) -> int | None:
    return int(text[:9]) if text.isascii() and text.isdecimal() else None


def offer_unfinished(saved: SavedGames, rules: Any, console: IO) -> Session | None:
    """Offer the latest unfinished game of these rules; if the user deletes it, offer the next one.

    Returns the session of the game to resume, or None to begin a new game. Raises `EOFError` if the user quits.
    """
    games = _list_unfinished(saved, rules)
    for damaged in saved.damaged:
        click.echo(str(damaged), err=True)
    for game in games:
        answer = _ask(game, console)
        if answer in RESUME:
            return _resume(saved, game)
        if answer in NEW:
            return None
        _drop_game(saved, game, console)
    return None


def _ask(game: SavedGame, console: IO) -> str:
    while True:
        answer = console.read_from_keyboard(f"Resume {game.describe()}? [Y/n/d] ").strip().casefold()
        if answer in QUIT:
            raise EOFError("the user quits")
        if answer in (*RESUME, *NEW, *DROP):
            return answer
        console.println("y resumes the game, n begins a new one, d deletes it, q quits")


def _list_unfinished(saved: SavedGames, rules: Any = None) -> list[SavedGame]:
    """Return the unfinished games; report an unreadable folder on standard error."""
    found = saved.list(rules)
    if saved.problem is not None:
        click.echo(escape_controls(saved.problem), err=True)
    return found


def _resume(saved: SavedGames, game: SavedGame) -> Session | None:
    """Return the session of the game; if it cannot be resumed, print a message and return None."""
    try:
        return saved.resume(game)
    except (TablemenError, OSError) as error:
        _report(error, game)
    return None


def _drop_game(saved: SavedGames, game: SavedGame | DamagedGame, console: IO) -> bool:
    """Delete the game, print a message, and return whether it was deleted."""
    try:
        saved.remove(game)
    except (TablemenError, OSError) as error:
        _report(error, game)
        return False
    console.println(f"Deleted: {game.describe()}")
    return True


def _report(error: TablemenError | OSError, game: SavedGame | DamagedGame) -> None:
    message = str(error)
    if isinstance(error, OSError):
        message = f"{error.filename or game.path}: {error.strerror or error}"
    click.echo(escape_controls(message), err=True)
