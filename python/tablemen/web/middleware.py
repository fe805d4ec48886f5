"""ASGI middleware in front of every request: accepted hosts and origins, size limits and security headers."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from tablemen.web.connections import POLICY, TRY_AGAIN
from tablemen.web.limits import ConnectionLimit, TooManyError, normalize_address
from tablemen.web.settings import Settings, format_host

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the address of a game is private to its players
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityMiddleware:
    """Middleware that rejects requests for other hosts or from other sites, and adds security headers to responses.

    The `Origin` of a browser's request must be this server: otherwise a page of another site could play in a visitor's
    name. The `Host` must be an accepted name or the address of this server, which prevents DNS rebinding.
    """

    def __init__(self, app: ASGIApp, settings: Settings, refused: Counter[str] | None = None) -> None:
        """Wrap an application. `refused` counts the rejected requests by reason."""
        self.app = app
        self.settings = settings
        self._refused = Counter() if refused is None else refused
        self._sockets = ConnectionLimit(total=settings.connections, per_client=settings.connections_of_one)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a connection, then pass it to the application."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        if scope.get("client"):
            scope["client"] = (normalize_address(scope["client"][0]), scope["client"][1])
        problem = self._find_problem(scope)
        if scope["type"] == "websocket":
            if problem is None:
                await self._serve_socket(scope, receive, send)
            else:
                await receive()
                await WebSocketClose(POLICY, problem[1])(scope, receive, send)
            return
        send = _with_headers(send)
        if problem is None:
            body = LimitedBody(receive, self.settings.body_bytes)
            # Routes accept GET; the server omits the body of a response to HEAD.
            inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self.app(inner, body.receive, body.limit_response(scope, send))
            scope.update({key: inner[key] for key in ("route", "root_path") if key in inner})  # for the statistics
            self._refused["size"] += body.is_too_large
        else:
            await _error_response(*problem)(scope, receive, send)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope["client"][0] if scope.get("client") else ""
        try:
            with self._sockets.acquire(client):
                await self.app(scope, receive, send)
        except TooManyError as error:
            self._refused["connections"] += 1
            await receive()
            await send({"type": "websocket.accept"})  # a browser does not show why a handshake was rejected
            await WebSocketClose(TRY_AGAIN, str(error))(scope, receive, send)

    def _find_problem(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason to reject a request, or None."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        hosts = self.settings.hosts
        if hosts and name.lower() not in hosts and name.lower() != _server_name(scope):
            self._refused["host"] += 1
            return 421, f"this server does not accept requests for the host {name!r}; --host-name allows a name"
        origin = headers.get("origin")
        if origin is not None and not _is_same_origin(origin, host, scope["scheme"]):
            self._refused["origin"] += 1
            return 403, "requests from pages of other sites are not allowed"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.body_bytes:
            self._refused["size"] += 1
            return 413, _too_large(self.settings.body_bytes)
        return None


class LimitedBody:
    """A request body that is cut off at the size limit, with a 413 response, if it has no `Content-Length`."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._received = 0

    @property
    def is_too_large(self) -> bool:
        """Whether the limit has been exceeded."""
        return self._received > self._limit

    async def receive(self) -> Message:
        """Receive the next part of the body, or a disconnect after the limit."""
        message = await self._receive()
        self._received += len(message.get("body", b""))
        return {"type": "http.disconnect"} if self.is_too_large else message

    def limit_response(self, scope: Scope, send: Send) -> Send:
        """Return a `send` that replaces the response if the body was too large."""

        async def limited_send(message: Message) -> None:
            if not self.is_too_large:
                await send(message)
            elif message["type"] == "http.response.start":
                await _error_response(413, _too_large(self._limit))(scope, self._receive, send)

        return limited_send


def _too_large(limit: int) -> str:
    return f"the request is too large: the limit is {limit:,} bytes"


def _server_name(scope: Scope) -> str | None:
    """Return the address at which the connection arrived, as a `Host` header contains it."""
    server = scope.get("server")
    if not server:
        return None
    address = format_host(server[0])
    return address.removeprefix("[::ffff:").removesuffix("]") if address.startswith("[::ffff:") else address


def _is_same_origin(origin: str, host: str, scheme: str) -> bool:
    """Return whether an origin is this server.

    A page without encryption is not the same origin as an encrypted server. The opposite is accepted: a proxy that is
    not trusted may have decrypted the request.
    """
    try:
        parts = urlsplit(origin)
    except ValueError:  # an unclosed bracket
        return False
    is_downgrade = scheme in {"https", "wss"} and parts.scheme != "https"
    return parts.netloc.lower() == host.lower() and not is_downgrade


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def _error_response(status: int, error: str) -> JSONResponse:
    return JSONResponse({"error": error, "problems": []}, status)
