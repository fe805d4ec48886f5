"""The known variants, each defined by a base and its differences from it.

Each variant has its sources; "PDN" is the GameType table of PDN 3.0. Perft counts that verify each variant are in
`tests/perft`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from tablemen.draughts.board import Corner, Notation, Playable
from tablemen.draughts.federation_draws import (
    APCA,
    CZECH_DRAWS,
    FID,
    FMJD_64,
    FPD,
    FRISIAN_DRAWS,
    NO_DRAWS,
    SPANISH_DRAWS,
    THREEFOLD,
    TURKISH_DRAWS,
    WCDF,
)
from tablemen.draughts.rules import (
    Criterion,
    Direction,
    DraughtsRules,
    KingLanding,
    MostValue,
    Promotion,
    Removal,
)
from tablemen.outcome import Side
from tablemen.rules import find_by_name

INTERNATIONAL = DraughtsRules(
    name="international",
    title="International draughts",
    aliases=("polish", "standard", "normal"),
    game_type=20,
    sources=("FMJD Annex 1 (2015), articles 2-4 and 6",),
)

KILLER = replace(
    INTERNATIONAL,
    name="killer",
    title="Killer draughts",
    aliases=(),
    game_type=None,
    king_landing=KingLanding.BEHIND_LAST_KING,  # Mindsports, The Pit: only the final landing is restricted
    draws=THREEFOLD,
    sources=("Mindsports, The Pit: Killer Draughts",),
)

ANTIDRAUGHTS = replace(
    INTERNATIONAL,
    name="antidraughts",
    title="Antidraughts",
    aliases=("losing", "suicide", "giveaway"),
    game_type=None,
    losing=True,  # Lidraughts, Antidraughts: a blocked player wins too
    draws=THREEFOLD,
    sources=("Lidraughts, variant Antidraughts",),
)

BREAKTHROUGH = replace(
    INTERNATIONAL,
    name="breakthrough",
    title="Breakthrough draughts",
    aliases=("bt",),
    game_type=None,
    breakthrough=True,  # Lidraughts, Breakthrough: passing over the far row does not count
    draws=NO_DRAWS,
    sources=("Lidraughts, variant Breakthrough",),
)

GHANAIAN = replace(
    INTERNATIONAL,
    name="ghanaian",
    title="Ghanaian draughts",
    aliases=("damii",),
    game_type=None,
    precedence=(),
    draws=THREEFOLD,
    provisional=True,
    note="Secondary sources only: whether the majority rule holds (`precedence`), which corner is dark "
    "(`corner_playable`) and whether a player left with one piece loses (`lone_piece_loses`) are disputed.",
    sources=("Damii (scribd 22308031), a description of the game in Ghana",),
)

FRISIAN = replace(
    INTERNATIONAL,
    name="frisian",
    title="Frisian draughts",
    aliases=("frysk dammen",),
    game_type=40,
    man_captures=Direction.ALL,  # article 8
    king_captures=Direction.ALL,  # article 9
    precedence=(MostValue(man=100, king=199), Criterion.WITH_KING),  # articles 11, 12: n kings < 2n men, > 2n - 1 men
    king_move_limit=3,  # article 17
    draws=FRISIAN_DRAWS,
    sources=("Official Rules for Frisian Draughts (2011)",),
)

FRYSK = replace(
    FRISIAN,
    name="frysk",
    title="Frysk!",
    aliases=("frysk!",),
    game_type=None,
    start_rows=1,
    sources=("Lidraughts, variant Frysk!",),
)

CANADIAN = replace(
    INTERNATIONAL,
    name="canadian",
    title="Canadian draughts",
    aliases=(),
    game_type=27,
    columns=12,
    rows=12,
    start_rows=5,
    sources=("PDN; international rules on a larger board",),
)

SRI_LANKAN = replace(
    CANADIAN,
    name="srilankan",
    title="Sri Lankan draughts",
    aliases=("sri lankan",),
    game_type=None,
    corner_playable=False,
    sources=("M. Winther, Sri Lankan draughts",),
)

MALAYSIAN = replace(
    CANADIAN,
    name="malaysian",
    title="Malaysian checkers",
    aliases=("singaporean",),
    game_type=None,
    man_captures=Direction.FORWARD_DIAGONALS,
    draws=THREEFOLD,
    provisional=True,
    note="The side that begins is drawn by lot (`first`); the majority rule (`precedence`) is doubtful; some play "
    "without compulsory captures (`capture_compulsory`). A piece that omits a capture may be removed as a penalty, "
    "which is not supported here.",
    sources=("Wikipedia, Malaysian/Singaporean checkers",),
)

RUSSIAN = replace(
    INTERNATIONAL,
    name="russian",
    title="Russian draughts",
    aliases=("shashki",),
    game_type=25,
    columns=8,
    rows=8,
    start_rows=3,
    notation=Notation.ALGEBRAIC,
    first_square=Corner.BOTTOM_LEFT,
    capture_separator=":",
    precedence=(),
    promotion=Promotion.IN_FLIGHT,
    draws=FMJD_64,
    sources=("FMJD-64, rules of the game",),
)

PODDAVKI = replace(
    RUSSIAN,
    name="poddavki",
    title="Poddavki, Russian giveaway",
    aliases=("russian giveaway",),
    game_type=None,
    losing=True,
    draws=THREEFOLD,
    sources=("FPClub, poddavki",),
)

SPANTSIRETTI = replace(
    RUSSIAN,
    name="spantsiretti",
    title="Spantsiretti",
    aliases=("spancirety",),
    game_type=41,
    columns=10,
    sources=("PDN; Russian rules, 10 wide and 8 high",),
)

BRAZILIAN = replace(
    RUSSIAN,
    name="brazilian",
    title="Brazilian draughts",
    aliases=(),
    game_type=26,
    capture_separator="x",
    precedence=(Criterion.MOST_PIECES,),
    promotion=Promotion.AT_END,
    sources=("FMJD-64, rules of the game",),
)

FILIPINO = replace(
    BRAZILIAN,
    name="filipino",
    title="Filipino draughts",
    aliases=("derecha",),
    game_type=None,
    corner_playable=False,
    notation=Notation.NUMERIC,
    first_square=Corner.TOP_LEFT,
    draws=THREEFOLD,
    sources=("Wikipedia, Checkers: Filipino (derecha)",),
)

POOL = replace(
    BRAZILIAN,
    name="pool",
    title="American pool checkers",
    aliases=("pool checkers", "american pool"),
    game_type=23,
    notation=Notation.NUMERIC,
    first_square=Corner.TOP_LEFT,
    first=Side.BLACK,
    precedence=(),
    draws=APCA,
    sources=("APCA tournament rules",),
)

JAMAICAN = replace(
    POOL,
    name="jamaican",
    title="Jamaican draughts",
    aliases=(),
    corner_playable=False,
    notation=Notation.ALGEBRAIC_VERTICAL,  # PDN: a1 at Black's right, letters run along the board
    sources=("PDN; pool rules on a mirrored board",),
)

ENGLISH = replace(
    POOL,
    name="english",
    title="English draughts",
    aliases=("american", "checkers", "american checkers", "straight checkers"),
    game_type=21,
    man_captures=Direction.FORWARD_DIAGONALS,  # WCDF 1.17
    flying_kings=False,  # WCDF 1.16
    promotion=Promotion.STOPS,  # WCDF 1.19
    precedence=(),  # WCDF 1.20
    draws=WCDF,
    sources=("WCDF, rules of draughts (checkers) 1.1-1.32",),
)

INTERVIEW = replace(
    ENGLISH,
    name="interview",
    title="Interview checkers",
    aliases=(),
    game_type=None,
    promotion=Promotion.IN_FLIGHT,
    draws=THREEFOLD,
    sources=("A job interview's exercise",),
)

ITALIAN = replace(
    ENGLISH,
    name="italian",
    title="Italian draughts",
    aliases=("dama italiana",),
    game_type=22,
    corner_playable=False,  # FID 1.2
    first=Side.WHITE,
    men_capture_kings=False,  # FID 5.3
    precedence=(  # FID 6.6-6.9
        Criterion.MOST_PIECES,
        Criterion.WITH_KING,
        Criterion.MOST_KINGS,
        Criterion.KINGS_FIRST,
    ),
    draws=FID,
    sources=("FID, Regolamento, capo I",),
)

SPANISH = replace(
    BRAZILIAN,
    name="spanish",
    title="Spanish draughts",
    aliases=("damas",),
    game_type=24,
    corner_playable=False,
    notation=Notation.NUMERIC,
    first_square=Corner.BOTTOM_RIGHT,
    man_captures=Direction.FORWARD_DIAGONALS,
    precedence=(Criterion.MOST_PIECES, Criterion.MOST_KINGS),
    draws=SPANISH_DRAWS,
    sources=("Section 64, Spanish draughts", "PDN"),
)

PORTUGUESE = replace(
    SPANISH,
    name="portuguese",
    title="Portuguese draughts",
    aliases=("damas classicas",),
    game_type=28,
    draws=FPD,
    sources=("FPD, Regras (2021)",),
)

ARGENTINE = replace(
    SPANISH,
    name="argentine",
    title="Argentine draughts",
    aliases=(),
    game_type=None,
    first_square=Corner.TOP_LEFT,
    king_landing=KingLanding.BEHIND_EACH,
    draws=THREEFOLD,
    provisional=True,
    note="Two accounts: a king stops directly behind each captured piece (as here), or it lands anywhere but must "
    "be the one to capture when the numbers are equal (`king_landing`, `precedence`). Also played on 10×10 "
    "with 15 men.",
    sources=("Wikipedia, Checkers: two revisions",),
)

CZECH = replace(
    BRAZILIAN,
    name="czech",
    title="Czech draughts",
    aliases=(),
    game_type=29,
    man_captures=Direction.FORWARD_DIAGONALS,
    precedence=(Criterion.WITH_KING,),
    draws=CZECH_DRAWS,
    sources=("FMJD, Czech draughts",),
)

GERMAN = replace(
    SPANISH,
    name="german",
    title="German draughts",
    aliases=("deutsches damespiel",),
    game_type=None,
    first_square=Corner.TOP_LEFT,
    precedence=(),
    draws=THREEFOLD,
    provisional=True,
    note="A king lands anywhere behind a captured piece (D. Parlett, as here), directly behind each (Hamburg 1951) "
    "or directly behind the last (`king_landing`); which corner is dark varies (`corner_playable`), and so "
    "does the side that begins (`first`).",
    sources=("D. Parlett, The Oxford History of Board Games (1999)",),
)

THAI = replace(
    POOL,
    name="thai",
    title="Thai checkers",
    aliases=("makhos", "mak-hot"),
    game_type=31,
    start_rows=2,
    first_square=Corner.BOTTOM_RIGHT,
    capture_separator="-",
    man_captures=Direction.FORWARD_DIAGONALS,
    king_landing=KingLanding.BEHIND_EACH,
    removal=Removal.AT_ONCE,
    reverse_captures=True,
    draws=THREEFOLD,
    provisional=True,
    note="Black begins in PDN, White on Thai sites (`first`); one source lets a king turn only sideways in a "
    "capture (`reverse_captures`).",
    sources=("PDN", "Mindsports, Thai draughts"),
)

TURKISH = replace(
    INTERNATIONAL,
    name="turkish",
    title="Turkish draughts",
    aliases=("dama turca", "turkish dama"),
    game_type=30,
    columns=8,
    rows=8,
    playable=Playable.ALL,
    start_rows=2,
    start_gap=1,
    notation=Notation.ALGEBRAIC,
    first_square=Corner.BOTTOM_LEFT,
    man_moves=Direction.FORWARD | Direction.SIDEWAYS,
    man_captures=Direction.FORWARD | Direction.SIDEWAYS,
    king_moves=Direction.ORTHOGONALS,
    king_captures=Direction.ORTHOGONALS,
    removal=Removal.AT_ONCE,
    draws=TURKISH_DRAWS,
    provisional=True,
    note="A man that reaches the far row in a capture is crowned at the end (as here) or at once and goes on as a "
    "king (`promotion`); newer accounts give a king against a single man as won (`lone_man_loses_to_king`).",
    sources=("M. Winther, Turkish draughts", "PDN"),
)

ARMENIAN = replace(
    TURKISH,
    name="armenian",
    title="Armenian draughts",
    aliases=("tama",),
    game_type=None,
    notation=Notation.NUMERIC,
    first_square=Corner.TOP_LEFT,
    man_moves=Direction.FORWARD | Direction.FORWARD_DIAGONALS | Direction.SIDEWAYS,
    king_moves=Direction.ALL,
    provisional=True,
    note="One source contradicts itself on diagonal captures, which are not played here (`man_captures`, "
    "`king_captures`); crowning in a capture is disputed as in Turkish draughts (`promotion`).",
    sources=("Wikipedia, Armenian draughts",),
)

GOTHIC = replace(
    INTERNATIONAL,
    name="gothic",
    title="Gothic checkers",
    aliases=("altdeutsches damespiel",),
    game_type=None,
    columns=8,
    rows=8,
    playable=Playable.ALL,
    start_rows=2,
    man_captures=Direction.FORWARD | Direction.FORWARD_DIAGONALS | Direction.SIDEWAYS,
    flying_kings=False,
    king_moves=Direction.ALL,
    king_captures=Direction.ALL,
    draws=THREEFOLD,
    provisional=True,
    note="Only English sources have the majority rule (`precedence`), and some let the king fly (`flying_kings`).",
    sources=("Wikipedia (de), Altdeutsches Damespiel",),
)

VARIANTS: Mapping[str, DraughtsRules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            INTERNATIONAL,
            ENGLISH,
            RUSSIAN,
            BRAZILIAN,
            POOL,
            ITALIAN,
            SPANISH,
            PORTUGUESE,
            CZECH,
            FRISIAN,
            FRYSK,
            CANADIAN,
            SRI_LANKAN,
            MALAYSIAN,
            TURKISH,
            ARMENIAN,
            THAI,
            FILIPINO,
            GERMAN,
            GOTHIC,
            JAMAICAN,
            GHANAIAN,
            ARGENTINE,
            ANTIDRAUGHTS,
            PODDAVKI,
            BREAKTHROUGH,
            KILLER,
            SPANTSIRETTI,
            INTERVIEW,
        )
    }
)


def find_variant(name: str | int | DraughtsRules) -> DraughtsRules:
    """Return the variant with this name, alias or PDN GameType, which is a number or the full tag.

    Rules are returned unchanged.

    >>> find_variant("Checkers").name, find_variant(25).name, find_variant("23,B,8,8,A1,1").name
    ('english', 'russian', 'jamaican')

    Raises `UnknownVariantError`, with similar names, if there is no such variant.
    """
    return name if isinstance(name, DraughtsRules) else find_by_name(name, VARIANT_NAMES)


def _names(rules: DraughtsRules) -> tuple[str, ...]:
    """Return name, aliases, title and GameTypes of a variant, in lower case."""
    tags = () if rules.game_type is None else (str(rules.game_type), str(rules.game_type_tag))
    return tuple(each.casefold() for each in (rules.name, *rules.aliases, rules.title, *tags))


# If two variants have the same GameType, the number refers to the earlier one.
VARIANT_NAMES = {name: rules for rules in reversed([*VARIANTS.values()]) for name in _names(rules)}
