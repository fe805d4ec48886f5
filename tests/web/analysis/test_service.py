"""The end of analyses, when the server stops or the client closes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from tablemen.draughts import Position
from tablemen.game import Game
from tablemen.web.analysis.service import STOPPING, AnalysisService
from tablemen.web.fair_queue import BusyError
from tablemen.web.models import AnalysisRequest, PositionSpec, QueuedNotice, StreamEnd
from tablemen.web.settings import Settings
from tests.timeouts import run_in_time

REQUEST = AnalysisRequest(subject=PositionSpec(variant="international"), seconds=60)
MOVES = ["32-28", "19-23", "28x19", "14x23"]


async def get_last(messages: AsyncIterator[BaseModel]) -> BaseModel:
    *_, last = [message async for message in messages]
    return last


def test_closing_ends_each_analysis_with_the_reason(tmp_path: Path) -> None:
    """Close the service during a running analysis, a queued one and a review; no more can be started."""

    async def run() -> list[BaseModel]:
        service = AnalysisService(Settings(database=tmp_path / "games.sqlite", searches=1))
        game = Game(Position.start("international"), MOVES)
        running = service.analyse(game, REQUEST, "a").messages()
        await anext(running)
        waiting, review = service.analyse(game, REQUEST, "b").messages(), service.review(game, "c").messages()
        assert isinstance(await anext(waiting), QueuedNotice)
        assert isinstance(await anext(review), QueuedNotice)
        lasts = asyncio.gather(*map(get_last, (running, waiting, review)))
        await service.close()
        with pytest.raises(BusyError, match=STOPPING):
            service.analyse(game, REQUEST, "a")
        with pytest.raises(BusyError, match=STOPPING):
            service.review(game, "a")
        await service.close()  # has no further effect
        return await lasts

    assert run_in_time(run()) == [StreamEnd(error=STOPPING)] * 3


def test_a_closed_analysis_sends_no_end(tmp_path: Path) -> None:
    async def run() -> list[BaseModel]:
        service = AnalysisService(Settings(database=tmp_path / "games.sqlite"))
        task = service.analyse(Game(Position.start("international")), REQUEST, "a")
        messages = task.messages()
        await anext(messages)
        task.close()
        rest: list[BaseModel] = [message async for message in messages]
        await service.close()
        return rest

    assert not any(isinstance(each, StreamEnd) for each in run_in_time(run()))
