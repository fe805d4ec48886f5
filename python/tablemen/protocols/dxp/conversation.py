"""What may be said when: games over one connection, one after the other, without bytes, clocks and tasks."""

from __future__ import annotations

import enum

from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.notation import parse_dxp_move
from tablemen.errors import AmbiguousMoveError, GameError, GameOverError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.protocols.dxp import message as messages
from tablemen.protocols.dxp.event import (
    Answered,
    Confirmed,
    Crossed,
    Ended,
    Event,
    Played,
    PlayedOn,
    Requested,
    Said,
    TakebackAnswered,
    TakebackAsked,
)
from tablemen.protocols.dxp.fields import fit_text
from tablemen.protocols.dxp.message import (
    Acceptance,
    Chat,
    ForeignRequest,
    GameAcceptance,
    GameEnd,
    GameRequest,
    Message,
    Reason,
    Takeback,
    TakebackAnswer,
    TakebackRequest,
)
from tablemen.protocols.dxp.notation import read_start, show, write_move, write_start
from tablemen.protocols.dxp.takebacks import number_of, ply_of
from tablemen.protocols.dxp.text import format_message


class Phase(enum.Enum):
    """Where a conversation is."""

    IDLE = "no game is on"
    ASKING = "a game was asked for"
    ASKED = "the other program asked for a game"
    PLAYING = "a game is on"
    ENDING = "the end of the game is not confirmed yet"
    ENDED = "the other program ended the game"


