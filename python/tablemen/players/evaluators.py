"""Evaluators: functions that return policies and values of many positions at once, for the tree search of `mcts`."""

from __future__ import annotations

import difflib
import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol, cast

from tablemen.errors import ArgumentError, TablemenError
from tablemen.family import get_family

ENTRY_POINTS = "tablemen.evaluators"  # the group in which packages register evaluators
DEFAULT_EVALUATOR = "static"
PLAYOUTS = 8  # for each position
MAX_PLAYOUT_PLIES = 200  # longer random games count as drawn


class Evaluator(Protocol):
    """A function that evaluates many positions at once: it returns policies and values, one of each per position.

    A policy has a weight of at least 0 for each legal move of the position, in the order of `legal_moves()`; the
    search divides the weights by their sum. A value is from -1 for a loss to 1 for a win of the side to move. NumPy
    arrays are accepted. The positions are not finished, and have at least one legal move.

    An evaluator may also be an object with these methods. `check(position)` raises `TablemenError` if it cannot
    evaluate positions of such a game. `final_value(position)` returns the value of a position without legal moves for
    the side to move, from -1 to 1, for example by the margin of the score; without it a win is 1, a draw is 0.
    """

    def __call__(self, positions: Sequence[Any], /) -> tuple[Any, Any]:
        """Return the policies and the values of the positions."""
        ...


def evaluate_statically(positions: Sequence[Any]) -> tuple[list[list[float]], list[float]]:
    """Return uniform policies, and values by the static evaluation of the search.

    A family that the search does not support has values by its material.

    >>> from tablemen.mancala import Position
    >>> policies, values = evaluate_statically([Position.from_text("<6,9,3,1,0,2,0,0,0,1,0,0,0,0,0> south", "kalah")])
    >>> policies, round(values[0], 1)
    ([[1.0, 1.0]], 0.8)
    """
    values = []
    for position in positions:
        score, scale = _get_static(position.variant)
        values.append(math.tanh(score(position) / (2 * scale)))
    return _get_uniform_policies(positions), values


def evaluate_by_playouts(positions: Sequence[Any]) -> tuple[list[list[float]], list[float]]:
    """Return uniform policies, and the mean results of a few random games as values, the same for equal positions."""
    values = []
    for position in positions:
        seed = position.hash_key & (2**63 - 1)
        results = position.random_playouts(PLAYOUTS, seed=seed, max_plies=MAX_PLAYOUT_PLIES).results
        won = sum(0 if winner is None else 1 if winner is position.turn else -1 for winner in results)
        values.append(won / PLAYOUTS)
    return _get_uniform_policies(positions), values


def _get_uniform_policies(positions: Sequence[Any]) -> list[list[float]]:
    return [[1.0] * len(position.legal_moves()) for position in positions]


@lru_cache(maxsize=64)
def _get_static(rules: Any) -> tuple[Callable[[Any], float], float]:
    """Return the static evaluation of positions by these rules, and the score that means odds of e to 1."""
    family = get_family(rules)
    if not family.has_search:
        return family.balance, family.score_scale
    evaluation = family.search_evaluation(rules)
    if evaluation is None:
        return _evaluate_in_core, family.score_scale
    return evaluation.evaluate, family.score_scale


def _evaluate_in_core(position: Any) -> float:
    value: float = position.evaluate()
    return value


EVALUATORS: Mapping[str, Evaluator] = MappingProxyType(
    {"static": evaluate_statically, "playouts": evaluate_by_playouts}
)


def find_evaluator(name: str, weights: str | None = None) -> Evaluator:
    """Return the evaluator with this name, or the one that a function creates from a file of weights.

    A name is `static`, `playouts`, or the name of an entry point of the group `tablemen.evaluators`. `module:function`
    imports a module. With `weights`, the name refers to a function that is called with this path and returns the
    evaluator.

    >>> policies, values = find_evaluator("static")([])
    >>> find_evaluator("stattic")
    Traceback (most recent call last):
    tablemen.errors.TablemenError: there is no evaluator 'stattic'; did you mean static?

    Raises `TablemenError` if there is no such evaluator, or it cannot be imported.
    """
    found = EVALUATORS.get(name)
    if found is not None and weights is not None:
        raise ArgumentError("weights", weights, f"no file: the evaluator {name} has none")
    if found is None:
        found = _import(name) if ":" in name else _load_entry_point(name)
    if not callable(found):
        raise TablemenError(f"the evaluator {name} is not a function, but of type {type(found).__name__}")
    if weights is None:
        return found
    try:
        created = cast("Callable[[str], Evaluator]", found)(weights)
    except OSError as error:
        raise TablemenError(f"the weights {weights!r} cannot be read: {error.strerror or error}") from error
    if not callable(created):
        raise TablemenError(
            f"{name} must return an evaluator for a file of weights, not a value of type {type(created).__name__}"
        )
    return created


def _import(name: str) -> Any:
    """Return the attribute of a module, written `module:function`."""
    module, _, path = name.partition(":")
    if not module or not path or module.startswith("."):
        raise TablemenError(f"the evaluator {name!r} is invalid: write module:function")
    try:
        found: Any = importlib.import_module(module)
        for attribute in path.split("."):
            found = getattr(found, attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise TablemenError(f"the evaluator {name} cannot be imported: {error}") from error
    return found


def _load_entry_point(name: str) -> Any:
    """Return the object of an entry point."""
    from importlib.metadata import entry_points

    registered = entry_points(group=ENTRY_POINTS)
    for entry in registered:
        if entry.name == name:
            try:
                return entry.load()
            except (ImportError, AttributeError) as error:
                raise TablemenError(f"the evaluator {name} cannot be imported from {entry.value}: {error}") from error
    known = [*EVALUATORS, *sorted(registered.names)]
    near = difflib.get_close_matches(name, known, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known evaluators: {', '.join(known)}"
    raise TablemenError(f"there is no evaluator {name!r}; {hint}")
