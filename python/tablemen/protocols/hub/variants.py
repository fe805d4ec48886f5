"""What variants are called in Hub: five names that it knows, and for all others our own, as an extension."""

from __future__ import annotations

from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import VARIANTS
from tablemen.errors import TablemenError

VARIANT = "variant"  # the option that says which one is played
NORMAL = "normal"

_KNOWN = {
    NORMAL: "international",
    "killer": "killer",
    "bt": "breakthrough",
    "frisian": "frisian",
    "losing": "antidraughts",
}
_NAMES = {name: hub for hub, name in _KNOWN.items()}

HUB_VARIANTS: dict[str, DraughtsRules] = {hub: VARIANTS[name] for hub, name in _KNOWN.items()} | {
    name: rules for name, rules in VARIANTS.items() if name not in _NAMES
}


def hub_name_of(rules: object) -> str:
    """What Hub calls the rules.

    >>> hub_name_of(VARIANTS["antidraughts"]), hub_name_of(VARIANTS["english"])
    ('losing', 'english')

    Raises `TablemenError` where they have no name there: only draughts has, and only its known variants.
    """
    if not isinstance(rules, DraughtsRules):
        raise TablemenError(f"Hub is for draughts, and {rules} is another game")
    if VARIANTS.get(rules.name) != rules:
        raise TablemenError(f"Hub has no name for rules of one's own such as {rules.name}")
    return _NAMES.get(rules.name, rules.name)
