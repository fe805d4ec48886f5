"""How messages travel: to a process, over TCP or a WebSocket, or over one's own input and output."""

from tablemen.protocols.transport.framing import Framing
from tablemen.protocols.transport.process import open_process
from tablemen.protocols.transport.standard import open_standard_streams
from tablemen.protocols.transport.tcp import Listener, connect, listen
from tablemen.protocols.transport.transport import Transport

__all__ = [
    "Framing",
    "Listener",
    "Transport",
    "connect",
    "listen",
    "open_process",
    "open_standard_streams",
]
