"""Hub: a line protocol in which a board (a GUI) requests moves and analyses from an engine."""

from tablemen.protocols.hub.engine import AsyncHubEngine, HubAnalysis, HubEngine, HubTimeouts
from tablemen.protocols.hub.messages import HubMessage, Option, OptionType, format_message, parse_message

__all__ = [
    "AsyncHubEngine",
    "HubAnalysis",
    "HubEngine",
    "HubMessage",
    "HubTimeouts",
    "Option",
    "OptionType",
    "format_message",
    "parse_message",
]
