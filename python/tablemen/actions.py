"""Action encodings: numbers for the legal moves of a position, for networks and tables.

The number of actions depends only on the rules and the encoding:

- `slot`: an action is the index of a move in `position.legal_moves()`. There are `limit` actions; in mancala one for
  each house of a side, and one for the swap of sides if the rules have it.
- `from-to`, for draughts: the first square, the last square, and an index among the legal moves that share both. With
  `n` squares, the action is `(first * n + last) * limit + index`, and there are `n * n * limit` actions.
- `step`, for draughts: the squares before and after a step, which is a quiet move or one jump of a capture. The
  action is `before * n + after`, and there are `n * n` actions. If one move ends where another continues, the action
  in which both squares are the same ends the move. Each move is the path that `legal_moves` lists.
- `house`, for mancala: a house of the side to move, in sowing order from 0. The last action is the swap of sides, if
  the rules have it.

Squares in actions are counted from 0, row by row from the left of the far row of the side to move: the board is turned
by half a turn for Black. If the turned board has other squares, because the number of rows or of columns is odd but not
both, all cells of the board are counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablemen.errors import TablemenError
from tablemen.family import find_variant, get_family

__all__ = ["ActionEncoding"]


class ActionEncoding:
    """A numbering of the legal moves of a rule set, the `variant`.

    >>> from tablemen.draughts import Position
    >>> encoding = ActionEncoding("english", "from-to")
    >>> encoding.size
    8192
    >>> position = Position.start("english")
    >>> action = encoding.encode(position, position.parse_move("11-15"))
    >>> action, str(encoding.decode(position, action))
    (5512, '11-15')

    `limit` is the maximum number of legal moves for `slot`, and of legal moves with the same first and last square for
    `from-to`. Without it there are four actions for each square, rounded up to a power of two, or 8 ties: more than
    games need. Positions that need more raise `ActionSpaceError`.
    """

    def __init__(self, variant: Any, name: str = "slot", *, limit: int | None = None) -> None:
        self.variant: Any = find_variant(variant)
        self.core: Any = get_family(self.variant).action_encoding(self.variant, name, limit)
        self.limit = limit

    @property
    def name(self) -> str:
        """The name of the encoding."""
        name: str = self.core.name
        return name

    @property
    def size(self) -> int:
        """The number of actions: each action is a number from 0 up to, but not including, this one."""
        size: int = self.core.size
        return size

    def encode(self, position: Any, move: Any) -> int:
        """Return the action of a legal move.

        Raises `IllegalMoveError` if the move is not legal, `ActionSpaceError` if the position has too many moves, and
        `TablemenError` if the encoding is `step`, in which a move can be several actions; see `encode_steps`.
        """
        if self.name == "step":
            raise TablemenError("a move can be several actions in the encoding step: use encode_steps")
        (action,) = self.encode_steps(position, move)
        return action

    def decode(self, position: Any, action: int) -> Any:
        """Return the legal move with this action.

        Raises `ArgumentError` if no legal move has this action or several begin with it, and `ActionSpaceError`.
        """
        return self.decode_steps(position, (action,))

    def encode_steps(self, position: Any, move: Any) -> tuple[int, ...]:
        """Return the actions of a legal move: one, or in the encoding `step` one for each choice.

        Jumps that follow from those before are not actions of their own. Two captures that begin with the same jump:

        >>> from tablemen.draughts import Position
        >>> position = Position.from_fen("W:W22:B10,11,18", "english")
        >>> encoding = ActionEncoding("english", "step")
        >>> [(str(move), encoding.encode_steps(position, move)) for move in position.legal_moves()]
        [('22x8', (686, 455)), ('22x6', (686, 453))]
        """
        actions: tuple[int, ...] = self.core.encode(position, move)
        return actions

    def decode_steps(self, position: Any, actions: Iterable[int]) -> Any:
        """Return the legal move with these actions; the reverse of `encode_steps`."""
        return self.core.decode(position, actions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ActionEncoding):
            return NotImplemented
        return (self.variant, self.name, self.size) == (other.variant, other.name, other.size)

    def __hash__(self) -> int:
        return hash((self.variant, self.name, self.size))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.variant, self.name, self.limit)

    def __repr__(self) -> str:
        limit = "" if self.limit is None else f", limit={self.limit}"
        return f"ActionEncoding({self.variant.name!r}, {self.name!r}{limit})"


def _restore(variant: Any, name: str, limit: int | None) -> ActionEncoding:
    return ActionEncoding(variant, name, limit=limit)
