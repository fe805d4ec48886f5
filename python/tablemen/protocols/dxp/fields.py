"""What stands in a message, from its first character to its last."""

from __future__ import annotations

from tablemen.errors import NotationError


class Reader:
    """A text of which one field after the other is taken; errors point at the field."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 0

    @property
    def left(self) -> int:
        """How many characters are left."""
        return len(self.text) - self._at

    def take(self, width: int, what: str) -> str:
        """The next characters. Raises `NotationError` where there are fewer."""
        if self.left < width:
            raise self.error(f"{what} is missing here", self.left)
        taken = self.text[self._at : self._at + width]
        self._at += width
        return taken

    def choose(self, known: str, what: str) -> str:
        """The next character, which must be a known one."""
        letter = self.take(1, what)
        if letter not in known:
            raise self.error(f"{letter!r} is not {what}: one of {' '.join(known)} is expected", -1)
        return letter

    def number(self, width: int, what: str, *, least: int = 0) -> int:
        """The number of so many digits."""
        digits = self.take(width, what)
        for at, digit in enumerate(digits):
            if digit not in "0123456789":
                raise self.error(f"{digit!r} is no digit of {what}", at - width)
        if int(digits) < least:
            raise self.error(f"{what} is {digits}, and at least {least} is expected", -width)
        return int(digits)

    def skip(self) -> str:
        """All that is left."""
        return self.take(self.left, "")

    def check_end(self) -> None:
        """Raises `NotationError` where something is left."""
        if self.left:
            raise self.error("the message should end here")

    def error(self, problem: str, offset: int = 0) -> NotationError:
        """A problem at the character that comes next, or so many behind it."""
        return NotationError(problem, self.text, column=self._at + offset + 1)


def fit_text(text: str, most: int) -> str:
    """The text with question marks for what is not printable ASCII, cut where it is too long."""
    return "".join(each if " " <= each <= "~" else "?" for each in text.strip()[:most])
