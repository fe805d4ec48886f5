"""Pairings, participants and results of a server."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import Game
from tablemen.errors import TablemenError
from tablemen.mancala import Position
from tablemen.protocols.kgp import tournament as module
from tablemen.protocols.kgp.tournament import LocalParticipant, Pairings, TournamentResults
from tests.fake_players import First
from tests.timeouts import TIMEOUT, run_in_time

NAMES = ["Ann", "Bob", "Cy", "Dee"]


def test_results_are_shown_as_a_table() -> None:
    results = TournamentResults()
    ann, bob, cy = (results.enter(name) for name in ("Ann", "Bob the second", "Cy"))
    results.add_game(ann, bob)
    results.add_game(bob, ann, is_draw=True)
    assert results.table().splitlines() == [
        "name            games  won  drawn  lost  points",
        "Ann                 2    1      1     0     1.5",
        "Bob the second      2    0      1     1     0.5",
    ]
    for is_solved in (True, True, False):
        results.add_problem(cy, is_solved=is_solved)
    assert results.table().splitlines() == [
        "name            games  won  drawn  lost  points  solved",
        "Ann                 2    1      1     0     1.5",
        "Bob the second      2    0      1     1     0.5",
        "Cy                  0    0      0     0     0.0  2 of 3",
    ]
    assert results.serialize()[0] == {
        "name": "Ann",
        "games": 2,
        "won": 1,
        "drawn": 1,
        "lost": 0,
        "points": 1.5,
        "problems": 0,
        "solved": 0,
    }


def test_a_table_without_games_has_a_header_only() -> None:
    results = TournamentResults()
    results.enter("Ann")
    assert results.table() == "name  games  won  drawn  lost  points"
    assert results.serialize() == []


def test_keys_and_names_of_participants_are_unique() -> None:
    results = TournamentResults()
    ann = results.enter("Ann")
    assert results.enter("Ann") == ann  # the first Ann is absent
    other = results.enter("Ann", present={ann})
    assert results.rows[other].name == "Ann (2)"
    token = results.enter("Ann", token=b"1", present={ann, other})
    assert results.rows[token].name == "Ann (3)"
    assert results.enter("Eve", token=b"1") == token
    assert results.rows[token].name == "Eve"
    assert results.enter("", token=b"1") == token
    assert results.rows[token].name == "Eve"
    assert results.enter("Eve", token=b"2") != token
    assert results.rows[results.enter("  ")].name == "anonymous"
    assert results.rows[results.enter("\x1b[2J\n")].name == r"\x1b[2J\n"


def test_the_number_of_rows_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 4)
    results = TournamentResults()
    ann, bob, cy, dee = (results.enter(name) for name in NAMES)
    results.add_game(ann, bob)
    results.add_game(ann, bob)
    results.add_game(cy, dee)
    with pytest.raises(TablemenError, match="4"):
        results.enter("Eve", present={ann, bob, cy, dee})
    assert results.enter("Ann") == ann
    for number in range(20):
        results.add_game(ann, results.enter(f"Eve {number}", present={ann, bob}))
    assert set(results.rows) >= {ann, bob, module.OTHERS}
    assert len(results.rows) <= 5
    assert sum(row.games for row in results.rows.values()) == 2 * 23


def test_the_absent_row_with_the_fewest_games_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 3)
    results = TournamentResults()
    ann, bob, cem = (results.enter(name) for name in ("Ann", "Bob", "Cem"))
    results.add_game(ann, cem)
    results.add_game(ann, bob)
    results.add_game(cem, ann)
    dan = results.enter("Dan")
    assert set(results.rows) == {ann, cem, dan, module.OTHERS}


def test_idle_participants_are_dropped() -> None:
    results = TournamentResults()
    keys = [results.enter(name) for name in NAMES]
    results.add_game(keys[0], keys[1])
    results.add_problem(keys[2], is_solved=False)
    for key in [*keys, "unknown"]:
        results.drop_idle(key)
    assert list(results.rows) == keys[:3]


@given(st.lists(st.sets(st.sampled_from(NAMES)), max_size=40), st.integers(1, 3))
def test_every_pair_meets_once_per_round(idle: list[set[str]], rounds: int) -> None:
    pairings = Pairings(("robot",), rounds)
    met: Counter[frozenset[str]] = Counter()
    for present in [*idle, *[set(NAMES)] * 40]:
        pair = pairings.pair(sorted(present))
        if pair is None:
            assert all(
                met[frozenset({one, other})] == rounds for one in present for other in {*present, "robot"} - {one}
            )
            continue
        assert set(pair) <= {*present, "robot"}
        met[frozenset(pair)] += 1
    assert set(met.values()) == {rounds}
    assert len(met) == 6 + 4
    assert pairings.is_over(NAMES)
    assert not pairings.is_over([*NAMES, "Eve"])


def test_clients_and_pairs_with_few_meetings_are_preferred() -> None:
    pairings = Pairings(("robot",))
    assert pairings.pair(["Ann", "Bob", "Cy"]) == ("Ann", "Bob")
    assert pairings.pair(["Ann", "Bob", "Cy"]) == ("Ann", "Cy")
    assert pairings.pair(["Ann", "Bob", "Cy"]) == ("Bob", "Cy")
    assert pairings.pair(["Ann"]) == ("Ann", "robot")
    assert pairings.pair([]) is None
    assert Pairings().pair(["Ann"]) is None


@pytest.mark.parametrize("rounds", [None, 1])
def test_the_number_of_counted_pairs_is_limited(rounds: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PAIRS", 3)
    pairings = Pairings(rounds=rounds)
    for number in range(20):
        assert pairings.pair([f"Ann {number}", "Bob"]) is not None
        assert len(pairings._meetings) <= 3


class StopsLate(First):
    """A player that ignores the first stop request, as if its search had not started."""

    name = "late"

    def __init__(self) -> None:
        self.stops = 0
        self.searching, self.stopped = threading.Event(), threading.Event()

    def choose(self, game: Game[Any, Any]) -> Any:
        self.searching.set()
        assert self.stopped.wait(2 * TIMEOUT)
        return super().choose(game)

    def stop(self) -> None:
        self.stops += 1
        if self.stops == 2:
            self.stopped.set()


def test_a_player_is_stopped_repeatedly_when_its_time_ends() -> None:
    assert run_in_time(LocalParticipant("own", StopsLate(), 0.01).choose(Game(Position.start("kgp")))).house == 1


def test_a_player_is_stopped_repeatedly_when_cancelled() -> None:
    player = StopsLate()

    async def run() -> None:
        choosing = asyncio.create_task(LocalParticipant("own", player, 1000).choose(Game(Position.start("kgp"))))
        assert await asyncio.to_thread(player.searching.wait, TIMEOUT)
        choosing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await choosing
        assert player.stopped.is_set()

    run_in_time(run())
