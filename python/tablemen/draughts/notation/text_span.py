"""Parts of a text with their position in it, so that errors point at the exact item."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass

from tablemen.errors import NotationError


@dataclass(frozen=True, slots=True)
class Span:
    """The characters of `whole` from `start` up to `end`.

    >>> side, pieces = Span.from_text("W: K5").split(":")
    >>> str(pieces), str(pieces.strip()), pieces.strip().start
    (' K5', 'K5', 3)
    """

    whole: str
    start: int
    end: int

    @classmethod
    def from_text(cls, text: str) -> Span:
        """Return the span of a whole text."""
        if not isinstance(text, str):
            raise TypeError(f"expected a str, not {text!r}")
        return cls(text, 0, len(text))

    def __str__(self) -> str:
        return self.whole[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def quoted(self) -> str:
        """The text in quotes on one line, shortened if it is long, for messages."""
        return reprlib.repr(str(self))

    def cut(self, first: int, last: int = 0) -> Span:
        """Return the span without `first` characters at its start and `last` characters at its end."""
        return Span(self.whole, self.start + first, self.end - last)

    def strip(self) -> Span:
        """Return the span without blanks around it; a blank span shrinks to its start."""
        text = str(self)
        first = len(text) - len(text.lstrip())
        return self.cut(first, len(text) - len(text.rstrip())) if first < len(text) else self.cut(0, len(text))

    def split(self, separator: str) -> list[Span]:
        """Return the spans between separators of one character."""
        spans, start = [], self.start
        for piece in str(self).split(separator):
            spans.append(Span(self.whole, start, start + len(piece)))
            start += len(piece) + 1
        return spans

    def error(self, problem: str) -> NotationError:
        """Create an error that points at the first character of the span."""
        before = self.whole[: self.start]
        line_start = before.rfind("\n") + 1
        return NotationError(problem, self.whole, line=before.count("\n") + 1, column=self.start - line_start + 1)
