"""Who may work, and for how long: with a clock that the tests turn on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tablemen.web.turns import BusyError, Turn, Turns
from tests.patience import run_in_time


class Timers:
    """What will be called later, when a test says that it is later."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def later(self, _seconds: float, call: Callable[[], None]) -> Timers.Timer:
        self.calls.append(call)
        return Timers.Timer(self, call)

    def ring(self) -> None:
        """Everything that was to be called later."""
        calls, self.calls = self.calls, []
        for call in calls:
            call()

    class Timer:
        def __init__(self, timers: Timers, call: Callable[[], None]) -> None:
            self.timers, self.call = timers, call

        def cancel(self) -> None:
            if self.call in self.timers.calls:
                self.timers.calls.remove(self.call)


class Hall:
    """Turns, and work that only notes when it is told to give way."""

    def __init__(self, places: int = 1, *, waiting: int = 100, waiting_of_one: int = 100) -> None:
        self.timers = Timers()
        self.turns = Turns(places, seconds=3, waiting=waiting, waiting_of_one=waiting_of_one, later=self.timers.later)
        self.told: list[str] = []
        self.there: dict[str, Turn] = {}

    def enter(self, name: str, client: str | None = None) -> Turn:
        turn = self.turns.enter(client or name, lambda: self.told.append(name))
        self.there[name] = turn
        return turn

    @property
    def working(self) -> list[str]:
        return [name for name, turn in self.there.items() if not turn.is_waiting]

    def round(self) -> list[str]:
        """The time of all who work is up, and those who are told give way; who works then."""
        self.timers.ring()
        for name in self.told:
            self.there[name].give_way()
        self.told.clear()
        return self.working


def test_the_places_are_taken_in_the_order_of_coming() -> None:
    hall = Hall(2)
    for name in "abc":
        hall.enter(name)
    assert hall.working == ["a", "b"]
    assert (hall.turns.working, hall.turns.waiting) == (2, 1)
    hall.there.pop("a").leave()
    assert hall.working == ["b", "c"]


def test_nobody_is_told_to_give_way_while_nobody_waits() -> None:
    hall = Hall()
    hall.enter("a")
    hall.timers.ring()
    assert hall.told == []


def test_whose_time_is_up_gives_way_as_soon_as_somebody_comes() -> None:
    hall = Hall()
    hall.enter("a")
    hall.timers.ring()
    hall.enter("b")
    assert hall.told == ["a"]


def test_whose_time_is_not_up_need_not_give_way() -> None:
    hall = Hall()
    hall.enter("a")
    hall.enter("b")
    assert hall.told == []


def test_turns_go_round() -> None:
    hall = Hall()
    for name in "abc":
        hall.enter(name)
    assert [hall.round() for _ in range(5)] == [["b"], ["c"], ["a"], ["b"], ["c"]]


def test_no_more_are_told_than_wait() -> None:
    hall = Hall(3)
    for name in "abc":
        hall.enter(name)
    hall.timers.ring()
    hall.enter("d")
    assert hall.told == ["a"]
    hall.enter("e")
    assert hall.told == ["a", "b"]


def test_a_client_with_much_to_do_gets_as_much_as_one_with_little() -> None:
    hall = Hall()
    for number in range(50):
        hall.enter(f"greedy {number}", "greedy")
    hall.enter("modest")
    seen = [hall.round()[0] for _ in range(10)]
    assert seen.count("modest") == 5


def test_all_of_one_client_get_their_turn() -> None:
    hall = Hall()
    names = [f"work {number}" for number in range(4)]
    for name in names:
        hall.enter(name, "one")
    assert {hall.round()[0] for _ in range(4)} == set(names)


def test_too_many_are_refused_in_words() -> None:
    hall = Hall(waiting=2)
    for name in "abc":
        hall.enter(name)
    with pytest.raises(BusyError, match="2 analyses wait already"):
        hall.enter("d")
    hall.there["c"].leave()
    hall.enter("d")
    assert hall.turns.waiting == 2


def test_too_many_of_one_client_are_refused_while_others_come_in() -> None:
    hall = Hall(waiting_of_one=2)
    for name in "abc":
        hall.enter(name, "greedy")
    with pytest.raises(BusyError, match="2 analyses of yours"):
        hall.enter("d", "greedy")
    hall.enter("e", "modest")
    assert hall.turns.waiting == 3


def test_a_turn_that_gives_way_is_never_refused() -> None:
    hall = Hall(waiting=1)
    hall.enter("a")
    hall.enter("b")
    assert [hall.round() for _ in range(3)] == [["b"], ["a"], ["b"]]


def test_whoever_leaves_the_queue_does_not_come() -> None:
    async def leave() -> tuple[bool, bool]:
        hall = Hall()
        hall.enter("a")
        waiting = hall.enter("b")
        coming = asyncio.ensure_future(waiting.come())
        waiting.leave()
        waiting.leave()  # twice is once
        waiting.give_way()
        return await coming, hall.turns.waiting == 0

    assert run_in_time(leave()) == (False, True)


def test_coming_waits_for_the_place() -> None:
    async def come() -> list[str]:
        hall, order = Hall(), list[str]()

        async def work(name: str) -> None:
            turn = hall.enter(name)
            assert await turn.come()
            order.append(name)
            await asyncio.sleep(0)
            turn.leave()

        await asyncio.gather(*(work(name) for name in "abc"))
        assert hall.turns.working == 0
        assert hall.timers.calls == []
        return order

    assert run_in_time(come()) == ["a", "b", "c"]
