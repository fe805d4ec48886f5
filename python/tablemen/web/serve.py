"""Running the server: where it listens, what it says when it does, and how it stops."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Generator

import uvicorn
import websockets  # noqa: F401 - uvicorn asks for it only once it serves, too late to say what is missing

from tablemen.errors import TablemenError
from tablemen.protocols.transport.tcp import check_name, is_loopback
from tablemen.web.app import create_app
from tablemen.web.listening import protocol_of
from tablemen.web.settings import LOOPBACK, Settings

USUAL_PORT = 8080
TRIES = 50  # ports from the usual one on, where none was asked for
ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
STOP_SECONDS = 3  # for requests that are going on when the server stops
UNREAD_SECONDS = 30  # after which a connection is lost whose other end takes nothing
SPARE_CONNECTIONS = 500  # for requests, beside the sockets


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens at a port: 0 is any free one, None the first free one from the usual one on.

    Raises `TablemenError` where it cannot be had.
    """
    try:
        check_name(host)
    except OSError as error:
        raise TablemenError(f"cannot listen at {host}: {error.strerror}") from error
    ports = range(USUAL_PORT, USUAL_PORT + TRIES) if port is None else (port,)
    problem: OSError | None = None
    for each in ports:
        try:
            return _listen(host, each)
        except OSError as error:
            problem = error
    assert problem is not None
    tried = f"port {port}" if port is not None else f"ports {ports[0]} to {ports[-1]}"
    raise TablemenError(f"cannot listen at {host}, {tried}: {problem.strerror or problem}") from problem


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_REUSEADDR") and hasattr(signal, "SIGHUP"):  # elsewhere it would take a port that is used
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
        listening.bind(address)
        listening.listen(1024)  # so that a port which is used is found out now
    except OSError:
        listening.close()
        raise
    return listening


def names_of(host: str) -> tuple[str, ...]:
    """By which names a server may be called that listens there: any, where others reach it."""
    return (*LOOPBACK, f"[{host}]" if ":" in host else host.lower()) if is_loopback(host) else ()


def url_of(listening: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1" if listening.family == socket.AF_INET else "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _raise_limit_of_files() -> None:
    """Every connection is an open file, and the usual limit is low."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Server(uvicorn.Server):
    """A server that says when it listens, and remembers what stopped it."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], object], on_stop: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_stop = on_stop
        self.stopped_by: int | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        await asyncio.to_thread(self._on_start)  # a browser may take its time to open

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody else in, end what would go on for long, and wait for the rest."""
        for server in self.servers:
            server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._on_stop(), STOP_SECONDS)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Ctrl-C and the like stop it; what that means for the program is for the caller to say."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
        former = {number: signal.getsignal(number) for number in numbers}
        former = {number: handler for number, handler in former.items() if handler not in {signal.SIG_IGN, None}}
        for number in former:
            signal.signal(number, self._stop)
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _frame: object) -> None:
        self.stopped_by = self.stopped_by or number
        self.should_exit = True


def make_server(settings: Settings, on_start: Callable[[], object]) -> Server:
    """A server with these limits. Raises `TablemenError` where the games cannot be kept."""
    app = create_app(settings)
    app.state.rooms.open()

    async def end_analyses() -> None:
        await app.state.analyst.close()

    config = uvicorn.Config(
        app,
        http=protocol_of(settings),
        ws="websockets-sansio",
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,  # the messages are small, and many
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=settings.connections + SPARE_CONNECTIONS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    return Server(config, on_start, end_analyses)


def run(settings: Settings, listening: socket.socket, on_start: Callable[[], object]) -> int | None:
    """Serve until a signal comes, and say which. Raises `TablemenError` where the games cannot be kept."""
    server = make_server(settings, on_start)
    _raise_limit_of_files()
    gc.collect()
    gc.freeze()  # what is there by now stays, and need not be looked through while somebody waits for a move
    server.run(sockets=[listening])
    return server.stopped_by
