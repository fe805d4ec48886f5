"""Hub: a board asks a program for moves and analyses, line by line."""

from tablemen.protocols.hub.asynchronous import AsyncHubEngine
from tablemen.protocols.hub.engine import HubAnalysis, HubEngine
from tablemen.protocols.hub.message import Message, format_message, parse_message
from tablemen.protocols.hub.options import Option, OptionType
from tablemen.protocols.hub.patience import Patience

__all__ = [
    "AsyncHubEngine",
    "HubAnalysis",
    "HubEngine",
    "Message",
    "Option",
    "OptionType",
    "Patience",
    "format_message",
    "parse_message",
]
