"""What stands before every request: who may ask, how much may be sent, and what a browser may do with the answer."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablemen.web.admission import Admission, TooManyError, client_of
from tablemen.web.connections import POLICY, TRY_AGAIN
from tablemen.web.settings import Settings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # an address of a game is for its players
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Turns away what is not for this server, and adds the headers to what it answers.

    A browser names the page that a request comes from as its origin: it must be one of ours, or any page that somebody
    looks at could play here. The host must be a name of ours, or a name that is made to lead here could.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self._sockets = Admission(most=settings.connections, most_of_one=settings.connections_of_one)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        if scope.get("client"):
            scope["client"] = (client_of(scope["client"][0]), scope["client"][1])
        headers = Headers(scope=scope)
        objection = self._find_objection(headers)
        if objection is not None:
            await _refuse(scope, receive, send, *objection)
            return
        if scope["type"] == "websocket":
            await self._admit(scope, receive, send)
            return
        body = Body(receive, self.settings.body_bytes)
        await self.app(scope, body.receive, body.answering(_with_headers(send)))

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a socket, if there are not too many of them."""
        address = scope["client"][0] if scope.get("client") else ""
        try:
            with self._sockets.admitted(address):
                await self.app(scope, receive, send)
        except TooManyError as error:
            await receive()
            await send({"type": "websocket.accept"})  # or a browser would not learn why
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": str(error)})

    def _find_objection(self, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if self.settings.hosts and name.lower() not in self.settings.hosts:
            return 421, f"this server is not called {name!r}"
        origin = headers.get("origin")
        if origin is not None and _host_of(origin) != host.lower():
            return 403, "a page from elsewhere may not ask this server"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.body_bytes:
            return 413, _too_large(self.settings.body_bytes)
        return None


class Body:
    """The body of a request that came without its length: where it becomes too large it ends, and so is it answered."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._came = 0

    async def receive(self) -> Message:
        """What comes next."""
        message = await self._receive()
        self._came += len(message.get("body", b""))
        return {"type": "http.disconnect"} if self._came > self._most else message

    def answering(self, send: Send) -> Send:
        """Sends what is answered, or in its place why the body is not taken."""

        async def sending(message: Message) -> None:
            if self._came <= self._most:
                await send(message)
            elif message["type"] == "http.response.start":
                await _answer(send, 413, _too_large(self._most))

        return sending


def _too_large(most: int) -> str:
    return f"that is more than {most:,} bytes"


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # a bracket that is not closed
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, error: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY, "reason": error})
        return
    await _answer(_with_headers(send), status, error)


async def _answer(send: Send, status: int, error: str) -> None:
    body = json.dumps({"error": error, "problems": []}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
