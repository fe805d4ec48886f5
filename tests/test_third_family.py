"""A third family, the heap game of `examples/heap.py`, on the command line and in matches."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from examples.heap import Heaps
from tablemen import ArgumentError, Game, TablemenError
from tablemen.cli import main
from tablemen.family import families, find_variant, get_family, register_family, unregister_family
from tablemen.match import Match


@pytest.fixture(autouse=True)
def _heaps() -> Iterator[None]:
    register_family(Heaps())
    yield
    unregister_family("heaps")


def test_a_registered_family_is_found_by_its_variants() -> None:
    rules = find_variant("NIM")
    assert get_family(rules) is families()[-1]
    with pytest.raises(ArgumentError):
        register_family(Heaps())


def test_a_third_family_is_played_line_by_line() -> None:
    words = ["play", "heap", "--plain", "--first", "human", "--second", "human"]
    result = CliRunner().invoke(main, words, input="2\n9\n1\n3\n3\n3\n1\n")
    assert "1 to 3" in result.output
    assert "Second wins" in result.output
    assert result.exit_code == 0


def test_moves_of_a_third_family_are_listed_as_json() -> None:
    result = CliRunner().invoke(main, ["moves", "nim", "--position", "2 second", "--json"])
    assert json.loads(result.output) == {
        "variant": "heap",
        "position": "2 second",
        "moves": [{"text": "1"}, {"text": "2"}],
        "outcome": None,
    }
    variants = json.loads(CliRunner().invoke(main, ["variants", "--json"]).output)
    assert variants[-1] == {"name": "heap", "family": "heaps", "title": "The heap", "aliases": ["nim"]}


def test_optional_methods_have_defaults() -> None:
    family, rules = Heaps(), find_variant("heap")
    game = Game(family.start(rules), ["3"])
    assert family.variant_row(rules) == ("heap", "The heap")
    assert family.describe_last_move(game) == "First played 3"
    assert [family.summarise_rules(rules), family.describe_board(rules), family.describe_duty(game)] == ["", "", ""]
    assert family.describe_captures(game, game.position.turn) == ""
    assert family.explain_illegal_places(["4"], game.position) == "take 1 to 3"
    assert (family.can_solve(rules), family.has_robot, family.final_score(game.position)) == (False, False, None)
    for unsupported in (
        lambda: family.solve_moves(game.position, table_mb=1, layers_mb=1, on_progress=print),
        lambda: family.robot_move(game.position),
        lambda: family.parse_drawing("|||", rules, game.position.turn),
        lambda: family.parse_board({}, game.position.turn, rules),
        lambda: family.resize(rules, houses=3),
    ):
        with pytest.raises(TablemenError, match="heap"):
            unsupported()


def test_a_third_family_is_played_in_a_match() -> None:
    rounds = list(Match("heap", "minimax:depth=6", "random:seed=1", games=4).play())
    assert [each.points for each in rounds].count(1) >= 3
