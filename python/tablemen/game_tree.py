"""A game with variations and comments, independent of the family and of any file format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablemen.game import Game


class TooManyNodesError(Exception):
    """The game trees of a file have more nodes than a `NodeBudget` allows."""


@dataclass
class NodeBudget:
    """The number of nodes that may still be created."""

    nodes: int

    def spend(self) -> None:
        """Count a node; raises `TooManyNodesError` if none is left."""
        if not self.nodes:
            raise TooManyNodesError
        self.nodes -= 1


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A move of a game tree, and the position after it."""

    parent: int  # the index of the previous node; -1 for the start
    move: Any
    position: Any
    comment: str = ""
    glyphs: Sequence[int] = ()  # numeric annotation glyphs, such as 2 for ?


@dataclass(frozen=True)
class GameTree:
    """A tree of moves, as a list in which every node follows its parent.

    The first node with a parent is its main continuation, the others are variations.
    """

    start: Any
    nodes: Sequence[TreeNode] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""  # the comment before the first move

    @classmethod
    def from_game(cls, game: Game[Any, Any], tags: Mapping[str, str], budget: NodeBudget) -> GameTree:
        """Return the tree of a game without variations; raises `TooManyNodesError`."""
        nodes = []
        for number, (move, position) in enumerate(zip(game.moves, game.positions[1:], strict=True)):
            budget.spend()
            nodes.append(TreeNode(number - 1, move, position))
        return cls(game.start, nodes, tags)

    def position(self, number: int) -> Any:
        """Return the position after a node; -1 is the start."""
        return self.nodes[number].position if number >= 0 else self.start

    def children(self) -> list[list[int]]:
        """Return the continuations of the start, and then of each node, the main one first."""
        children: list[list[int]] = [[] for _ in range(len(self.nodes) + 1)]
        for number, node in enumerate(self.nodes):
            children[node.parent + 1].append(number)
        return children

    def main_line(self) -> Game[Any, Any]:
        """Return the main line as a game. Raises `TablemenError` if it continues after the end of the game."""
        children = self.children()
        game: Game[Any, Any] = Game(self.start)
        last = -1
        while children[last + 1]:
            last = children[last + 1][0]
            game.push(self.nodes[last].move)
        return game

    def explain_omissions(self, kept: int, family: str) -> list[str]:
        """Describe the loss of information if a file contains only the `kept` moves of the main line."""
        omitted = len(self.nodes) - kept
        problems = []
        if omitted:
            count = "a move" if omitted == 1 else f"{omitted} moves"
            problems.append(f"variations are left out, {count} in all: game files of {family} cannot contain them")
        if self.comment or any(node.comment or node.glyphs for node in self.nodes):
            problems.append(f"comments and glyphs are left out: game files of {family} cannot contain them")
        return problems
