"""Files and positions are worked out a few at a time, in turn by who asks: all others are answered meanwhile.

It is Python that works here, and however many processors there are, only one thread of Python runs at a time. Were
there forty at work, whoever is to be told of a move would wait for forty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tablemen.web.admission import address_of
from tablemen.web.settings import Settings
from tablemen.web.turns import NEVER, Turns

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

T = TypeVar("T")


class Clerks:
    """Do what they are asked to, in threads."""

    def __init__(self, settings: Settings) -> None:
        self._turns = Turns(
            settings.clerks,
            places_of_one=settings.clerks_of_one,
            seconds=NEVER,
            waiting=settings.waiting,
            waiting_of_one=settings.waiting_of_one,
            what="requests",
        )

    async def do(self, client: str, work: Callable[..., T], *arguments: object) -> T:
        """What the work gives, when it is the client's turn. Raises `BusyError` where too much waits."""
        turn = self._turns.enter(client, lambda: None)
        try:
            await turn.come()
            return await run_in_threadpool(work, *arguments)
        finally:
            turn.leave()


async def do(asking: HTTPConnection, work: Callable[..., T], *arguments: object) -> T:
    """What the work gives that somebody asked for. Raises `BusyError`."""
    clerks: Clerks = asking.app.state.clerks
    return await clerks.do(address_of(asking), work, *arguments)


async def answer(asking: HTTPConnection, work: Callable[..., BaseModel], *arguments: object) -> Response:
    """The same in JSON, put together where the work is done: in the loop, all others would wait for it."""
    return Response(await do(asking, lambda: work(*arguments).model_dump_json()), media_type="application/json")
