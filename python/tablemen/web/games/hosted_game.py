"""A hosted game: its moves, clock, keys and offers, and the actions that each player may take."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from tablemen.clock import GameClock, fit_clocks, parse_time_control
from tablemen.endgame import WdlTablebase
from tablemen.errors import GameError, GameOverError, IllegalMoveError, NotationError, TablemenError
from tablemen.family import ScoreSheet, get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN, HumanPlayer
from tablemen.search import Clock, Level, Limit
from tablemen.web.games.opponents import Computer, ComputerPlayer, Engines, SharedEnginePlayer
from tablemen.web.games.store import GameStatus, Offer, Stage, StoredGame, StoredMove
from tablemen.web.models import Action, ActionName
from tablemen.web.serialize import find_rules

EVENT = "tablemen serve"  # in game files
HINT_LIMIT = Limit(nodes=200_000)
MAX_MOVES = 1000  # each move takes memory while the game is open
NOTHING_TO_TAKE_BACK = "you have no move to take back"

Sides: TypeAlias = frozenset[Side]


def new_game_id() -> str:
    """Return a new id. It cannot be guessed, since a client with the id may watch the game."""
    return secrets.token_urlsafe(12)


def hash_key(key: str) -> bytes:
    """Return the hash of a key. Keys are random, so they need no salt."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


class ComputerChoice(NamedTuple):
    """A move, `RESIGN`, or None to claim a draw, with the version of the game that it was chosen for."""

    move: Any
    version: int


@dataclass(frozen=True)
class GameSnapshot:
    """The state of a hosted game, to be restored if a change cannot be stored."""

    game: Game[Any, Any]
    clock: GameClock
    clocks: list[float | None]
    is_timed: bool
    offers: dict[Offer, Side]
    next: str | None
    revision: int


