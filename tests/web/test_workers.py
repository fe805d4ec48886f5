"""Worker processes for large game files."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tablemen.errors import TablemenError
from tablemen.web.workers import WorkerPool, run_job
from tests.timeouts import TIMEOUT

WORK = 1_000_000
FILE = json.dumps({"text": '[GameType "21"] 1. 11-15 *'}).encode()
TREE = json.dumps({"variant": "kalah", "nodes": [{"parent": -1, "move": "3"}]}).encode()


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    one = WorkerPool(WORK)
    yield one
    one.close()


def test_a_job_returns_a_response() -> None:
    status, response = run_job("read", FILE, WORK)
    assert (status, json.loads(response)["games"][0]["nodes"][0]["move"]["text"]) == (200, "11-15")
    status, response = run_job("write", TREE, WORK)
    assert (status, "Moves: 3" in json.loads(response)["text"]) == (200, True)


@pytest.mark.parametrize("body", [b"{", b"{}", b'{"text": ""}', b'{"text": 5}', b'{"text": "", "variant": "zzz"}'])
def test_a_job_returns_an_error(body: bytes) -> None:
    status, response = run_job("read", body, WORK)
    assert status == 422
    assert json.loads(response)["error"]


@pytest.mark.slow
def test_a_worker_gives_the_same_response(pool: WorkerPool) -> None:
    for name, body in (("read", FILE), ("write", TREE), ("read", b"{")):
        assert pool.run(name, body) == run_job(name, body, WORK)


@pytest.mark.slow
def test_the_work_of_a_worker_is_limited() -> None:
    pool = WorkerPool(1)
    try:
        assert "work" in json.loads(pool.run("read", FILE)[1])["problems"][0]
    finally:
        pool.close()


@pytest.mark.slow
def test_a_worker_that_takes_too_long_is_replaced(pool: WorkerPool) -> None:
    with pytest.raises(TablemenError, match="time"):
        pool.run("read", FILE, timeout=0)  # a new worker, which needs longer to start
    assert pool.run("read", FILE)[0] == 200


@pytest.mark.slow
def test_a_worker_that_ends_is_replaced(pool: WorkerPool) -> None:
    assert pool.run("read", FILE)[0] == 200
    with pytest.raises(RuntimeError):
        pool.run("no such job", FILE)
    assert pool.run("read", FILE)[0] == 200


@pytest.mark.slow
def test_an_idle_worker_that_was_killed_is_replaced(pool: WorkerPool) -> None:
    assert pool.run("read", FILE)[0] == 200
    assert pool._idle is not None
    pool._idle._process.kill()
    pool._idle._process.wait()
    assert pool.run("read", FILE)[0] == 200


@pytest.mark.slow
def test_a_closed_pool_ends_running_jobs(pool: WorkerPool) -> None:
    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(pool.run, "read", FILE)
        while not pool.running:
            time.sleep(0.001)
        pool.close()
        with pytest.raises(RuntimeError):  # the worker was still starting
            job.result(TIMEOUT)
    assert pool.running == 0
