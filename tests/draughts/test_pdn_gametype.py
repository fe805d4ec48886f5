"""Which rules a game file means: by its tags, by its moves, or as it is told."""

from __future__ import annotations

import pytest

from tablemen import PdnError, Side, UnknownVariantError
from tablemen.draughts import INTERNATIONAL, VARIANTS, Kind, Position
from tablemen.draughts.pdn import format_pdn, parse_pdn
from tablemen.draughts.pdn.start_position import identify, parse_game_type
from tablemen.errors import TablemenError


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_every_variant_is_known_by_its_tags(rules: object) -> None:
    assert isinstance(rules, type(INTERNATIONAL))
    name, value = identify(rules)
    assert parse_pdn(f'[{name} "{value}"] *').variant is rules
    if rules.game_type_tag is not None:
        assert parse_game_type(rules.game_type_tag) is rules
    # By name too, also beside the number of a sister.
    assert parse_pdn(f'[Variant "{rules.name}"] *').variant is rules
    if rules.game_type is None:
        assert parse_pdn(f'[GameType "20"] [Variant "{rules.name}"] *').variant is rules


def test_a_game_type_may_change_who_begins_and_how_squares_are_called() -> None:
    unified = parse_game_type("23,W,8,8,A0,0")
    assert (unified.first, identify(unified)) == (Side.WHITE, ("GameType", "23,W,8,8,A0,0"))
    game = parse_pdn('[GameType "23,W,8,8,A0,0"] 1. c3-d4 d6-c5')
    assert parse_pdn(format_pdn(game)) == game
    assert game.start.squares(Side.WHITE, Kind.MAN) == Position.start("russian").squares(Side.WHITE, Kind.MAN)


def test_details_that_the_moves_contradict_are_not_believed() -> None:
    assert parse_pdn('[GameType "20,W,10,10,N1,0"] 1. 32-28 19-23').variant is INTERNATIONAL


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x", "is not a GameType"),
        ("20,W,10", "is not a GameType"),
        ("99", "unknown variant 99"),
        ("20,W,8,8,N2,0", "International draughts is not played on that board"),
        ("20,W,10,10,N2,1", "not played on that board"),
        ("20,W,10,10,S0,0", "notation S, that of chess, is not supported"),
    ],
)
def test_game_types_that_are_none(text: str, problem: str) -> None:
    with pytest.raises(TablemenError, match=problem):
        parse_game_type(text)
    with pytest.raises(PdnError, match=problem) as caught:
        parse_pdn(f'\n [Event ""]\n [GameType "{text}"] *')
    assert (caught.value.line, caught.value.column) == (3, 3)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1. 32-28 19-23", "international"),
        ("1. 11-15 23-19", "english"),
        ("1. c3-d4 d6-c5", "russian"),
        ("1. 22-18 12-15", "italian"),
        ('[Variant "the Dutch one"] 1. 32-28', "international"),
        ('[GameType "?"] 1. 11-15', "english"),
    ],
)
def test_a_game_that_names_no_variant_is_of_the_first_that_fits(text: str, name: str) -> None:
    assert parse_pdn(text).variant.name == name


def test_the_given_variant_is_that_of_games_that_name_none() -> None:
    assert parse_pdn("1. c3-d4", variant="brazilian").variant.name == "brazilian"
    assert parse_pdn('[GameType "25"] 1. c3-d4', variant="brazilian").variant.name == "russian"
    with pytest.raises(UnknownVariantError):
        parse_pdn("1. c3-d4", variant="brasil")
