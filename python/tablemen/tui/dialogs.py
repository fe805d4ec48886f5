"""Modal dialogs: a choice, a line of text, and the help page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from tablemen.console import visible

CLOSE: list[BindingType] = [Binding("escape", "close", "Close", show=False)]


class ChoiceDialog(ModalScreen[str | None]):
    """A question with a button for every answer. The result is the answer, or None."""

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
        """Lay out the question and the buttons."""
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="question", markup=False)
            with Horizontal(classes="answers"):
                for answer in self.answers:
                    yield Button(answer, variant="primary" if answer == self.answers[0] else "default")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Return the answer."""
        self.dismiss(str(event.button.label))

    def action_close(self) -> None:
        """Return None."""
        self.dismiss(None)


class TextDialog(ModalScreen[str | None]):
    """A question that is answered with a line of text.

    `check` returns what is wrong with an answer, or None. The result is the answer, or None.
    """

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, question: str, proposed: str, check: Callable[[str], str | None] = lambda _: None) -> None:
        super().__init__()
        self.question = question
        self.proposed = proposed
        self.check = check

    def compose(self) -> ComposeResult:
        """Lay out the question and the input."""
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="question", markup=False)
            yield Input(self.proposed, select_on_focus=False)
            yield Static("", id="problem", markup=False)
            yield Label("Enter confirms, Escape cancels", classes="aside")

    def on_mount(self) -> None:
        """Hide the line for problems."""
        self.query_one("#problem").display = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the answer, or show what is wrong with it."""
        text = event.value.strip()
        problem = self.check(text) if text else None
        self.query_one("#problem", Static).update(visible(problem or ""))
        self.query_one("#problem").display = problem is not None
        if problem is None:
            self.dismiss(text or None)

    def action_close(self) -> None:
        """Return None."""
        self.dismiss(None)


class HelpDialog(ModalScreen[None]):
    """A page of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark", "close", "Close", show=False)
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Lay out the text."""
        with VerticalScroll(classes="dialog help"):
            yield Static(self.text)
            yield Label("Escape puts this away.", classes="aside")

    @on(Click)
    def action_close(self) -> None:
        """Close the page."""
        self.dismiss()
