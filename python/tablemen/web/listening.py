"""Connections before anything is asked: how many come from one address, and for how long they may be silent."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from tablemen.web.settings import Settings

SPARE = 100  # connections of an address for requests, beside its sockets
FIRST_SECONDS = 20.0  # until the first request must have come


def protocol_of(settings: Settings) -> type[H11Protocol]:
    """The protocol of a server with these limits: whoever opens too many connections, or says nothing, loses them."""
    most_of_one = settings.connections_of_one + SPARE

    class LimitedProtocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            clients: list[tuple[str, int] | None] = [getattr(each, "client", None) for each in self.connections]
            addresses = [client[0] for client in clients if client is not None]
            if self.client is not None and addresses.count(self.client[0]) > most_of_one:
                transport.abort()
                return
            self.loop.call_later(FIRST_SECONDS, self._end_silence)

        def _end_silence(self) -> None:
            # One that became a socket is another protocol's by now.
            asked: object = self.cycle  # none yet, whatever its type says
            if self in self.connections and asked is None:
                self.transport.abort()

    return LimitedProtocol