class Conversation:
    """One end of a connection, whichever asks for the games.

    Methods that say something give the message that is to be sent, and take it as sent; they raise `GameError` where
    it is not the time for it. `receive` takes what the other end says. It raises `ProtocolError` for what is out of
    turn or not legal, and everything is then as it was. `game` is for looking only.
    """

    def __init__(self, rules: DraughtsRules, *, name: str, peer: str = "the other program") -> None:
        self.rules = rules
        self.name = messages.fit_name(name)
        self.peer = peer
        self.peer_name = ""  # what it calls itself, once it has
        self.phase = Phase.IDLE
        self._game: Game[Position, Move] | None = None
        self.side: Side | None = None  # ours
        self.request: GameRequest | None = None  # what was asked for
        self.is_over = False  # one of the two wants no other game
        self._start: Position | None = None  # of the game that is asked for
        self._question: int | None = None  # the length of the game that we asked to go back to
        self._their_question: int | None = None
        self.is_asked_back = False  # whether the other end waits for our answer to its question
        self._is_ours_to_end = False  # the other end goes on after the end

    @property
    def game(self) -> Game[Position, Move]:
        """The game that is on, or was the last one. Raises `GameError` before the first."""
        if self._game is None:
            raise GameError("no game has begun")
        return self._game

    @property
    def is_our_turn(self) -> bool:
        """Whether a game is on and we are to move, or to end it."""
        return self.phase is Phase.PLAYING and (self._is_ours_to_end or self.game.position.turn is self.side)

    @property
    def is_asking_back(self) -> bool:
        """Whether we wait for an answer to a question for moves to be taken back."""
        return self._question is not None

    def ask(self, position: Position, follower: Side, *, minutes: int, moves: int = 0) -> GameRequest:
        """Ask for a game from a position, in which the other end plays the side `follower`.

        Raises `TablemenError` also where DXP cannot say such a game.
        """
        self._check(Phase.IDLE)
        if self.is_over:
            raise GameError("no other game is wanted at this connection")
        if outcome := position.outcome():
            raise GameOverError(outcome)
        request = GameRequest(self.name, follower, minutes, moves, write_start(position))
        format_message(request)  # what it cannot say is found out now
        self.rules, self._start, self.request = position.variant, position, request
        self.phase = Phase.ASKING
        return request

    def accept(self) -> GameAcceptance:
        """Play the game that the other end asks for."""
        self._check(Phase.ASKED)
        if self._start is None or self.request is None:
            raise GameError("this game cannot be played")
        self._begin(self.request.follower)
        return GameAcceptance(self.name, Acceptance.ACCEPTED)

    def decline(self, code: Acceptance) -> GameAcceptance:
        """Do not."""
        self._check(Phase.ASKED)
        if code is Acceptance.ACCEPTED:
            raise GameError("a game is declined with another code")
        self.phase = Phase.IDLE
        self.is_over |= code is Acceptance.NO_GAMES
        return GameAcceptance(self.name, code)

    def play(self, move: Move, seconds: float = 0) -> messages.Move:
        """Make a move. Raises `IllegalMoveError`, and `TablemenError` where DXP cannot tell it from another."""
        self._check(Phase.PLAYING)
        if not self.is_our_turn:
            raise GameError("it is not our turn")
        if self._question is not None:
            raise GameError("no move is made before the question for a takeback is answered")
        message = write_move(move, seconds, self.game)
        self.game.push(move)
        return message

    def end(self, reason: Reason, *, leaves: bool = False, overdue: bool = False) -> GameEnd:
        """End the game when it is our turn, when it is over by the rules, or when the other end's time is `overdue`."""
        self._check(Phase.PLAYING)
        if not (self.is_our_turn or overdue or self.game.outcome()):
            raise GameError("a game is ended by the one whose turn it is")
        if self._question is not None and not overdue:  # whose turn it is depends on the answer
            raise GameError("no game is ended before the question for a takeback is answered")
        self.phase = Phase.ENDING
        self.is_over |= leaves
        return GameEnd(reason, leaves)

    def confirm(self, *, leaves: bool = False) -> GameEnd:
        """Confirm the end."""
        self._check(Phase.ENDED)
        self.phase = Phase.IDLE
        self.is_over |= leaves
        return GameEnd(Reason.UNKNOWN, leaves)

    def say(self, text: str) -> Chat:
        """Say something, at any time; what has no room in a message is left out."""
        return Chat(messages.fit_chat(text))

    def ask_back(self, ply: int) -> TakebackRequest:
        """Ask for moves to be taken back, until so many of the game are left."""
        self._check(Phase.PLAYING)
        if self._question is not None:
            raise GameError("a question for a takeback is not answered yet")
        if not 0 <= ply < len(self.game.moves):
            raise GameError(f"after {len(self.game.moves)} moves the game cannot go back to {ply}")
        number, side = number_of(ply, self.game.start.turn)
        if number > messages.MOST_MOVES:
            raise GameError("a game this long cannot go back to where it was")
        self._question = ply
        return TakebackRequest(number, side)

    def answer_back(self, code: Takeback) -> TakebackAnswer:
        """Answer the other end's question for a takeback; a yes to what is not in the past becomes a no."""
        self._check(Phase.PLAYING)
        if not self.is_asked_back:
            raise GameError("nobody asked for a takeback")
        ply = self._their_question
        if code is Takeback.ACCEPTED and (ply is None or ply >= len(self.game.moves)):
            code = Takeback.REFUSED
        self.is_asked_back, self._their_question = False, None
        if code is Takeback.ACCEPTED and ply is not None:
            self._go_back(ply)
        return TakebackAnswer(code)

    def receive(self, message: Message) -> Event:
        """What a message of the other end comes to."""
        match message:
            case Chat():
                return Said(message.text)
            case GameRequest() | ForeignRequest():
                return self._take_request(message)
            case GameAcceptance():
                return self._take_acceptance(message)
            case messages.Move():
                return self._take_move(message)
            case GameEnd():
                return self._take_end(message)
            case _:
                return self._take_about_takeback(message)

    def _take_request(self, request: GameRequest | ForeignRequest) -> Requested:
        if self.phase is not Phase.IDLE:
            raise self._error("asked for a game", request)
        self.phase = Phase.ASKED
        self._start = self.request = None
        if isinstance(request, ForeignRequest):
            return Requested(request, None, f"version {request.version} of DXP is not spoken here")
        self.request = request
        self.peer_name = fit_text(request.name, messages.NAME)
        try:
            position = read_start(request.position, self.rules)
        except TablemenError as error:
            return Requested(request, None, str(error))
        if outcome := position.outcome():
            return Requested(request, None, f"the game is over before it begins: {outcome}")
        self._start = position
        return Requested(request, position)

    def _take_acceptance(self, acceptance: GameAcceptance) -> Answered:
        if self.phase is not Phase.ASKING:
            raise self._error("answered a request", acceptance)
        assert self.request is not None
        self.peer_name = fit_text(acceptance.name, messages.NAME)
        if acceptance.code is Acceptance.ACCEPTED:
            self._begin(self.request.follower.opponent)
        else:
            self.phase = Phase.IDLE
            self.is_over |= acceptance.code is Acceptance.NO_GAMES
        return Answered(acceptance.code, self.peer_name)

    def _take_move(self, message: messages.Move) -> Played | PlayedOn | Crossed:
        if self.phase is Phase.ENDING:
            return Crossed()
        if self.phase is not Phase.PLAYING or self.is_our_turn:
            raise self._error("moved out of turn", message)
        if self.game.outcome():
            self._is_ours_to_end = True
            return PlayedOn()
        try:
            move = parse_dxp_move(message.text, self.game.position)
        except AmbiguousMoveError as error:
            raise ProtocolError(self.peer, "played what can mean two moves", show(message)) from error
        except TablemenError as error:
            raise ProtocolError(self.peer, "played what is not legal", show(message)) from error
        return Played(self.game.push(move), message.seconds)

    def _take_end(self, message: GameEnd) -> Ended | Confirmed | Crossed:
        if self.phase is Phase.ENDING:
            self.phase = Phase.IDLE
            self.is_over |= message.leaves
            return Confirmed(message.leaves)
        if self.phase is Phase.PLAYING:  # also when it is our turn: there is no game against somebody who has left
            self.phase = Phase.ENDED
            self.is_over |= message.leaves
            return Ended(message.reason, message.leaves)
        if self.phase in {Phase.IDLE, Phase.ASKING}:  # both ended the game at once, and it confirms that, too
            return Crossed()
        raise self._error("ended a game", message)

    def _take_about_takeback(self, message: Message) -> TakebackAsked | TakebackAnswered | Crossed:
        if isinstance(message, TakebackAnswer) and self.phase is Phase.PLAYING and self._question is not None:
            ply, self._question = self._question, None
            if message.code is Takeback.ACCEPTED:
                self._go_back(ply)
            return TakebackAnswered(message.code)
        if self.phase is Phase.ENDING or isinstance(message, TakebackAnswer):  # which answers nothing
            return Crossed()
        if isinstance(message, TakebackRequest) and self.phase is Phase.PLAYING and not self.is_asked_back:
            ply = ply_of(message.number, message.side, self.game.start.turn)
            self.is_asked_back = True
            self._their_question = ply if ply < len(self.game.moves) else None
            return TakebackAsked(self._their_question)
        raise self._error("asked for a takeback", message)

    def _begin(self, side: Side) -> None:
        assert self._start is not None
        self._game, self.side, self.phase = Game(self._start), side, Phase.PLAYING
        self._question = self._their_question = None
        self.is_asked_back = self._is_ours_to_end = False

    def _go_back(self, ply: int) -> None:
        """Both ends may have asked, and both may have granted: what is shorter already stays so."""
        while len(self.game.moves) > ply:
            self.game.pop()
        self._is_ours_to_end = False

    def _check(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise GameError(f"not now: {self.phase.value}")

    def _error(self, problem: str, message: Message) -> ProtocolError:
        return ProtocolError(self.peer, f"{problem} while {self.phase.value}", show(message))
