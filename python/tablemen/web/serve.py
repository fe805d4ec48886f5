"""Run the application with uvicorn: listen, limit connections, and stop on signals."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import re
import signal
import socket
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network

import h11
import uvicorn
import websockets  # noqa: F401 - uvicorn imports it late; import it here, so that a missing package is reported at once
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from tablemen import __version__
from tablemen.errors import ArgumentError, TablemenError
from tablemen.protocols.transport.tcp import check_name
from tablemen.web.app import create_app, warm_up
from tablemen.web.limits import normalize_address, parse_networks
from tablemen.web.monitoring import (
    LogFormat,
    collect_metrics,
    configure_logging,
    format_metrics,
    log_event,
    serve_metrics,
)
from tablemen.web.settings import LOOPBACK, Settings, format_host

DEFAULT_PORT = 8080
HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
MAX_PORTS = 50  # ports to try, from the default one on
STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
STOP_TIMEOUT = 3  # seconds that requests in progress may take when the server stops
UNREAD_TIMEOUT = 30  # seconds without an acknowledgement of sent data until a connection is dropped
PING_INTERVAL = 5.0  # seconds between pings to a WebSocket
PING_TIMEOUT = 10.0  # seconds without an answer to a ping until a WebSocket is closed
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


def accepted_hosts(host: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the `Host` names to accept: those of the loopback interface, the host to listen at, and other names.

    Raises `ArgumentError` if a name is not a host name or an address.
    """
    return (*LOOPBACK, format_host(host), *map(_parse_host_name, names))


def _parse_host_name(name: str) -> str:
    """Return a host name as browsers send it: in lower case, and in Punycode if it is not ASCII."""
    with contextlib.suppress(ValueError):
        return format_host(str(ipaddress.ip_address(name.strip("[]"))))
    with contextlib.suppress(UnicodeError):
        ascii_name = name.encode("idna").decode().lower()
        if HOST_NAME.fullmatch(ascii_name):
            return ascii_name
    raise ArgumentError("--host-name", name, "a name such as play.example.org or an IP address, without a port")


def server_url(listening: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1" if listening.family == socket.AF_INET else "::1"
    return f"http://{format_host(host)}:{port}/"


def limited_protocol(settings: Settings, refused: Counter[str]) -> type[H11Protocol]:
    """Return uvicorn's HTTP protocol class with a connection limit per client and a request timeout.

    A trusted proxy has no limit of its own, since it connects for many clients. `refused` counts the rejected
    connections.
    """
    max_of_one = settings.connections_of_one + EXTRA_CONNECTIONS_OF_ONE
    proxies = [ipaddress.ip_network(each) for each in parse_networks(settings.trusted_proxies)]

    class LimitedProtocol(H11Protocol):
        request_timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if _count_connections(self, proxies) > max_of_one:
                refused["connections"] += 1
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


def _count_connections(protocol: H11Protocol, proxies: Sequence[IPv4Network | IPv6Network]) -> int:
    """Return the number of connections of the client, or 0 if it is a trusted proxy."""
    if protocol.client is None or any(ipaddress.ip_address(protocol.client[0]) in each for each in proxies):
        return 0
    peers: list[tuple[str, int] | None] = [getattr(each, "client", None) for each in protocol.connections]
    clients = [normalize_address(peer[0]) for peer in peers if peer is not None]
    return clients.count(normalize_address(protocol.client[0]))


class WebServer(uvicorn.Server):
    """A uvicorn server with callbacks for its start and stop. It records which signal stopped it."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], object], on_stop: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_stop = on_stop
        self.stopped_by: int | None = None

    def format_metrics(self) -> str:
        """Return the metrics of the server as text, which is empty until the server has started."""
        if not self.started:
            return ""
        app = self.config.app
        assert isinstance(app, FastAPI)
        return format_metrics(collect_metrics(app, len(self.server_state.connections)))

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
        http=limited_protocol(settings, app.state.statistics.refused),
        ws="websockets-sansio",
        ws_max_size=settings.message_bytes,
        ws_ping_interval=PING_INTERVAL,
        ws_ping_timeout=PING_TIMEOUT,
        ws_per_message_deflate=False,  # not worth the time for many small messages
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=settings.connections + EXTRA_CONNECTIONS,
        timeout_graceful_shutdown=STOP_TIMEOUT,
    )
    logging.getLogger("uvicorn.error").addFilter(_shorten_record)
    return WebServer(config, on_start, end_analyses)


def run(
    settings: Settings,
    listening: socket.socket,
    on_start: Callable[[], object],
    *,
    log_format: LogFormat = "plain",
    metrics: socket.socket | None = None,
) -> int | None:
    """Serve until a signal arrives, and return its number. Raises `TablemenError` if the database cannot be opened.

    If there is a socket for metrics, they are served there.
    """

    def start() -> None:
        log_event("start", url=server_url(listening), version=__version__)
        on_start()

    server = make_server(settings, start)
    configure_logging(log_format)
    if sys.platform != "win32":
        import resource

        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))  # each connection needs a file descriptor
    sys.setswitchinterval(SWITCH_INTERVAL)
    warm_up()
    gc.collect()
    gc.freeze()  # exclude start-up objects from garbage collection to shorten GC pauses
    with contextlib.nullcontext() if metrics is None else serve_metrics(metrics, server.format_metrics):
        server.run(sockets=[listening])
    if server.stopped_by is not None:
        log_event("stop", signal=signal.Signals(server.stopped_by).name)
    return server.stopped_by
