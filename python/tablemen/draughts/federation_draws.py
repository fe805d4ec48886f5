"""The draw rules of the federations, each with its article; `variants` says who plays by which.

"FMJD" is Annex 1 to the FMJD regulations (2015), "FMJD-64" the rules of its section for 64 squares. Where one move
fulfils several rules, the earlier gives the reason.
"""

from __future__ import annotations

from tablemen.draughts.draws import MANY, DrawnMaterial, Force, Material, MoveCount, Progress, Threat
from tablemen.draws import DrawRule, Repetition
from tablemen.outcome import Termination

Draws = tuple[DrawRule, ...]

_KINGS_ALONE = Progress.CAPTURE | Progress.MAN_MOVE  # what ends a series of moves by kings alone

_LONE_KING = Force(pieces=(1, 1), kings=(1, 1))
_THREE_KINGS = Force(pieces=(3, 3), kings=(3, 3))
_THREE_WITH_KING = Force(pieces=(3, 3), kings=(1, 3))
_FEW_WITH_KING = Force(pieces=(1, 2), kings=(1, 2))
_SOME_KING = Force(kings=(1, MANY))

NO_DRAWS: Draws = ()

# Where no text is known that says more.
THREEFOLD: Draws = (Repetition(3),)

FMJD: Draws = (
    Repetition(3, article="FMJD 6.1"),
    # No article of FMJD's: 6.4 would give it five moves. Played as a draw at once if it is one: see Frisian 21.1.
    DrawnMaterial(
        Material(_LONE_KING, _LONE_KING), termination=Termination.KING_AGAINST_KING, unless=Threat.FORCED_WIN
    ),
    MoveCount(50, termination=Termination.KING_MOVES, article="FMJD 6.2", resets=_KINGS_ALONE),
    # The text of 6.3 and 6.4 is silent on how they follow each other. Here each counts from the move that brings its
    # material about, and goes on through a man's move or a crowning that leaves it what it is.
    MoveCount(
        32,
        termination=Termination.THREE_AGAINST_KING,
        article="FMJD 6.3",
        within=Material(_LONE_KING, _THREE_WITH_KING),
    ),
    MoveCount(
        10,
        termination=Termination.FEW_AGAINST_KING,
        article="FMJD 6.4",
        within=Material(_LONE_KING, _FEW_WITH_KING),
    ),
)

# The articles do not say what becomes of a count when a capture leaves three kings or more (7.2.4), or when the king
# comes back to the main road (7.2.7): here the first goes on and the second begins anew.
FMJD_64: Draws = (
    Repetition(3, article="FMJD-64 7.2.3"),
    MoveCount(
        30,
        termination=Termination.THREE_AGAINST_KING,
        article="FMJD-64 7.2.4",
        within=Material(_LONE_KING, Force(kings=(3, MANY), men=(0, 0))),
    ),
    MoveCount(
        30,
        termination=Termination.KING_MOVES,
        article="FMJD-64 7.2.5",
        resets=_KINGS_ALONE,
        outside=Material(_SOME_KING, _SOME_KING, total=(4, 7)),  # 7.2.6 says what holds there
    ),
    *(
        MoveCount(
            plies,
            termination=Termination.UNCHANGED_BALANCE,
            article="FMJD-64 7.2.6",
            resets=Progress.CAPTURE | Progress.CROWNING,
            within=Material(_SOME_KING, _SOME_KING, total=total),
        )
        for plies, total in ((60, (4, 5)), (120, (6, 7)))
    ),
    MoveCount(
        10,
        termination=Termination.MAIN_ROAD,
        article="FMJD-64 7.2.7",
        within=Material(Force(pieces=(1, 1), kings=(1, 1), on_long_diagonal=True), _THREE_WITH_KING),
    ),
    MoveCount(
        10,
        termination=Termination.FEW_AGAINST_KING,
        article="FMJD-64 7.2.8",
        within=Material(_LONE_KING, _FEW_WITH_KING),
    ),
)

WCDF: Draws = (
    Repetition(3, article="WCDF 1.32.1", by_claim=True),
    MoveCount(80, termination=Termination.KING_MOVES, article="WCDF 1.32.2", by_claim=True, resets=_KINGS_ALONE),
)

APCA: Draws = (
    Repetition(3, article="APCA 26"),
    MoveCount(30, termination=Termination.KING_MOVES, article="APCA 26", resets=_KINGS_ALONE),
    MoveCount(
        26,
        termination=Termination.THREE_AGAINST_KING,
        article="APCA, the count of 13",
        within=Material(_LONE_KING, _THREE_KINGS),
    ),
)

FID: Draws = (
    Repetition(4, article="FID 9.3 b1"),
    MoveCount(80, termination=Termination.KING_MOVES, article="FID 10.4", resets=_KINGS_ALONE),
)

_RIVER = Material(_LONE_KING, Force(pieces=(3, 3), kings=(3, 3), on_long_diagonal=True))

# The river is a rule of the Portuguese federation, and played in Spain too.
SPANISH_DRAWS: Draws = (
    Repetition(3, article="Section 64, Spanish draughts"),
    MoveCount(40, termination=Termination.KING_MOVES, article="Section 64, Spanish draughts", resets=_KINGS_ALONE),
    MoveCount(24, termination=Termination.MAIN_ROAD, article="FPD 3.2 b", within=_RIVER),
)

FPD: Draws = (
    Repetition(3, article="FPD 3.2 c"),
    MoveCount(
        40,
        termination=Termination.UNCHANGED_BALANCE,
        article="FPD 3.2 a",
        resets=Progress.CAPTURE | Progress.CROWNING,
    ),
    MoveCount(24, termination=Termination.MAIN_ROAD, article="FPD 3.2 b", within=_RIVER),
)

CZECH_DRAWS: Draws = (
    Repetition(3, article="FMJD, Czech draughts", by_claim=True),
    # "15 moves": read as 15 of each side.
    MoveCount(30, termination=Termination.KING_MOVES, article="FMJD, Czech draughts", resets=_KINGS_ALONE),
)

FRISIAN_DRAWS: Draws = (
    DrawnMaterial(
        Material(_LONE_KING, _LONE_KING),
        termination=Termination.KING_AGAINST_KING,
        article="Frisian 21.1",
        unless=Threat.FORCED_WIN,
    ),
    MoveCount(
        14,
        termination=Termination.FEW_AGAINST_KING,
        article="Frisian 18",
        within=Material(_LONE_KING, Force(pieces=(2, 2), kings=(2, 2))),
    ),
)

TURKISH_DRAWS: Draws = (
    Repetition(3, article="Alemanni, Turkish draughts"),
    DrawnMaterial(
        Material(Force(pieces=(1, 1)), Force(pieces=(1, 1))),
        termination=Termination.ONE_AGAINST_ONE,
        article="M. Winther, Turkish draughts",
        unless=Threat.CAPTURE,
    ),
)
