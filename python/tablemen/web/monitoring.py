"""What an operator sees of a server: log lines, and metrics in the text format of Prometheus."""

from __future__ import annotations

import json
import logging
import secrets
import socket
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, NamedTuple, TypeAlias

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablemen.console import escape_controls
from tablemen.errors import TablemenError
from tablemen.web.settings import LOOPBACK

LogFormat: TypeAlias = Literal["plain", "json"]
METRICS_ADDRESS = "127.0.0.1"
METRICS_PATH = "/metrics"
METRICS_TIMEOUT = 10  # seconds for a request of metrics
MAX_PATH_LENGTH = 200  # characters of a path in the log
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"  # label of unknown methods and routes, which clients choose freely
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds

log = logging.getLogger("tablemen")
_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


class Histogram:
    """Durations, counted in `BUCKETS`."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.sum += seconds


class RequestStatistics:
    """The requests and WebSockets of a server so far, by route, and the requests that the middleware has refused."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()  # by method, route and status
        self.durations: dict[str, Histogram] = {}  # by route
        self.sockets: Counter[str] = Counter()  # open WebSockets by route
        self.closed_sockets: Counter[tuple[str, str]] = Counter()  # by route and close code
        self.refused = Counter(dict.fromkeys(("host", "origin", "size", "connections"), 0))  # by reason

    def add_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self.requests[method if method in METHODS else OTHER, route, status] += 1
        self.durations.setdefault(route, Histogram()).add(seconds)


class MonitorMiddleware:
    """ASGI middleware that counts and logs each request and WebSocket. Responses contain the id of the log line."""

    def __init__(self, app: ASGIApp, statistics: RequestStatistics) -> None:
        self.app = app
        self.statistics = statistics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, and record its end."""
        if scope["type"] == "http":
            await self._serve_request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _serve_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 500  # if the application fails
        request_id = secrets.token_hex(8)

        async def observed_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        _request_id.set(request_id)
        started = time.perf_counter()
        try:
            await self.app(scope, receive, observed_send)
        finally:
            seconds = time.perf_counter() - started
            self.statistics.add_request(scope["method"], _name_route(scope), status, seconds)
            _log_end("request", scope, seconds, method=scope["method"], status=status)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        code: int | str = "client"  # closed by the client
        route: str | None = None

        async def observed_send(message: Message) -> None:
            nonlocal code, route
            if message["type"] == "websocket.accept":
                route = _name_route(scope)
                self.statistics.sockets[route] += 1
            elif message["type"] == "websocket.close":
                code = message.get("code", 1000)
            await send(message)

        _request_id.set(secrets.token_hex(8))
        started = time.perf_counter()
        try:
            await self.app(scope, receive, observed_send)
        finally:
            if route is not None:
                self.statistics.sockets[route] -= 1
            self.statistics.closed_sockets[_name_route(scope), str(code)] += 1
            _log_end("websocket", scope, time.perf_counter() - started, code=code)


def _name_route(scope: Scope) -> str:
    """Return the path of a route with its parameters as names, so that there are few of them."""
    route = getattr(scope.get("route"), "path", None) or scope.get("root_path")
    return str(route or OTHER)


def _log_end(event: str, scope: Scope, seconds: float, **fields: object) -> None:
    if log.isEnabledFor(logging.INFO):
        client = scope["client"][0] if scope.get("client") else None
        path = scope["path"][:MAX_PATH_LENGTH]
        log_event(event, address=client, **fields, path=path, seconds=round(seconds, 6))


def log_event(event: str, **fields: object) -> None:
    """Log an event with these fields, which is visible only in JSON."""
    log.info("%s", event, extra={"event": event, "fields": fields})


class PlainFormatter(logging.Formatter):
    """A log line with the level and the message. A traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with escaped control characters."""
        lines = [f"{record.levelname.capitalize()}: {record.getMessage().strip()}"]
        if record.exc_info:
            lines += self.formatException(record.exc_info).splitlines()
        return "\n".join(map(escape_controls, lines))


class JsonFormatter(logging.Formatter):
    """A JSON object per record, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON, in which all characters outside printable ASCII are escaped."""
        content: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "message"),
            "request": _request_id.get(),
        }
        fields = getattr(record, "fields", None)
        content |= {"message": record.getMessage().strip()} if fields is None else fields
        if record.exc_info:
            content["traceback"] = self.formatException(record.exc_info)
        return json.dumps(content, default=str).replace("\x7f", "\\u007f")


def configure_logging(log_format: LogFormat) -> None:
    """Write log lines of this format to the standard error output; in JSON, also lines for start, stop and requests."""
    is_json = log_format == "json"
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if is_json else PlainFormatter())
    logging.basicConfig(handlers=[handler], force=True)
    logging.captureWarnings(is_json)
    log.setLevel(logging.INFO if is_json else logging.WARNING)


class Sample(NamedTuple):
    """A value of a metric, with its labels. A histogram has samples with suffixes."""

    value: float
    labels: Mapping[str, object] = {}
    suffix: str = ""


class Metric(NamedTuple):
    """A metric: its name without the prefix `tablemen_`, its type, a description and its samples."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    about: str
    samples: Iterable[Sample]


