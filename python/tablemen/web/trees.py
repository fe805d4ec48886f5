"""Written games as trees, and trees as written games: each node of the list knows the one before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tablemen.draughts import VARIANTS, Move, Position
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.game import Note
from tablemen.draughts.pdn.rename import SquareConverter
from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.web.crowds import check_crowd
from tablemen.web.models import Node, ReadNode, ReadTree, Tree
from tablemen.web.subjects import find_position, find_rules
from tablemen.web.views import tell_ply, tell_scene

STRENGTHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}  # signs behind moves, and the glyphs that they are
SIGNS = {glyph: sign for sign, glyph in STRENGTHS.items()}

Tell = Callable[[str], None]


class TooLongError(Exception):
    """More moves than are shown."""


@dataclass
class Budget:
    """How many nodes may still be made."""

    nodes: int

    def spend(self) -> None:
        """One of them; raises `TooLongError` where none is left."""
        if not self.nodes:
            raise TooLongError
        self.nodes -= 1


@dataclass(frozen=True)
class _Branch:
    """A line that is to be read: which node it goes on from, and where that stands."""

    line: PdnLine
    parent: int
    position: Position
    is_main: bool = False


@dataclass
class _Reader:
    """Makes a flat list of a game's lines: the main line first, then its variations, then theirs."""

    tell: Tell
    budget: Budget
    names: SquareConverter | None  # where squares have other names than the variant's
    comment: str = ""  # what stands before the first move
    nodes: list[ReadNode] = field(default_factory=list)
    branches: list[_Branch] = field(default_factory=list)

    def read(self, line: PdnLine, start: Position) -> None:
        """The main line and everything that hangs on it."""
        self.branches.append(_Branch(line, -1, start, is_main=True))
        for branch in self.branches:  # more come while these are read
            self._read_line(branch)

    def _read_line(self, branch: _Branch) -> None:
        parent, position = branch.parent, branch.position
        notes = branch.line.notes
        comment = " ".join(filter(None, (_words(notes), *self._branch_off(notes, parent, position))))
        if branch.is_main:
            self.comment, comment = comment, ""
        glyphs = _glyphs(notes)
        for node in branch.line.nodes:
            move = self._move(node.move)
            if move is None:
                self.tell(f"{_after(self.nodes, parent)}: {node.move} cannot be shown, and the line ends there")
                list(self._branch_off(node.notes, parent, position))  # what could be played instead can be shown
                return
            self.budget.spend()
            after = position.play(move)
            said = [comment, _odd_strength(node), _words(node.notes), *self._branch_off(node.notes, parent, position)]
            self.nodes.append(
                ReadNode(
                    **dict(tell_ply(position, move, after)),
                    parent=parent,
                    comment=" ".join(filter(None, said)),
                    glyphs=[*glyphs, *_strength(node), *_glyphs(node.notes)],
                )
            )
            parent, position, comment, glyphs = len(self.nodes) - 1, after, "", []
            if _has_setup(node.notes):
                self.tell(f"{_after(self.nodes, parent)}: a position that is set up cannot be shown, and the line ends")
                return

    def _branch_off(self, notes: tuple[Note, ...], parent: int, position: Position) -> Iterator[str]:
        """Keeps the variations for later, and gives what is said in those that have no moves."""
        pending = [note for note in notes if isinstance(note, PdnLine)]
        for variation in pending:
            if _has_setup(variation.notes) or self._position(variation.start) != position:
                self.tell(f"{_after(self.nodes, parent)}: a variation from a position that is set up cannot be shown")
            elif variation.nodes:
                self.branches.append(_Branch(variation, parent, position))
            else:
                yield _words(variation.notes)
                yield from (f"${glyph}" for glyph in _glyphs(variation.notes))
                pending.extend(note for note in variation.notes if isinstance(note, PdnLine))

    def _position(self, position: Position | None) -> Position | None:
        return position if position is None or self.names is None else self.names.position(position)

    def _move(self, move: Move | str) -> Move | None:
        if isinstance(move, str):
            return None
        if self.names is None:
            return move
        renamed = self.names.move(move)
        assert isinstance(renamed, Move)
        return renamed


def read_game(game: PdnGame, tell: Tell, budget: Budget) -> ReadTree:
    """A written game of draughts as a tree. What cannot be shown is told."""
    start = game.start
    for note in game.line.notes:
        if isinstance(note, Position):
            tell("the game begins anew before its first move; it is shown from there")
            start = note
    names = None
    usual = VARIANTS.get(game.variant.name)
    if usual is not None and usual != game.variant:
        names = SquareConverter(game.variant, usual)
        start = names.position(start)
    if _glyphs(game.line.notes) and not game.nodes:
        tell("glyphs before the first move are left out")
    check_crowd(start)
    reader = _Reader(tell, budget, names)
    reader.read(game.line, start)
    return ReadTree(
        variant=game.variant.name,
        start=tell_scene(start),
        tags=dict(game.tags),
        comment=reader.comment,
        nodes=reader.nodes,
    )


