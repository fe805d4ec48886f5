"""Analyses when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from tablemen.draughts import Position
from tablemen.game import Game
from tablemen.web.analysis.analyst import STOPPING, Analyst
from tablemen.web.models import AnalysisRequest, Ended, Subject, Waiting
from tablemen.web.settings import Settings
from tablemen.web.turns import BusyError
from tests.patience import run_in_time

REQUEST = AnalysisRequest(subject=Subject(variant="international"), seconds=60)
MOVES = ["32-28", "19-23", "28x19", "14x23"]


async def last_of(messages: AsyncIterator[BaseModel]) -> BaseModel:
    *_, last = [message async for message in messages]
    return last


def test_each_is_told_why_it_ends(tmp_path: Path) -> None:
    """One that goes on, one that waits, and a game that is judged; and nothing is begun any more."""

    async def ask() -> list[BaseModel]:
        analyst = Analyst(Settings(database=tmp_path / "games.sqlite", searches=1))
        game = Game(Position.start("international"), MOVES)
        going_on = analyst.analyse(game, REQUEST, "a").messages()
        await anext(going_on)
        waiting, judged = analyst.analyse(game, REQUEST, "b").messages(), analyst.judge(game, "c").messages()
        assert isinstance(await anext(waiting), Waiting)
        assert isinstance(await anext(judged), Waiting)
        lasts = asyncio.gather(*map(last_of, (going_on, waiting, judged)))
        await analyst.close()
        with pytest.raises(BusyError, match=STOPPING):
            analyst.analyse(game, REQUEST, "a")
        with pytest.raises(BusyError, match=STOPPING):
            analyst.judge(game, "a")
        await analyst.close()  # twice is once
        return await lasts

    assert run_in_time(ask()) == [Ended(error=STOPPING)] * 3


def test_whoever_ends_it_is_told_nothing_more(tmp_path: Path) -> None:
    async def ask() -> list[BaseModel]:
        analyst = Analyst(Settings(database=tmp_path / "games.sqlite"))
        study = analyst.analyse(Game(Position.start("international")), REQUEST, "a")
        messages = study.messages()
        await anext(messages)
        study.close()
        rest: list[BaseModel] = [message async for message in messages]
        await analyst.close()
        return rest

    assert not any(isinstance(each, Ended) for each in run_in_time(ask()))
