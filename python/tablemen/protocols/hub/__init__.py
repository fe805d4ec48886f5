"""Hub: a board asks an engine for moves and analyses, line by line."""

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
