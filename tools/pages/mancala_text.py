"""Descriptions of the rules of mancala games, generated from the rule fields."""

from __future__ import annotations

from collections.abc import Iterator

from tablemen.mancala import Capture, End, GrandSlam, KalahRules, MancalaRules, OwareRules, Rest, Swap
from tablemen.mancala.rules import Cycle

CAPTURES = {
    Capture.OPPOSITE_NOT_EMPTY: "If the opposite house is empty, nothing is captured.",
    Capture.EVEN_IF_OPPOSITE_EMPTY: "If the opposite house is empty, only the last seed goes into the store.",
}
EITHER = "The game is over when either side has no seeds in its houses"
ENDS = {
    End.MOVER_EMPTY: "The game is over when the player to move, even in an extra turn, has no seeds in the houses.",
    End.EITHER_EMPTY: f"{EITHER}.",
    End.EITHER_EMPTY_OR_MAJORITY: f"{EITHER}, or when a store holds more than half of all seeds.",
}
RESTS = {
    Rest.OWNER: "Each side keeps the seeds in its own houses.",
    Rest.NOT_COUNTED: "Seeds left in the houses do not count.",
}
SLAMS = {
    GrandSlam.NO_CAPTURE: "A move that would capture all seeds of the opponent is legal, but captures nothing.",
    GrandSlam.CAPTURES: "A move can capture all seeds of the opponent.",
    GrandSlam.FORBIDDEN: "A move that would capture all seeds of the opponent is not legal.",
    GrandSlam.REST_TO_OPPONENT: (
        "A move can capture all seeds of the opponent, who then gets all seeds left on the board."
    ),
}


def describe_board(rules: MancalaRules) -> Iterator[str]:
    """Describe the board, the initial seeds and the side that moves first."""
    houses, seeds = (f"{number} {word}{'' if number == 1 else 's'}" for number, word in _sizes(rules))
    yield f"South and North each have {houses} with {seeds} in every house, and a store on their right."
    yield "South moves first. For boards of other sizes, set the fields `houses` and `seeds` of the rules."


def describe_sowing(rules: MancalaRules) -> Iterator[str]:
    """Describe a move."""
    yield "The player takes all seeds from one of their houses and sows them anticlockwise, one per pit:"
    if rules.features.sows_store:
        yield "their own houses, their store, the opponent's houses, and round again."
        yield "The opponent's store is skipped; the emptied house is sown like any other."
        yield "If the last seed lands in the store, the same player moves again."
    else:
        yield "their own houses, the opponent's houses, and round again."
        yield "The stores and the emptied house are skipped."


def describe_captures(rules: MancalaRules) -> Iterator[str]:
    """Describe captures."""
    match rules:
        case KalahRules():
            yield (
                "If the last seed lands in an empty house of the player, it captures the seeds in the opposite house: "
                "all of them go into the player's store."
            )
            yield CAPTURES[rules.capture]
        case OwareRules():
            yield (
                "If the last seed brings a house of the opponent to two or three seeds, they are captured. So are the "
                "seeds of the houses sown before it on the opponent's side, as long as each has two or three."
            )
            yield SLAMS[rules.grand_slam]
            if rules.must_feed:
                yield "If the opponent has no seeds, the player must give them some, if any move does so."


def describe_end(rules: MancalaRules) -> Iterator[str]:
    """Describe when the game is over, and who wins."""
    match rules:
        case KalahRules():
            yield ENDS[rules.end]
            yield RESTS[rules.rest]
            if rules.swap is Swap.PIE:
                yield "Instead of making a first move, the second player can swap sides."
        case OwareRules():
            ends = ", or when a store holds more than half of all seeds" if rules.majority_ends else ""
            yield f"The game is over when the player to move has no legal move{ends}."
            yield "Each side then keeps the seeds in its own houses."
    for rule in rules.draws:
        yield f"{'It is also over' if isinstance(rule, Cycle) else 'It is a draw'} with {rule}."
    yield "The side with more seeds wins; an equal number is a draw."


def describe_notation(rules: MancalaRules) -> Iterator[str]:
    """Describe how houses and moves are written."""
    yield (
        f"Each side's houses are numbered from 1 to {rules.houses} in sowing order; the last one is next to the store. "
        "A move is written as the number of its house."
    )


def _sizes(rules: MancalaRules) -> tuple[tuple[int, str], tuple[int, str]]:
    return (rules.houses, "house"), (rules.seeds, "seed")
