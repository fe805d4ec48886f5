"""What conversations of the Kalah Game Protocol hear and say, as lines."""

from __future__ import annotations

from tablemen.protocols.kgp.client_conversation import ClientConversation
from tablemen.protocols.kgp.host_conversation import HostConversation
from tablemen.protocols.kgp.message import parse_message

THREES = "<3,0,0,3,3,3,3,3,3>"


def hear(conversation: ClientConversation | HostConversation, line: str) -> list[object]:
    return list(conversation.hear(parse_message(line)))


def said(conversation: ClientConversation | HostConversation) -> list[str]:
    return [str(message) for message in conversation.take_said()]
