"""Analyses and reviews of positions that a tablebase has."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablemen.analysis import Mark, analyse_game
from tablemen.analysis.result import describe
from tablemen.draughts import VARIANTS, Position
from tablemen.draughts.tablebase import SUFFIX, random_positions
from tablemen.endgame import EndgameResult, Wdl
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.web.analysis import tasks
from tablemen.web.analysis.service import AnalysisService
from tablemen.web.analysis.tasks import REVIEW_LIMIT, AnalysisTask
from tablemen.web.models import (
    AnalysisRequest,
    AnalysisUpdate,
    PositionSpec,
    QueuedNotice,
    ReviewedPosition,
    StreamEnd,
    StreamMessage,
    TablebaseNotice,
)
from tablemen.web.settings import Settings
from tests.timeouts import TIMEOUT, run_in_time

FIVE = "W:WK10,K14:BK27,K1,2"  # no files have it, and it has too many pieces to be known without files


def make_service(path: Path, **settings: Any) -> AnalysisService:
    return AnalysisService(Settings(database=path / "games.sqlite", table_mb=1, **settings))


def request(**options: Any) -> AnalysisRequest:
    return AnalysisRequest(subject=PositionSpec(variant="english"), **{"depth": 3, **options})


def analyse(path: Path, games: list[Game[Any, Any]], **settings: Any) -> list[list[StreamMessage]]:
    """Return the messages of an analysis of each game."""

    async def run() -> list[list[StreamMessage]]:
        service = make_service(path, **settings)
        try:
            return [[each async for each in service.analyse(game, request(), "here").messages()] for game in games]
        finally:
            await service.close()

    return run_in_time(run())


def review(path: Path, games: list[Game[Any, Any]]) -> list[list[ReviewedPosition]]:
    """Return the evaluations of each position of each game."""

    async def run() -> list[list[StreamMessage]]:
        service = make_service(path)
        try:
            return [[each async for each in service.review(game, "here").messages()] for game in games]
        finally:
            await service.close()

    reviews = run_in_time(run())
    assert all(each[-1] == StreamEnd() for each in reviews)
    return [[each for each in messages if isinstance(each, ReviewedPosition)] for messages in reviews]


def known_endgames(count: int, *, variant: str = "english") -> Iterator[tuple[Game[Any, Any], EndgameResult]]:
    for start in random_positions(VARIANTS[variant], 3, count, seed=7):
        game: Game[Any, Any] = Game(start)
        result = get_family(start).probe_endgame(game)
        if result is not None:
            yield game, result


@pytest.mark.parametrize("variant", ["english", "russian", "antidraughts"])
def test_an_analysis_has_the_values_of_the_tablebase(tmp_path: Path, variant: str) -> None:
    games, results = zip(*known_endgames(30, variant=variant), strict=True)
    for game, result, messages in zip(games, results, analyse(tmp_path, games), strict=True):
        found, end = messages
        assert isinstance(found, AnalysisUpdate)
        assert end == StreamEnd()
        assert found.endgame is not None
        values = {each.move.full: (each.value, each.distance) for each in found.endgame.moves}
        family = get_family(game.position)
        assert values == {
            family.format_move(each.move, full=True): (each.wdl.name.lower(), each.distance) for each in result.moves
        }
        assert (found.endgame.value, found.endgame.distance) == (result.wdl.name.lower(), result.distance)
        assert found.endgame.line == list(map(str, result.line))
        assert result.drawn_by is None
        leader = result.wdl if result.turn is Side.WHITE else -result.wdl
        assert (found.chances, found.score.exact, found.score.plies) == ((leader + 1) / 2, True, result.distance)
        sentence = result.describe(family.side_name(result.turn))
        assert found.verdict == ("The game is drawn with perfect play" if result.wdl is Wdl.DRAW else sentence)
        if result.wdl is not Wdl.DRAW:
            assert found.lines[0].move == found.endgame.moves[0].move
            assert found.lines[0].line == found.endgame.line
    assert len({each.wdl for each in results}) > 1


def test_a_draw_rule_that_may_end_the_game_is_named(tmp_path: Path) -> None:
    shuffle = ["27-31", "10-6", "31-27", "6-10"] * 2
    game: Game[Any, Any] = Game(Position.from_fen("B:WK10,K14:BK27", "english"), shuffle)
    ((found, _),) = analyse(tmp_path, [game])
    assert isinstance(found, AnalysisUpdate)
    assert found.endgame is not None
    result = get_family(game.position).probe_endgame(game)
    assert result is not None
    assert found.endgame.drawn_by == str(result.drawn_by)
    assert found.verdict == result.describe("Black")
    assert not found.score.exact


def test_a_review_marks_moves_by_their_values(tmp_path: Path) -> None:
    games = [Game(game.start, [each.move]) for game, result in known_endgames(15) for each in result.moves]
    marks = set()
    for game, judged in zip(games, review(tmp_path, games), strict=True):
        (move,) = analyse_game(game, REVIEW_LIMIT).moves
        marks.add(move.mark)
        assert judged[1].mark == (None if move.mark is None else move.mark.value)
        assert judged[1].proven == (None if move.after.outcome else describe(move.after))
        assert judged[0].proven == describe(move.before)
    assert marks == {None, Mark.BLUNDER}


def test_a_local_server_suggests_the_command_for_a_missing_tablebase(tmp_path: Path) -> None:
    position = Position.from_fen(FIVE, "english")
    command = get_family(position).suggest_tablebase(position)
    for is_local, settings in (
        (True, {}),
        (False, {"hosts": ("localhost", "play.example.org")}),
        (False, {"hosts": ()}),
        (False, {"trusted_proxies": ("127.0.0.1",)}),
    ):
        ((*others, found, end),) = analyse(tmp_path, [Game(position)], **settings)
        assert [each.command for each in others if isinstance(each, TablebaseNotice)] == [command] * is_local
        assert isinstance(found, AnalysisUpdate)
        assert (found.endgame, end) == (None, StreamEnd())
    messages = analyse(tmp_path, [Game(Position.start("english")), Game(Position.start("frisian"))])
    assert not any(isinstance(each, TablebaseNotice) for stream in messages for each in stream)


def test_a_damaged_tablebase_is_logged_and_the_search_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    folder = tmp_path / "tablebases" / "english"
    folder.mkdir(parents=True)
    (folder / f"KK-K{SUFFIX}").write_bytes(b"not a tablebase")
    game: Game[Any, Any] = Game(Position.from_fen(FIVE, "english"))
    with caplog.at_level(logging.ERROR):
        for messages in analyse(tmp_path, [game, game]):
            *_, found, end = messages
            assert isinstance(found, AnalysisUpdate)
            assert (found.endgame, found.depth, end) == (None, 3, StreamEnd())
        ((judged,),) = review(tmp_path, [game])
        assert judged.proven is None
    (record,) = caplog.records  # a problem is logged once
    assert "KK-K" in record.message
    assert vars(record)["event"] == "tablebase"


class SlowProbe:
    """A probe of a tablebase that takes until it is released, and finds nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._started, self.released = threading.Event(), threading.Event()
        monkeypatch.setattr(tasks, "analyse_endgame", self._probe)

    def _probe(self, *_: object) -> None:
        self._started.set()
        assert self.released.wait(TIMEOUT)

    async def wait(self) -> None:
        """Wait until the probe has started."""
        assert await asyncio.to_thread(self._started.wait, TIMEOUT)


