"""DXP protocol objects in given states."""

from __future__ import annotations

from tablemen import Side
from tablemen.draughts import Position, find_variant
from tablemen.protocols.dxp.messages import EndReason, parse_message
from tablemen.protocols.dxp.protocol import DxpEvent, DxpProtocol, Phase

INTERNATIONAL = find_variant("international")
WON = Position.from_fen("W:W28:B23", INTERNATIONAL)  # White captures the last piece


def receive(protocol: DxpProtocol, data: bytes) -> DxpEvent:
    """Parse and receive a message, and return its event."""
    return protocol.receive(parse_message(data))


def start_game(
    position: Position | None = None, *, side: Side = Side.WHITE, moves: str = ""
) -> tuple[DxpProtocol, DxpProtocol]:
    """Return both ends of a game after some moves; the first is the initiator and plays `side`."""
    one, other = DxpProtocol(INTERNATIONAL, name="one"), DxpProtocol(INTERNATIONAL, name="other")
    position = position or Position.start(INTERNATIONAL)
    other.rules = position.variant
    other.receive(one.request_game(position, side.opponent, minutes=5))
    one.receive(other.accept())
    for text in moves.split():
        mover, waiter = (one, other) if one.is_our_turn else (other, one)
        waiter.receive(mover.play(mover.game.position.parse_move(text)))
    return one, other


def list_moves(protocol: DxpProtocol) -> list[str]:
    """Return the moves of the current game."""
    return [str(move) for move in protocol.game.moves]


def get_state(protocol: DxpProtocol) -> tuple[object, ...]:
    """Return all attributes, for comparison."""
    attributes = dict(vars(protocol))
    attributes["_game"] = repr(attributes["_game"])
    return tuple(attributes.items())


def make_protocol(phase: Phase) -> DxpProtocol:
    """Return a protocol object in a phase; if a game is in progress, it is on move."""
    one = DxpProtocol(INTERNATIONAL, name="one")
    if phase is Phase.REQUESTING:
        one.request_game(WON, Side.WHITE, minutes=5)
    elif phase is Phase.REQUESTED:
        receive(one, b"R01" + b"x" * 32 + b"W005000A")
    elif phase is not Phase.IDLE:
        one, _ = start_game()
    if phase is Phase.ENDING:
        one.end(EndReason.UNKNOWN)
    if phase is Phase.ENDED:
        receive(one, b"E00")
    assert one.phase is phase
    return one
