"""Questions that stand before the board until they are answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from tablemen.console import visible

CLOSE: list[BindingType] = [Binding("escape", "close", "Close", show=False)]


class Choice(ModalScreen[str | None]):
    """A question with a button for every answer; the answer, or None where there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]  # noqa: RUF012 - as textual declares it

    def __init__(self, question: str, answers: Sequence[str]) -> None:
        super().__init__()
        self.question = question
        self.answers = answers

    def compose(self) -> ComposeResult:
        """The question, and the answers below."""
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="question", markup=False)
            with Horizontal(classes="answers"):
                for answer in self.answers:
                    yield Button(answer, variant="primary" if answer == self.answers[0] else "default")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """That is the answer."""
        self.dismiss(str(event.button.label))

    def action_close(self) -> None:
        """No answer."""
        self.dismiss(None)


class AskText(ModalScreen[str | None]):
    """A question that is answered in a line; `check` says what is wrong with an answer, and it is asked for again."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, question: str, proposed: str, check: Callable[[str], str | None] = lambda _: None) -> None:
        super().__init__()
        self.question = question
        self.proposed = proposed
        self.check = check

    def compose(self) -> ComposeResult:
        """The question, and a line to write in."""
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="question", markup=False)
            yield Input(self.proposed, select_on_focus=False)
            yield Static("", id="problem", markup=False)
            yield Label("Enter does it, Escape leaves it", classes="aside")

    def on_mount(self) -> None:
        """Nothing is wrong yet."""
        self.query_one("#problem").display = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """That is the answer, if there is any and nothing is wrong with it."""
        text = event.value.strip()
        problem = self.check(text) if text else None
        self.query_one("#problem", Static).update(visible(problem or ""))
        self.query_one("#problem").display = problem is not None
        if problem is None:
            self.dismiss(text or None)

    def action_close(self) -> None:
        """No answer."""
        self.dismiss(None)


class Help(ModalScreen[None]):
    """A text to be read, and then put away with any key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark", "close", "Close", show=False)
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """The text, and how to put it away."""
        with VerticalScroll(classes="dialog help"):
            yield Static(self.text)
            yield Label("Escape puts this away.", classes="aside")

    def on_click(self) -> None:
        """Puts it away."""
        self.dismiss()

    def action_close(self) -> None:
        """Puts it away."""
        self.dismiss()
