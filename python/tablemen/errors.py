"""Every error that tablemen raises on purpose, at a glance.

All of them are `ValueError`s and carry the facts they speak of as attributes::

    TablemenError
    ├── ArgumentError          .name, .value, .expected
    ├── InvalidRulesError      .name, .problems
    ├── InvalidPositionError   .problems
    ├── IllegalMoveError       .move, .position
    ├── NotationError          .problem, .text, .line, .column
    │   ├── AmbiguousMoveError .candidates
    │   └── PdnError           .game
    ├── UnknownVariantError    .name, .suggestions
    ├── UnsolvableError        .rules, .reason
    ├── PeerError              .peer, .problem
    │   ├── PeerGoneError
    │   ├── PeerTimeoutError   .seconds
    │   └── ProtocolError      .said
    └── GameError
        └── GameOverError      .outcome
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablemen.outcome import Outcome

# Rules of one's own are written out in full in a position's repr, which is too much for a message.
_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 200


class TablemenError(ValueError):
    """The root of the tree: something given to tablemen makes no sense."""


class ArgumentError(TablemenError):
    """An argument of a wrong kind or value; in a list, `name` says which item, as in `black[1]`."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        self.name = name
        self.value = value
        self.expected = expected
        super().__init__(name, value, expected)

    def __str__(self) -> str:
        return f"{self.name} is {reprlib.repr(self.value)}: {self.expected} is expected"


class InvalidRulesError(TablemenError):
    """A rule set whose fields contradict each other or name nothing playable."""

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        self.name = name
        self.problems = tuple(problems)
        super().__init__(name, self.problems)

    def __str__(self) -> str:
        return f"invalid rules {self.name!r}: {'; '.join(self.problems)}"


class InvalidPositionError(TablemenError):
    """Pieces, or seeds, that cannot be on the board of the variant together."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return f"invalid position: {'; '.join(self.problems)}"


class IllegalMoveError(TablemenError):
    """A move that the position does not allow; the position is unchanged."""

    def __init__(self, move: object, position: object) -> None:
        self.move = move
        self.position = position
        super().__init__(move, position)

    def __str__(self) -> str:
        return f"{_SHORT.repr(self.move)} is not legal in {_SHORT.repr(self.position)}"


class NotationError(TablemenError):
    """A text that cannot be read; `line` and `column` count from 1."""

    def __init__(self, problem: str, text: str, *, line: int = 1, column: int = 1) -> None:
        self.problem = problem
        self.text = text
        self.line = line
        self.column = column
        super().__init__(problem, text)

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.problem}"

    def __reduce__(self) -> tuple[object, ...]:
        return (_notation_error, (self.problem, self.text, self.line, self.column))


class AmbiguousMoveError(NotationError):
    """A text that could mean several legal moves: `candidates` are these."""

    def __init__(
        self, problem: str, text: str, candidates: Sequence[object], *, line: int = 1, column: int = 1
    ) -> None:
        super().__init__(problem, text, line=line, column=column)
        self.candidates = tuple(candidates)

    def __reduce__(self) -> tuple[object, ...]:
        return (_ambiguous_move_error, (self.problem, self.text, self.candidates, self.line, self.column))


class PdnError(NotationError):
    """A game of a file that cannot be read; `line` and `column` are those of the file, `text` is the game as it stands.

    `game` is its number in the file, counted from 1; 0 where it is not about one game.
    """

    def __init__(self, problem: str, text: str, *, line: int = 1, column: int = 1, game: int = 0) -> None:
        super().__init__(problem, text, line=line, column=column)
        self.game = game

    def __str__(self) -> str:
        return f"game {self.game}, {super().__str__()}" if self.game else super().__str__()

    def __reduce__(self) -> tuple[object, ...]:
        return (_pdn_error, (self.problem, self.text, self.line, self.column, self.game))


class UnknownVariantError(TablemenError):
    """A name or GameType that no variant has; `suggestions` are near ones."""

    def __init__(self, name: object, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        super().__init__(name, self.suggestions)

    @property
    def problem(self) -> str:
        """The error without a reference to the command line, for interfaces that have none."""
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"there is no game called {self.name!r}{hint}"

    def __str__(self) -> str:
        near = f"did you mean {' or '.join(self.suggestions)}?"
        hint = near if self.suggestions else "`tablemen variants` lists them all"
        return f"unknown variant {self.name!r}; {hint}"


class UnsolvableError(TablemenError):
    """A game that cannot be worked out to its end; `reason` says why."""

    def __init__(self, rules: object, reason: str) -> None:
        self.rules = rules
        self.reason = reason
        super().__init__(rules, reason)

    def __str__(self) -> str:
        return f"{self.rules} cannot be solved: {self.reason}"


class PeerError(TablemenError):
    """What another program did wrong, at the other end of a wire; `peer` is what it is called."""

    def __init__(self, peer: str, problem: str) -> None:
        self.peer = peer
        self.problem = problem
        super().__init__(peer, problem)

    def __str__(self) -> str:
        return f"{self.peer} {self.problem}"


class PeerGoneError(PeerError):
    """A program that has ended, or closed the connection, or was never there."""


class PeerTimeoutError(PeerError):
    """A program that has not done in time what it was asked for; `seconds` is how long it had."""

    def __init__(self, peer: str, problem: str, seconds: float) -> None:
        super().__init__(peer, problem)
        self.seconds = seconds
        self.args = (peer, problem, seconds)

    def __str__(self) -> str:
        return f"{super().__str__()} within {self.seconds:g} s"


class ProtocolError(PeerError):
    """A program that says what the protocol does not know, or not now; `said` is that, cut where it is long."""

    def __init__(self, peer: str, problem: str, said: str = "") -> None:
        super().__init__(peer, problem)
        self.said = _SHORT.repr(said) if said else ""
        self.args = (peer, problem, said)

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.said}" if self.said else super().__str__()


class GameError(TablemenError):
    """Something that a game cannot do now: take back where nothing was played, claim what is not due."""


class GameOverError(GameError):
    """A game that is over goes no further; `outcome` says how it ended."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome)

    def __str__(self) -> str:
        return f"the game is over: {self.outcome}"


def _notation_error(problem: str, text: str, line: int, column: int) -> NotationError:
    return NotationError(problem, text, line=line, column=column)


def _ambiguous_move_error(
    problem: str, text: str, candidates: Sequence[object], line: int, column: int
) -> AmbiguousMoveError:
    return AmbiguousMoveError(problem, text, candidates, line=line, column=column)


def _pdn_error(problem: str, text: str, line: int, column: int, game: int) -> PdnError:
    return PdnError(problem, text, line=line, column=column, game=game)
