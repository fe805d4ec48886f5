"""The rules of a mancala game in sentences, from the rule fields alone."""

from __future__ import annotations

from collections.abc import Iterator

from tablemen.mancala import Capture, End, GrandSlam, KalahRules, MancalaRules, OwareRules, Rest, Swap
from tablemen.mancala.rules import Cycle

CAPTURES = {
    Capture.OPPOSITE_NOT_EMPTY: "Where nothing lies opposite, nothing is captured.",
    Capture.EVEN_IF_OPPOSITE_EMPTY: "Where nothing lies opposite, it goes into the store alone.",
}
EITHER = "The game is over when either side has no seeds in its houses, whoever is to move"
ENDS = {
    End.MOVER_EMPTY: "The game is over when the player to move has no seeds in the houses, after an extra turn too.",
    End.EITHER_EMPTY: f"{EITHER}.",
    End.EITHER_EMPTY_OR_MAJORITY: f"{EITHER}, or when a store holds more than half of all seeds.",
}
RESTS = {
    Rest.OWNER: "Seeds that are left in the houses count for the side that they lie on.",
    Rest.NOT_COUNTED: "Seeds that are left in the houses count for nobody.",
}
SLAMS = {
    GrandSlam.NO_CAPTURE: "A move that would capture all seeds of the opponent is played, and captures nothing.",
    GrandSlam.CAPTURES: "A move may capture all seeds of the opponent.",
    GrandSlam.FORBIDDEN: "A move that would capture all seeds of the opponent is not legal.",
    GrandSlam.REST_TO_OPPONENT: (
        "A move may capture all seeds of the opponent, who then gets all seeds that are left on the board."
    ),
}


def tell_board(rules: MancalaRules) -> Iterator[str]:
    """The board, the seeds on it and who begins."""
    houses, seeds = (f"{number} {word}{'' if number == 1 else 's'}" for number, word in _sizes(rules))
    yield f"South and North have {houses} each, with {seeds} in every house, and a store at their right hand."
    yield "South moves first. There are boards of other sizes: `houses` and `seeds` are fields of the rules."


def tell_sowing(rules: MancalaRules) -> Iterator[str]:
    """How a move goes."""
    yield "A move takes all seeds out of one of the player's own houses and sows them one by one, anticlockwise:"
    if rules.features.sows_store:
        yield "along the player's own houses, into the player's store, along the opponent's houses and round again."
        yield "The opponent's store is passed over; a lap sows the house that was emptied like any other."
        yield "When the last seed falls into the store, the same player moves again."
    else:
        yield "along the player's own houses, along the opponent's houses and round again."
        yield "Stores are not sown, and the house that was emptied is passed over."


def tell_captures(rules: MancalaRules) -> Iterator[str]:
    """What is captured."""
    match rules:
        case KalahRules():
            yield (
                "A last seed that falls into an empty house of the player's own captures what lies in the house "
                "opposite: both go into the player's store."
            )
            yield CAPTURES[rules.capture]
        case OwareRules():
            yield (
                "A last seed that brings a house of the opponent to two or three seeds captures them, and with them "
                "those of the houses before it that have two or three as well, in an unbroken row on the opponent's "
                "side."
            )
            yield SLAMS[rules.grand_slam]
            if rules.must_feed:
                yield "An opponent without seeds must be given some, where any move does that."


def tell_end(rules: MancalaRules) -> Iterator[str]:
    """When it is over, and who wins."""
    match rules:
        case KalahRules():
            yield ENDS[rules.end]
            yield RESTS[rules.rest]
            if rules.swap is Swap.PIE:
                yield "In place of its first move the second player may swap sides."
        case OwareRules():
            ends = ", or when a store holds more than half of all seeds" if rules.majority_ends else ""
            yield f"The game is over when the player to move has no legal move{ends}."
            yield "Each side then keeps the seeds in its own houses."
    for rule in rules.draws:
        yield f"It is {'over as well' if isinstance(rule, Cycle) else 'a draw'} with {rule}."
    yield "Who has more wins; as many on both sides are a draw."


def tell_notation(rules: MancalaRules) -> Iterator[str]:
    """How houses and moves are written."""
    yield (
        f"Houses are numbered from 1 to {rules.houses}, each side's in the order in which it sows them: the last is "
        "next to its store. A move is the number of its house."
    )


def _sizes(rules: MancalaRules) -> tuple[tuple[int, str], tuple[int, str]]:
    return (rules.houses, "house"), (rules.seeds, "seed")
