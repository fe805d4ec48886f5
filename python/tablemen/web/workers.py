"""Worker processes for large game files, which would hold the interpreter lock of the web process for too long.

A worker reads requests from its standard input and writes responses to its standard output. Each is a line of JSON with
the length of the body, followed by the body.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, NamedTuple

from pydantic import BaseModel, TypeAdapter

from tablemen.errors import TablemenError
from tablemen.web.bodies import validate_json
from tablemen.web.error_responses import describe_failure
from tablemen.web.files import format_file, parse_file
from tablemen.web.models import GameFileText, GameTreeSpec
from tablemen.work import work_limit

TIMEOUT = 60.0  # seconds for a file; on an idle machine the largest takes about 5
MAX_MEMORY = 2**31  # bytes of address space
NICENESS = 10  # games come first
TOO_EXPENSIVE = "this file takes too much time or memory"


class Job(NamedTuple):
    """The type of the body of a request, and the function that computes the response."""

    model: TypeAdapter[BaseModel]
    work: Callable[..., BaseModel]


JOBS = {"read": Job(TypeAdapter(GameFileText), parse_file), "write": Job(TypeAdapter(GameTreeSpec), format_file)}


def run_job(name: str, body: bytes, work: int) -> tuple[int, bytes]:
    """Return the status and the body of the response to a request, whose work is limited."""
    job = JOBS[name]
    try:
        with work_limit(work):
            return 200, job.work(validate_json(job.model, body)).model_dump_json().encode()
    except TablemenError as error:
        return 422, describe_failure(error).model_dump_json().encode()
    except MemoryError:
        return 422, describe_failure(TablemenError(TOO_EXPENSIVE)).model_dump_json().encode()


def _send(file: IO[bytes], body: bytes, **fields: object) -> None:
    file.write(json.dumps(fields | {"length": len(body)}).encode() + b"\n")
    file.write(body)
    file.flush()


def _receive(file: IO[bytes]) -> tuple[dict[str, object], bytes]:
    """Return the fields and the body of a message; raises `EOFError` if the other process has ended."""
    line = file.readline()
    fields = json.loads(line) if line.endswith(b"\n") else {"length": -1}
    body = file.read(max(0, fields["length"]))
    if len(body) != fields["length"]:
        raise EOFError
    return fields, body


class Worker:
    """A worker process."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from tablemen.web.workers import main; main()"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def run(self, name: str, body: bytes, work: int, timeout: float) -> tuple[int, bytes]:
        """Run a job. Raises `TablemenError` if it takes too long, and `RuntimeError` if the worker fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            self._process.kill()

        timer = threading.Timer(timeout, end)
        timer.daemon = True
        timer.start()
        try:
            _send(self._process.stdin, body, job=name, work=work)
            fields, response = _receive(self._process.stdout)
        except (EOFError, OSError, ValueError) as error:  # `ValueError`: `close` has closed the pipe
            if is_late.is_set():
                raise TablemenError(TOO_EXPENSIVE) from error
            raise RuntimeError("a worker process has ended unexpectedly") from error
        finally:
            timer.cancel()
        return int(str(fields["status"])), response

    def close(self) -> None:
        """Kill the process. A job that runs in it fails."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # unsent data
                    pipe.close()


class WorkerPool:
    """Worker processes that are started when they are needed. The request queue limits how many run at a time."""

    def __init__(self, work: int) -> None:
        self._work = work
        self._idle: Worker | None = None  # at most one, to save memory
        self._running: set[Worker] = set()
        self._is_closed = False
        self._lock = threading.Lock()

    @property
    def running(self) -> int:
        """The number of workers that run a job."""
        return len(self._running)

    def run(self, name: str, body: bytes, timeout: float = TIMEOUT) -> tuple[int, bytes]:
        """Run a job in a worker, and return the status and the body of the response."""
        with self._lock:
            if self._idle is not None and not self._idle.is_running:
                self._idle.close()
                self._idle = None
            worker, self._idle = self._idle or Worker(), None
            self._running.add(worker)
        try:
            response = worker.run(name, body, self._work, timeout)
        except BaseException:
            self._release(worker, is_usable=False)
            raise
        self._release(worker, is_usable=True)
        return response

    def _release(self, worker: Worker, *, is_usable: bool) -> None:
        with self._lock:
            self._running.discard(worker)
            if is_usable and self._idle is None and not self._is_closed:
                self._idle = worker
                return
        worker.close()

    def close(self) -> None:
        """Kill all workers."""
        with self._lock:
            self._is_closed = True
            workers = [*self._running, *([] if self._idle is None else [self._idle])]
            self._idle = None
        for worker in workers:
            worker.close()


def _limit_resources() -> None:
    """Limit the memory, lower the priority, and leave signals from a terminal to the web process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        os.nice(NICENESS)
        with contextlib.suppress(ValueError, OSError):  # a lower limit is set already
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def main() -> None:
    """Run jobs until the standard input is closed."""
    _limit_resources()
    requests, responses = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write between responses
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            fields, body = _receive(requests)
            status, response = run_job(str(fields["job"]), body, int(str(fields["work"])))
            _send(responses, response, status=status)
