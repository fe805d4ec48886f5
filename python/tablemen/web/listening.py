"""Connections before anything is asked: how many come from one address, and for how long they may be silent."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tablemen.web.admission import client_of
from tablemen.web.settings import Settings

SPARE = 100  # connections of an address for requests, beside its sockets
REQUEST_SECONDS = 20.0  # in which a request must have come, from its first word to the end of its body


def protocol_of(settings: Settings) -> type[H11Protocol]:
    """The protocol of a server with these limits: whoever opens too many connections, or says half, loses them."""
    most_of_one = settings.connections_of_one + SPARE

    class LimitedProtocol(H11Protocol):
        waiting: asyncio.TimerHandle | None = None  # for the rest of a request

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            clients: list[tuple[str, int] | None] = [getattr(each, "client", None) for each in self.connections]
            addresses = [client_of(client[0]) for client in clients if client is not None]
            if self.client is not None and addresses.count(client_of(self.client[0])) > most_of_one:
                transport.abort()
                return
            self.wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # One that became a socket is another protocol's; between requests uvicorn itself waits for a few seconds.
            if self in self.connections and self.conn.their_state in {h11.IDLE, h11.SEND_BODY}:
                self.wait()
            else:
                self.stop_waiting()

        def connection_lost(self, exc: Exception | None) -> None:
            self.stop_waiting()
            super().connection_lost(exc)

        def wait(self) -> None:
            """For the rest, unless that has begun already."""
            if self.waiting is None:
                self.waiting = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

        def stop_waiting(self) -> None:
            """It has come, or never will."""
            if self.waiting is not None:
                self.waiting.cancel()
                self.waiting = None

    return LimitedProtocol
