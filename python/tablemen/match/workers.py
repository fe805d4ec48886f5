"""Processes that play games side by side, and end with the one that started them."""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

from tablemen.match.bench import Bench

P = ParamSpec("P")
T = TypeVar("T")

# Started anew and not forked: a copy of a process with threads may wait for ever for one that it has not got.
CONTEXT = get_context("spawn")

BENCH = Bench()  # of this process, if it is one of them


@contextmanager
def start_workers(number: int) -> Iterator[Workers]:
    """So many processes, gone when the block is left or this process ends, whatever they are doing.

    Players that last wait on the `BENCH` of each, and are closed before it ends.
    """
    workers = Workers()
    atexit.register(workers.close)  # where the block is never left: multiprocessing waits for processes at the end
    try:
        workers.start(number)
        yield workers
    finally:
        workers.close()
        atexit.unregister(workers.close)


class Workers:
    """Processes, each with a line of its own to it and another back.

    The pools of the standard library share locks and lines among their processes: one that ends in the middle of
    something can leave the pool waiting for ever. The end of a line of one's own always arrives.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._workers: list[_Worker] = []

    def start(self, number: int) -> None:
        """Starts so many processes."""
        for _ in range(number):
            self._workers.append(_Worker(self._calls))
            self._workers[-1].start()

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """What a function will have given in one of the processes, as an executor says it."""
        call = _Call(Future(), (function, arguments, named))
        self._calls.put(call)
        return call.future

    def close(self) -> None:
        """Ends them, also in the middle of a call: nobody waits for that any more."""
        for worker in self._workers:
            worker.dismiss()
            self._calls.put(None)
        for worker in self._workers:
            worker.join()


class _Call(NamedTuple):
    future: Future[Any]
    work: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class _Worker:
    """One process, and the thread that waits for its answers."""

    def __init__(self, calls: SimpleQueue[_Call | None]) -> None:
        self._calls = calls
        self._its_questions, self._questions = CONTEXT.Pipe(duplex=False)
        self._answers, self._its_answers = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_work, args=(self._its_questions, self._its_answers))
        self._asking = Lock()
        self._thread = Thread(target=self._ask_all, daemon=True)

    def start(self) -> None:
        with _unseen_by_children():
            self._process.start()
            self._thread.start()
        self._its_questions.close()
        self._its_answers.close()  # so that it is the end of the line when the process ends

    def dismiss(self) -> None:
        """Tells the process to end."""
        with self._asking:
            self._questions.close()

    def join(self) -> None:
        """Waits until it has ended."""
        if self._thread.ident is not None:
            self._thread.join()

    def _ask_all(self) -> None:
        while (call := self._calls.get()) is not None:
            if call.future.set_running_or_notify_cancel():
                try:
                    value = self._ask(call)
                except BaseException as error:  # noqa: BLE001 - it is raised where the answer is wanted
                    call.future.set_exception(error)
                else:
                    call.future.set_result(value)
        self._process.join()
        self._answers.close()

    def _ask(self, call: _Call) -> Any:
        question = pickle.dumps(call.work)
        try:
            with self._asking:
                self._questions.send_bytes(question)
            answer = self._answers.recv_bytes()
        except (EOFError, OSError):
            raise BrokenExecutor("it left without an answer") from None
        value, error = pickle.loads(answer)
        if error is not None:
            raise error
        return value


@contextmanager
def _unseen_by_children() -> Iterator[None]:
    """Ctrl-C is held back for this block, and for ever in processes that are started in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which lets Ctrl-C through again when it is started together with the first one
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the process that was started


def _work(questions: Connection, answers: Connection) -> None:
    """Answers one question after the other, and leaves Ctrl-C to the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Who is to end, ends with the line. What is ignored would be so in the programs that are started too.
    signal.signal(signal.SIGTERM, _stay)
    heard: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions, heard), daemon=True).start()
    while True:
        answer = _answer(heard.get())
        with suppress(OSError):  # who does not listen any more has hung up as well
            answers.send_bytes(answer)


def _stay(_number: int, _frame: object) -> None:
    """Nothing."""


def _listen(questions: Connection, heard: SimpleQueue[bytes]) -> None:
    """Ends the process as soon as the first one closes its end of the line, whatever is being done."""
    try:
        while True:
            heard.put(questions.recv_bytes())
    except (EOFError, OSError):
        try:
            BENCH.close()
        finally:
            os._exit(0)


def _answer(question: bytes) -> bytes:
    try:
        function, arguments, named = pickle.loads(question)
        return pickle.dumps((function(*arguments, **named), None))
    except BaseException as error:  # noqa: BLE001 - it is raised in the process that asked
        error.add_note(traceback.format_exc())
        return _write_error(error)


def _write_error(error: BaseException) -> bytes:
    try:
        written = pickle.dumps((None, error))
        pickle.loads(written)  # some errors can be written and not read
    except Exception:  # noqa: BLE001 - whatever its class makes of it
        return pickle.dumps((None, RuntimeError("".join(traceback.format_exception(error)))))
    return written
