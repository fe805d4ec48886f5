"""Games over HTTP: create, show and play them, and restart the server."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tablemen import TablemenError, Termination
from tablemen.draughts.pdn import parse_pdn
from tablemen.family import families
from tablemen.web.models import Action
from tablemen.web.routes.games import check_action
from tests.timeouts import wait_until
from tests.web.clients import act, create, get_error, headers, send_action, show
from tests.web.in_process_server import Running, quick_first, running

VARIANTS = [name for family in families() for name in family.variants]


@pytest.mark.parametrize("variant", quick_first(VARIANTS, slow=VARIANTS))
def test_every_variant_can_be_played(server: Running, variant: str) -> None:
    created = create(server, variant=variant, opponent="screen", side=None)
    (key,) = set(created.keys.values())
    state = show(server, created.id, key)
    assert state.turn == created.side
    done = act(server, created.id, key, action="move", move=state.legal[0].full, ply=0)
    assert [ply.move for ply in done.state.plies] == state.legal[:1]
    assert done.state.plies[0].position == done.state.position


def test_a_spectator_may_only_watch(server: Running) -> None:
    created = create(server)
    state = show(server, created.id)
    assert (state.you, state.actions, len(state.legal)) == ([], [], 9)
    for path in (f"/api/games/{created.id}", f"/api/games/{created.id}/file"):
        assert server.get(path).headers["cache-control"] == "no-store"
    assert get_error(send_action(server, created.id, None, action="resign"), 401)


def test_keys_are_sent_once_and_must_match(server: Running) -> None:
    one, other = create(server), create(server)
    assert show(server, one.id, one.keys["black"]).you == ["black"]
    for key in ("x", "nonsense", other.keys["white"], one.id):
        answer = server.client.get(f"/api/games/{one.id}", headers=headers(key))
        assert get_error(answer, 403)
        assert get_error(send_action(server, one.id, key, action="resign"), 403)
    wrong = {"Authorization": f"Basic {one.keys['white']}"}
    assert server.client.get(f"/api/games/{one.id}", headers=wrong).json()["you"] == []
    assert show(server, one.id).outcome is None
    text = server.client.get(f"/api/games/{one.id}", headers=headers(one.keys["black"])).text
    assert all(key not in text for key in one.keys.values())


def test_a_move_out_of_turn_is_refused(server: Running) -> None:
    created = create(server)
    white, black = created.keys["white"], created.keys["black"]
    assert "White" in get_error(send_action(server, created.id, black, action="move", move="32-28"), 409)
    assert get_error(send_action(server, created.id, white, action="move", move="33-27"), 409)
    act(server, created.id, white, action="move", move="32-28", ply=0)
    act(server, created.id, white, action="move", move="32-28", ply=0)  # sent twice, played once
    assert len(show(server, created.id).plies) == 1
    assert get_error(send_action(server, created.id, white, action="move", move="33-28", ply=0), 409)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": "dance"},
        {"action": "move"},
        {"action": "resign", "move": "32-28"},
        {"action": "move", "move": "32-28", "ply": -1},
        {"action": "resign", "more": 1},
        {"action": "move", "move": "3" * 1000},
    ],
)
def test_an_invalid_action_is_refused(server: Running, body: dict[str, Any]) -> None:
    created = create(server)
    assert get_error(send_action(server, created.id, created.keys["white"], **body), 422)


def test_only_the_move_action_has_a_move() -> None:
    check_action(Action(action="move", move="1-2"))
    check_action(Action(action="resign"))
    with pytest.raises(TablemenError):
        check_action(Action(action="move"))
    with pytest.raises(TablemenError):
        check_action(Action(action="draw", move="1-2"))


def test_an_unknown_game_is_not_found(server: Running) -> None:
    for answer in (
        server.get("/api/games/none"),
        server.get("/api/games/none/file"),
        send_action(server, "none", "key", action="resign"),
    ):
        assert get_error(answer, 404)


@pytest.mark.parametrize(
    "body", [{"variant": "none"}, {"variant": "kalah", "side": "white"}, {"variant": "english", "position": "W:W1:B"}]
)
def test_an_invalid_game_is_refused(server: Running, body: dict[str, Any]) -> None:
    assert get_error(server.post("/api/games", body), 422)


def test_offers_are_declined_and_accepted(server: Running) -> None:
    created = create(server)
    white, black = created.keys["white"], created.keys["black"]
    act(server, created.id, white, action="move", move="32-28")
    assert act(server, created.id, white, action="takeback").state.offers == {"takeback": "white"}
    assert act(server, created.id, black, action="decline").state.offers == {}
    assert act(server, created.id, black, action="draw").state.offers == {"draw": "black"}
    outcome = act(server, created.id, white, action="draw").state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (None, "agreement")
    assert get_error(send_action(server, created.id, black, action="resign"), 409)


def test_a_draw_is_claimed_with_its_reason(server: Running) -> None:
    shuffle = ["1-6", "32-28", "6-1", "28-32"]
    created = create(
        server, variant="english", position="B:WK32:BK1", moves=shuffle * 2, opponent="computer", side="black"
    )
    state = show(server, created.id, created.keys["black"])
    assert state.claims == [str(Termination.REPETITION)]
    assert "draw" in state.actions
    outcome = act(server, created.id, created.keys["black"], action="draw").state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (None, "repetition")


def test_the_computer_answers_and_gives_hints(server: Running) -> None:
    created = create(server, variant="kalah", opponent="computer", side="south", level=1)
    key = created.keys["south"]
    done = act(server, created.id, key, action="hint")
    assert done.hint is not None
    assert done.hint.full in {each.full for each in done.state.legal}
    state = act(server, created.id, key, action="move", move="1", ply=0).state
    assert state.players["north"].model_dump() == {"kind": "computer", "level": 1, "name": None, "connected": True}
    wait_until(lambda: show(server, created.id, key).turn == "south", "the computer does not move")
    state = show(server, created.id, key)
    assert len(state.plies) > 1
    assert state.plies[1].side == "north"
    state = act(server, created.id, key, action="takeback").state
    assert (state.turn, state.plies) == ("south", [])


@pytest.mark.parametrize(
    ("options", "moves", "suffix", "content"),
    [
        ({}, ["32-28", "19-23"], "pdn", "1. 32-28 19-23"),
        ({"variant": "kalah", "side": "south"}, ["3", "1"], "txt", "Moves: 3 1"),
    ],
)
def test_a_game_file_is_downloaded(
    server: Running, options: dict[str, Any], moves: list[str], suffix: str, content: str
) -> None:
    created = create(server, opponent="screen", **options)
    for move in moves:
        act(server, created.id, next(iter(created.keys.values())), action="move", move=move)
    answer = server.get(f"/api/games/{created.id}/file")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="tablemen-{created.id}.{suffix}"'
    assert content in answer.text


def test_a_game_file_has_date_players_and_clock_times(server: Running) -> None:
    created = create(server, opponent="computer", level=3, side="white", clock="5+3")
    act(server, created.id, created.keys["white"], action="move", move="32-28", ply=0)
    game = parse_pdn(server.get(f"/api/games/{created.id}/file").text)
    expected = {"Event": "tablemen serve", "White": "human", "Black": "Computer, level 3", "TimeControl": "300+3"}
    assert game.tags.items() >= expected.items()
    assert re.fullmatch(r"20\d\d\.\d\d\.\d\d", game.tags["Date"])
    assert game.nodes[0].clock == timedelta(minutes=5)  # the clock starts with the first move


def test_games_survive_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        played = create(first, variant="kalah", houses=5, seeds=2, side="north", clock="5+3")
        act(first, played.id, played.keys["south"], action="move", move="4", ply=0)
        act(first, played.id, played.keys["north"], action="draw")
        over = create(first)
        act(first, over.id, over.keys["black"], action="resign")
        before = [show(first, played.id, played.keys["north"]), show(first, over.id)]
    with running(tmp_path) as second:
        after = [show(second, played.id, played.keys["north"]), show(second, over.id)]
        act(second, played.id, played.keys["south"], action="move", move="5", ply=1)  # declines the offer
        assert show(second, played.id).offers == {}
    assert [each.model_copy(update={"clock": None}) for each in after] == [
        each.model_copy(update={"clock": None}) for each in before
    ]
    assert after[0].clock is not None
    assert (after[0].clock.control, after[0].clock.running) == ("5+3", "south")
    assert after[1].outcome is not None


@pytest.mark.slow
def test_a_rematch_survives_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        created = create(first, variant="english", moves=["11-15"], side="black", clock="5+3")
        white, black = created.keys["white"], created.keys["black"]
        assert get_error(send_action(first, created.id, white, action="rematch"), 409)
        act(first, created.id, white, action="resign")
        state = act(first, created.id, black, action="rematch").state
        assert (state.offers, state.actions, state.next) == ({"rematch": "black"}, [], None)
    with running(tmp_path) as second:
        state = show(second, created.id, white)
        assert (state.offers, state.actions) == ({"rematch": "black"}, ["rematch", "decline"])
        name = act(second, created.id, white, action="rematch").state.next
        assert name is not None
        assert act(second, created.id, white, action="rematch").state.next == name
        state = show(second, name, white)
        assert (state.you, state.turn, state.outcome) == (["black"], "white", None)
        assert [ply.move.text for ply in state.plies] == ["11-15"]
        assert state.clock is not None
        assert state.clock.left == {"white": 300, "black": 300}
        act(second, name, black, action="move", move="22-18", ply=1)
    with running(tmp_path) as third:
        assert show(third, created.id).next == name  # a spectator sees it too
        assert show(third, name, black).you == ["white"]
        assert len(show(third, name).plies) == 2
        assert get_error(third.client.get(f"/api/games/{name}", headers=headers("x" * 22)), 403)


@pytest.mark.slow
def test_games_are_loaded_again_after_they_left_memory(tmp_path: Path) -> None:
    with running(tmp_path, games_in_memory=2) as server:
        games = [create(server, opponent="screen", clock="5" if number % 2 else None) for number in range(6)]
        for move in ("32-28", "19-23", "28x19"):
            for each in games:
                act(server, each.id, each.keys["white"], action="move", move=move)
        rooms = server.app.state.rooms
        assert len(rooms._rooms) == 2
        assert all(len(show(server, each.id).plies) == 3 for each in games)


def test_the_number_of_games_is_limited(tmp_path: Path) -> None:
    with running(tmp_path, games=2) as server:
        for _ in range(2):
            created = create(server)
            act(server, created.id, created.keys["white"], action="move", move="32-28")
        assert get_error(server.post("/api/games", {"variant": "english"}), 503)
    with running(tmp_path, new_games_an_hour=1) as server:
        create(server)
        answer = server.post("/api/games", {"variant": "english"})
        assert get_error(answer, 429)
        assert 0 < int(answer.headers["retry-after"]) <= 3600


def test_a_rematch_counts_as_a_new_game(tmp_path: Path) -> None:
    with running(tmp_path, games=1) as server:
        created = create(server)
        white, black = created.keys["white"], created.keys["black"]
        act(server, created.id, white, action="resign")
        assert get_error(send_action(server, created.id, white, action="rematch"), 503)
    with running(tmp_path, new_games_an_hour=1) as server:
        act(server, created.id, white, action="rematch")
        assert get_error(send_action(server, created.id, black, action="rematch"), 429)
        assert show(server, created.id).next is None


def test_the_length_of_an_opening_is_limited(server: Running) -> None:
    shuffle = ["1-6", "32-28", "6-1", "28-32"]
    body = {"variant": "english", "position": "B:WK32:BK1", "moves": shuffle * 101}
    assert "moves" in get_error(server.post("/api/games", body), 422)