def read_moves(game: Any, tags: dict[str, str], budget: Budget) -> ReadTree:
    """A game of moves alone as a tree."""
    positions = game.positions
    nodes = []
    for number, move in enumerate(game.moves):
        budget.spend()
        ply = tell_ply(positions[number], move, positions[number + 1])
        nodes.append(ReadNode(**dict(ply), parent=number - 1))
    rules = game.start.variant
    return ReadTree(
        variant=rules.name, **get_family(rules).board_size(rules), start=tell_scene(game.start), tags=tags, nodes=nodes
    )


def _has_setup(notes: tuple[Note, ...]) -> bool:
    return any(isinstance(note, Position) for note in notes)


def _words(notes: tuple[Note, ...]) -> str:
    return " ".join(note for note in notes if isinstance(note, str))


def _glyphs(notes: tuple[Note, ...]) -> list[int]:
    return [int(note) for note in notes if isinstance(note, Nag)]


def _strength(node: PdnNode) -> list[int]:
    sign = node.strength.strip("()")
    return [STRENGTHS[sign]] if sign in STRENGTHS else []


def _odd_strength(node: PdnNode) -> str:
    """A sign that is no glyph, to be shown as it stands."""
    return "" if _strength(node) else node.strength


def _after(nodes: list[ReadNode], number: int) -> str:
    return f"after {nodes[number].move.text}" if number >= 0 else "at the start"


@dataclass(frozen=True)
class Grown:
    """A tree whose moves were found to be legal: the start, and for each node its move and the position behind it."""

    tree: Tree
    start: Any
    moves: list[Any]
    positions: list[Any]
    children: list[list[int]]  # of the start, and then of each node; the main continuation first

    def main_line(self) -> list[int]:
        """The numbers of its nodes."""
        return self.line_from(self.children[0][0]) if self.children[0] else []

    def line_from(self, number: int) -> list[int]:
        """The node and its main continuations."""
        line = [number]
        while self.children[line[-1] + 1]:
            line.append(self.children[line[-1] + 1][0])
        return line


def grow(tree: Tree) -> Grown:
    """The tree, played through. Raises `TablemenError` where a move is not legal, or a node comes before its parent."""
    start = find_position(find_rules(tree.variant, tree.houses, tree.seeds), tree.position)
    family = get_family(start)
    moves: list[Any] = []
    positions: list[Any] = []
    children: list[list[int]] = [[] for _ in range(len(tree.nodes) + 1)]
    for number, node in enumerate(tree.nodes):
        if node.parent >= number:
            raise TablemenError(f"node {number} must come after its parent, which is node {node.parent}")
        before = positions[node.parent] if node.parent >= 0 else start
        objection = family.explain_illegal(node.move, before)
        if objection is not None:
            raise TablemenError(f"node {number}: {objection}")
        move = before.parse_move(node.move)
        moves.append(move)
        positions.append(before.play(move))
        children[node.parent + 1].append(number)
    return Grown(tree, start, moves, positions, children)


def write_game(grown: Grown) -> PdnGame:
    """A tree of draughts as a written game; variations hang on the move that they replace."""
    tree = grown.tree
    lines: dict[int, PdnLine] = {}  # by the first node
    heads = [number for family in grown.children for number in family[1:]]
    for head in (*sorted(heads, reverse=True), *grown.children[0][:1]):  # a line's variations come behind it
        parent = tree.nodes[head].parent
        start = grown.positions[parent] if parent >= 0 else grown.start
        is_main = head == grown.children[0][0]
        lines[head] = PdnLine(start, tuple(_nodes_from(head, grown, lines)), _said(tree.comment) if is_main else ())
    first = grown.children[0][:1]
    line = lines[first[0]] if first else PdnLine(grown.start, (), _said(tree.comment))
    return PdnGame(line, tree.tags)


def _nodes_from(head: int, grown: Grown, lines: dict[int, PdnLine]) -> Iterator[PdnNode]:
    for number in grown.line_from(head):
        node = grown.tree.nodes[number]
        siblings = grown.children[node.parent + 1]
        variations = [lines.pop(each) for each in siblings[1:]] if number == siblings[0] else []
        yield _written_node(node, grown.moves[number], variations)


def _written_node(node: Node, move: Move, variations: list[PdnLine]) -> PdnNode:
    glyphs = list(node.glyphs)
    strength = next((glyph for glyph in glyphs if glyph in SIGNS), None)
    if strength is not None:
        glyphs.remove(strength)
    sign = "" if strength is None else SIGNS[strength]
    return PdnNode(move, sign, (*map(Nag, glyphs), *_said(node.comment), *variations))


def _said(comment: str) -> tuple[str, ...]:
    """The comment, on one line where on several it could not be told from what stands around it."""
    if "}" in comment or "\n[" in comment:
        comment = " ".join(re.split(r"[\r\n]+", comment))
    return (comment,) if comment else ()


def what_records_lack(grown: Grown) -> list[str]:
    """What of a tree of mancala its game files have no place for, in sentences."""
    tree = grown.tree
    left_out = len(tree.nodes) - len(grown.main_line())
    problems = []
    if left_out:
        count = "a move" if left_out == 1 else f"{left_out} moves"
        problems.append(f"variations are left out, {count} in all: game files of mancala have none")
    if tree.comment or any(node.comment or node.glyphs for node in tree.nodes):
        problems.append("comments and glyphs are left out: game files of mancala have none")
    return problems
