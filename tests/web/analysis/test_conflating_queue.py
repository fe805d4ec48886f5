"""The conflating queue."""

from __future__ import annotations

import asyncio

from tablemen.web.analysis.tasks import ConflatingQueue
from tests.timeouts import run_in_time


def read(queue: ConflatingQueue[int | str]) -> list[int | str]:
    async def read_all() -> list[int | str]:
        return [message async for message in queue.read()]

    return run_in_time(read_all())


def test_messages_are_delivered_in_order() -> None:
    queue: ConflatingQueue[int | str] = ConflatingQueue(int, interval=0)
    for message in ("a", "b", "c"):
        queue.put(message)
    queue.close()
    assert read(queue) == ["a", "b", "c"]


def test_only_the_newest_conflated_message_is_delivered() -> None:
    queue: ConflatingQueue[int | str] = ConflatingQueue(int, interval=0)
    for message in (1, "a", 2, 3, "b"):
        queue.put(message)
    queue.close()
    assert read(queue) == ["a", 3, "b"]


def test_the_last_message_is_delivered_before_the_interval_ends() -> None:
    async def write_and_read() -> list[int | str]:
        queue: ConflatingQueue[int | str] = ConflatingQueue(int, interval=1000)
        received: list[int | str] = []

        async def write() -> None:
            queue.put(1)
            await asyncio.sleep(0)
            while not received:
                await asyncio.sleep(0)
            queue.put(2)
            queue.put(3)
            queue.close()

        writing = asyncio.create_task(write())
        async for message in queue.read():
            received.append(message)  # noqa: PERF401 - the writer reads the list meanwhile
        await writing
        return received

    assert run_in_time(write_and_read()) == [1, 3]
