"""Output and input, compared with a transcript as they come."""

from __future__ import annotations

from tablemen.transcript.model import Mark, Step, Transcript
from tablemen.transcript.report import Failure, Problem


class Departure(BaseException):
    """A program has left its transcript. Not an `Exception`, lest the program itself should catch it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class Expectation:
    """A place in a transcript, which moves on as a program does what it should; else `Departure` is raised."""

    def __init__(self, transcript: Transcript) -> None:
        self._steps = transcript.steps
        self._last = max(len(transcript.lines), 1)
        self._index = 0
        self._column = 0  # how much of the current line of output has come
        self.accepted = 0  # characters of output in all

    @property
    def current(self) -> Step | None:
        """The step that is due or has begun; none after the last."""
        return self._steps[self._index] if self._index < len(self._steps) else None

    @property
    def begun(self) -> str:
        """What has come of the current line of output."""
        return "" if self.current is None else self.current.text[: self._column]

    @property
    def input_due(self) -> Step | None:
        """The input that comes next, all output before it having come."""
        step = self.current
        if step is not None and step.mark is Mark.OUTPUT and self._column == len(step.text):
            step = self._following
        return step if step is not None and step.mark is Mark.INPUT else None

    @property
    def due(self) -> Step | None:
        """The step that comes next: the current one, or the one behind it where all of that has come."""
        step = self.current
        whole = step is not None and step.mark is Mark.OUTPUT and step.text and self._column == len(step.text)
        return self._following if whole else step

    @property
    def line(self) -> int:
        """The number of the line that comes next; that of the last line where nothing does."""
        return self._last if self.due is None else self.due.number

    @property
    def _following(self) -> Step | None:
        """The step behind the current one."""
        return self._steps[self._index + 1] if self._index + 1 < len(self._steps) else None

    def write(self, text: str) -> None:
        """Takes what the program writes."""
        while text:
            line, newline, rest = text.partition("\n")
            if line:
                self._write_part(line)
                self.accepted += len(line)
            if newline:
                self._end_line()
                self.accepted += 1
            text = rest

    def _write_part(self, text: str) -> None:
        """Takes a part of a line."""
        step = self.current
        if step is None:
            raise Departure(Failure(problem=Problem.DID_NOT_END, line=self._last, actual=text))
        if step.mark is Mark.INPUT:
            raise Departure(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=step.number, actual=text))
        expected = step.text[self._column :]
        if not expected.startswith(text):
            same = next((i for i, (a, b) in enumerate(zip(expected, text, strict=False)) if a != b), len(expected))
            problem = Problem.OUTPUT_DIFFERS if same < len(expected) else Problem.LINE_TOO_LONG
            column = self._column + same + 1
            raise _unlike(problem, step, column, self.begun + text)
        self._column += len(text)

    def _end_line(self) -> None:
        """Takes a newline."""
        step, following = self.current, self._following
        if step is None:
            raise Departure(Failure(problem=Problem.DID_NOT_END, line=self._last, note="it ended one more line"))
        if step.mark is Mark.INPUT:
            raise Departure(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=step.number, note="it ended a line"))
        if self._column < len(step.text):
            raise _unlike(Problem.LINE_TOO_SHORT, step, self._column + 1, self.begun)
        if following is not None and following.mark is Mark.INPUT:
            note = f"it ended the line of the prompt, which is line {step.number}"
            raise Departure(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=following.number, note=note))
        self._index += 1
        self._column = 0

    def read(self) -> Step:
        """The line of input that the program asks for."""
        step = self.input_due
        if step is None:
            due = self.due
            if due is None:
                note = "it asked for input"
                raise Departure(Failure(problem=Problem.DID_NOT_END, line=self._last, note=note))
            raise self._departure(Problem.INPUT_NOT_OUTPUT, due)
        self._index += 1 if self.current is step else 2
        self._column = 0
        return step

    def finish(self, note: str = "") -> None:
        """Takes the end of the program; `note` says how it ended."""
        due = self.due
        if due is None:
            return
        left = len(self._steps) - self._steps.index(due)
        to_come = f"{left} more {'line was' if left == 1 else 'lines were'} to come"
        note = "; ".join(filter(None, [note, to_come]))
        raise self._departure(Problem.ENDED_EARLY, due, note)

    def _departure(self, problem: Problem, due: Step, note: str = "") -> Departure:
        """Something else in place of a step that is due."""
        expected = None if due.mark is Mark.INPUT else due.text
        begun = self.begun if due is self.current and self._column else None
        return Departure(Failure(problem=problem, line=due.number, expected=expected, actual=begun, note=note))


def _unlike(problem: Problem, step: Step, column: int, actual: str) -> Departure:
    """A line of output that is another from this character on."""
    return Departure(Failure(problem=problem, line=step.number, column=column, expected=step.text, actual=actual))
