"""The known mancala variants.

Sources differ in the details of Kalah's rules. Each of these rule sets has its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from tablemen.mancala.rules import Capture, End, KalahRules, MancalaRules, OwareRules
from tablemen.rules import find_by_name

KALAH = KalahRules(
    name="kalah",
    title="Kalah",
    aliases=("kalaha", "mancala"),
    note="The game ends when the player to move has no seeds, and captures need seeds opposite.",
    sources=("The KalahStandardStarter exercise, Functional Requirements",),
)

IRVING = replace(
    KALAH,
    name="irving",
    title="Kalah as solved in 2000",
    aliases=("irving-donkers-uiterwijk",),
    capture=Capture.EVEN_IF_OPPOSITE_EMPTY,
    end=End.EITHER_EMPTY,
    note="A last seed in an empty house is captured even alone, and the game ends when either side is empty.",
    sources=("G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23 (2000)",),
)

KGP = replace(
    KALAH,
    name="kgp",
    title="Kalah by the Kalah Game Protocol",
    aliases=(),
    end=End.EITHER_EMPTY_OR_MAJORITY,
    note="The game ends when either side is empty or a store holds more than half of the seeds.",
    sources=("Kalah Game Protocol 1.0",),
)

OPEN_SPIEL = replace(
    KALAH,
    name="open_spiel",
    title="Kalah as OpenSpiel has it",
    aliases=("openspiel",),
    end=End.EITHER_EMPTY,
    note="The game ends when either side is empty.",
    sources=("OpenSpiel, game mancala",),
)

FAIRKALAH = replace(
    IRVING,
    name="fairkalah",
    title="FairKalah",
    aliases=("fair kalah",),
    note="The rules of `irving`, for 254 starting boards that give neither player an advantage (`fair_start`).",
    sources=("T. Neller and others, FairKalah", "Ludii, FairKalah"),
)

OWARE = OwareRules(
    name="oware",
    title="Oware Abapa",
    aliases=("abapa", "awale", "wari", "warri"),
    note="Abapa rules. Sources differ on grand slams (`grand_slam`) and on how often a position must repeat (`draws`).",
    sources=("Oware Society, Oware Abapa rules",),
)

VARIANTS: Mapping[str, MancalaRules] = MappingProxyType(
    {rules.name: rules for rules in (KALAH, IRVING, KGP, OPEN_SPIEL, FAIRKALAH, OWARE)}
)
_KNOWN = {name.casefold(): rules for rules in VARIANTS.values() for name in (rules.name, *rules.aliases, rules.title)}


def find_variant(name: str | MancalaRules) -> MancalaRules:
    """Return the variant with this name or alias. Rules are returned unchanged.

    >>> find_variant("Awale").name
    'oware'

    Raises `UnknownVariantError`, with similar names, if there is none.
    """
    return name if isinstance(name, MancalaRules) else find_by_name(name, _KNOWN)
