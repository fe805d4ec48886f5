"""The errors that tablemen raises.

All of them are `ValueError`s, and have the details as attributes::

    TablemenError
    ├── ArgumentError          .name, .value, .expected
    ├── InvalidRulesError      .name, .problems
    ├── InvalidPositionError   .problems
    ├── IllegalMoveError       .move, .position, .reason
    ├── NotationError          .problem, .text, .line, .column
    │   ├── AmbiguousMoveError .candidates
    │   └── PdnError           .game
    ├── UnknownVariantError    .name, .suggestions
    ├── UnsolvableError        .rules, .reason
    ├── ActionSpaceError       .moves, .limit, .position
    ├── IllegalActionError     .game, .action, .position
    ├── InvalidArrayError      .problem, .index, .element, .square
    ├── UnknownValueError      .position, .index, .reason
    ├── TablebaseError         .problem, .path
    ├── TaskError              .task, .problem
    ├── WorkLimitError         .units
    ├── PeerError              .peer, .problem
    │   ├── PeerGoneError
    │   ├── PeerTimeoutError   .seconds
    │   └── ProtocolError      .said
    └── GameError
        └── GameOverError      .outcome
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tablemen.draughts.board import Square
    from tablemen.outcome import Outcome

# The repr of a position with custom rules contains all their fields, which is too long for a message.
_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 200


class TablemenError(ValueError):
    """The base class of all errors that tablemen raises."""


class ArgumentError(TablemenError):
    """An argument has a wrong type or value; `name` includes the index of an item, as in `black[1]`."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        self.name = name
        self.value = value
        self.expected = expected
        super().__init__(name, value, expected)

    def __str__(self) -> str:
        return f"{self.name}: expected {self.expected}, got {reprlib.repr(self.value)}"


class InvalidRulesError(TablemenError):
    """The fields of a rule set have invalid values or contradict each other."""

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        self.name = name
        self.problems = tuple(problems)
        super().__init__(name, self.problems)

    def __str__(self) -> str:
        return f"invalid rules {self.name!r}: {'; '.join(self.problems)}"


