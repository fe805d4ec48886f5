"""Monte Carlo tree search guided by policies and values (PUCT), and the player that uses it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from tablemen.errors import ArgumentError, GameError, GameOverError, TablemenError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.players.evaluators import DEFAULT_EVALUATOR, Evaluator, find_evaluator
from tablemen.players.options import NAME, SECONDS, SEED, WrittenPlayer, number, option, whole
from tablemen.players.player import open_moves
from tablemen.search import Limit, Score

DEFAULT_SIMULATIONS = 400
DEFAULT_BATCH = 8
DEFAULT_NODES = 1_000_000  # a node takes about a kilobyte
DEFAULT_EXPLORATION = 1.5
MAX_BATCH, MAX_NODES = 1 << 16, 1 << 28
MAX_FORCED_PLIES = 64  # in a row; rules without draws may have endless sequences of forced moves
MAX_SCORE_VALUE = 0.9999  # values nearer to a win or a loss have no larger score
MEAN_ALPHA = 10.0  # the parameter of the Dirichlet noise times the number of moves, as in AlphaZero

M = TypeVar("M")
_Path: TypeAlias = "list[tuple[_Node, int]]"  # nodes, and the indices of their moves


class _Node:
    """A position in the tree, with the statistics of its moves. Values are for the side to move.

    A node is new until it is evaluated: then it has priors, or a value if the game is over. The visits and sums of
    moves contain the virtual losses of simulations that wait for their evaluation.
    """

    __slots__ = ("children", "count", "is_pending", "moves", "priors", "sums", "total", "turn", "value", "visits")

    def __init__(self, turn: Side) -> None:
        self.turn = turn
        self.is_pending = False
        self.value: float | None = None  # of a finished game
        self.moves: tuple[Any, ...] = ()
        self.priors: list[float] = []
        self.visits: list[int] = []
        self.sums: list[float] = []
        self.children: list[_Node | None] = []
        self.count = 0  # the sum of the visits
        self.total = 0.0  # the sum of the sums, and the value by the evaluator

    def expand(self, moves: tuple[Any, ...], priors: list[float], value: float) -> None:
        """Add the moves with their prior probabilities, and the value of the position."""
        self.is_pending = False
        self.moves = moves
        self.priors = priors
        self.visits = [0] * len(moves)
        self.sums = [0.0] * len(moves)
        self.children = [None] * len(moves)
        self.total = value


class SearchTree(Generic[M]):
    """The tree of a Monte Carlo tree search with PUCT, from the current position of a game.

    `select` returns positions to be evaluated and `update` adds their policies and values. One call of `select` may
    return many positions, for an evaluator that is faster with many positions at once: a virtual loss on each move of
    a path keeps the next simulation away from it until `update` replaces the loss by the value. Several trees can
    share a batch, as the games of self-play do.

    >>> from tablemen.mancala import Position
    >>> from tablemen.players import find_evaluator
    >>> evaluate = find_evaluator("static")
    >>> tree = SearchTree(Game(Position.start("kalah")))
    >>> while tree.simulations < 400:
    ...     positions = tree.select(min(8, 400 - tree.simulations))
    ...     tree.update(*evaluate(positions))
    >>> sum(tree.visits().values())
    400
    >>> print(tree.best_move())
    3

    A finished game has its value by the rules, with every draw that ends the game or can be claimed. A position with a
    single legal move is not evaluated: its value is that of the position after it.

    `exploration` is the weight of the priors (c_puct). `final_value` is the method of an `Evaluator`. `random` decides
    between equal moves, and makes noise.
    """

    def __init__(
        self,
        game: Game[Any, M],
        *,
        exploration: float = DEFAULT_EXPLORATION,
        final_value: Callable[[Any], float] | None = None,
        random: Random | None = None,
    ) -> None:
        """Create a tree. Raises `GameOverError` if the game is over."""
        if outcome := game.outcome():
            raise GameOverError(outcome)
        self._game = game.copy()
        self._exploration = exploration
        self._final_value = final_value
        self._random = Random(0) if random is None else random
        self._has_claims = any(rule.by_claim for rule in game.position.variant.draws)
        self._clean_priors: list[float] | None = None
        self._waiting: list[tuple[_Path, _Node, Any]] = []
        self._set_root(self._create_node(forced_plies=0))

    @property
    def game(self) -> Game[Any, M]:
        """A copy of the game whose position is the root."""
        return self._game.copy()

    @property
    def simulations(self) -> int:
        """The number of visits of the root, the sum of those of its moves, including those that wait for a value."""
        return self._root.count

    @property
    def nodes(self) -> int:
        """The number of positions in the tree."""
        return self._nodes

    def select(self, count: int) -> list[Any]:
        """Run up to `count` simulations, and return the positions that need an evaluation before they can be completed.

        The list is empty if all simulations reached finished games. A new tree returns the root alone, which is no
        simulation. Fewer simulations are run if they would reach a position that is already in the list. Raises
        `GameError` if the last positions have not been evaluated.
        """
        self._check_complete()
        if not self._root.moves:
            self._waiting.append(([], self._root, self._game.position))
            return [self._game.position]
        collisions: list[_Path] = []
        for _ in range(count):
            path, leaf = self._descend()
            if leaf.value is not None:
                _add_value(path, leaf.turn, leaf.value)
            elif leaf.is_pending:
                collisions.append(path)  # the virtual losses stay for now: the next simulation takes another path
            else:
                leaf.is_pending = True
                self._waiting.append((path, leaf, self._game.position))
            for _ in path:
                self._game.pop()
        for path in collisions:
            _remove_virtual_losses(path)
        return [position for _, _, position in self._waiting]

    def update(self, policies: Sequence[Sequence[float]], values: Sequence[float]) -> None:
        """Add the evaluations of the positions that `select` returned last, as an `Evaluator` returns them.

        Raises `TablemenError` if they are invalid; the positions then still wait for their evaluation.
        """
        evaluations = _check_evaluations([position for _, _, position in self._waiting], policies, values)
        for (path, leaf, _), (moves, priors, value) in zip(self._waiting, evaluations, strict=True):
            leaf.expand(moves, priors, value)
            _add_value(path, leaf.turn, value)
        self._waiting.clear()

    def visits(self) -> dict[M, int]:
        """Return the number of visits of each move of the root; empty before the root is evaluated."""
        return dict(zip(self._root.moves, self._root.visits, strict=True))

    def values(self) -> dict[M, float | None]:
        """Return the mean value of each move of the root for the side to move, from -1 to 1; None if not visited."""
        root = self._root
        statistics = zip(root.moves, root.sums, root.visits, strict=True)
        return {move: total / visits if visits else None for move, total, visits in statistics}

    @property
    def value(self) -> float:
        """The mean value of the root for its side to move, from -1 to 1."""
        return self._root.total / (1 + self._root.count)

    def policy(self, temperature: float = 1.0) -> dict[M, float]:
        """Return the probability of each move of the root: its share of the visits, to the power of 1/temperature.

        With the temperature 0, the most visited moves share the probability. Without visits, the priors are returned.
        """
        root = self._root
        most = max(root.visits, default=0)
        if not most:
            return dict(zip(root.moves, self._priors, strict=True))
        if temperature > 0:
            powers = [(visits / most) ** (1 / temperature) for visits in root.visits]
        else:
            powers = [float(visits == most) for visits in root.visits]
        total = sum(powers)
        return {move: power / total for move, power in zip(root.moves, powers, strict=True)}

    def best_move(self) -> M:
        """Return the most visited move; of several, one with the highest value. Without visits, the prior decides.

        Raises `GameError` before the root is evaluated.
        """
        root = self._root
        if not root.moves:
            raise GameError("the root has not been evaluated yet: call select and update first")
        means = [total / visits if visits else -1.0 for total, visits in zip(root.sums, root.visits, strict=True)]
        keys = list(zip(root.visits, means, self._priors, strict=True))
        best = max(keys)
        move: M = self._random.choice([move for move, key in zip(root.moves, keys, strict=True) if key == best])
        return move

    def sample_move(self, temperature: float) -> M:
        """Return a random move with the probabilities of `policy(temperature)`; the best one if that is 0."""
        if not temperature or not self._root.moves:
            return self.best_move()
        policy = self.policy(temperature)
        return self._random.choices(list(policy), list(policy.values()))[0]

    def add_noise(self, weight: float, alpha: float | None = None) -> None:
        """Mix Dirichlet noise with the priors of the root: `weight` is the share of the noise, from 0 to 1.

        `alpha` is its parameter, by default 10 divided by the number of legal moves. Another call replaces the noise.
        Raises `GameError` before the root is evaluated.
        """
        if not self._root.moves:
            raise GameError("the root has not been evaluated yet: call select and update first")
        priors = self._clean_priors = self._priors
        shape = MEAN_ALPHA / len(priors) if alpha is None else alpha
        noise = [self._random.gammavariate(shape, 1.0) for _ in priors]
        total = sum(noise) or 1.0
        self._root.priors = [
            (1 - weight) * prior + weight * each / total for prior, each in zip(priors, noise, strict=True)
        ]

    def advance(self, move: M) -> None:
        """Play a move, and keep the part of the tree below it.

        Raises the errors of `Game.push`, `GameOverError` if the move ends the game, and `GameError` if positions wait
        for their values. The tree is then unchanged.
        """
        self._check_complete()
        played = self._game.push(move)
        if outcome := self._game.outcome():
            self._game.pop()
            raise GameOverError(outcome)
        root = self._root
        child = root.children[root.moves.index(played)] if root.moves else None
        self._set_root(self._create_node(forced_plies=0) if child is None else child)

    def follow(self, game: Game[Any, M]) -> bool:
        """Advance to the position of an unfinished game, and return whether it continues the game of the tree.

        If it does not, the tree is unchanged.
        """
        self._check_complete()
        own, moves = len(self._game.moves), game.moves
        if game.start != self._game.start or moves[:own] != self._game.moves or game.outcome() is not None:
            return False
        for move in moves[own:]:
            self.advance(move)
        return True

    def _check_complete(self) -> None:
        if self._waiting:
            raise GameError("the positions of the last selection have no values yet: call update first")

    @property
    def _priors(self) -> list[float]:
        """The prior probabilities of the moves of the root, without noise."""
        return self._root.priors if self._clean_priors is None else self._clean_priors

    def _set_root(self, root: _Node) -> None:
        self._root = root
        self._clean_priors = None
        self._nodes = _count_nodes(root)

    def _descend(self) -> tuple[_Path, _Node]:
        """Push the moves of the best path to a node without moves, and return both. Add virtual losses to the path."""
        path: _Path = []
        node = self._root
        forced_plies = 0
        while node.moves:
            index = self._choose(node)
            path.append((node, index))
            node.visits[index] += 1
            node.sums[index] -= 1.0
            node.count += 1
            node.total -= 1.0
            self._game.push(node.moves[index])
            child = node.children[index]
            if child is None:
                child = node.children[index] = self._create_node(forced_plies)
                self._nodes += 1
                forced_plies += 1
            node = child
        return path, node

    def _choose(self, node: _Node) -> int:
        """Return the index of the move with the highest PUCT score: its mean value, and a bonus for few visits."""
        bonus = self._exploration * math.sqrt(node.count + 1)
        unvisited = node.total / (node.count + 1)  # the value of a move that was not visited is that of the position
        best, best_score = 0, -math.inf
        for index, (prior, visits, total) in enumerate(zip(node.priors, node.visits, node.sums, strict=True)):
            score = (total / visits if visits else unvisited) + bonus * prior / (1 + visits)
            if score > best_score:
                best, best_score = index, score
        return best

    def _create_node(self, forced_plies: int) -> _Node:
        """Create a node for the position of the game; a single legal move needs no evaluation."""
        game = self._game
        position = game.position
        node = _Node(position.turn)
        outcome = game.outcome()
        if outcome is not None or (self._has_claims and game.claims()):
            node.value = self._evaluate_end(position, None if outcome is None else outcome.winner)
        else:
            moves = position.legal_moves()
            if len(moves) == 1 and forced_plies < MAX_FORCED_PLIES:
                node.expand(moves, [1.0], 0.0)
        return node

    def _evaluate_end(self, position: Any, winner: Side | None) -> float:
        """Return the value of a finished game for the side to move."""
        if self._final_value is not None and position.outcome() is not None:
            return _check_value(self._final_value(position))
        return 0.0 if winner is None else 1.0 if winner is position.turn else -1.0


def _count_nodes(root: _Node) -> int:
    count, waiting = 0, [root]
    while waiting:
        node = waiting.pop()
        count += 1
        waiting += [child for child in node.children if child is not None]
    return count


def _add_value(path: _Path, turn: Side, value: float) -> None:
    """Replace the virtual losses of a path by a value for a side. An extra turn does not change the side to move."""
    for node, index in path:
        change = 1.0 + (value if node.turn is turn else -value)
        node.sums[index] += change
        node.total += change


def _remove_virtual_losses(path: _Path) -> None:
    for node, index in path:
        node.visits[index] -= 1
        node.sums[index] += 1.0
        node.count -= 1
        node.total += 1.0


def _check_evaluations(
    positions: Sequence[Any], policies: Any, values: Any
) -> list[tuple[tuple[Any, ...], list[float], float]]:
    """Return the moves of each position, their prior probabilities and the value of the position."""
    if len(policies) != len(positions) or len(values) != len(positions):
        raise TablemenError(
            f"the evaluator returned {len(policies)} policies and {len(values)} values for {len(positions)} positions"
        )
    found = []
    for position, policy, value in zip(positions, policies, values, strict=True):
        moves = position.legal_moves()
        weights = policy.tolist() if hasattr(policy, "tolist") else list(policy)
        if len(weights) != len(moves):
            raise TablemenError(
                f"the evaluator returned {len(weights)} weights for {len(moves)} legal moves of {position!r}"
            )
        total = sum(weights)
        if not (min(weights) >= 0 and total < math.inf):  # also false for nan
            raise TablemenError(
                f"the evaluator returned the policy {weights} for {position!r}: expected numbers from 0"
            )
        priors = [weight / total for weight in weights] if total else [1 / len(moves)] * len(moves)
        found.append((moves, priors, _check_value(value)))
    return found


def _check_value(value: Any) -> float:
    number = float(value)
    if not -1 <= number <= 1:
        raise TablemenError(f"the evaluator returned the value {number}: expected a number from -1 to 1")
    return number


@dataclass(kw_only=True)
class MctsPlayer(WrittenPlayer):
    """A player with a Monte Carlo tree search that an evaluator guides by policies and values (PUCT).

    `simulations` is the number of simulations for a move, 400 by default if there is no `time`, the seconds for a
    move; the first limit that is reached ends the search, and so does a share of the clock. Simulations for earlier
    moves are kept if the game continues from them, and are not counted. `nodes` limits the size of the tree.

    `evaluator` is a name for `find_evaluator`, and `weights` a file for it. `function` is an evaluator that has no
    name. It is called with up to `batch` positions at once. `exploration` is the weight of the policy against the
    values (c_puct).

    For self-play, `noise` is the share of Dirichlet noise in the policy of the root, with the parameter `alpha` (by
    default 10 divided by the number of moves). The first `plies` moves of the game, by default all, are chosen with a
    probability proportional to visits to the power of 1/`temperature`; with the temperature 0, the default, the most
    visited move is played. The same seed gives the same moves, unless there is a limit of time.

    >>> from tablemen.mancala import Position
    >>> player = MctsPlayer(simulations=200, batch=1)
    >>> print(player, player.choose(Game(Position.start("kalah"))))
    mcts:simulations=200,batch=1 3
    """

    kind: ClassVar[str] = "mcts"
    about: ClassVar[str] = "a Monte Carlo tree search guided by an evaluator of policies and values"

    simulations: int | None = option(whole(1))
    time: float | None = option(SECONDS)
    nodes: int = option(whole(2, MAX_NODES), DEFAULT_NODES)
    batch: int = option(whole(1, MAX_BATCH), DEFAULT_BATCH)
    evaluator: str = option(NAME, DEFAULT_EVALUATOR)
    weights: str | None = option(NAME)
    exploration: float = option(number(0, 1000), DEFAULT_EXPLORATION)
    noise: float = option(number(0, 1), 0.0)
    alpha: float | None = option(number(0.001, 1000))
    temperature: float = option(number(0, 100), 0.0)
    plies: int | None = option(whole(0))
    seed: int = option(SEED, 0)
    function: Evaluator | None = field(default=None, repr=False)
    _found: Evaluator | None = field(default=None, init=False, repr=False, compare=False)
    _tree: SearchTree[Any] | None = field(default=None, init=False, repr=False, compare=False)
    _random: Random = field(init=False, repr=False, compare=False)
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _is_closed: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.function is not None and not callable(self.function):
            raise ArgumentError("function", self.function, "an evaluator")
        self._random = Random(self.seed)

    @property
    def limit(self) -> Limit:
        """The limits of the search for a move; its nodes are simulations."""
        simulations = DEFAULT_SIMULATIONS if self.simulations is None and self.time is None else self.simulations
        return Limit(nodes=simulations, time=self.time)

    @property
    def tree(self) -> SearchTree[Any] | None:
        """The tree of the last search, which the next search continues; None if there was none, or it failed."""
        return self._tree

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if the evaluator is not found, or does not support the game."""
        check = getattr(self._find_evaluator(), "check", None)
        if check is not None:
            check(position)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the most visited move, or a random one with a temperature. Raises `TablemenError` after `close`."""
        if self._is_closed:
            raise TablemenError(f"{self.name} is closed")
        open_moves(game)
        self._is_stopped = False
        self.score = None
        self.check(game.position)
        former, self._tree = self._tree, None  # an exception, such as KeyboardInterrupt, may leave a tree incomplete
        tree = self._continue(former, game)
        self._search(tree)
        is_random = self.plies is None or len(game.moves) < self.plies
        move = tree.sample_move(self.temperature if is_random else 0.0)
        value = tree.values()[move]
        self.score = None if value is None else _to_score(value, get_family(game.position).score_scale)
        self._tree = tree
        return move

    def stop(self) -> None:
        """Stop the running search after the current batch."""
        self._is_stopped = True

    def close(self) -> None:
        """Release the tree and the evaluator. The player cannot be used any more."""
        self._is_closed = True
        self._tree = self._found = None

    def _find_evaluator(self) -> Evaluator:
        if self.function is not None:
            return self.function
        if self._found is None:
            self._found = find_evaluator(self.evaluator, self.weights)
        return self._found

    def _continue(self, tree: SearchTree[Any] | None, game: Game[Any, Any]) -> SearchTree[Any]:
        """Return the tree at the position of the game: the part of the given one if the game continues its game."""
        if tree is not None and tree.follow(game):
            return tree
        return SearchTree(
            game,
            exploration=self.exploration,
            final_value=getattr(self._find_evaluator(), "final_value", None),
            random=self._random,
        )

    def _search(self, tree: SearchTree[Any]) -> None:
        """Add simulations to a tree until a limit is reached or the search is stopped."""
        evaluate, limit, begun = self._find_evaluator(), self.limit, time.monotonic()
        seconds = math.inf if limit.time is None else limit.time
        if self.clock is not None:
            seconds = min(seconds, self.clock.share())
        goal = math.inf if limit.nodes is None else tree.simulations + limit.nodes
        if not tree.visits():
            tree.update(*evaluate(tree.select(1)))
        if self.noise:
            tree.add_noise(self.noise, self.alpha)
        if len(tree.visits()) == 1:  # a score is enough
            goal = min(goal, tree.simulations + self.batch)
        while not self._is_stopped and tree.simulations < goal and tree.nodes < self.nodes:
            positions = tree.select(int(min(self.batch, goal - tree.simulations)))
            tree.update(*(evaluate(positions) if positions else ((), ())))
            if time.monotonic() - begun >= seconds:
                break


def _to_score(value: float, scale: float) -> Score:
    """Return a value from -1 to 1 as a score in men or seeds, the inverse of the conversion to winning chances."""
    return Score(2 * scale * math.atanh(max(-MAX_SCORE_VALUE, min(MAX_SCORE_VALUE, value))))
