"""A TCP proxy that can hold all bytes, as a connection that stalls does."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class HoldingProxy:
    """A proxy between clients and a server at this host.

    While it holds, it still accepts connections, but forwards no bytes in either direction. On release it forwards all
    bytes that it has held.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._open = threading.Event()
        self._open.set()
        self._is_closed = False
        self._sockets: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.port: int = self._listening.getsockname()[1]
        self.accepted = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Stop to forward bytes."""
        self._open.clear()

    def release(self) -> None:
        """Forward the held bytes, and new ones."""
        self._open.set()

    def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        self._open.set()
        for each in (self._listening, *self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self.accepted += 1
                self._sockets += [client, server]
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while (data := source.recv(65_536)) and not self._is_closed:
                self._open.wait()
                sink.sendall(data)
            self._open.wait()
            sink.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def holding_proxy(port: int) -> Iterator[HoldingProxy]:
    """Run a proxy to a server at this port."""
    proxy = HoldingProxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