class HostedGame:
    """A game with its clock, its keys, its offers, and the computer or engine that plays a side.

    Methods must be called from the thread of the event loop, except `choose` and `stop`.
    """

    def __init__(
        self,
        stored: StoredGame,
        computer: Computer,
        engines: Engines,
        *,
        now: Callable[[], float] = time.monotonic,
        away: float = 0.0,
    ) -> None:
        """Restore a stored game. The side to move has used `away` seconds since the game was stored."""
        self.info, status, moves = stored
        info = self.info
        rules = find_rules(info.variant, info.houses, info.seeds)
        self.family = get_family(rules)
        start = self.family.start(rules)
        if info.position is not None:
            start = self.family.parse_position(info.position, rules)
        self.game: Game[Any, Any] = Game(start, [move.text for move in moves], declared=status.declared)
        self.revision = status.revision
        self.next = status.next  # the id of the rematch
        self.offers = status.offers
        self.problem: str | None = None  # why the engine cannot move
        self._opening = moves[: info.opening]
        self._keys = {Side.WHITE: info.white_key, Side.BLACK: info.black_key}
        self.people: Sides = frozenset(side for side, key in self._keys.items() if key is not None)
        self.engine = engines.get(info.engine)  # None if the server no longer has it
        self._opponent: ComputerPlayer | SharedEnginePlayer = ComputerPlayer(computer, Level(info.level or 1))
        if info.engine is not None:
            self._opponent = SharedEnginePlayer(info.engine, self.engine)
        self.hint_player = ComputerPlayer(computer, HINT_LIMIT)

        used = {Side.WHITE: status.white_used, Side.BLACK: status.black_used}
        used[self.game.position.turn] += away
        added = {Side.WHITE: status.white_added, Side.BLACK: status.black_added}
        control = None if status.control is None else parse_time_control(status.control)
        self.clock = GameClock(control, used=used, added=added, now=now)
        self._clocks = [move.clock for move in moves]
        self._is_timed = False  # whether the clock continues to run after a change
        self._version = 0  # incremented by every change, stored or not
        self._lock = threading.Lock()  # held during changes, so that `choose` copies a consistent state
        if len(self.game.moves) > info.opening:
            self._run_clock()

    @property
    def is_by_link(self) -> bool:
        """Whether two people play on different devices."""
        return self.info.opponent == "link"

    @property
    def is_computer_turn(self) -> bool:
        """Whether the computer or an engine is to move."""
        return self.game.outcome() is None and self.game.position.turn not in self.people

    @property
    def can_retry(self) -> bool:
        """Whether the engine has failed and can be retried."""
        return self.problem is not None and self.engine is not None and self.engine.can_play(self.game.position)

    def get_sides(self, key: str) -> Sides:
        """Return the sides that a key may move."""
        given = hash_key(key)
        return frozenset(
            side for side, stored in self._keys.items() if stored is not None and hmac.compare_digest(given, stored)
        )

    def status(self) -> GameStatus:
        """Return the columns of the database that change during play."""
        declared, clock = self.game.declared, self.clock
        return GameStatus(
            revision=self.revision,
            stage=self._stage(),
            control=None if clock.control is None else str(clock.control),
            winner=None if declared is None else _name(declared.winner),
            termination=None if declared is None else declared.termination.name,
            white_used=clock.used(Side.WHITE),
            black_used=clock.used(Side.BLACK),
            white_added=clock.added(Side.WHITE),
            black_added=clock.added(Side.BLACK),
            draw_offer=_name(self.offers.get("draw")),
            takeback_offer=_name(self.offers.get("takeback")),
            rematch_offer=_name(self.offers.get("rematch")),
            next=self.next,
        )

    def _stage(self) -> Stage:
        if self.game.outcome() is not None:
            return "over"
        return "played" if self._has_moved(self.people) else "new"

    def stored_moves(self, first: int) -> list[StoredMove]:
        """Return the moves from this ply on, as the database stores them."""
        texts = (self.family.format_move(move, full=True) for move in self.game.moves[first:])
        return list(map(StoredMove, texts, self._clocks[first:]))

    def create_rematch(self) -> StoredGame:
        """Return the rematch that both players have agreed to: the same game with the sides exchanged.

        The keys change sides too, so that the players only need the id of the new game.
        """
        assert self.next is not None
        info = self.info
        exchanged = replace(info, id=self.next, white_key=info.black_key, black_key=info.white_key, created=time.time())
        return StoredGame(exchanged, GameStatus(control=self.status().control), self._opening)

    def snapshot(self) -> GameSnapshot:
        """Return the state, to be restored later."""
        return GameSnapshot(
            self.game.copy(),
            self.clock.copy(),
            self._clocks.copy(),
            self._is_timed,
            self.offers.copy(),
            self.next,
            self.revision,
        )

    def restore(self, snapshot: GameSnapshot) -> None:
        """Undo all changes since the snapshot. Choices made since then become invalid."""
        with self._lock:
            self.game, self.clock, self._is_timed = snapshot.game, snapshot.clock, snapshot.is_timed
            self._clocks = snapshot.clocks
            self.offers, self.next, self.revision = snapshot.offers, snapshot.next, snapshot.revision
            self._version += 1

    def format_file(self) -> str:
        """Return the game as the text of a game file."""
        control = self.clock.control
        sheet = ScoreSheet(
            game=self.game,
            players={side: HumanPlayer.kind if side in self.people else self._opponent.name for side in Side},
            outcome=self.game.outcome(),
            event=EVENT,
            date=datetime.fromtimestamp(self.info.created, UTC).astimezone().date(),
            controls={} if control is None else dict.fromkeys(Side, control),
            clocks=self._clocks,
        )
        return self.family.format_game(sheet)

    def actions(self, sides: Sides) -> list[ActionName]:
        """Return the actions that a player with these sides may take now."""
        if not sides:
            return []
        is_over = self.game.outcome() is not None
        names: list[ActionName] = []
        if not is_over and self.game.position.turn in sides:
            names.append("move")
            if self.family.has_search and not self.is_by_link:
                names.append("hint")
        if self._can_take_back(sides):
            names.append("takeback")
        if not is_over:
            can_offer = self.is_by_link and self.offers.get("draw") not in sides
            if self.game.claims() or can_offer or self.info.opponent == "screen" or self.needs_proof:
                names.append("draw")
            names.append("resign")
        elif self.is_by_link and self.next is None and self.offers.get("rematch") not in sides:
            names.append("rematch")
        if any(side not in sides for side in self.offers.values()):
            names.append("decline")
        if self.can_retry:
            names.append("retry")
        return names

    @property
    def needs_proof(self) -> bool:
        """Whether a draw can only be claimed if a tablebase proves it, and a tablebase may have the position."""
        if self.info.opponent not in {"computer", "engine"} or self.game.outcome() is not None or self.game.claims():
            return False
        return self.family.is_endgame(self.game.position)

    def _can_take_back(self, sides: Sides) -> bool:
        if not self.is_by_link:
            return self.game.declared is not None or self._has_moved(sides)
        if self.game.outcome() is not None or self.offers.get("takeback") in sides:
            return False
        return "takeback" in self.offers or self._has_moved(sides)

    def _has_moved(self, sides: Sides) -> bool:
        """Return whether one of the sides has moved since the opening."""
        return any(position.turn in sides for position in self.game.positions[self.info.opening : -1])

    def act(self, action: Action, sides: Sides, *, proof: WdlTablebase | None = None) -> bool:
        """Execute an action of a player with these sides; return False if it has been executed before.

        `proof` proves a draw, if the game `needs_proof` of one. Raises `TablemenError` if the action is not allowed.
        """
        if action.action == "move":
            return self._move(action, sides)
        if action.action == "rematch":
            return self._ask_rematch(sides)
        is_possible_after_end = (
            action.action == "decline" and "rematch" in self.offers if self.is_by_link else action.action == "takeback"
        )
        outcome = self.game.outcome()
        if outcome is not None and not is_possible_after_end:
            raise GameOverError(outcome)
        if action.action == "draw":
            self._draw(sides, proof)
        else:
            methods = {"takeback": self._take_back, "decline": self._decline, "resign": self._resign}
            methods[action.action](sides)
        return True

    def _move(self, action: Action, sides: Sides) -> bool:
        text, count = action.move or "", len(self.game.moves)
        if action.ply is not None and action.ply != count:
            if action.ply < count and self._was_played(text, action.ply, sides):
                return False
            raise GameError(f"the game has changed: it is at ply {count}, not {action.ply}")
        mover = self.game.position.turn
        if self.game.outcome() is None and mover not in sides:
            raise GameError(f"it is {self.family.side_name(mover)}'s turn")
        if count >= MAX_MOVES:
            raise GameError(f"the game has reached the limit of {MAX_MOVES:,} moves")
        self._check_in_progress()
        with self._changing(has_moved=True):
            try:
                self._push(text)
            except (NotationError, IllegalMoveError) as error:
                reason = self.family.explain_illegal(text, self.game.position)
                raise TablemenError(reason or str(error)) from error
            # A move declines the opponent's offers, and withdraws the mover's own request for a takeback.
            self.offers = {offer: side for offer, side in self.offers.items() if side is mover and offer != "takeback"}
        return True

    def _push(self, move: Any) -> None:
        """Play a move. Raises `TablemenError` if the captures after it are too many to list."""
        self.game.push(move)
        try:
            self.family.check_complexity(self.game.position)
        except TablemenError:
            self.game.pop()
            raise

    def _was_played(self, text: str, ply: int, sides: Sides) -> bool:
        """Return whether one of the sides has played this move at this ply, so that the request is a repetition."""
        position = self.game.positions[ply]
        try:
            return position.turn in sides and bool(position.parse_move(text) == self.game.moves[ply])
        except TablemenError:
            return False

    def _take_back(self, sides: Sides) -> None:
        if self.is_by_link:
            asker = self.offers.get("takeback")
            if asker is None:
                if not self._has_moved(sides):
                    raise GameError(NOTHING_TO_TAKE_BACK)
                self.offers["takeback"] = _only(sides)
                return
            if asker in sides:
                raise GameError("you have already asked to take back a move")
            self._pop_moves(frozenset({asker}))
        else:
            declared = self.game.declared
            is_flag = declared is not None and declared.termination is Termination.TIME
            if self._has_moved(sides) and (declared is None or is_flag):
                self._pop_moves(self.people)
            elif declared is not None:
                self._withdraw_result()
            else:
                raise GameError(NOTHING_TO_TAKE_BACK)
        self.offers.clear()

    def _pop_moves(self, sides: Sides) -> None:
        """Take moves back until one of the sides is to move.

        The used time is not given back. After a loss on time the game continues without a clock.
        """
        turns = [position.turn for position in self.game.positions[:-1]]
        last = max(ply for ply, mover in enumerate(turns) if mover in sides)
        with self._changing():
            self._drop_clock_after_flag()
            for mover in reversed(turns[last:]):
                made = self.game.count_moves(mover)
                self.game.pop()
                self.clock.take_back(mover, made=made)

    def _withdraw_result(self) -> None:
        """Take back the declared result, and no move."""
        with self._changing():
            self._drop_clock_after_flag()
            self.game = Game(self.game.start, self.game.moves)

    def _drop_clock_after_flag(self) -> None:
        declared = self.game.declared
        if declared is not None and declared.termination is Termination.TIME:
            self.clock.control = None

    def _draw(self, sides: Sides, proof: WdlTablebase | None) -> None:
        offered = self.offers.get("draw")
        if self.game.claims():
            self._declare(self.game.claim_draw)
        elif self.info.opponent == "screen" or (offered is not None and offered not in sides):
            self._declare(self.game.agree_draw)
        elif proof is not None:
            self._declare(partial(self.game.claim_proven_draw, proof))
        elif not self.is_by_link:
            opponent = self.info.engine or "the computer"
            raise GameError(f"you cannot claim a draw now, and {opponent} does not accept draw offers")
        elif offered is not None:
            raise GameError("you have already offered a draw")
        else:
            self.offers["draw"] = _only(sides)

    def _decline(self, sides: Sides) -> None:
        remaining = {offer: side for offer, side in self.offers.items() if side in sides}
        if remaining == self.offers:
            raise GameError("there is no offer that you can decline")
        self.offers = remaining

    def _resign(self, sides: Sides) -> None:
        side = self.game.position.turn if len(sides) > 1 else _only(sides)
        self._declare(partial(self.game.resign, side))

    def _ask_rematch(self, sides: Sides) -> bool:
        """Ask for a rematch or accept one; return False if the rematch exists already."""
        if not self.is_by_link:
            raise GameError("a rematch is only possible in games by link; create a new game instead")
        if self.game.outcome() is None:
            raise GameError("a rematch is only possible when the game is over")
        if self.next is not None:
            return False
        asker = self.offers.get("rematch")
        if asker is None:
            self.offers["rematch"] = _only(sides)
        elif asker in sides:
            raise GameError("you have already asked for a rematch")
        else:
            self.next = new_game_id()
            self.offers.clear()
        return True

    def _declare(self, declare: Callable[[], Outcome]) -> None:
        self._check_in_progress()
        with self._changing():
            declare()

    def _check_in_progress(self) -> None:
        if outcome := self.check_time() or self.game.outcome():
            raise GameOverError(outcome)

    def check_time(self) -> Outcome | None:
        """Declare the game lost if a flag has fallen; return the outcome, or None if no flag has fallen."""
        side = self.clock.flagged()
        if side is None or self.game.outcome() is not None:
            return None
        with self._changing():
            return self.game.lose_on_time(side)

    @contextmanager
    def _changing(self, *, has_moved: bool = False) -> Iterator[None]:
        """Hold the lock while the block changes the game, then update the clock and the offers."""
        with self._lock:
            mover = self.game.position.turn
            yield
            self._version += 1
            self._is_timed |= has_moved
            if self.game.outcome() is not None:
                self.clock.pause()
                self.offers = {offer: side for offer, side in self.offers.items() if offer == "rematch"}
            elif has_moved:
                self.clock.press(self.game.position.turn, made=self.game.count_moves(mover))
            elif self._is_timed:
                self.clock.run(self.game.position.turn)
            fit_clocks(self._clocks, len(self.game.moves))
            if has_moved:
                self._clocks[-1] = self.clock.left(mover)

    def choose(self) -> ComputerChoice:
        """Return the choice of the computer or engine; it claims a draw whenever that is possible.

        Raises `GameError` if a person is to move, and `TablemenError` if the engine fails.
        """
        with self._lock:
            game, version = self.game.copy(), self._version
            side = game.position.turn
            left, control = self.clock.left(side), self.clock.control
        if outcome := game.outcome():
            raise GameOverError(outcome)
        if side in self.people:
            raise GameError("it is not the computer's turn")
        if game.claims():
            return ComputerChoice(None, version)
        self._opponent.clock = None
        if control is not None and left is not None:
            moves_to_go = control.moves_to_go(game.count_moves(side))
            self._opponent.clock = Clock(max(0.0, left), control.increment, moves_to_go)
        return ComputerChoice(self._opponent.choose(game), version)

    def play_choice(self, choice: ComputerChoice) -> None:
        """Execute a choice, unless a flag has fallen. Raises `GameError` if the game has changed since the choice."""
        if choice.version != self._version:
            raise GameError("the game has changed since the move was chosen")
        if self.check_time() is not None:
            return
        if choice.move is None:
            self._declare(self.game.claim_draw)
        elif choice.move is RESIGN:
            self._declare(partial(self.game.resign, self.game.position.turn))
        else:
            with self._changing(has_moved=True):
                self._push(choice.move)

    def stop(self) -> None:
        """Make a running `choose` return soon."""
        self._opponent.stop()

    def fail(self, problem: str) -> None:
        """Record why the engine cannot move, and pause the clock."""
        self.problem = problem
        with self._lock:
            self._is_timed = False
            self.clock.pause()

    def retry(self) -> None:
        """Clear the failure of the engine, and run the clock again. Raises `GameError` if the engine has not failed."""
        if not self.can_retry:
            raise GameError("there is nothing to retry")
        self.problem = None
        self._run_clock()

    def _run_clock(self) -> None:
        with self._lock:
            self._is_timed = True
            if self.game.outcome() is None and self.clock.running is None:
                self.clock.run(self.game.position.turn)

    def copy_for_hint(self, sides: Sides) -> Game[Any, Any]:
        """Return a copy of the game for a hint. Raises `GameError` if these sides may not have a hint now."""
        if outcome := self.game.outcome():
            raise GameOverError(outcome)
        if self.is_by_link:
            raise GameError("hints are not available in games between two people")
        if self.game.position.turn not in sides:
            raise GameError("it is not your turn")
        if not self.family.has_search:
            raise GameError(f"hints are not available for {self.game.start.variant}")
        return self.game.copy()


def _name(side: Side | None) -> str | None:
    return None if side is None else str(side)


def _only(sides: Sides) -> Side:
    (side,) = sides
    return side
