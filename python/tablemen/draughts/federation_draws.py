"""The draw rules of the federations, each with its article; `tablemen.draughts.variants` uses them.

"FMJD" is Annex 1 to the FMJD regulations (2015), "FMJD-64" the rules of its section for 64 squares. If one move
fulfils several rules, the first of them is the reason for the draw.
"""

from __future__ import annotations

from tablemen.draughts.draws import NO_LIMIT, DrawnMaterial, Force, Material, MoveCount, Threat, ZeroingMove
from tablemen.draws import DrawRule, Repetition
from tablemen.outcome import Termination

Draws = tuple[DrawRule, ...]

_KINGS_ALONE = ZeroingMove.CAPTURE | ZeroingMove.MAN_MOVE  # resets a count of moves by kings alone

_LONE_KING = Force(pieces=(1, 1), kings=(1, 1))
_THREE_KINGS = Force(pieces=(3, 3), kings=(3, 3))
_THREE_WITH_KING = Force(pieces=(3, 3), kings=(1, 3))
_FEW_WITH_KING = Force(pieces=(1, 2), kings=(1, 2))
_WITH_KING = Force(kings=(1, NO_LIMIT))

NO_DRAWS: Draws = ()

# For variants without a known official text on draws.
THREEFOLD: Draws = (Repetition(3),)

FMJD: Draws = (
    Repetition(3, article="FMJD 6.1"),
    # Not an article of FMJD: by 6.4 it would take five moves. It is played as an immediate draw: see Frisian 21.1.
    DrawnMaterial(
        Material(_LONE_KING, _LONE_KING), termination=Termination.KING_AGAINST_KING, unless=Threat.FORCED_WIN
    ),
    MoveCount(50, termination=Termination.KING_MOVES, article="FMJD 6.2", resets=_KINGS_ALONE),
    # 6.3 and 6.4 do not say how one follows the other. Here each counts from the move that leads to its material, and
    # a man's move or a crowning that does not change the material does not reset the count.
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

# The articles do not say whether a count is reset when a capture leaves three kings or more (7.2.4), or when the king
# returns to the main road (7.2.7): here the first continues and the second is reset.
FMJD_64: Draws = (
    Repetition(3, article="FMJD-64 7.2.3"),
    MoveCount(
        30,
        termination=Termination.THREE_AGAINST_KING,
        article="FMJD-64 7.2.4",
        within=Material(_LONE_KING, Force(kings=(3, NO_LIMIT), men=(0, 0))),
    ),
    MoveCount(
        30,
        termination=Termination.KING_MOVES,
        article="FMJD-64 7.2.5",
        resets=_KINGS_ALONE,
        outside=Material(_WITH_KING, _WITH_KING, total=(4, 7)),  # see 7.2.6
    ),
    *(
        MoveCount(
            plies,
            termination=Termination.UNCHANGED_BALANCE,
            article="FMJD-64 7.2.6",
            resets=ZeroingMove.CAPTURE | ZeroingMove.CROWNING,
            within=Material(_WITH_KING, _WITH_KING, total=total),
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

# The river is a rule of the Portuguese federation that is also played in Spain.
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
        resets=ZeroingMove.CAPTURE | ZeroingMove.CROWNING,
    ),
    MoveCount(24, termination=Termination.MAIN_ROAD, article="FPD 3.2 b", within=_RIVER),
)

CZECH_DRAWS: Draws = (
    Repetition(3, article="FMJD, Czech draughts", by_claim=True),
    # "15 moves" is interpreted as 15 of each side.
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
