"""`tablemen play` alone, at a terminal: a menu of what was left and of what can be played."""

from __future__ import annotations

from collections.abc import Sequence

from tablemen.cli.play.left import drop, list_left, take_up
from tablemen.cli.play.sitting import play_at_table, play_lines
from tablemen.cli.play.way import Way, find_screen, prompts_ended
from tablemen.console import IO, StandardIO
from tablemen.errors import UnknownVariantError
from tablemen.family import find_variant, get_family
from tablemen.saved_games import SavedGame, SavedGames
from tablemen.session import Session

LEAVES = ("q", "quit", "")
DROP = "drop"
MOST_LEFT = 9  # games that are shown, the last ones: with all others they fit on a small screen
FIRST, COLUMNS = 2, 4  # the games with a line of their own, and those that share one


def choose_game(names: Sequence[str], way: Way) -> None:
    """Plays what somebody chooses, on the screen or from numbered lines."""
    screen = find_screen(way)
    if screen is not None:
        screen(None, SavedGames(), offer=not way.new)
        return
    console = StandardIO()
    with prompts_ended(console):
        chosen = Menu(names, SavedGames(), console, offers=not way.new).choose()
        if isinstance(chosen, Session):
            play_lines(chosen, console, offers=False)
    if isinstance(chosen, str):
        rules = find_variant(chosen)
        play_at_table(get_family(rules).start(rules), None, None, Way(plain=True, new=True, control=way.control))


class Menu:
    """Numbered lines, and the answers to them."""

    def __init__(self, names: Sequence[str], saved: SavedGames, console: IO, *, offers: bool) -> None:
        self.names = names
        self.saved = saved
        self.console = console
        self.left = list_left(saved) if offers else []

    def choose(self) -> Session | str | None:
        """A game that was left, at its table, or the name of a new one; None where nobody wants any."""
        self._show()
        while True:
            try:
                answer = self.console.read_from_keyboard("A number or a name, or q to leave: ").strip().casefold()
            except EOFError:
                return None
            if answer in LEAVES:
                return None
            word, _, number = answer.partition(" ")
            if word == DROP:
                self._drop(number.strip())
                continue
            chosen = self._find(answer)
            # A game that cannot be taken up says why, and another can be chosen.
            found = take_up(self.saved, chosen) if isinstance(chosen, SavedGame) else chosen
            if found is not None:
                return found

    @property
    def shown(self) -> list[SavedGame]:
        """The games that were left and have a number."""
        return self.left[:MOST_LEFT]

    def _show(self) -> None:
        for line in self._lines():
            self.console.println(line)

    def _lines(self) -> list[str]:
        lines = []
        if self.left:
            older = len(self.left) - len(self.shown)
            among = f"the last {MOST_LEFT}, {older} older; " if older else ""
            lines += [f"Games that were left ({among}{DROP} NUMBER forgets one):"]
            lines += [f"  {number:>2}  {game.describe()}" for number, game in enumerate(self.shown, 1)]
            lines += ["New games:"]
        width = max(map(len, self.names))
        entries = [f"  {number:>2}  {name:<{width}}" for number, name in enumerate(self.names, len(self.shown) + 1)]
        lines += [f"{entry}  {find_variant(name)}" for entry, name in zip(entries[:FIRST], self.names, strict=False)]
        others = entries[FIRST:]
        height = -(-len(others) // COLUMNS)
        return lines + ["".join(others[row::height]).rstrip() for row in range(height)]

    def _find(self, answer: str) -> SavedGame | str | None:
        """The entry whose number or name is typed; says why there is none."""
        entries: list[SavedGame | str] = [*self.shown, *self.names]
        # A number of the menu goes before the PDN GameType of the same number.
        number = _read_number(answer)
        if number is not None and 1 <= number <= len(entries):
            return entries[number - 1]
        try:
            return str(find_variant(answer).name)
        except UnknownVariantError as error:
            self.console.println(str(error) if number is None else f"there is no {answer}: 1 to {len(entries)}")
        return None

    def _drop(self, text: str) -> None:
        number = _read_number(text)
        if number is None or not 1 <= number <= len(self.shown):
            known = f"{DROP} 1 to {DROP} {len(self.shown)}" if self.left else "there are none"
            self.console.println(f"{DROP} forgets a game that was left: {known}")
        elif drop(self.saved, self.left[number - 1], self.console):
            del self.left[number - 1]
            self._show()


def _read_number(text: str) -> int | None:
    return int(text[:9]) if text.isascii() and text.isdecimal() else None
