"""Messages that wait for a slow reader."""

from __future__ import annotations

import asyncio

from tablemen.web.analysis.mailbox import Mailbox
from tests.patience import run_in_time


def read(mailbox: Mailbox[int | str]) -> list[int | str]:
    async def all_of_them() -> list[int | str]:
        return [letter async for letter in mailbox.read()]

    return run_in_time(all_of_them())


def test_messages_come_in_their_order() -> None:
    mailbox: Mailbox[int | str] = Mailbox(int, pause=0)
    for letter in ("a", "b", "c"):
        mailbox.put(letter)
    mailbox.close()
    assert read(mailbox) == ["a", "b", "c"]


def test_of_what_is_out_of_date_only_the_newest_comes() -> None:
    mailbox: Mailbox[int | str] = Mailbox(int, pause=0)
    for letter in (1, "a", 2, 3, "b"):
        mailbox.put(letter)
    mailbox.close()
    assert read(mailbox) == ["a", 3, "b"]


def test_the_last_comes_though_the_pause_is_not_over() -> None:
    async def write_and_read() -> list[int | str]:
        mailbox: Mailbox[int | str] = Mailbox(int, pause=1000)
        got: list[int | str] = []

        async def write() -> None:
            mailbox.put(1)
            await asyncio.sleep(0)
            while not got:
                await asyncio.sleep(0)
            mailbox.put(2)
            mailbox.put(3)
            mailbox.close()

        writing = asyncio.create_task(write())
        async for letter in mailbox.read():
            got.append(letter)  # noqa: PERF401 - the writer waits for the first
        await writing
        return got

    assert run_in_time(write_and_read()) == [1, 3]
