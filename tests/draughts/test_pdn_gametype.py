"""The rules of a PDN game: from its tags, from its moves, or from an argument."""

from __future__ import annotations

import io
from random import Random

import pytest

from tablemen import PdnError, Side, UnknownVariantError
from tablemen.draughts import INTERNATIONAL, VARIANTS, Kind, Move, Position
from tablemen.draughts.pdn import PdnGame, format_pdn, parse_pdn, read_pdn
from tablemen.draughts.pdn.start_position import LIDRAUGHTS_GAME_TYPES, identify, parse_game_type
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


def read(text: str) -> list[PdnGame]:
    return list(read_pdn(io.StringIO(text)))


def problems(game: PdnGame) -> list[str]:
    return [str(warning) for warning in game.warnings]


@pytest.mark.parametrize(("number", "rules"), LIDRAUGHTS_GAME_TYPES.items())
def test_game_types_of_lidraughts(number: int, rules: object) -> None:
    names = {96: "Breakthrough", 97: "Frysk!", 98: "Antidraughts", 99: "From Position"}
    for text in (f'[GameType "{number}"]', f'[Variant "{names[number]}"]', f'[GameType "{number},W,10,10,N2,0"]'):
        game = parse_pdn(text + ' [FEN "W:W46,47,48,49,50:B1,2,3,4,5:H0:F1"] 1. 46-41 5-10 *')
        assert game.variant == rules
        assert (game.warnings, game.is_variant_guessed) == ((), False)
        assert parse_pdn(format_pdn(game)) == game
    # Other programs know the number, but not the name that we write.
    text = format_pdn(parse_pdn(f'[GameType "{number}"] *'))
    assert (f'[GameType "{number}"]' in text) == (number != 99)
    assert f'[GameType "{number}"]' not in format_pdn(parse_pdn(f'[Variant "{names[number]}"] *'))


def test_given_variant_replaces_an_unknown_game_type() -> None:
    text = '\n[Event "a"]\n[GameType "77"] 1. 32-28 *'
    with pytest.raises(PdnError, match="unknown variant 77"):
        parse_pdn(text)
    game = parse_pdn(text, variant="international")
    assert problems(game) == ["game 1, line 3, column 2: unknown variant 77; read as international"]
    assert '[GameType "20"]' in format_pdn(game)
    assert parse_pdn('[GameType "77"] [Variant "russian"] 1. c3-d4 *').variant.name == "russian"


@pytest.mark.parametrize("count", [1, 8])
def test_unknown_variant_is_reported_and_kept(count: int) -> None:
    for game_type in ("", '[GameType "20"]\n'):
        *_, game = read(f'{game_type}[Variant "the Dutch one"] 1. 32-28 *\n' * count)
        (problem,) = problems(game)
        assert problem.startswith(f"game {count}, line ")
        assert problem.endswith("column 2: unknown variant 'the Dutch one'; the tag is ignored")
        assert '[Variant "the Dutch one"]' in format_pdn(game)
    assert problems(parse_pdn('[Variant "?"] 1. 32-28 *')) == []


def untagged_games(name: str, count: int, plies: int, *, has_fen: bool) -> str:
    """Return random games without GameType."""
    random, texts = Random(5), []
    for _ in range(count):
        start = position = Position.start(name)
        moves: list[Move] = []
        while len(moves) < plies and (legal := position.legal_moves()):
            moves.append(random.choice(legal))
            position = position.play(moves[-1])
            if has_fen and len(moves) == 4 and start == Position.start(name):
                start, moves = position, []
        texts.append(format_pdn(PdnGame.from_moves(start, moves)).replace("[GameType", "[Other"))
    return "\n".join(texts)


@pytest.mark.parametrize("has_fen", [False, True])
@pytest.mark.parametrize("name", ["brazilian"])
def test_variant_is_guessed_once_for_a_file(name: str, *, has_fen: bool) -> None:
    text = untagged_games(name, 40, 40, has_fen=has_fen)
    assert len({parse_pdn(each + "*").variant.name for each in text.split("*")[:-1]}) > 1
    games = read(text)
    assert {game.variant.name for game in games} == {name}
    assert all(game.is_variant_guessed and not game.warnings for game in games)


def test_game_of_another_variant_than_the_rest_of_its_file_is_reported() -> None:
    *others, last = read("1. 32-28 19-23 *\n" * 5 + "1. 11-15 23-19 *")
    assert {game.variant.name for game in others} == {"international"}
    assert last.variant.name == "english"
    (problem,) = problems(last)
    assert problem.startswith("game 6, line 6, column 4: read as english, unlike other games without GameType: 11-15 ")
    with pytest.raises(PdnError, match=r"line 6, .*33-27 is not legal here \(read as international, since"):
        read("1. 32-28 19-23 *\n" * 5 + "1. 32-28 19-24 2. 33-27 *")


def test_guessed_variant_is_not_written_as_a_fact() -> None:
    first, _ = read('1. c3-d4 d6-c5 *\n[GameType "?"] 1. c3-d4 *')
    assert (first.is_variant_guessed, first.tags["GuessedGameType"]) == (True, "25")
    text = format_pdn(first)
    assert "[GameType" not in text
    again = parse_pdn(text)
    assert (again, again.is_variant_guessed, format_pdn(again)) == (first, True, text)
    # The guess of a file is kept when one of its games is written.
    guessed = parse_pdn('[GuessedGameType "26"] 1. c3-d4 d6-c5 *')
    assert (guessed.variant.name, guessed.is_variant_guessed) == ("brazilian", True)
    fact = guessed.replace(tags={**guessed.tags, "GameType": "26"})
    assert (fact.is_variant_guessed, '[GameType "26"]' in format_pdn(fact)) == (False, True)
    assert not parse_pdn("1. c3-d4 *", variant="russian").is_variant_guessed
    assert parse_pdn('[GameType "25"] [GuessedGameType "26"] *').variant.name == "russian"
