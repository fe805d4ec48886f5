"""The menu: saved games to continue, variants, and the settings of a new game. The key n opens it during a game."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from tablemen.clock import TimeControl, parse_time_control
from tablemen.console import escape_controls
from tablemen.errors import TablemenError
from tablemen.family import families, get_family
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, parse_player
from tablemen.saved_games import DamagedGame, SavedGame
from tablemen.search import DEFAULT_LEVEL
from tablemen.tui.widgets import ChoiceDialog

FEATURED = ("kalah", "international")  # variants at the top of the list
MAX_SAVED = 9  # maximum number of saved games in the list
LEVELS = {1: "1 (beginner)", 5: "5 (club player)", 10: "10 (strongest)"}
CLOCKS = ("1+0", "3+2", "5+3", "10+5", "15+10", "30+0")
OPPONENTS = {
    "computer": "the computer",
    "friend": "a friend at this computer",
    "program": "another program",
    "watch": "none: watch two computers",
}
RANDOM = "random"
UNTIMED = "no limit"
SIZES = {"houses": range(1, 13), "seeds": range(1, 13)}  # board dimensions that can be chosen
KEEP, DELETE = "Keep", "Delete"
ENGINE_EXAMPLE = 'hub:"scan hub",time=1'
NO_ENGINE = f"enter a program, such as {ENGINE_EXAMPLE}"
ENGINE_FILE = "program.txt"
MAX_ENGINE_LENGTH = 2000  # maximum number of characters read from the file


@dataclass(frozen=True)
class GameSetup:
    """A game to start: rules, players and time control."""

    rules: Any
    players: Mapping[Side, str]
    control: TimeControl | None = None
    engine: str | None = None  # the text of the external engine, if one plays


class MenuScreen(Screen[GameSetup | SavedGame | None]):
    """The menu screen. Its result is a saved game, the setup of a new one, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Back", show=False),
        Binding("q", "leave", "Quit"),
        Binding("d", "delete", "Delete"),
        Binding("enter", "play", "Play", show=False),  # used if no widget handles the key
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-wide")]  # noqa: RUF012 - as textual declares it

    def __init__(
        self,
        saved: list[SavedGame],
        damaged: list[DamagedGame],
        *,
        can_close: bool,
        delete: Callable[[SavedGame | DamagedGame], bool],
        engine: str = "",
    ) -> None:
        super().__init__()
        self.engine = engine  # the engine of the last game against one
        self.saved = saved
        self.damaged = damaged
        self.can_close = can_close
        self.delete = delete  # deletes a saved game, and returns whether that succeeded
        known = {name: rules for family in families() for name, rules in family.variants.items()}
        self.games = {name: known[name] for name in (*FEATURED, *known) if name in known}

    def compose(self) -> ComposeResult:
        """Lay out the list of games and the settings."""
        with Horizontal(id="menu"):
            with Vertical(id="games"):
                yield Label("Choose a game", classes="heading")
                yield OptionList(*self._options(), id="list", markup=False)
            with VerticalScroll(id="setup"):
                yield Label("", id="chosen", classes="heading", markup=False)
                with Vertical(id="how"):
                    yield from self._questions()
                yield Button("Play", variant="primary", id="play")
        yield Footer()

    def _options(self) -> list[Option | None]:
        saved: list[Option | None] = [
            Option(f"Continue: {each.describe()}", id=f"saved-{number}")
            for number, each in enumerate(self.saved[:MAX_SAVED])
        ]
        for number, broken in enumerate(self.damaged[:MAX_SAVED]):
            saved.append(Option(broken.describe().capitalize(), id=f"damaged-{number}"))
        games = [Option(str(rules), id=f"game-{name}") for name, rules in self.games.items()]
        return [*saved, None, *games] if saved else [*games]

    def _questions(self) -> ComposeResult:
        yield from _question("Opponent", "opponent", [(text, name) for name, text in OPPONENTS.items()])
        yield from _question(
            "Level", "level", [(LEVELS.get(level, str(level)), level) for level in range(1, 11)], DEFAULT_LEVEL
        )
        with Horizontal(classes="ask", id="ask-program"):
            yield Label("Program")
            yield Input(self.engine, placeholder=ENGINE_EXAMPLE, id="program", compact=True, select_on_focus=False)
        yield Static("", id="problem", markup=False)
        yield from _question("You play", "side", [("", "")])  # filled in when a game is highlighted
        clocks = [(UNTIMED, ""), *((f"{clock} (minutes + seconds per move)", clock) for clock in CLOCKS)]
        yield from _question("Time", "clock", clocks)
        for name, numbers in SIZES.items():
            yield from _question(name.capitalize(), name, [(str(number), number) for number in numbers])

    def on_mount(self) -> None:
        """Focus the list, and highlight its first line."""
        games = self.query_one("#list", OptionList)
        games.focus()
        games.highlighted = 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the settings of a game."""
        self._show(event.option.id or "")
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Continue a saved game at once, offer to delete a damaged one; focus the button for a new game."""
        if (event.option.id or "").startswith("game-"):
            self.query_one("#play", Button).focus()
        else:
            self.action_play()

    def on_select_changed(self) -> None:
        """Show the settings that apply to the opponent."""
        opponent = self._value("opponent")
        self.query_one("#ask-side").display = opponent in {"computer", "program"}
        self.query_one("#ask-level").display = opponent in {"computer", "watch"}
        self.query_one("#ask-program").display = opponent == "program"
        self._show_problem()

    def on_input_changed(self) -> None:
        """Check the engine while it is typed."""
        self._show_problem()

    @on(Input.Submitted)
    @on(Button.Pressed)
    def action_play(self) -> None:
        """Return the highlighted game, unless its engine cannot be used."""
        kind, name = self._highlighted()
        if kind == "damaged":
            self.action_delete()
        elif self._show_problem(is_required=True) is not None:
            self.query_one("#program", Input).focus()
        elif kind:
            self.dismiss(self.saved[int(name)] if kind == "saved" else self._setup(self.games[name]))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable the action `delete` for saved games only."""
        if action == "delete":
            return self._highlighted()[0] in {"saved", "damaged"}
        return super().check_action(action, parameters)

    @work(group="delete", exclusive=True)
    async def action_delete(self) -> None:
        """Delete a saved or damaged game after a confirmation."""
        games = self.query_one("#list", OptionList)
        before = games.highlighted
        kind, name = self._highlighted()
        game = self.damaged[int(name)] if kind == "damaged" else self.saved[int(name)]
        reason = f" It cannot be read: {game.reason}." if isinstance(game, DamagedGame) else ""
        text = escape_controls(f"Delete {game.describe()}?{reason} This cannot be undone.")
        if await self.app.push_screen_wait(ChoiceDialog(text, [KEEP, DELETE])) != DELETE or not self.delete(game):
            return
        self.saved = [each for each in self.saved if each is not game]
        self.damaged = [each for each in self.damaged if each is not game]
        games.clear_options()
        games.add_options(self._options())
        games.highlighted = min(before or 0, games.option_count - 1)

    def _highlighted(self) -> tuple[str, str]:
        """Return `saved`, `damaged` or `game`, and the index or name; empty strings before the list is filled."""
        games = next(iter(self.query("#list").results(OptionList)), None)
        if games is None or games.highlighted is None:
            return "", ""
        kind, _, name = (games.get_option_at_index(games.highlighted).id or "").partition("-")
        return kind, name

    def _show(self, option: str) -> None:
        kind, _, name = option.partition("-")
        is_new = kind == "game"
        self.query_one("#how").display = is_new
        self.query_one("#play", Button).label = {"game": "Play", "damaged": f"{DELETE} …"}.get(kind, "Continue")
        if not is_new:
            text = str(self.damaged[int(name)]) if kind == "damaged" else self.saved[int(name)].describe()
            self.query_one("#chosen", Label).update(text)
            return
        rules = self.games[name]
        self.query_one("#chosen", Label).update(str(rules))
        family = get_family(rules)
        names = [*family.sides.values(), RANDOM]
        side = self.query_one("#side", Select)
        before = side.value
        side.set_options([(name.capitalize(), name) for name in names])
        side.value = before if before in names else names[0]
        sizes = family.board_size(rules)
        for each in SIZES:
            self.query_one(f"#ask-{each}").display = each in sizes
            if each in sizes:
                self.query_one(f"#{each}", Select).value = sizes[each]
        self._show_problem()

    def _show_problem(self, *, is_required: bool = False) -> str | None:
        """Show and return why the engine cannot be used; an empty field is a problem only if it is required."""
        kind, name = self._highlighted()
        text = self.query_one("#program", Input).value
        problem = None
        if kind == "game" and self._value("opponent") == "program" and (text.strip() or is_required):
            rules = self._sized(self.games[name])
            problem = check_engine(text, get_family(rules).start(rules))
        message = self.query_one("#problem", Static)
        message.display = problem is not None
        message.update(escape_controls(problem or ""))
        return problem

    def _value(self, name: str) -> Any:
        return self.query_one(f"#{name}", Select).value

    def _sized(self, rules: Any) -> Any:
        """Return the rules with the selected board size."""
        family = get_family(rules)
        return family.resize(rules, **{name: self._value(name) for name in family.board_size(rules) if name in SIZES})

    def _setup(self, rules: Any) -> GameSetup:
        rules = self._sized(rules)
        opponent, chosen = self._value("opponent"), self._value("side")
        engine = self.query_one("#program", Input).value.strip() if opponent == "program" else None
        computer = f"searcher:level={self._value('level')}" if engine is None else engine
        players = {"friend": ("human", "human"), "watch": (computer, computer)}.get(opponent)
        if players is None:
            sides = {name: side for side, name in get_family(rules).sides.items()}
            own = sides[chosen] if chosen in sides else random.choice(list(Side))
            players = ("human", computer) if own is Side.WHITE else (computer, "human")
        control = parse_time_control(self._value("clock")) if self._value("clock") else None
        return GameSetup(rules, dict(zip(Side, players, strict=True)), control, engine)

    def action_close(self) -> None:
        """Return to the game, if there is one."""
        if self.can_close:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Leave the program."""
        self.app.exit()


def _question(text: str, name: str, answers: list[tuple[str, Any]], default: Any = None) -> ComposeResult:
    """Yield a line with a label and a selection."""
    with Horizontal(classes="ask", id=f"ask-{name}"):
        yield Label(text)
        value = answers[0][1] if default is None else default
        yield Select(answers, value=value, id=name, allow_blank=False, compact=True)


def check_engine(text: str, start: Any) -> str | None:
    """Return why an external engine cannot play from a position, or None."""
    if not text.strip():
        return NO_ENGINE
    try:
        player = parse_player(text)
        player.check(start)
    except TablemenError as error:
        return str(error)
    return f"{text.strip()} is a person: {NO_ENGINE}" if isinstance(player, HumanPlayer) else None


def read_recent_engine(folder: Path) -> str:
    """Return the engine of the last game against an engine; empty if there is none."""
    with contextlib.suppress(OSError, UnicodeDecodeError), (folder / ENGINE_FILE).open(encoding="utf-8") as file:
        return file.read(MAX_ENGINE_LENGTH).strip()
    return ""


def write_recent_engine(text: str, folder: Path) -> None:
    """Store the engine for the next game, if the folder is writable."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ENGINE_FILE).write_text(f"{text}\n", encoding="utf-8")