class InvalidPositionError(TablemenError):
    """Pieces or seeds do not form a position of the variant."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return f"invalid position: {'; '.join(self.problems)}"


class IllegalMoveError(TablemenError):
    """A move, or the move that a text describes, is not legal in a position."""

    def __init__(self, move: object, position: object) -> None:
        self.move = move
        self.position = position
        super().__init__(move, position)

    @cached_property
    def reason(self) -> str:
        """Why the move is not legal, as `position.explain_illegal` explains it; computed on first use."""
        explain: Callable[[object], str | None] = getattr(self.position, "explain_illegal", lambda _: None)
        try:
            reason = explain(self.move)
        except WorkLimitError:
            reason = None
        return reason or f"{str(self.move).strip()} is not a legal move"

    def __str__(self) -> str:
        return f"{_SHORT.repr(self.move)} is not legal in {_SHORT.repr(self.position)}: {self.reason}"


class NotationError(TablemenError):
    """A text cannot be parsed; `line` and `column` count from 1."""

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
    """A text matches several legal moves, the `candidates`."""

    def __init__(
        self, problem: str, text: str, candidates: Sequence[object], *, line: int = 1, column: int = 1
    ) -> None:
        super().__init__(problem, text, line=line, column=column)
        self.candidates = tuple(candidates)

    def __reduce__(self) -> tuple[object, ...]:
        return (_ambiguous_move_error, (self.problem, self.text, self.candidates, self.line, self.column))


class PdnError(NotationError):
    """A game of a PDN file cannot be read.

    `line` and `column` are positions in the file, `text` is the text of the game, and `game` its number in the file,
    counted from 1, or 0 if the error does not concern a single game.
    """

    def __init__(self, problem: str, text: str, *, line: int = 1, column: int = 1, game: int = 0) -> None:
        super().__init__(problem, text, line=line, column=column)
        self.game = game

    def __str__(self) -> str:
        return f"game {self.game}, {super().__str__()}" if self.game else super().__str__()

    def __reduce__(self) -> tuple[object, ...]:
        return (_pdn_error, (self.problem, self.text, self.line, self.column, self.game))


class UnknownVariantError(TablemenError):
    """No variant has this name or GameType; `suggestions` are similar names."""

    def __init__(self, name: object, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        super().__init__(name, self.suggestions)

    @property
    def problem(self) -> str:
        """The message without the hint to run a command, for interfaces without a command line."""
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"there is no game called {self.name!r}{hint}"

    def __str__(self) -> str:
        question = f"did you mean {' or '.join(self.suggestions)}?"
        hint = question if self.suggestions else "`tablemen variants` lists them all"
        return f"unknown variant {self.name!r}; {hint}"


class UnsolvableError(TablemenError):
    """A position cannot be solved."""

    def __init__(self, rules: object, reason: str) -> None:
        self.rules = rules
        self.reason = reason
        super().__init__(rules, reason)

    def __str__(self) -> str:
        return f"{self.rules} cannot be solved: {self.reason}"


class ActionSpaceError(TablemenError):
    """A position has more legal moves than an action encoding has numbers for.

    `moves` legal moves, of those that need different numbers, exceed the `limit` of the encoding.
    """

    def __init__(self, moves: int, limit: int, position: object) -> None:
        self.moves = moves
        self.limit = limit
        self.position = position
        super().__init__(moves, limit, position)

    def __str__(self) -> str:
        return (
            f"the encoding has numbers for {self.limit} moves, but {self.moves} moves of {_SHORT.repr(self.position)} "
            f"need one: create the encoding with limit={self.moves} or more"
        )


class IllegalActionError(TablemenError):
    """An action is not the number of a legal move in the game of a `BatchEnv` with this index."""

    def __init__(self, game: int, action: int, position: object) -> None:
        self.game = game
        self.action = action
        self.position = position
        super().__init__(game, action, position)

    def __str__(self) -> str:
        return f"actions[{self.game}]: {self.action} is not a legal action in {_SHORT.repr(self.position)}"


class InvalidArrayError(TablemenError):
    """An array does not consist of positions in its format, or a position does not fit in the format.

    `index` is that of the position in the array or sequence, or None if the whole array is wrong. `element` is the
    index of the wrong element in the array, and `square` the square that it belongs to, if a single one is wrong.
    """

    def __init__(
        self,
        problem: str,
        index: int | None = None,
        element: tuple[int, ...] | None = None,
        square: Square | None = None,
    ) -> None:
        self.problem = problem
        self.index = index
        self.element = element
        self.square = square
        super().__init__(problem, index, element, square)

    def __str__(self) -> str:
        if self.index is None:
            return self.problem
        place = f"position {self.index}" if self.element is None else f"array{list(self.element)}"
        square = "" if self.square is None else f", square {self.square}"
        return f"{place}{square}: {self.problem}"


class UnknownValueError(TablemenError):
    """The exact value of a position is not known; `index` is its index in the list of positions."""

    def __init__(self, position: object, index: int, reason: str) -> None:
        self.position = position
        self.index = index
        self.reason = reason
        super().__init__(position, index, reason)

    def __str__(self) -> str:
        return f"positions[{self.index}]: the value of {_SHORT.repr(self.position)} is not known: {self.reason}"


class TablebaseError(TablemenError):
    """A tablebase file is truncated, damaged, of another version, or belongs to other rules."""

    def __init__(self, problem: str, path: Path | None = None) -> None:
        self.problem = problem
        self.path = path
        super().__init__(problem, path)

    def __str__(self) -> str:
        return self.problem if self.path is None else f"{self.path}: {self.problem}"


class TaskError(TablemenError):
    """A task that an executor runs, such as that of a cluster, was lost; `task` is its name."""

    def __init__(self, task: str, problem: str) -> None:
        self.task = task
        self.problem = problem
        super().__init__(task, problem)

    def __str__(self) -> str:
        return f"the task {self.task!r} failed: {self.problem}"


class WorkLimitError(TablemenError):
    """A computation needs more work than `tablemen.work_limit`, or the limit of a search, allows.

    `units` is the work limit, or None if a search had too little time to list the legal moves.
    """

    def __init__(self, units: int | None = None) -> None:
        self.units = units
        super().__init__(units)

    def __str__(self) -> str:
        if self.units is None:
            return "the search ended before all captures of the position were found"
        return f"the work limit of {self.units:,} units is exceeded"


class PeerError(TablemenError):
    """Another program, the `peer`, failed or made an error."""

    def __init__(self, peer: str, problem: str) -> None:
        self.peer = peer
        self.problem = problem
        super().__init__(peer, problem)

    def __str__(self) -> str:
        return f"{self.peer} {self.problem}"


class PeerGoneError(PeerError):
    """The peer has exited, closed the connection or cannot be reached."""


class PeerTimeoutError(PeerError):
    """The peer has not answered within `seconds`."""

    def __init__(self, peer: str, problem: str, seconds: float) -> None:
        super().__init__(peer, problem)
        self.seconds = seconds
        self.args = (peer, problem, seconds)

    def __str__(self) -> str:
        return f"{super().__str__()} within {self.seconds:g} s"


class ProtocolError(PeerError):
    """The peer sent a message that the protocol does not allow; `said` is its text, shortened if it is long."""

    def __init__(self, peer: str, problem: str, said: str = "") -> None:
        super().__init__(peer, problem)
        self.said = _SHORT.repr(said) if said else ""
        self.args = (peer, problem, said)

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.said}" if self.said else super().__str__()


class GameError(TablemenError):
    """A game cannot do this now: there is no move to take back, or no draw to claim."""


class GameOverError(GameError):
    """The game is over, with this `outcome`."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome)

    def __str__(self) -> str:
        return f"the game is over: {self.outcome.termination}"


def _notation_error(problem: str, text: str, line: int, column: int) -> NotationError:
    return NotationError(problem, text, line=line, column=column)


def _ambiguous_move_error(
    problem: str, text: str, candidates: Sequence[object], line: int, column: int
) -> AmbiguousMoveError:
    return AmbiguousMoveError(problem, text, candidates, line=line, column=column)


def _pdn_error(problem: str, text: str, line: int, column: int, game: int) -> PdnError:
    return PdnError(problem, text, line=line, column=column, game=game)
