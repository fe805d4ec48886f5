"""What stands before every request: who may ask, how much may be sent, and what a browser may do with the answer."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablemen.web.connections import Admission, TooManyError
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
        headers = Headers(scope=scope)
        objection = self._find_objection(headers)
        if objection is not None:
            await _refuse(scope, receive, send, *objection)
            return
        if scope["type"] == "websocket":
            await self._admit(scope, receive, send)
            return
        await self.app(scope, self._limited(receive), _with_headers(send))

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a socket, if there are not too many of them."""
        address = scope["client"][0] if scope.get("client") else ""
        try:
            with self._sockets.admitted(address):
                await self.app(scope, receive, send)
        except TooManyError as error:
            await receive()
            await send({"type": "websocket.accept"})  # or a browser would not learn why
            await send({"type": "websocket.close", "code": 1013, "reason": str(error)})

    def _find_objection(self, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if self.settings.hosts and name.lower() not in self.settings.hosts:
            return 421, f"this server is not called {name!r}"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "a page from elsewhere may not ask this server"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.body_bytes:
            return 413, f"that is more than {self.settings.body_bytes:,} bytes"
        return None

    def _limited(self, receive: Receive) -> Receive:
        """What comes, as long as it is not more than a request may have."""
        came = 0

        async def limited() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > self.settings.body_bytes:  # without a length, or with a wrong one
                return {"type": "http.disconnect"}
            return message

        return limited


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
        await send({"type": "websocket.close", "code": 1008, "reason": error})
        return
    body = json.dumps({"error": error, "problems": []}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    answer = _with_headers(send)
    await answer({"type": "http.response.start", "status": status, "headers": headers})
    await answer({"type": "http.response.body", "body": body})
