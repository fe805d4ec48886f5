"""Variants, positions and diagrams over HTTP."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tablemen.errors import UnknownVariantError
from tablemen.family import families, find_variant, get_family
from tablemen.game import Game
from tablemen.outcome import Side, Termination
from tablemen.web.serialize import find_position, serialize_move
from tests.pictures import parse
from tests.web.in_process_server import Running, quick_first

NAMES = [name for family in families() for name in family.variants]
DRAUGHTS = list(families()[0].variants)
MANCALA = list(families()[1].variants)


def random_game(name: str, plies: int, seed: int = 1) -> Game[Any, Any]:
    random = Random(seed)
    rules = find_variant(name)
    game: Game[Any, Any] = Game(get_family(rules).start(rules))
    while len(game.moves) < plies and (moves := game.legal_moves()):
        game.push(random.choice(moves))
    return game


def test_all_variants_are_listed(server: Running) -> None:
    listed = server.get("/api/variants").json()
    assert [each["name"] for each in listed] == NAMES
    assert {each["family"] for each in listed} == {"draughts", "mancala"}
    assert listed[0]["about"] == "10×10, 20 men a side"


@pytest.mark.parametrize("name", quick_first(DRAUGHTS))
def test_a_draughts_variant_has_a_board_and_sides(server: Running, name: str) -> None:
    info, rules = server.get(f"/api/variants/{name}").json(), find_variant(name)
    board = info["board"]
    assert (board["kind"], board["rows"], board["columns"]) == ("draughts", rules.rows, rules.columns)
    assert [each["name"] for each in board["squares"]] == [square.name for square in rules.mover.squares]
    assert len({(each["row"], each["column"]) for each in board["squares"]}) == len(board["squares"])
    assert (len(board["row_labels"]), len(board["column_labels"])) == (rules.rows, rules.columns)
    assert info["sides"] == ["white", "black"]
    assert info["first"] == ("white" if rules.first is Side.WHITE else "black")
    assert not info["solvable"]


@pytest.mark.parametrize("name", MANCALA)
def test_a_mancala_variant_has_a_board_of_any_size(server: Running, name: str) -> None:
    info = server.get(f"/api/variants/{name}", houses=4, seeds=3).json()
    assert (info["board"]["houses"], info["board"]["seeds"]) == (4, 3)
    assert info["start"].startswith("<4,0,0,3,")
    assert info["sides"] == ["south", "north"]
    assert info["solvable"] == (name != "oware")


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_a_game_is_shown_board_by_board(server: Running, name: str) -> None:
    game = random_game(name, 30)
    texts = [serialize_move(before, move).full for before, move in zip(game.positions, game.moves, strict=False)]
    view = server.post("/api/positions", {"variant": name, "moves": texts}).json()
    family = get_family(game.start)
    assert view["start"]["position"] == family.format_position(game.start)
    assert [ply["position"] for ply in view["plies"]] == [family.format_position(each) for each in game.positions[1:]]
    assert view["position"] == family.format_position(game.position)
    assert view["turn"] == family.sides[game.position.turn]
    assert len(view["legal"]) == (0 if game.outcome() else len(family.input_paths(game.position)))
    assert (view["outcome"] is None) == (game.outcome() is None)
    assert view["since"] == 0


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_every_legal_move_can_be_played_by_its_full_text(server: Running, name: str) -> None:
    family = get_family(find_variant(name))
    for plies in (0, 12, 35):
        game = random_game(name, plies, seed=plies)
        subject = {"variant": name, "position": family.format_position(game.position)}
        legal = server.post("/api/positions", subject).json()["legal"]
        paths = family.input_paths(game.position) if game.position.outcome() is None else ()
        assert [each["places"] for each in legal] == [list(places) for places, _ in paths]
        for info, (_, move) in list(zip(legal, paths, strict=True))[:4]:
            after = server.post("/api/positions", {**subject, "moves": [info["full"]]}).json()
            assert after["position"] == family.format_position(game.position.play(move))
            assert after["plies"][0]["move"] == info


def test_captures_have_their_path_and_captured_squares(server: Running) -> None:
    view = server.post("/api/positions", {"variant": "english", "position": "W:W22,14:B18,K9,10"}).json()
    moves = {each["text"]: each for each in view["legal"]}
    assert moves["14x5"]["captured"] == ["9"]
    assert moves["14x7"]["places"] == ["14", "7"]
    crowning = server.post("/api/positions", {"variant": "english", "position": "W:W11:B8,30"}).json()["legal"]
    assert [(each["text"], each["crowns"]) for each in crowning] == [("11x4", True)]


def test_sowing_lists_the_pit_of_every_seed(server: Running) -> None:
    view = server.post("/api/positions", {"variant": "kalah"}).json()
    third = view["legal"][2]
    assert third["sowing"] == ["south 4", "south 5", "south 6", "south store"]
    assert third["extra_turn"]
    assert third["places"] == ["3"]


def test_claims_have_their_reason(server: Running) -> None:
    moves = ["1-6", "32-28", "6-1", "28-32"] * 2
    subject = {"variant": "english", "position": "W:WK1:BK32,K31", "moves": moves}
    view = server.post("/api/positions", subject).json()
    assert view["claims"] == [str(Termination.REPETITION)]
    assert view["outcome"] is None


def test_a_finished_game_has_an_outcome_and_no_moves(server: Running) -> None:
    view = server.post("/api/positions", {"variant": "english", "position": "W:W31:B26", "moves": ["31x22"]}).json()
    assert view["legal"] == []
    assert view["outcome"]["winner"] == "white"
    assert "White" in view["outcome"]["text"]


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_a_board_set_up_by_hand_is_the_same_position(server: Running, name: str) -> None:
    start = server.post("/api/positions", {"variant": name}).json()["start"]
    view = server.post("/api/positions/setup", {"variant": name, "board": start["board"], "turn": start["turn"]}).json()
    assert view["position"] == start["position"].removesuffix(" swap")  # a position that was set up has no swap


def test_kings_and_the_other_side_to_move_can_be_set_up(server: Running) -> None:
    board = {"white": {"men": ["31"], "kings": ["3"]}, "black": {"men": ["12"]}}
    view = server.post("/api/positions/setup", {"variant": "international", "board": board, "turn": "black"}).json()
    assert view["position"].startswith("B:WK3,31:B12")
    assert view["turn"] == "black"


@pytest.mark.parametrize(("name", "suggestion"), [("nix", None), ("kala", "kalah")])
def test_an_unknown_variant_is_refused_with_suggestions(server: Running, name: str, suggestion: str | None) -> None:
    with pytest.raises(UnknownVariantError) as caught:
        find_variant(name)
    assert caught.value.suggestions[:1] == (() if suggestion is None else (suggestion,))
    problem = caught.value.problem  # does not mention a shell command
    assert server.get(f"/api/variants/{name}").json()["error"] == problem
    assert server.post("/api/positions", {"variant": name}).json()["error"] == problem
    assert server.post("/api/files/read", {"variant": name, "text": "1. 32-28"}).json()["error"] == problem
    read = server.post("/api/files/read", {"text": f"Variant: {name}\nMoves: 3\n"}).json()
    assert read["problems"] == [f"game 1: line 1: {problem}"]


def test_an_unknown_game_type_is_reported_without_a_shell_command(server: Running) -> None:
    (problem,) = server.post("/api/files/read", {"text": '[GameType "95"] 1. 11-15 *'}).json()["problems"]
    assert "95" in problem
    assert "tablemen" not in problem


WHITE_AND_BLACK = {"white": {"men": ["31"]}, "black": {"men": ["1"]}}
SOUTH_AND_NORTH = {"south": {"houses": [1] * 6}, "north": {"houses": [1] * 6}}


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        ({"variant": "nix", "board": {}, "turn": "white"}, "'nix'"),
        ({"variant": "english", "board": {}, "turn": "white"}, "board: "),
        ({"variant": "english", "board": WHITE_AND_BLACK, "turn": "south"}, "'south'"),
        ({"variant": "english", "board": SOUTH_AND_NORTH, "turn": "white"}, "'south'"),
        (
            {"variant": "english", "board": {"white": {"houses": [1]}, "black": {"houses": [2]}}, "turn": "white"},
            "board: ",
        ),
        ({"variant": "kalah", "board": {"south": {"men": ["1"]}, "north": {"men": ["2"]}}, "turn": "south"}, "board: "),
        ({"variant": "kalah", "board": {"south": {"houses": [1]}, "north": {"houses": [2]}}, "turn": "south"}, ""),
        ({"variant": "english", "board": {"white": {"men": ["99"]}, "black": {}}, "turn": "white"}, "99"),
        ({"variant": "english", "board": {"white": {"men": ["1"]}, "black": {"men": ["1"]}}, "turn": "white"}, "1"),
        ({"variant": "kalah", "board": WHITE_AND_BLACK, "turn": "south"}, "'white'"),
    ],
)
def test_an_invalid_board_is_refused(server: Running, body: dict[str, Any], fact: str) -> None:
    answer = server.post("/api/positions/setup", body)
    assert answer.status_code == 422, answer.text
    assert fact in answer.json()["error"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"variant": "nix"},
        {"variant": "x" * 401},
        {"variant": "english", "houses": 6},
        {"variant": "kalah", "houses": 0},
        {"variant": "kalah", "houses": 25},
        {"variant": "kalah", "seeds": 1001},
        {"variant": "kalah", "houses": 24, "seeds": 1000, "moves": ["25"]},
        {"variant": "english", "position": "nonsense"},
        {"variant": "english", "position": ""},
        {"variant": "english", "position": "W:W\x00:B1"},
        {"variant": "english", "moves": ["11-15", "11-15"]},
        {"variant": "english", "moves": [""]},
        {"variant": "english", "moves": ["11-15"] * 2001},
        {"variant": "english", "position": "B:WK1:B", "moves": ["1-6"]},
        {"variant": "english", "colour": "red"},
    ],
)
def test_an_invalid_position_is_refused(server: Running, body: Any) -> None:
    answer = server.post("/api/positions", body)
    assert answer.status_code == 422
    assert answer.json()["error"]


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_a_diagram_is_drawn(server: Running, name: str) -> None:
    answer = server.get("/api/board.svg", variant=name, size=300)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    parse(answer.text)


def test_a_diagram_has_an_orientation_and_marks_the_last_move(server: Running) -> None:
    parameters = {"variant": "international", "moves": "32-28 19-23"}
    white, black = (server.get("/api/board.svg", **parameters, orientation=side).text for side in ("white", "black"))
    assert white != black
    assert white != server.get("/api/board.svg", variant="international", orientation="white").text


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"variant": "nix"},
        {"variant": "english", "orientation": "south"},
        {"variant": "english", "size": 49},
        {"variant": "english", "size": 4001},
        {"variant": "english", "moves": "1-2"},
        {"variant": "english", "moves": "x" * 500},
        {"variant": "english", "position": "x" * 500},
        {"variant": "english", "houses": 3},
    ],
)
def test_an_invalid_request_for_a_diagram_is_refused(server: Running, parameters: dict[str, Any]) -> None:
    answer = server.get("/api/board.svg", **parameters)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_a_very_long_sowing_is_not_listed(server: Running) -> None:
    view = server.post("/api/positions", {"variant": "kalah", "houses": 2, "seeds": 1000}).json()
    assert [len(each["sowing"]) for each in view["legal"]] == [0, 0]
    view = server.post("/api/positions", {"variant": "kalah", "houses": 2, "seeds": 200}).json()
    assert [len(each["sowing"]) for each in view["legal"]] == [200, 200]


@pytest.mark.parametrize(
    ("variant", "position", "place", "fact"),
    [
        ("international", "W:W28,33:B23", "33", "28x19"),
        ("international", "W:W28,33:B23", "28", None),
        ("international", "W:W28,33:B23", "23", "23"),
        ("kalah", None, "3", None),
        ("kalah", None, "north 3", "North"),
        ("kalah", None, "south store", "store"),
        ("kalah", None, "9", "9"),
    ],
)
def test_a_place_without_a_move_is_explained(
    server: Running, variant: str, position: str | None, place: str, fact: str | None
) -> None:
    body = {"variant": variant, "position": position, "place": place}
    reason = server.post("/api/positions/objection", body).json()["reason"]
    rules = find_variant(variant)
    assert reason == get_family(rules).explain_place(place, find_position(rules, position))
    assert (reason is None) if fact is None else (fact in reason)


def test_a_place_that_is_not_on_the_board_is_refused(server: Running) -> None:
    answer = server.post("/api/positions/objection", {"variant": "international", "place": "51"})
    assert answer.status_code == 422
    assert "'51'" in answer.json()["error"]


def test_the_outcome_of_mancala_has_a_score(server: Running) -> None:
    game = random_game("kalah", 1000)
    moves = [str(move) for move in game.moves]
    outcome = server.post("/api/positions", {"variant": "kalah", "moves": moves}).json()["outcome"]
    score = game.position.score()
    assert outcome["score"] == {"south": score[Side.WHITE], "north": score[Side.BLACK]}
    assert sum(outcome["score"].values()) == 48


def test_the_outcome_of_draughts_has_no_score(server: Running) -> None:
    outcome = server.post("/api/positions", {"variant": "english", "position": "W:W:B1"}).json()["outcome"]
    assert outcome["winner"] == "black"
    assert outcome["score"] is None


@pytest.mark.parametrize(("name", "losing"), [("international", False), ("poddavki", True), ("kalah", False)])
def test_losing_games_are_marked(server: Running, name: str, losing: bool) -> None:  # noqa: FBT001 - a test parameter
    assert server.get(f"/api/variants/{name}").json()["losing"] is losing
