"""An executor for the machines of a cluster: Dask's scheduler and workers (`pip install "tablemen[cluster]"`).

    with open_cluster("tcp://scheduler:8786") as executor:
        build("english", 6, folder="/shared/tablebases", executor=executor)

Dask's protocol executes code: use it in trusted networks only, or with TLS.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import re
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from tablemen.errors import ArgumentError, TablemenError
from tablemen.process_pool import signals_blocked
from tablemen.tasks import get_version

__all__ = ["Cluster", "open_cluster"]

T = TypeVar("T")

EXTRA = 'pip install "tablemen[cluster]"'
CONNECT_TIMEOUT = 10.0  # seconds
WORKERS_TIMEOUT = 60.0  # seconds until a worker must have started
EXPECTED_ADDRESS = "tcp://HOST:8786, a scheduler file, or local:N for N processes on this machine"
MAX_LISTED = 3  # workers in a message
TOKEN_SUFFIX = ".check"
_LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")
_URL = re.compile(r"[a-z]+://\S+")


def open_cluster(address: str, *, folder: str | os.PathLike[str] | None = None) -> Cluster:
    """Connect to the scheduler of a cluster, and return an executor whose calls its workers make.

    The address is that of a scheduler, such as `tcp://host:8786`; the path of its scheduler file; or `local:N`, which
    starts N processes on this machine that end with the executor. All machines must have the same version of tablemen.
    With `folder`, they must also have the same folder under this path, which is created if necessary.

    Raises `TablemenError` if Dask is not installed, if no scheduler or no worker can be reached, and if the versions or
    the folders differ; also `OSError` if the folder cannot be created.
    """
    cluster = Cluster(address)
    try:
        cluster.check_versions()
        if folder is not None:
            cluster.check_folder(Path(folder))
    except BaseException:
        cluster.shutdown()
        raise
    return cluster


class Cluster(Executor):
    """An executor whose calls are made by the workers of a cluster; `open_cluster` returns one.

    The scheduler repeats the calls of a worker that dies on another one. If that has happened too often, the call
    raises `BrokenExecutor`. `shutdown`, or the end of a `with` block, cancels what is not finished.
    """

    def __init__(self, address: str) -> None:
        """Connect to a scheduler. Raises `TablemenError`."""
        self.address = address
        self._local: Any = None
        self._is_closed = False
        self._call = _make_call()
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise TablemenError(f"clusters require Dask's distributed scheduler: {EXTRA}") from error
        dask: Any = distributed  # most of it has no types
        local = _LOCAL.fullmatch(address)
        place = _find_scheduler(address) if local is None else {}
        # Processes that are started here must not receive Ctrl-C, which the main thread handles.
        with contextlib.nullcontext() if local is None else signals_blocked():
            if local is not None:
                self._local = dask.LocalCluster(
                    n_workers=int(local[1]),
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                place = {"address": self._local}
            try:
                self._client: Any = dask.Client(**place, timeout=CONNECT_TIMEOUT, set_as_default=False)
            except (OSError, TimeoutError, ValueError) as error:
                self._close_local()
                raise TablemenError(f"no scheduler answers at {address}: {error}") from error

    @property
    def workers(self) -> int:
        """The number of calls that the workers which are connected now can make at once."""
        threads: dict[str, int] = self._client.nthreads()
        return sum(threads.values())

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function of a module in a worker."""
        if self._is_closed:
            raise RuntimeError("the cluster is closed")
        from distributed.protocol import pickle

        # The scheduler unpickles calls, so this one contains only bytes: it needs no tablemen there.
        key = f"{_get_name(function)}-{uuid4().hex}"
        dumps: Callable[[object], bytes] = pickle.dumps
        pickled = dumps(partial(function, *args, **kwargs))
        remote = self._client.submit(self._call, pickled, get_version(), key=key, pure=False)
        future: Future[T] = Future()

        def finish(_: object) -> None:
            if future.set_running_or_notify_cancel():
                _copy_result(remote, future)

        # The scheduler forgets a call when its remote future is deleted, so a callback of the local one refers to it.
        future.add_done_callback(lambda done: remote.release() if done.cancelled() else None)
        remote.add_done_callback(finish)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002 - inherited
        """Close the connection, which cancels what is not finished, and end the processes of `local:N`."""
        if self._is_closed:
            return
        self._is_closed = True
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close()
        self._close_local()

    def _close_local(self) -> None:
        if self._local is None:
            return
        for nanny in self._local.workers.values():  # end the calls that have begun, for which `close` would wait
            nanny.close_gracefully()
            if nanny.pid is not None:
                with contextlib.suppress(OSError):
                    os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._local.close()

    def check_versions(self) -> None:
        """Wait for a worker. Raises `TablemenError` if there is none, and if versions differ from those here."""
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_TIMEOUT)
        except TimeoutError as error:
            problem = f"the scheduler at {self.address} has no workers"
            raise TablemenError(f"{problem}: start some with `dask worker {self.address}`") from error
        versions = self._client.get_versions()
        here = _get_python(versions["client"])
        found = {place: _get_python(each) for place, each in versions["workers"].items()}
        self._check_equal("Python", here, found)
        self._check_equal("tablemen", get_version(), self._client.run(_make_probe()))

    def _check_equal(self, name: str, here: str, found: Mapping[str, str]) -> None:
        others = {place: version for place, version in found.items() if version != here}
        if others:
            listed = ", ".join(f"{place} has {version}" for place, version in list(others.items())[:MAX_LISTED])
            more = f" and {len(others) - MAX_LISTED} more differ" if len(others) > MAX_LISTED else ""
            problem = f"the workers of {self.address} have another version of {name} than this {here}: {listed}{more}"
            raise TablemenError(f"{problem}; install the same version on all machines")

    def check_folder(self, folder: Path) -> None:
        """Raise `TablemenError` if a worker does not see the files of this folder, or cannot write to it."""
        folder = folder.absolute()
        folder.mkdir(parents=True, exist_ok=True)
        token = os.urandom(8).hex()
        path = folder / f"{token}{TOKEN_SUFFIX}"
        path.write_text(token, encoding="ascii")
        try:
            answers = self._client.run(find_problem, str(path), token)
        finally:
            path.unlink(missing_ok=True)
        problems = {place: problem for place, problem in answers.items() if problem}
        if problems:
            listed = "; ".join(f"{place}: {problem}" for place, problem in list(problems.items())[:MAX_LISTED])
            raise TablemenError(f"not all workers can use the folder {folder} of this machine: {listed}")


