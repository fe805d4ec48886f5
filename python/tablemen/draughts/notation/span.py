"""A stretch of a text that knows where it stands."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass

from tablemen.errors import NotationError


@dataclass(frozen=True, slots=True)
class Span:
    """The characters of `whole` from `start` up to `end`: cut a text into spans, and errors point at the very item.

    >>> side, pieces = Span.of("W: K5").split(":")
    >>> str(pieces), str(pieces.strip()), pieces.strip().start
    (' K5', 'K5', 3)
    """

    whole: str
    start: int
    end: int

    @classmethod
    def of(cls, text: str) -> Span:
        """The span of a whole text."""
        if not isinstance(text, str):
            raise TypeError(f"a text is expected, not {text!r}")
        return cls(text, 0, len(text))

    def __str__(self) -> str:
        return self.whole[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def quoted(self) -> str:
        """The text in quotes on one line, shortened where it is long, for messages."""
        return reprlib.repr(str(self))

    def cut(self, first: int, last: int = 0) -> Span:
        """The span without its `first` first and its `last` last characters."""
        return Span(self.whole, self.start + first, self.end - last)

    def strip(self) -> Span:
        """The span without blanks around it; a span of blanks alone shrinks to its start."""
        text = str(self)
        first = len(text) - len(text.lstrip())
        return self.cut(first, len(text) - len(text.rstrip())) if first < len(text) else self.cut(0, len(text))

    def split(self, separator: str) -> list[Span]:
        """The spans between separators of one character."""
        spans, start = [], self.start
        for piece in str(self).split(separator):
            spans.append(Span(self.whole, start, start + len(piece)))
            start += len(piece) + 1
        return spans

    def error(self, problem: str) -> NotationError:
        """An error that points at the first character of the span."""
        before = self.whole[: self.start]
        line_start = before.rfind("\n") + 1
        return NotationError(problem, self.whole, line=before.count("\n") + 1, column=self.start - line_start + 1)