ENDGAME: Game[Any, Any] = Game(Position.from_fen("W:WK10,K14:BK27", "english"))
MIDDLE: Game[Any, Any] = Game(Position.start("english"))


def test_an_analysis_that_is_closed_during_a_probe_does_not_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        service, probe = make_service(tmp_path), SlowProbe(monkeypatch)
        task = service.analyse(ENDGAME, request(), "a")
        searches: list[object] = []
        monkeypatch.setattr(AnalysisTask, "_search_in_thread", lambda *arguments: searches.append(arguments))
        await probe.wait()
        task.close()
        probe.released.set()
        await task.ended()
        assert searches == [each async for each in task.messages()] == []
        await service.close()

    run_in_time(run())


def test_an_analysis_that_is_preempted_during_a_probe_is_queued_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> list[StreamMessage]:
        service, probe = make_service(tmp_path, searches=1, turn_seconds=0.05), SlowProbe(monkeypatch)
        first = service.analyse(ENDGAME, request(depth=None, seconds=60), "a")
        await probe.wait()
        second = service.analyse(MIDDLE, request(depth=1), "b")
        while not first._must_stop:
            await asyncio.sleep(0.01)
        probe.released.set()
        received = [each async for each in second.messages()]  # ends although the first one would search for a minute
        await service.close()
        return received

    messages = run_in_time(run())
    assert isinstance(messages[0], QueuedNotice)
    assert messages[-1] == StreamEnd()