def find_problem(path: str, token: str) -> str | None:
    """Return why this worker cannot use the folder of a file, or None if it can."""
    place = Path(path)
    try:
        if place.read_text(encoding="ascii") != token:
            return "the folder has other files"
        own = place.with_name(f"{token}-{os.urandom(8).hex()}{TOKEN_SUFFIX}")
        own.write_text(token, encoding="ascii")
        own.unlink()
    except FileNotFoundError:
        return "the folder does not exist there, or is another one"
    except OSError as error:
        return str(error.strerror)
    return None


def _find_scheduler(address: str) -> dict[str, Any]:
    """Return the arguments of a client for a scheduler."""
    if _URL.fullmatch(address):
        return {"address": address}
    if Path(address).is_file():
        return {"scheduler_file": address}
    raise ArgumentError("cluster", address, EXPECTED_ADDRESS)


def _copy_result(remote: Any, future: Future[Any]) -> None:
    """Copy the result of a call, or its error; an error of the cluster becomes `BrokenExecutor`."""
    from distributed.scheduler import KilledWorker

    try:
        error = remote.exception()
        if error is None:
            future.set_result(remote.result())
        elif isinstance(error, KilledWorker):
            problem = f"its worker has died in each of {error.allowed_failures + 1} attempts"
            future.set_exception(BrokenExecutor(problem))
        else:
            future.set_exception(error)
    except BaseException as error:  # noqa: BLE001 - a cancelled call; nothing else cancels it
        lost = BrokenExecutor("the connection to the scheduler is lost")
        lost.__cause__ = error
        future.set_exception(lost)


def _get_python(versions: Mapping[str, Any]) -> str:
    """Return the version of Python that determines the form of functions, such as 3.11."""
    return ".".join(str(versions["packages"]["python"]).split(".")[:2])


def _get_name(function: Any) -> str:
    """Return the name of a function for the dashboard of the scheduler."""
    return str(getattr(getattr(function, "func", function), "__name__", "call"))


def _make_call() -> Callable[[bytes, str], Any]:
    """Return a function that is sent with its code, and makes a pickled call if the worker has this version."""

    def call(pickled: bytes, version: str) -> Any:
        found = importlib.import_module("tablemen").__version__
        if found != version:  # the worker has been started after the versions were checked
            errors = importlib.import_module("tablemen.errors")
            raise errors.TablemenError(f"a worker has tablemen {found}, but this is {version}")
        return importlib.import_module("pickle").loads(pickled)()

    return call


def _make_probe() -> Callable[[], str]:
    """Return a function that is sent with its code, since a worker may have no tablemen or another one."""

    def probe() -> str:
        try:
            version: str = importlib.import_module("tablemen").__version__
        except ImportError as error:
            return f"none ({error})"
        return version

    return probe
