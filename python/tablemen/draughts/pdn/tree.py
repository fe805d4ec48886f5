"""PDN games as game trees, and game trees as PDN."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tablemen.draughts import VARIANTS, DraughtsRules, Move, Position
from tablemen.draughts.complexity import check_complexity
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, Result, format_pdn, read_pdn
from tablemen.draughts.pdn.game import NO_RESULT, Note, format_result
from tablemen.draughts.pdn.rename import SquareConverter
from tablemen.game_tree import GameTree, NodeBudget, TreeNode

STRENGTHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}  # signs after moves, and their glyphs
SIGNS = {glyph: sign for sign, glyph in STRENGTHS.items()}


def parse_trees(
    text: str, rules: DraughtsRules | None, budget: NodeBudget, on_problems: Callable[[list[str]], object]
) -> Iterator[GameTree]:
    """Yield the games of a PDN file; see `Family.parse_trees`."""
    illegal: list[str] = []  # in the next game
    with read_pdn(
        io.StringIO(text),
        variant=rules,
        on_error=lambda error: on_problems([str(error)]),
        on_illegal=lambda error: illegal.append(str(error)),
    ) as reader:
        for game in reader:
            builder = _TreeBuilder(game, budget)
            tree = builder.build()
            if illegal:
                on_problems([*illegal])
            if tree.nodes or not illegal:  # otherwise no move could be read
                yield tree
                problems = [f"game {reader.games_read}: {problem}" for problem in builder.problems]
                if problems or game.warnings:
                    on_problems([*map(str, game.warnings), *problems])
            illegal.clear()


@dataclass(frozen=True)
class _Branch:
    """A line that has not been read yet, the node before it, and the position after that node."""

    line: PdnLine
    parent: int
    position: Position
    is_main: bool = False


@dataclass
class _TreeBuilder:
    """Flatten a game into a list of nodes: the main line first, then its variations, then theirs."""

    game: PdnGame
    budget: NodeBudget
    names: SquareConverter | None = None  # if squares have other names than in the known variant
    comment: str = ""  # before the first move
    problems: list[str] = field(default_factory=list)
    nodes: list[TreeNode] = field(default_factory=list)
    branches: list[_Branch] = field(default_factory=list)

    def build(self) -> GameTree:
        """Return the tree. `problems` lists the parts that are omitted."""
        game, start = self.game, self.game.start
        for note in game.line.notes:
            if isinstance(note, Position):
                self.problems.append("the game has a set-up before its first move; it is shown from that position")
                start = note
        usual = VARIANTS.get(game.variant.name)
        if usual is not None and usual != game.variant:
            self.names = SquareConverter(game.variant, usual)
            start = self.names.position(start)
        if _glyphs(game.line.notes) and not game.nodes:
            self.problems.append("glyphs before the first move are omitted")
        check_complexity(start)
        self.branches.append(_Branch(game.line, -1, start, is_main=True))
        for branch in self.branches:  # grows while its lines are read
            self._read_line(branch)
        return GameTree(start, self.nodes, dict(game.tags), self.comment)

    def _read_line(self, branch: _Branch) -> None:
        parent, position = branch.parent, branch.position
        notes = branch.line.notes
        comment = " ".join(filter(None, (_comment(notes), *self._branch_off(notes, parent, position))))
        if branch.is_main:
            self.comment, comment = comment, ""
        glyphs = _glyphs(notes)
        for node in branch.line.nodes:
            move = self._move(node.move)
            if move is None:
                self._report(parent, f"{node.move} cannot be shown, and the line ends there")
                list(self._branch_off(node.notes, parent, position))  # its alternatives can be shown
                return
            self.budget.spend()
            after = position.play(move)
            comments = [
                comment,
                "" if _strength(node) else node.strength,  # a sign without a glyph is kept as text
                _comment(node.notes),
                *self._branch_off(node.notes, parent, position),
            ]
            self.nodes.append(
                TreeNode(
                    parent,
                    move,
                    after,
                    comment=" ".join(filter(None, comments)),
                    glyphs=[*glyphs, *_strength(node), *_glyphs(node.notes)],
                )
            )
            parent, position, comment, glyphs = len(self.nodes) - 1, after, "", []
            if _has_setup(node.notes):
                self._report(parent, "a set-up cannot be shown, and the line ends there")
                return

    def _branch_off(self, notes: tuple[Note, ...], parent: int, position: Position) -> Iterator[str]:
        """Keep the variations for later, and yield the comments of those without moves."""
        pending = [note for note in notes if isinstance(note, PdnLine)]
        for variation in pending:
            if _has_setup(variation.notes) or self._position(variation.start) != position:
                self._report(parent, "a variation that begins with a set-up cannot be shown")
            elif variation.nodes:
                self.branches.append(_Branch(variation, parent, position))
            else:
                yield _comment(variation.notes)
                yield from (f"${glyph}" for glyph in _glyphs(variation.notes))
                pending.extend(note for note in variation.notes if isinstance(note, PdnLine))

    def _report(self, number: int, problem: str) -> None:
        place = f"after {self.nodes[number].move}" if number >= 0 else "at the start"
        self.problems.append(f"{place}: {problem}")

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


def _has_setup(notes: tuple[Note, ...]) -> bool:
    return any(isinstance(note, Position) for note in notes)


def _comment(notes: tuple[Note, ...]) -> str:
    return " ".join(note for note in notes if isinstance(note, str))


def _glyphs(notes: tuple[Note, ...]) -> list[int]:
    return [int(note) for note in notes if isinstance(note, Nag)]


def _strength(node: PdnNode) -> list[int]:
    sign = node.strength.strip("()")
    return [STRENGTHS[sign]] if sign in STRENGTHS else []


def format_tree(tree: GameTree) -> str:
    """Format a tree as PDN, with the result after the moves too, where some programs expect it."""
    game = PdnGame(_build_line(tree), tree.tags)
    result = format_result(game.result or Result.NONE, game.variant)
    moves, _, end = format_pdn(game).rpartition(NO_RESULT)
    return f"{moves}{result}{end}"


def _build_line(tree: GameTree) -> PdnLine:
    """Return the main line; variations are attached to the move that they replace."""
    children = tree.children()
    if not children[0]:
        return PdnLine(tree.start, (), _written_comment(tree.comment))
    lines: dict[int, PdnLine] = {}  # variations by their first node

    def build(first: int) -> PdnLine:
        nodes = []
        for number in _line_from(first, children):
            node = tree.nodes[number]
            siblings = children[node.parent + 1]
            variations = [lines.pop(each) for each in siblings[1:]] if number == siblings[0] else []
            nodes.append(_build_node(node, variations))
        comment = tree.comment if first == children[0][0] else ""
        return PdnLine(tree.position(tree.nodes[first].parent), tuple(nodes), _written_comment(comment))

    heads = [number for siblings in children for number in siblings[1:]]
    for head in sorted(heads, reverse=True):  # variations of a line come after it in the list
        lines[head] = build(head)
    return build(children[0][0])


def _line_from(number: int, children: list[list[int]]) -> Iterator[int]:
    """Yield a node and its main continuations."""
    yield number
    while children[number + 1]:
        number = children[number + 1][0]
        yield number


def _build_node(node: TreeNode, variations: list[PdnLine]) -> PdnNode:
    glyphs = list(node.glyphs)
    strength = next((glyph for glyph in glyphs if glyph in SIGNS), None)
    if strength is not None:
        glyphs.remove(strength)
    sign = "" if strength is None else SIGNS[strength]
    return PdnNode(node.move, sign, (*map(Nag, glyphs), *_written_comment(node.comment), *variations))


def _written_comment(comment: str) -> tuple[str, ...]:
    """Return the comment, on one line if its lines could be mistaken for tags or the end of the comment."""
    if "}" in comment or "\n[" in comment:
        comment = " ".join(re.split(r"[\r\n]+", comment))
    return (comment,) if comment else ()
