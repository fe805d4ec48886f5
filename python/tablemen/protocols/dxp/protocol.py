"""The state machine of DXP, without I/O and clocks: games over one connection, one after the other."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TypeAlias

from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.notation import parse_dxp_move
from tablemen.errors import AmbiguousMoveError, GameError, GameOverError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.protocols.dxp.messages import (
    MAX_MOVES,
    MAX_NAME_LENGTH,
    AcceptCode,
    Chat,
    DxpGameRequest,
    DxpMessage,
    DxpMove,
    EndReason,
    GameAcceptance,
    GameEnd,
    TakebackAnswer,
    TakebackCode,
    TakebackRequest,
    UnsupportedRequest,
    fit_chat,
    fit_name,
    fit_text,
    format_message,
    format_start,
    parse_start,
)


@dataclass(frozen=True, slots=True)
class GameRequested:
    """The peer requests a game, which we must accept or decline; if `position` is None, we can only decline it."""

    request: DxpGameRequest | UnsupportedRequest
    position: Position | None
    problem: str = ""  # the reason if `position` is None


@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """The peer has answered our request; the game has begun if it was accepted."""

    code: AcceptCode
    name: str


@dataclass(frozen=True, slots=True)
class OpponentMoved:
    """The peer has made a legal move, which is added to the game; `seconds` is the time that the peer reports."""

    move: Move
    seconds: int


@dataclass(frozen=True, slots=True)
class MoveAfterEnd:
    """The peer has moved in a game that is over by our rules. The move is ignored, and we must end the game."""


@dataclass(frozen=True, slots=True)
class EndReceived:
    """The peer has ended the game, and we must confirm the end."""

    reason: EndReason
    is_last: bool


@dataclass(frozen=True, slots=True)
class EndConfirmed:
    """The peer has confirmed the end of the game; `is_last` is set if the peer declines further games."""

    is_last: bool


@dataclass(frozen=True, slots=True)
class ChatReceived:
    """The peer has sent a text, which may contain any ASCII character."""

    text: str


@dataclass(frozen=True, slots=True)
class TakebackRequested:
    """The peer requests a takeback, which we must answer; `ply` is the number of moves that would remain.

    If `ply` is None, the game has fewer moves, and we can only refuse.
    """

    ply: int | None


@dataclass(frozen=True, slots=True)
class TakebackAnswered:
    """The peer has answered our takeback request; the moves are taken back if it was accepted."""

    code: TakebackCode


@dataclass(frozen=True, slots=True)
class StaleMessage:
    """A message that crossed one of ours and has no effect."""


DxpEvent: TypeAlias = (
    GameRequested
    | RequestAnswered
    | OpponentMoved
    | MoveAfterEnd
    | EndReceived
    | EndConfirmed
    | ChatReceived
    | TakebackRequested
    | TakebackAnswered
    | StaleMessage
)


class Phase(enum.Enum):
    """The state of a `DxpProtocol`."""

    IDLE = "no game is in progress"
    REQUESTING = "our game request is unanswered"
    REQUESTED = "the peer's game request is unanswered"
    PLAYING = "a game is in progress"
    ENDING = "the peer has not confirmed the end of the game"
    ENDED = "the peer has ended the game"


class DxpProtocol:
    """One end of a DXP connection, as initiator or follower.

    The caller must send the messages that methods return; the methods raise `GameError` if the current phase does not
    allow the message. `receive` handles a message of the peer. If that is out of turn or contains an illegal move,
    `receive` raises `ProtocolError` and changes nothing. Callers must not change `game`.
    """

    def __init__(self, rules: DraughtsRules, *, name: str, peer: str = "the other program") -> None:
        self.rules = rules
        self.name = fit_name(name)
        self.peer = peer
        self.peer_name = ""  # the name in the peer's last request or acceptance
        self.phase = Phase.IDLE
        self._game: Game[Position, Move] | None = None
        self.side: Side | None = None  # our side
        self.request: DxpGameRequest | None = None  # the last request, ours or the peer's
        self.is_finished = False  # whether either end declines further games
        self._start: Position | None = None  # start of the requested game
        self._our_takeback: int | None = None  # ply of our unanswered takeback request
        self._peer_takeback: int | None = None
        self.must_answer_takeback = False
        self._must_end = False  # whether the peer has moved after the end of the game

    @property
    def game(self) -> Game[Position, Move]:
        """The current or last game. Raises `GameError` before the first game."""
        if self._game is None:
            raise GameError("no game has begun")
        return self._game

    @property
    def is_our_turn(self) -> bool:
        """Whether a game is in progress and we must move or end it."""
        return self.phase is Phase.PLAYING and (self._must_end or self.game.position.turn is self.side)

    @property
    def awaits_takeback(self) -> bool:
        """Whether our takeback request is unanswered."""
        return self._our_takeback is not None

    def request_game(self, position: Position, follower: Side, *, minutes: int, moves: int = 0) -> DxpGameRequest:
        """Request a game from a position, in which the peer plays the side `follower`.

        Raises `TablemenError` if DXP cannot express the request.
        """
        self._check(Phase.IDLE)
        if self.is_finished:
            raise GameError("one side has declined further games")
        if outcome := position.outcome():
            raise GameOverError(outcome)
        request = DxpGameRequest(self.name, follower, minutes, moves, format_start(position))
        format_message(request)  # raise an error before the state changes
        self.rules, self._start, self.request = position.variant, position, request
        self.phase = Phase.REQUESTING
        return request

    def accept(self) -> GameAcceptance:
        """Accept the game that the peer requests."""
        self._check(Phase.REQUESTED)
        if self._start is None or self.request is None:
            raise GameError("the requested game cannot be played, only declined")
        self._begin(self.request.follower)
        return GameAcceptance(self.name, AcceptCode.ACCEPTED)

    def decline(self, code: AcceptCode) -> GameAcceptance:
        """Decline the game that the peer requests."""
        self._check(Phase.REQUESTED)
        if code is AcceptCode.ACCEPTED:
            raise GameError("the code ACCEPTED does not decline a game")
        self.phase = Phase.IDLE
        self.is_finished |= code is AcceptCode.NO_GAMES
        return GameAcceptance(self.name, code)

    def play(self, move: Move, seconds: float = 0) -> DxpMove:
        """Make a move. Raises `IllegalMoveError`, and `AmbiguousMoveError` if the message fits another move too."""
        self._check(Phase.PLAYING)
        if not self.is_our_turn:
            raise GameError("it is not our turn")
        if self.awaits_takeback:
            raise GameError("no move is allowed before the takeback request is answered")
        message = DxpMove.of(move, self.game.position, seconds)
        self.game.push(move)
        return message

    def end(self, reason: EndReason, *, is_last: bool = False, overdue: bool = False) -> GameEnd:
        """End the game if it is our turn, if it is over by the rules, or if the peer is `overdue` to move."""
        self._check(Phase.PLAYING)
        if not (self.is_our_turn or overdue or self.game.outcome()):
            raise GameError("only the side to move can end a game")
        if self.awaits_takeback and not overdue:  # the answer decides whose turn it is
            raise GameError("a game cannot end before the takeback request is answered")
        self.phase = Phase.ENDING
        self.is_finished |= is_last
        return GameEnd(reason, is_last)

    def confirm(self, *, is_last: bool = False) -> GameEnd:
        """Confirm the end of a game that the peer has ended."""
        self._check(Phase.ENDED)
        self.phase = Phase.IDLE
        self.is_finished |= is_last
        return GameEnd(EndReason.UNKNOWN, is_last)

    def chat(self, text: str) -> Chat:
        """Send a text in any phase; it is shortened to fit into a message."""
        return Chat(fit_chat(text))

    def request_takeback(self, ply: int) -> TakebackRequest:
        """Request to take moves back until `ply` moves remain."""
        self._check(Phase.PLAYING)
        if self.awaits_takeback:
            raise GameError("the last takeback request is not answered yet")
        if not 0 <= ply < len(self.game.moves):
            raise GameError(f"a takeback must leave fewer moves than {len(self.game.moves)}, got {ply}")
        request = TakebackRequest.of(ply, self.game.start.turn)
        if request.number > MAX_MOVES:
            raise GameError(f"DXP cannot go back to a move number above {MAX_MOVES}")
        self._our_takeback = ply
        return request

    def answer_takeback(self, code: TakebackCode) -> TakebackAnswer:
        """Answer the peer's takeback request; a request beyond the last move is always refused."""
        self._check(Phase.PLAYING)
        if not self.must_answer_takeback:
            raise GameError("there is no takeback request to answer")
        ply = self._peer_takeback
        if code is TakebackCode.ACCEPTED and (ply is None or ply >= len(self.game.moves)):
            code = TakebackCode.REFUSED
        self.must_answer_takeback, self._peer_takeback = False, None
        if code is TakebackCode.ACCEPTED and ply is not None:
            self._take_back(ply)
        return TakebackAnswer(code)

    def receive(self, message: DxpMessage) -> DxpEvent:
        """Handle a message of the peer."""
        match message:
            case Chat():
                return ChatReceived(message.text)
            case DxpGameRequest() | UnsupportedRequest():
                return self._receive_request(message)
            case GameAcceptance():
                return self._receive_acceptance(message)
            case DxpMove():
                return self._receive_move(message)
            case GameEnd():
                return self._receive_end(message)
            case _:
                return self._receive_takeback(message)

    def _receive_request(self, request: DxpGameRequest | UnsupportedRequest) -> GameRequested:
        if self.phase is not Phase.IDLE:
            raise self._error("requested a game", request)
        self.phase = Phase.REQUESTED
        self._start = self.request = None
        if isinstance(request, UnsupportedRequest):
            return GameRequested(request, None, f"DXP version {request.version} is not supported")
        self.request = request
        self.peer_name = fit_text(request.name, MAX_NAME_LENGTH)
        try:
            position = parse_start(request.position, self.rules)
        except TablemenError as error:
            return GameRequested(request, None, str(error))
        if outcome := position.outcome():
            return GameRequested(request, None, f"the game is over at its start: {outcome}")
        self._start = position
        return GameRequested(request, position)

    def _receive_acceptance(self, acceptance: GameAcceptance) -> RequestAnswered:
        if self.phase is not Phase.REQUESTING:
            raise self._error("answered a game request", acceptance)
        assert self.request is not None
        self.peer_name = fit_text(acceptance.name, MAX_NAME_LENGTH)
        if acceptance.code is AcceptCode.ACCEPTED:
            self._begin(self.request.follower.opponent)
        else:
            self.phase = Phase.IDLE
            self.is_finished |= acceptance.code is AcceptCode.NO_GAMES
        return RequestAnswered(acceptance.code, self.peer_name)

    def _receive_move(self, message: DxpMove) -> OpponentMoved | MoveAfterEnd | StaleMessage:
        if self.phase is Phase.ENDING:
            return StaleMessage()
        if self.phase is not Phase.PLAYING or self.is_our_turn:
            raise self._error("moved out of turn", message)
        if self.game.outcome():
            self._must_end = True
            return MoveAfterEnd()
        try:
            move = parse_dxp_move(message.text, self.game.position)
        except AmbiguousMoveError as error:
            raise ProtocolError(self.peer, "played an ambiguous move", _show(message)) from error
        except TablemenError as error:
            raise ProtocolError(self.peer, "played an illegal move", _show(message)) from error
        return OpponentMoved(self.game.push(move), message.seconds)

    def _receive_end(self, message: GameEnd) -> EndReceived | EndConfirmed | StaleMessage:
        if self.phase is Phase.ENDING:
            self.phase = Phase.IDLE
            self.is_finished |= message.is_last
            return EndConfirmed(message.is_last)
        if self.phase is Phase.PLAYING:  # accepted on our turn too: the game cannot continue without the peer
            self.phase = Phase.ENDED
            self.is_finished |= message.is_last
            return EndReceived(message.reason, message.is_last)
        if self.phase in {Phase.IDLE, Phase.REQUESTING}:  # both ends ended the game, and the peer confirms our end too
            return StaleMessage()
        raise self._error("ended a game", message)

    def _receive_takeback(
        self, message: TakebackRequest | TakebackAnswer
    ) -> TakebackRequested | TakebackAnswered | StaleMessage:
        if isinstance(message, TakebackAnswer):
            if self.phase is not Phase.PLAYING or self._our_takeback is None:
                return StaleMessage()
            ply, self._our_takeback = self._our_takeback, None
            if message.code is TakebackCode.ACCEPTED:
                self._take_back(ply)
            return TakebackAnswered(message.code)
        if self.phase is Phase.ENDING:
            return StaleMessage()
        if self.phase is not Phase.PLAYING:
            raise self._error("requested a takeback", message)
        if self.must_answer_takeback:
            raise ProtocolError(self.peer, "requested a takeback before the answer to the last one", _show(message))
        ply = message.ply(self.game.start.turn)
        self.must_answer_takeback = True
        self._peer_takeback = ply if ply < len(self.game.moves) else None
        return TakebackRequested(self._peer_takeback)

    def _begin(self, side: Side) -> None:
        assert self._start is not None
        self._game, self.side, self.phase = Game(self._start), side, Phase.PLAYING
        self._our_takeback = self._peer_takeback = None
        self.must_answer_takeback = self._must_end = False

    def _take_back(self, ply: int) -> None:
        """Take moves back until `ply` remain; after takebacks of both ends the game may already be shorter."""
        while len(self.game.moves) > ply:
            self.game.pop()
        self._must_end = False

    def _check(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise GameError(f"not allowed while {self.phase.value}")

    def _error(self, problem: str, message: DxpMessage) -> ProtocolError:
        return ProtocolError(self.peer, f"{problem} while {self.phase.value}", _show(message))


def _show(message: DxpMessage) -> str:
    """Return the text of a message for an error, with the name converted by `fit_name`."""
    if isinstance(message, UnsupportedRequest):
        return f"R{message.version:02}"
    if isinstance(message, DxpGameRequest | GameAcceptance):
        message = replace(message, name=fit_name(message.name))
    return format_message(message).decode()
