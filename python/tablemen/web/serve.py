"""Run the application with uvicorn: listen, limit connections, and stop on signals."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Generator

import h11
import uvicorn
import websockets  # noqa: F401 - uvicorn imports it late; import it here, so that a missing package is reported at once
from uvicorn.protocols.http.h11_impl import H11Protocol

from tablemen.errors import TablemenError
from tablemen.protocols.transport.tcp import check_name, is_loopback
from tablemen.web.app import create_app
from tablemen.web.limits import normalize_address
from tablemen.web.settings import LOOPBACK, Settings

DEFAULT_PORT = 8080
MAX_PORTS = 50  # ports to try, from the default one on
STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
STOP_TIMEOUT = 3  # seconds that requests in progress may take when the server stops
UNREAD_TIMEOUT = 30  # seconds without an acknowledgement of sent data until a connection is dropped
REQUEST_TIMEOUT = 20.0  # seconds from the first byte of a request to the end of its body
EXTRA_CONNECTIONS = 500  # for requests, in addition to the WebSockets
EXTRA_CONNECTIONS_OF_ONE = 100
SWITCH_INTERVAL = 0.001  # seconds; the event loop waits at most that long for a thread that executes Python code


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket. Port 0 is any free port, None the first free port from the default on.

    Raises `TablemenError` if no port is free or the host is invalid.
    """
    try:
        check_name(host)
    except OSError as error:
        raise TablemenError(f"cannot listen at {host}: {error.strerror}") from error
    ports = range(DEFAULT_PORT, DEFAULT_PORT + MAX_PORTS) if port is None else (port,)
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
        if hasattr(socket, "SO_REUSEADDR") and hasattr(
            signal, "SIGHUP"
        ):  # on Windows this option would share a port in use
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_TIMEOUT * 1000)
        listening.bind(address)
        listening.listen(1024)  # fails if the port is in use
    except OSError:
        listening.close()
        raise
    return listening


def accepted_hosts(host: str) -> tuple[str, ...]:
    """Return the `Host` names to accept: loopback names for a loopback host, otherwise none, which means any."""
    return (*LOOPBACK, f"[{host}]" if ":" in host else host.lower()) if is_loopback(host) else ()


def server_url(listening: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1" if listening.family == socket.AF_INET else "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def limited_protocol(settings: Settings) -> type[H11Protocol]:
    """Return uvicorn's HTTP protocol class with a connection limit per client and a request timeout."""
    max_of_one = settings.connections_of_one + EXTRA_CONNECTIONS_OF_ONE

    class LimitedProtocol(H11Protocol):
        request_timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            peers: list[tuple[str, int] | None] = [getattr(each, "client", None) for each in self.connections]
            clients = [normalize_address(peer[0]) for peer in peers if peer is not None]
            if self.client is not None and clients.count(normalize_address(self.client[0])) > max_of_one:
                transport.abort()
                return
            self._start_timer()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # WebSockets are not in `connections`. Between requests, uvicorn's own keep-alive timeout applies.
            if self in self.connections and self.conn.their_state in {h11.IDLE, h11.SEND_BODY}:
                self._start_timer()
            else:
                self._stop_timer()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            super().connection_lost(exc)

        def _start_timer(self) -> None:
            if self.request_timer is None:
                self.request_timer = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

        def _stop_timer(self) -> None:
            if self.request_timer is not None:
                self.request_timer.cancel()
                self.request_timer = None

    return LimitedProtocol


class WebServer(uvicorn.Server):
    """A uvicorn server with callbacks for its start and stop. It records which signal stopped it."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], object], on_stop: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_stop = on_stop
        self.stopped_by: int | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then call `on_start` in a thread, since opening a browser can take long."""
        await super().startup(sockets)
        await asyncio.to_thread(self._on_start)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, end long-running work, and wait for the remaining requests."""
        for server in self.servers:
            server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._on_stop(), STOP_TIMEOUT)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on the usual signals, and do not raise them again: the caller handles them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [getattr(signal, name) for name in STOP_SIGNALS if hasattr(signal, name)]
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


def _shorten_record(record: logging.LogRecord) -> bool:
    """Omit the traceback when a client sends a WebSocket message that is not UTF-8."""
    if record.exc_info is not None and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True


def make_server(settings: Settings, on_start: Callable[[], object]) -> WebServer:
    """Return a server with these limits. Raises `TablemenError` if the database cannot be opened."""
    app = create_app(settings)
    app.state.rooms.open()

    async def end_analyses() -> None:
        await app.state.analysis.close()

    config = uvicorn.Config(
        app,
        http=limited_protocol(settings),
        ws="websockets-sansio",
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,  # not worth the time for many small messages
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=settings.connections + EXTRA_CONNECTIONS,
        timeout_graceful_shutdown=STOP_TIMEOUT,
    )
    logging.getLogger("uvicorn.error").addFilter(_shorten_record)
    return WebServer(config, on_start, end_analyses)


def run(settings: Settings, listening: socket.socket, on_start: Callable[[], object]) -> int | None:
    """Serve until a signal arrives, and return its number. Raises `TablemenError` if the database cannot be opened."""
    server = make_server(settings, on_start)
    if sys.platform != "win32":
        import resource

        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))  # each connection needs a file descriptor
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.collect()
    gc.freeze()  # exclude start-up objects from garbage collection to shorten GC pauses
    server.run(sockets=[listening])
    return server.stopped_by