def format_metrics(metrics: Iterable[Metric]) -> str:
    """Return the metrics in the text format of Prometheus, version 0.0.4."""
    lines = []
    for metric in metrics:
        name = f"tablemen_{metric.name}"
        lines += [f"# HELP {name} {metric.about}", f"# TYPE {name} {metric.kind}"]
        for value, labels, suffix in metric.samples:
            inner = ",".join(f'{label}="{_escape_label(str(text))}"' for label, text in labels.items())
            lines.append(f"{name}{suffix}{f'{{{inner}}}' if inner else ''} {value!r}")
    return "\n".join(lines) + "\n"


def _escape_label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def collect_metrics(app: FastAPI, connections: int) -> Iterator[Metric]:
    """Yield the metrics of an application that is running, with this number of open TCP connections."""
    statistics, rooms = app.state.statistics, app.state.rooms
    queues = {"requests": app.state.request_queue.queue, "analyses": app.state.analysis.queue, **rooms.queues}
    refused = {**statistics.refused, **rooms.refused, "work": app.state.request_queue.exceeded}
    yield Metric(
        "requests_total",
        "counter",
        "Answered requests.",
        [
            Sample(count, {"method": method, "route": route, "status": status})
            for (method, route, status), count in list(statistics.requests.items())
        ],
    )
    yield Metric(
        "request_duration_seconds",
        "histogram",
        "Time from the start of a request to the end of its response.",
        [
            sample
            for route, histogram in list(statistics.durations.items())
            for sample in _sample_histogram(histogram, route)
        ],
    )
    yield Metric("connections", "gauge", "Open TCP connections.", [Sample(connections)])
    yield Metric(
        "websockets",
        "gauge",
        "Open WebSockets.",
        [Sample(count, {"route": route}) for route, count in list(statistics.sockets.items())],
    )
    yield Metric(
        "websockets_closed_total",
        "counter",
        "Closed WebSockets, by the code that the server has sent.",
        [
            Sample(count, {"route": route, "code": code})
            for (route, code), count in list(statistics.closed_sockets.items())
        ],
    )
    yield Metric("games_stored", "gauge", "Games in the database.", [Sample(rooms.stored)])
    yield Metric("games_in_memory", "gauge", "Games in memory.", [Sample(rooms.in_memory)])
    yield Metric(
        "queue_length",
        "gauge",
        "Queued tasks.",
        [Sample(queue.waiting, {"queue": name}) for name, queue in queues.items()],
    )
    yield Metric(
        "queue_running",
        "gauge",
        "Running tasks of a queue.",
        [Sample(queue.running, {"queue": name}) for name, queue in queues.items()],
    )
    yield Metric(
        "queue_refused_total",
        "counter",
        "Tasks that were refused because a queue was full.",
        [Sample(queue.refused, {"queue": name}) for name, queue in queues.items()],
    )
    yield Metric(
        "refused_total",
        "counter",
        "Requests that another limit has refused.",
        [Sample(count, {"reason": reason}) for reason, count in sorted(refused.items())],
    )
    yield Metric(
        "engine_failures_total",
        "counter",
        "Failures of engines.",
        [Sample(engine.failures, {"engine": engine.name}) for engine in rooms.engines],
    )
    yield Metric(
        "work_units_total", "counter", "Work of requests, in units.", [Sample(app.state.request_queue.work_used)]
    )


def _sample_histogram(histogram: Histogram, route: str) -> Iterator[Sample]:
    count = 0
    for bound, number in zip((*BUCKETS, "+Inf"), tuple(histogram.counts), strict=True):
        count += number
        yield Sample(count, {"route": route, "le": bound}, "_bucket")
    yield Sample(histogram.sum, {"route": route}, "_sum")
    yield Sample(count, {"route": route}, "_count")


def listen_metrics(port: int) -> socket.socket:
    """Return a listening socket of the loopback interface; port 0 is any free port. Raises `TablemenError`."""
    try:
        return socket.create_server((METRICS_ADDRESS, port))
    except OSError as error:
        raise TablemenError(f"cannot serve metrics at port {port}: {error.strerror or error}") from error


@contextmanager
def serve_metrics(listening: socket.socket, render: Callable[[], str]) -> Iterator[None]:
    """Serve metrics in a thread, which responds even if the event loop of the server is blocked. Close the socket."""

    class Handler(BaseHTTPRequestHandler):
        timeout = METRICS_TIMEOUT
        server_version, sys_version = "tablemen", ""

        def do_GET(self) -> None:
            if self.headers.get("Host", "").rpartition(":")[0] not in LOOPBACK:  # prevents DNS rebinding
                self.send_error(421)
            elif self.path != METRICS_PATH:
                self.send_error(404)
            else:
                body = render().encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(listening.getsockname(), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    with server:
        thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
