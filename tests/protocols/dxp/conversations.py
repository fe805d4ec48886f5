"""Conversations that have come somewhere."""

from __future__ import annotations

from tablemen import Side
from tablemen.draughts import Position, find_variant
from tablemen.protocols.dxp.conversation import Conversation, Phase
from tablemen.protocols.dxp.message import Reason
from tablemen.protocols.dxp.text import parse_message

INTERNATIONAL = find_variant("international")
WON = Position.from_fen("W:W28:B23", INTERNATIONAL)  # White captures everything


def hear(conversation: Conversation, data: bytes) -> object:
    """What the bytes come to."""
    return conversation.receive(parse_message(data))


def begun(
    position: Position | None = None, *, side: Side = Side.WHITE, moves: str = ""
) -> tuple[Conversation, Conversation]:
    """Two ends of a game that has come so far; the first asked for it and plays the side."""
    one, other = Conversation(INTERNATIONAL, name="one"), Conversation(INTERNATIONAL, name="other")
    position = position or Position.start(INTERNATIONAL)
    other.rules = position.variant
    other.receive(one.ask(position, side.opponent, minutes=5))
    one.receive(other.accept())
    for text in moves.split():
        mover, waits = (one, other) if one.is_our_turn else (other, one)
        waits.receive(mover.play(mover.game.position.parse_move(text)))
    return one, other


def played(conversation: Conversation) -> list[str]:
    """The moves of its game."""
    return [str(move) for move in conversation.game.moves]


def state(conversation: Conversation) -> tuple[object, ...]:
    """All that it knows."""
    known = dict(vars(conversation))
    known["_game"] = repr(known["_game"])
    return tuple(known.items())


def in_phase(phase: Phase) -> Conversation:
    """A conversation that has come there; where a game is on, it is its turn."""
    if phase is Phase.IDLE:
        return Conversation(INTERNATIONAL, name="one")
    if phase is Phase.ASKING:
        one = Conversation(INTERNATIONAL, name="one")
        one.ask(WON, Side.WHITE, minutes=5)
        return one
    if phase is Phase.ASKED:
        one = Conversation(INTERNATIONAL, name="one")
        hear(one, b"R01" + b"x" * 32 + b"W005000A")
        return one
    one, _ = begun()
    if phase is Phase.ENDING:
        one.end(Reason.UNKNOWN)
    if phase is Phase.ENDED:
        hear(one, b"E00")
    assert one.phase is phase
    return one
