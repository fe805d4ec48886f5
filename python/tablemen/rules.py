"""Rule sets of every family: checks of their fields, and lookup by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Protocol, TypeVar

from tablemen.draws import DrawRule
from tablemen.errors import UnknownVariantError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Rules(Protocol):
    """The part of the rules that this module needs."""

    @property
    def name(self) -> str:
        """The name of the variant."""


R = TypeVar("R", bound=Rules)

# Limits for suggestions: "chess" is not similar to "checkers", and "draughts" not to "antidraughts".
MIN_SIMILARITY = 0.65  # ratio of `difflib`
MAX_LENGTH_DIFFERENCE = 3  # characters


def field_problems(rules: DataclassInstance, **items: tuple[type, ...]) -> Iterator[str]:
    """Yield a description of each field that has the wrong type.

    The right type is that of the default: `str` if there is no default, and `int` or None if it is None. `items` gives
    the types of the items of tuples, by field; the default is `DrawRule` for `draws` and `str` for other fields.
    """
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value is None and field.default is None:
            continue
        expected = {MISSING: str, None: int}.get(field.default, type(field.default))
        # A bool is an int for isinstance, but not a valid number.
        if not isinstance(value, expected) or isinstance(value, bool) != (expected is bool):
            yield f"{field.name} is {value!r}, not of type {expected.__name__}"
        elif isinstance(value, tuple):
            types = items.get(field.name, (DrawRule if field.name == "draws" else str,))
            names = " or ".join(each.__name__ for each in types)
            yield from (f"{field.name} has {item!r}, not a {names}" for item in value if not isinstance(item, types))


def draw_problems(draws: tuple[DrawRule, ...]) -> Iterator[str]:
    """Yield a description of each invalid value of the draw rules."""
    if any(rule in draws[:index] for index, rule in enumerate(draws)):
        yield "draws contains a rule twice"
    for rule in draws:
        yield from (f"draws: in {type(rule).__name__}, {problem}" for problem in rule.problems())


def find_by_name(name: object, known: Mapping[str, R]) -> R:
    """Return the rules with this name, ignoring case; the keys of `known` are names and aliases in lower case.

    Raises `UnknownVariantError`, with similar names, if there are none.
    """
    key = str(name).strip().casefold()
    if key in known:
        return known[key]
    words = (word for word in known if not word[0].isdigit() and abs(len(word) - len(key)) <= MAX_LENGTH_DIFFERENCE)
    matches = difflib.get_close_matches(key, words, n=3, cutoff=MIN_SIMILARITY)
    raise UnknownVariantError(name, tuple(dict.fromkeys(known[word].name for word in matches)))
