"""The rules of a PDN game: from its tags, from its moves, or from an argument."""

from __future__ import annotations

import pytest

from tablemen import PdnError, Side, UnknownVariantError
from tablemen.draughts import INTERNATIONAL, VARIANTS, Kind, Position
from tablemen.draughts.pdn import format_pdn, parse_pdn
from tablemen.draughts.pdn.start_position import identify, parse_game_type
from tablemen.errors import TablemenError
from tests.draughts import invalid_input


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_tags_identify_every_variant(rules: object) -> None:
    assert isinstance(rules, type(INTERNATIONAL))
    name, value = identify(rules)
    assert parse_pdn(f'[{name} "{value}"] *').variant is rules
    if rules.game_type_tag is not None:
        assert parse_game_type(rules.game_type_tag) is rules
    # The name alone is enough, and it has precedence over the GameType of a related variant.
    assert parse_pdn(f'[Variant "{rules.name}"] *').variant is rules
    if rules.game_type is None:
        assert parse_pdn(f'[GameType "20"] [Variant "{rules.name}"] *').variant is rules


def test_game_type_can_change_first_side_and_square_names() -> None:
    unified = parse_game_type("23,W,8,8,A0,0")
    assert (unified.first, identify(unified)) == (Side.WHITE, ("GameType", "23,W,8,8,A0,0"))
    game = parse_pdn('[GameType "23,W,8,8,A0,0"] 1. c3-d4 d6-c5')
    assert parse_pdn(format_pdn(game)) == game
    assert game.start.squares(Side.WHITE, Kind.MAN) == Position.start("russian").squares(Side.WHITE, Kind.MAN)


def test_details_of_a_game_type_that_contradict_the_moves_are_ignored() -> None:
    assert parse_pdn('[GameType "20,W,10,10,N1,0"] 1. 32-28 19-23').variant is INTERNATIONAL


@pytest.mark.parametrize("text", invalid_input.GAME_TYPES)
def test_invalid_game_type(text: str) -> None:
    with pytest.raises(TablemenError, match=text):
        parse_game_type(text)
    with pytest.raises(PdnError, match=text) as caught:
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
def test_game_without_a_variant_has_the_first_that_allows_its_moves(text: str, name: str) -> None:
    assert parse_pdn(text).variant.name == name


def test_given_variant_applies_to_games_without_a_variant() -> None:
    assert parse_pdn("1. c3-d4", variant="brazilian").variant.name == "brazilian"
    assert parse_pdn('[GameType "25"] 1. c3-d4', variant="brazilian").variant.name == "russian"
    with pytest.raises(UnknownVariantError):
        parse_pdn("1. c3-d4", variant="brasil")
