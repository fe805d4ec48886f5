"""Programs that are opened in the background, and given up."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tablemen.errors import PeerGoneError
from tablemen.protocols.synchronous import Opening, open_in_background
from tests.patience import LONG


def test_what_is_opened_is_there_and_what_fails_is_told() -> None:
    background, opened = open_in_background("tea", asyncio.sleep(0, "ready"), Opening())
    assert opened == "ready"
    assert background.run(asyncio.sleep(0, "still there")) == "still there"
    background.close()

    async def fail() -> None:
        raise PeerGoneError("tea", "is cold")

    with pytest.raises(PeerGoneError, match="is cold"):
        open_in_background("tea", fail(), Opening())


def test_an_opening_is_given_up_and_clears_up() -> None:
    has_begun, has_ended = threading.Event(), threading.Event()

    async def wait() -> None:
        has_begun.set()
        try:
            await asyncio.sleep(LONG)
        finally:
            await asyncio.sleep(0)
            has_ended.set()

    opening = Opening()
    with ThreadPoolExecutor() as threads:
        opened = threads.submit(open_in_background, "tea", wait(), opening)
        assert has_begun.wait(LONG)
        for _ in range(2):
            opening.give_up()
            assert has_ended.is_set()
        with pytest.raises(PeerGoneError, match="tea was given up before it had begun"):
            opened.result(LONG)


def test_what_is_given_up_before_it_begins_does_not_begin() -> None:
    begun: list[str] = []

    async def begin() -> None:
        begun.append("water")
        await asyncio.sleep(0)
        begun.append("tea")

    opening = Opening()
    opening.give_up()
    with pytest.raises(PeerGoneError):
        open_in_background("tea", begin(), opening)
    assert "tea" not in begun


def test_what_is_open_already_stays_open() -> None:
    opening = Opening()
    background, _ = open_in_background("tea", asyncio.sleep(0), opening)
    opening.give_up()
    assert background.run(asyncio.sleep(0, "ready")) == "ready"
    background.close()
