"""Parse and format game files, with limits that protect the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import thread_time
from typing import Any

from tablemen.errors import NotationError, TablemenError, WorkLimitError
from tablemen.family import Family, families, get_family, position_lines
from tablemen.game_tree import GameTree, NodeBudget, TooManyNodesError, TreeNode
from tablemen.web.models import (
    MAX_NODES,
    FormattedFile,
    GameFileText,
    GameTreeSpec,
    GameTreeState,
    ParsedFile,
    TreeNodeState,
)
from tablemen.web.serialize import find_position, find_rules, serialize_ply, serialize_position

MAX_GAMES = 50
MAX_PROBLEMS = 100
MAX_PROBLEM_LENGTH = 300  # characters; a problem may quote a long part of the file
PARSE_TIMEOUT = 5.0  # seconds of processor time; a file with `MAX_NODES` moves takes about 2


class _LimitReached(Exception):  # noqa: N818 - not an error
    """A limit was reached; the message says that the rest of the file was not parsed."""


class _FileParser:
    """A parser that collects the games and the problems of a file until it reaches a limit."""

    def __init__(self) -> None:
        self._games: list[GameTreeState] = []
        self._count = 0  # games of the file, also those beyond `MAX_GAMES`
        self._problems: list[str] = []
        self._started = thread_time()

    def parse(self, text: str, family: Family, rules: Any | None) -> ParsedFile:
        """Parse a file; raises `TablemenError` if it contains no game."""
        limit = []
        try:
            for tree in self._parse_trees(text, family, rules):
                self._add_game(tree)
        except TooManyNodesError:
            limit.append(f"the file has more than {MAX_NODES:,} moves; only the games up to that limit are shown")
        except _LimitReached as reason:
            limit.append(str(reason))
        except WorkLimitError:
            limit.append("the file takes too much work to read; the rest was not read")
        if self._count > MAX_GAMES:
            more = "more than " if limit else ""
            limit = [f"the file has {more}{self._count:,} games; only the first {MAX_GAMES} are shown"]
        omitted = len(self._problems) - MAX_PROBLEMS
        rest = [f"and {omitted} more"] if omitted > 0 else []
        problems = [*self._problems[:MAX_PROBLEMS], *rest, *limit]
        if not self._games and not problems:
            raise TablemenError("the file contains no games")
        return ParsedFile(games=self._games, problems=problems)

    def _parse_trees(self, text: str, family: Family, rules: Any | None) -> Iterator[GameTree]:
        """Yield the games of a file, or a game without moves for each position, one per line."""
        if not _starts_with_position(text, family):
            budget = NodeBudget(MAX_NODES)
            yield from family.parse_trees(text, rules, budget=budget, on_problems=self._add_problems)
            return
        rules = rules or next(iter(family.variants.values()))
        for number, line in position_lines(text):
            try:
                yield GameTree(find_position(rules, line), [])
            except NotationError as error:
                self._add_problems([str(NotationError(error.problem, text, line=number, column=error.column))])
            except WorkLimitError:
                raise
            except TablemenError as error:
                self._add_problems([f"line {number}: {error}"])

    def _add_game(self, tree: GameTree) -> None:
        self._check_limits()
        self._count += 1
        if len(self._games) < MAX_GAMES:
            self._games.append(serialize_tree(tree))

    def _add_problems(self, problems: list[str]) -> None:
        self._check_limits()
        if self._count <= MAX_GAMES:
            self._problems += map(_shorten, problems)

    def _check_limits(self) -> None:
        if len(self._problems) >= MAX_PROBLEMS:
            raise _LimitReached("the file has too many errors; the rest was not read")
        if thread_time() - self._started > PARSE_TIMEOUT:
            raise _LimitReached("the file takes too long to read; the rest was not read")


def _shorten(problem: str) -> str:
    return problem if len(problem) <= MAX_PROBLEM_LENGTH else f"{problem[:MAX_PROBLEM_LENGTH]}…"


def parse_file(file: GameFileText) -> ParsedFile:
    """Parse the games or positions of a file. Raises `TablemenError` if it contains none."""
    rules = None if file.variant is None else find_rules(file.variant, file.houses, file.seeds)
    family = _find_family(file.text) or (families()[0] if rules is None else get_family(rules))
    _check_family(file.text, family)
    return _FileParser().parse(file.text, family, rules if family.owns(rules) else None)


def _starts_with_position(text: str, family: Family) -> bool:
    lines = position_lines(text)
    return bool(lines and family.position_pattern.match(lines[0][1]))


def _check_family(text: str, family: Family) -> None:
    """Raise `TablemenError` if the text is a position of another family."""
    if family.file_pattern.search(text) or _starts_with_position(text, family):
        return
    for other in families():
        if other is not family and _starts_with_position(text, other) and _is_position(text, other):
            raise TablemenError(f"the text is a position of {other.name}: choose a variant of {other.name} to read it")


def _is_position(text: str, family: Family) -> bool:
    """Return whether the first line is a position of any variant of a family."""
    line = position_lines(text)[0][1]
    for rules in family.variants.values():
        with suppress(TablemenError):
            find_position(rules, line)
            return True
    return False


def _find_family(text: str) -> Family | None:
    """Return the family whose file pattern matches earliest in the text, or None."""
    matches = [(match.start(), family) for family in families() if (match := family.file_pattern.search(text))]
    return min(matches, key=lambda each: each[0])[1] if matches else None


def serialize_tree(tree: GameTree) -> GameTreeState:
    """Serialise a game tree with the board after each move."""
    rules = tree.start.variant
    return GameTreeState(
        variant=rules.name,
        **get_family(rules).board_size(rules),
        start=serialize_position(tree.start),
        tags=dict(tree.tags),
        comment=tree.comment,
        nodes=[_serialize_node(tree.position(node.parent), node) for node in tree.nodes],
    )


def _serialize_node(before: Any, node: TreeNode) -> TreeNodeState:
    ply = serialize_ply(before, node.move, node.position)
    return TreeNodeState(**dict(ply), parent=node.parent, comment=node.comment, glyphs=list(node.glyphs))


def format_file(spec: GameTreeSpec) -> FormattedFile:
    """Format a game tree as a game file. Raises `TablemenError` if a move is not legal."""
    start = find_position(find_rules(spec.variant, spec.houses, spec.seeds), spec.position)
    family = get_family(start)
    nodes: list[TreeNode] = []
    tree = GameTree(start, nodes, spec.tags, spec.comment)
    for number, node in enumerate(spec.nodes):
        if node.parent >= number:
            raise TablemenError(f"node {number}: its parent, node {node.parent}, must come before it")
        before = tree.position(node.parent)
        reason = family.explain_illegal(node.move, before)
        if reason is not None:
            raise TablemenError(f"node {number}: {reason}")
        move = before.parse_move(node.move)
        nodes.append(TreeNode(node.parent, move, before.play(move), node.comment, node.glyphs))
    text, problems = family.format_tree(tree)
    return FormattedFile(text=text, problems=problems)
