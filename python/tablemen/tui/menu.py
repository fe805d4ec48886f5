"""What to play, and against whom: the first screen, and the one behind n."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from tablemen.clock import TimeControl, parse_time_control
from tablemen.console import visible
from tablemen.family import families, get_family
from tablemen.outcome import Side
from tablemen.saved_games import SavedGame
from tablemen.tui.dialogs import Choice
from tablemen.tui.program import EXAMPLE, find_problem

FIRST = ("kalah", "international")  # what is offered before the rest
MOST_KEPT = 9  # games to go on with that are listed, the last ones
LEVELS = {1: "1, for beginners", 5: "5, for club players", 10: "10, as strong as it gets"}
USUAL_LEVEL = 3
CLOCKS = ("1+0", "3+2", "5+3", "10+5", "15+10", "30+0")
OPPONENTS = {
    "computer": "the computer",
    "friend": "a friend, here",
    "program": "another program",
    "watch": "nobody: two computers play",
}
EITHER = "either"
UNTIMED = "as long as it takes"
HOUSES, SEEDS = range(1, 13), range(1, 13)


@dataclass(frozen=True)
class Setup:
    """What is to be played: rules, who plays what, and with what time."""

    rules: Any
    players: Mapping[Side, str]
    control: TimeControl | None = None
    program: str | None = None  # of another's, if one plays


class Menu(Screen[Setup | SavedGame | None]):
    """Games to go on with, games to begin, and how."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Back", show=False),
        Binding("q", "leave", "Quit"),
        Binding("d", "forget", "Forget"),
        Binding("enter", "play", "Play", show=False),  # wherever nothing else takes it
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-wide")]  # noqa: RUF012 - as textual declares it

    def __init__(
        self, kept: list[SavedGame], *, can_close: bool, forget: Callable[[SavedGame], bool], program: str = ""
    ) -> None:
        super().__init__()
        self.program = program  # that was played against the last time
        self.kept = kept
        self.can_close = can_close
        self.forget = forget  # gives a game up for good, and says whether that could be done
        known = {name: rules for family in families() for name, rules in family.variants.items()}
        self.games = {name: known[name] for name in (*FIRST, *known) if name in known}

    def compose(self) -> ComposeResult:
        """Games on one side, how to play on the other."""
        with Horizontal(id="menu"):
            with Vertical(id="games"):
                yield Label("What will you play?", classes="heading")
                yield OptionList(*self._options(), id="list", markup=False)
            with VerticalScroll(id="setup"):
                yield Label("", id="chosen", classes="heading", markup=False)
                with Vertical(id="how"):
                    yield from self._questions()
                yield Button("Play", variant="primary", id="play")
        yield Footer()

    def _options(self) -> list[Option | None]:
        going_on: list[Option | None] = [
            Option(f"Go on: {each.describe()}", id=f"saved-{number}")
            for number, each in enumerate(self.kept[:MOST_KEPT])
        ]
        games = [Option(str(rules), id=f"game-{name}") for name, rules in self.games.items()]
        return [*going_on, None, *games] if going_on else [*games]

    def _questions(self) -> ComposeResult:
        yield from _question("Against", "opponent", [(text, name) for name, text in OPPONENTS.items()])
        yield from _question(
            "Level", "level", [(LEVELS.get(level, str(level)), level) for level in range(1, 11)], USUAL_LEVEL
        )
        with Horizontal(classes="ask", id="ask-program"):
            yield Label("Program")
            yield Input(self.program, placeholder=EXAMPLE, id="program", compact=True, select_on_focus=False)
        yield Static("", id="problem", markup=False)
        yield from _question("You play", "side", [("", "")])  # the sides come with the game
        clocks = [(UNTIMED, ""), *((f"{clock} (minutes + seconds a move)", clock) for clock in CLOCKS)]
        yield from _question("Time", "clock", clocks)
        yield from _question("Houses", "houses", [(str(number), number) for number in HOUSES], 6)
        yield from _question("Seeds", "seeds", [(str(number), number) for number in SEEDS], 4)

    def on_mount(self) -> None:
        """The list has the keys; what stands first there is chosen."""
        games = self.query_one("#list", OptionList)
        games.focus()
        games.highlighted = 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Shows what can be chosen for it."""
        self._show(event.option.id or "")
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A game that goes on begins at once; for a new one the button comes next."""
        if (event.option.id or "").startswith("saved-"):
            self._play()
        else:
            self.query_one("#play", Button).focus()

    def on_select_changed(self) -> None:
        """What one answer makes of the other questions."""
        opponent = self._value("opponent")
        self.query_one("#ask-side").display = opponent in {"computer", "program"}
        self.query_one("#ask-level").display = opponent in {"computer", "watch"}
        self.query_one("#ask-program").display = opponent == "program"
        self._show_problem()

    def on_input_changed(self) -> None:
        """What is wrong with the program is said as it is written."""
        self._show_problem()

    def on_input_submitted(self) -> None:
        """Begins."""
        self._play()

    def on_button_pressed(self) -> None:
        """Begins."""
        self._play()

    def action_play(self) -> None:
        """Begins."""
        self._play()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key means something: only what was kept can be forgotten."""
        if action == "forget":
            return self._highlighted()[0] == "saved"
        return super().check_action(action, parameters)

    @work(group="forget", exclusive=True)
    async def action_forget(self) -> None:
        """Gives a kept game up for good, after a question."""
        number = int(self._highlighted()[1])
        game = self.kept[number]
        question = Choice(f"Forget {game.describe()} for good?", ["Keep it", "Forget it"])
        if await self.app.push_screen_wait(question) != "Forget it" or not self.forget(game):
            return
        self.kept.remove(game)
        games = self.query_one("#list", OptionList)
        games.clear_options()
        games.add_options(self._options())
        games.highlighted = min(number, games.option_count - 1)

    def _highlighted(self) -> tuple[str, str]:
        """Whether a `saved` or a new `game` is chosen, and which; nothing, before there is a list."""
        games = next(iter(self.query("#list").results(OptionList)), None)
        if games is None or games.highlighted is None:
            return "", ""
        kind, _, name = (games.get_option_at_index(games.highlighted).id or "").partition("-")
        return kind, name

    def _show(self, option: str) -> None:
        kind, _, name = option.partition("-")
        is_new = kind == "game"
        self.query_one("#how").display = is_new
        self.query_one("#play", Button).label = "Play" if is_new else "Go on"
        if not is_new:
            self.query_one("#chosen", Label).update(self.kept[int(name)].describe())
            return
        rules = self.games[name]
        self.query_one("#chosen", Label).update(str(rules))
        family = get_family(rules)
        names = [*family.sides.values(), EITHER]
        side = self.query_one("#side", Select)
        kept = side.value
        side.set_options([(name.capitalize(), name) for name in names])
        side.value = kept if kept in names else names[0]
        sizes = get_family(rules).board_size(rules)
        for each in ("houses", "seeds"):
            self.query_one(f"#ask-{each}").display = each in sizes
        for each, number in sizes.items():
            self.query_one(f"#{each}", Select).value = number
        self._show_problem()

    def _show_problem(self, *, is_asked: bool = False) -> str | None:
        """Says what is wrong with the program, if one is to play; an empty field is wrong only for whoever begins."""
        kind, name = self._highlighted()
        text = self.query_one("#program", Input).value
        problem = None
        if kind == "game" and self._value("opponent") == "program" and (text.strip() or is_asked):
            rules = self._sized(self.games[name])
            problem = find_problem(text, get_family(rules).start(rules))
        told = self.query_one("#problem", Static)
        told.display = problem is not None
        told.update(visible(problem or ""))
        return problem

    def _value(self, name: str) -> Any:
        return self.query_one(f"#{name}", Select).value

    def _play(self) -> None:
        kind, name = self._highlighted()
        if self._show_problem(is_asked=True) is not None:
            self.query_one("#program", Input).focus()
        elif kind:
            self.dismiss(self.kept[int(name)] if kind == "saved" else self._setup(self.games[name]))

    def _sized(self, rules: Any) -> Any:
        """The rules on the board that is asked for."""
        return get_family(rules).resize(
            rules, **{name: self._value(name) for name in get_family(rules).board_size(rules)}
        )

    def _setup(self, rules: Any) -> Setup:
        rules = self._sized(rules)
        program = self.query_one("#program", Input).value.strip() if self._value("opponent") == "program" else None
        computer = f"searcher:level={self._value('level')}" if program is None else program
        opponent, chosen = self._value("opponent"), self._value("side")
        seats = {"friend": ("human", "human"), "watch": (computer, computer)}.get(opponent)
        if seats is None:
            sides = {name: side for side, name in get_family(rules).sides.items()}
            own = sides[chosen] if chosen in sides else random.choice(list(Side))
            seats = ("human", computer) if own is Side.WHITE else (computer, "human")
        control = parse_time_control(self._value("clock")) if self._value("clock") else None
        return Setup(rules, dict(zip(Side, seats, strict=True)), control, program)

    def action_close(self) -> None:
        """Back to the game, if there is one."""
        if self.can_close:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Leaves the program."""
        self.app.exit()


def _question(text: str, name: str, answers: list[tuple[str, Any]], usual: Any = None) -> ComposeResult:
    """A question in a line, with what can be answered."""
    with Horizontal(classes="ask", id=f"ask-{name}"):
        yield Label(text)
        yield Select(answers, value=answers[0][1] if usual is None else usual, id=name, allow_blank=False, compact=True)
