"""The families that there are, and variants of any of them by their names."""

from __future__ import annotations

from typing import Any

from tablemen.errors import ArgumentError, UnknownVariantError
from tablemen.families.draughts import Draughts
from tablemen.family import Family
from tablemen.families.mancala import Mancala
from tablemen.rule_sets import find_by_name

families(): tuple[Family, ...] = (Draughts(), Mancala())


def find_variant(name: Any) -> Any:
    """The rules of this name in any family. Rules are given back as they are.

    >>> find_variant("checkers").name, find_variant("awale").name
    ('english', 'oware')
    >>> find_variant("owari")
    Traceback (most recent call last):
    tablemen.errors.UnknownVariantError: unknown variant 'owari'; did you mean oware?

    Raises `UnknownVariantError`, with near names of all families, where there is none.
    """
    for family in families():
        if family.owns(name):
            return name
        try:
            return family.find_variant(name)
        except UnknownVariantError:
            continue
    known = {
        word.casefold(): rules
        for family in families()
        for rules in family.variants.values()
        for word in (rules.name, *rules.aliases, rules.title)
    }
    return find_by_name(name, known)  # which is not there: it tells the near ones


def get_family(subject: Any) -> Family:
    """The family of rules, or of a position.

    >>> from tablemen.mancala import Position
    >>> get_family(Position.start("kalah")).name
    'mancala'
    """
    rules = getattr(subject, "variant", subject)
    for family in families():
        if family.owns(rules):
            return family
    raise ArgumentError("subject", subject, "a position or rules of draughts or mancala")
