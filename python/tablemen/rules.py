"""What the rule sets of every family have in common: fields that are checked, and names that lead to them."""

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
    """The rules of a variant, as far as they are found here."""

    @property
    def name(self) -> str:
        """What they are called."""


R = TypeVar("R", bound=Rules)


def field_problems(rules: DataclassInstance, **items: tuple[type, ...]) -> Iterator[str]:
    """Which fields hold something of another type than their default: a name has none, and None is for no number.

    `items` says what the tuples of a field consist of; draws are draw rules, and others texts.
    """
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value is None and field.default is None:
            continue
        wanted = {MISSING: str, None: int}.get(field.default, type(field.default))
        # A bool is no number here, nor a number a bool.
        if not isinstance(value, wanted) or isinstance(value, bool) != (wanted is bool):
            yield f"{field.name} is {value!r}, not of type {wanted.__name__}"
        elif isinstance(value, tuple):
            kinds = items.get(field.name, (DrawRule if field.name == "draws" else str,))
            names = " or ".join(kind.__name__ for kind in kinds)
            yield from (f"{field.name} has {each!r}, not a {names}" for each in value if not isinstance(each, kinds))


def draw_problems(draws: tuple[DrawRule, ...]) -> Iterator[str]:
    """What makes draw rules meaningless, in words."""
    if any(each in draws[:at] for at, each in enumerate(draws)):
        yield "draws names a rule twice"
    for each in draws:
        yield from (f"draws: in {type(each).__name__}, {problem}" for problem in each.problems())


def find_by_name(name: object, known: Mapping[str, R]) -> R:
    """The rules of this name, in either case; `known` has them by everything that they are called, in lower case.

    Raises `UnknownVariantError`, with near names, where there are none.
    """
    wanted = str(name).strip().casefold()
    if wanted in known:
        return known[wanted]
    words = (each for each in known if not each[0].isdigit())
    near = difflib.get_close_matches(wanted, words, n=3)
    raise UnknownVariantError(name, tuple(dict.fromkeys(known[each].name for each in near)))
