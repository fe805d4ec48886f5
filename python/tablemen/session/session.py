"""A game, its players and its clock, and everything that can be done at a table."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tablemen import search
from tablemen.clock import GameClock, TimeControl
from tablemen.errors import ArgumentError, GameError, GameOverError, TablemenError
from tablemen.family import Family, ScoreSheet, get_family
from tablemen.game import Game
from tablemen.game_files import add_game, read_last_game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN, HumanPlayer, Player, WrittenPlayer, parse_player
from tablemen.session.choice import Choice
from tablemen.session.errands import Errands
from tablemen.session.keeper import SessionKeeper
from tablemen.session.snapshot import Snapshot

HINTS = "searcher:nodes=200000"  # who is asked for a hint
EVENT = "tablemen play"


class Session:
    """A game, its players, its clock, and the side at the bottom of the board. People are players of `HumanPlayer`.

    >>> from tablemen.draughts import Position
    >>> session = Session(Position.start("english"), {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player("random")})
    >>> session.is_person(session.game.position.turn)
    False
    >>> move = session.think()
    >>> session.is_person(session.game.position.turn), len(session.game.moves)
    (True, 1)

    With a time control the clock runs from `resume` or the first move on. A keeper is told of every change, and players
    of the end of a game: in threads, since another program may take its time. The session is of one thread; only
    `choose`, `hint` and `stop` may be called from others.
    """

    def __init__(
        self,
        start: Any,
        players: Mapping[Side, Player],
        *,
        control: TimeControl | None = None,
        keeper: SessionKeeper | None = None,
        hints: str = HINTS,
    ) -> None:
        self.game: Game[Any, Any] = start if isinstance(start, Game) else Game(start)
        if set(players) != set(Side):
            raise ArgumentError("players", players, "a player for each side")
        self.players = dict(players)
        for player in self.players.values():
            self._check_player(player)
        people = [side for side in Side if self.is_person(side)]
        self.orientation = people[0] if people else Side.WHITE
        self.clock = GameClock(control)
        self._control = control
        self._is_timed = False  # whether the clock runs on after a change
        self.keeper = keeper
        self._hints = hints
        self._hinter: Player | None = None
        self._revision = 0
        self._lock = threading.RLock()  # around every change, so that a thread that thinks takes no half of one
        self._is_closed = False
        self._errands = Errands()

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()

    @property
    def family(self) -> Family:
        """The family of the game."""
        return get_family(self.game.position)

    @property
    def revision(self) -> int:
        """Grows with every change of the game and of who plays it."""
        return self._revision

    @property
    def player(self) -> Player:
        """Whoever is to move."""
        return self.players[self.game.position.turn]

    @property
    def has_people(self) -> bool:
        """Whether anybody sits at the table."""
        return any(map(self.is_person, Side))

    @property
    def has_begun(self) -> bool:
        """Whether anybody would miss the game: a person has moved, or, where none plays, anybody."""
        movers = {position.turn for position in self.game.positions[:-1]}
        return any(map(self.is_person, movers)) if self.has_people else bool(movers)

    def is_person(self, side: Side) -> bool:
        """Whether a person plays the side."""
        return isinstance(self.players[side], HumanPlayer)

    def move(self, text: str) -> Any:
        """Play what a person typed, and give the move; raises `TablemenError` with the reason where it cannot be.

        Where the time ran out before, the game is lost, and `GameOverError` says so.
        """
        self._check_going_on()
        objection = self.family.explain_illegal(text, self.game.position)
        if objection is not None:
            raise TablemenError(objection)
        with self._changing(has_moved=True):
            return self.game.push(text)

    def think(self) -> Any:
        """Let the player to move choose: the move that was played, or the outcome that it declared.

        A draw that can be claimed is claimed.
        """
        self.resume()
        return self.answer(self.choose())

    def choose(self) -> Choice:
        """What the player to move chooses. Nothing changes but what the player remembers, so any thread may wait.

        Raises `GameOverError` where there is nothing to choose, and `GameError` where everybody has left.
        """
        with self._lock:
            if self._is_closed:
                raise GameError("everybody has left")
            game, revision, player = self._copy(), self._revision, self.player
            side = game.position.turn
            left, control = self.clock.left(side), self.clock.control
        if game.claims():
            return Choice(None, side, revision)
        player.clock = None
        if control is not None and left is not None:
            to_go = control.moves_to_go(game.count_moves(side))
            player.clock = search.Clock(max(0.0, left), control.increment, to_go)
        return Choice(player.choose(game), side, revision)

    def answer(self, choice: Choice) -> Any:
        """Do what was chosen: the move that was played, or the outcome; of a loss on time, where it came too late.

        Raises `GameError` where the game or who plays it has changed since the choice began.
        """
        if choice.revision != self._revision:
            raise GameError("the game has changed since that was chosen")
        if outcome := self.check_time():
            return outcome
        self._check_going_on()
        is_move = choice.move is not None and choice.move is not RESIGN
        with self._changing(has_moved=is_move):
            if is_move:
                return self.game.push(choice.move)
            return self.game.claim_draw() if choice.move is None else self.game.resign(choice.side)

    def stop(self) -> None:
        """End a `choose` or a `hint` that is going on in another thread, with what it has found so far."""
        for player in (*self.players.values(), self._hinter):
            if player is not None:
                player.stop()

    def hint(self) -> Any:
        """A move that is good, as far as a short search sees."""
        with self._lock:
            game = self._copy()
            if self._hinter is None:
                self._hinter = parse_player(self._hints)
        return self._hinter.choose(game)

    def back(self, side: Side | None = None) -> int:
        """Take moves back until it is a person's turn again, or that of a side; says how many.

        Raises `GameError` where there is none. Without any, a result that was declared is taken back alone. Time that
        was used stays used, and what the moves added is taken back with them; where a game was lost on time, it goes on
        without a clock.
        """
        turns = [position.turn for position in self.game.positions[:-1]]
        takers = [each for each in Side if (self.is_person(each) if side is None else each is side)]
        persons = [number for number, mover in enumerate(turns) if mover in takers]
        if not persons and self.game.declared is None:
            raise GameError("there is no move of yours to take back")
        count = len(turns) - persons[-1] if persons else 0
        declared = self.game.declared
        with self._changing():
            if declared is not None and declared.termination is Termination.TIME:
                self.clock.control = None
            if not count:
                self.game = Game(self.game.start, self.game.moves)
            for mover in reversed(turns[len(turns) - count :]):
                made = self.game.count_moves(mover)
                self.game.pop()
                self.clock.take_back(mover, made=made)
        return count

    def reopen(self) -> None:
        """Take back a result that was declared, and no move. Raises `GameError` where none was."""
        if self.game.declared is None:
            raise GameError("no result was declared")
        with self._changing():
            self.game = Game(self.game.start, self.game.moves)

    def resign(self, side: Side | None = None) -> Outcome:
        """Give up: the side loses, or without one the side to move."""
        self._check_going_on()
        with self._changing():
            return self.game.resign(self.game.position.turn if side is None else side)

    def claim_draw(self) -> Outcome:
        """Claim a draw; raises `GameError` where none is due."""
        self._check_going_on()
        with self._changing():
            return self.game.claim_draw()

    def agree_draw(self) -> Outcome:
        """End the game as a draw that both players agree on."""
        self._check_going_on()
        with self._changing():
            return self.game.agree_draw()

    def check_time(self) -> Outcome | None:
        """The loss on time, which is declared now if a flag fell; None where none did."""
        side = self.clock.flagged()
        if side is None or self.game.outcome() is not None:
            return None
        with self._changing():
            return self.game.lose_on_time(side)

    def snapshot(self) -> Snapshot:
        """What can be gone back to."""
        with self._lock:
            return Snapshot(self.game.copy(), self.clock.copy(), self._is_timed)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what was: whatever happened since has not, and who thinks about it thinks in vain."""
        with self._lock:
            self.game, self.clock, self._is_timed = snapshot.game, snapshot.clock, snapshot.is_timed
            self._revision += 1
            self._keep()

    def resume(self) -> None:
        """The time of the side to move runs, from move to move."""
        with self._lock:
            self._is_timed = True
            if self.game.outcome() is None and self.clock.running is None:
                self.clock.run(self.game.position.turn)

    def pause(self) -> None:
        """No time runs until `resume` or the next move."""
        with self._lock:
            self._is_timed = False
            self.clock.pause()

    def restart(self) -> None:
        """Begin anew, from where this game began and with the time that it began with; this one stays kept."""
        with self._changing():
            self._leave_game()
            if self.keeper is not None:
                self.keeper = self.keeper.renew(self)
            self.game = Game(self.game.start)
            self.clock.reset(self._control)

    def seat(self, side: Side, player: Player) -> None:
        """Somebody else plays the side from now on; whoever did goes home, which may take a while.

        Raises `TablemenError` where the player cannot play this game.
        """
        self._check_player(player)
        former = self.players[side]
        with self._changing():
            self.players[side] = player
        if all(former is not each for each in self.players.values()):
            self._errands.send_home([former], self._game_going_on())

    def flip(self) -> None:
        """Turn the board around."""
        self.orientation = self.orientation.opponent
        self._keep()

    def sheet(self) -> ScoreSheet:
        """The game as it is written down."""
        names = {side: player.name for side, player in self.players.items()}
        return ScoreSheet(game=self.game, players=names, outcome=self.game.outcome(), event=EVENT)

    def save(self, path: str | Path) -> None:
        """Add the game to a file, behind what it has.

        Raises `TablemenError` where the file has games of another family, and `OSError`; nothing is written then,
        unless the disk is full in the midst of it.
        """
        add_game(Path(path), self.sheet())

    def load(self, path: str | Path) -> int:
        """Go on with the last game of this variant in a file, and say how many there are. The times stay as they are.

        Games of other variants, and those that cannot be read, are passed over. Raises `TablemenError` where there is
        no other, and `OSError`.
        """
        found = read_last_game(Path(path), self.game.start.variant)
        with self._changing():
            self._leave_game()
            self.game = found.game
        return found.games_read

    def leave(self) -> None:
        """Send the players home, and wait for none. A game that is not over stays kept as it is."""
        if self._is_closed:
            return
        self._is_closed = True
        self.stop()
        self.clock.pause()
        self._keep()
        if self.keeper is not None:
            self.keeper.close()
        self._errands.send_home(self.players.values(), self._game_going_on())
        if self._hinter is not None:
            self._errands.send_home([self._hinter], None)

    def close(self) -> None:
        """The same, and wait until they have gone."""
        self.leave()
        self._errands.wait()

    def _game_going_on(self) -> Game[Any, Any] | None:
        """The game, unless it is over: players know of that already."""
        return self.game if self.game.outcome() is None else None

    def _leave_game(self) -> None:
        """Another game takes the place of this one."""
        if (game := self._game_going_on()) is not None:
            self._errands.tell_end(self.players.values(), game, None)

    @contextmanager
    def _changing(self, *, has_moved: bool = False) -> Iterator[None]:
        """The one place where the game changes: the clock follows, and the keeper hears of it."""
        with self._lock:
            mover = self.game.position.turn
            was_over = self.game.outcome() is not None
            yield
            self._revision += 1
            self._is_timed |= has_moved
            if outcome := self.game.outcome():
                self.clock.pause()
                if not was_over:
                    self._errands.tell_end(self.players.values(), self.game, outcome)
            elif has_moved:
                self.clock.press(self.game.position.turn, made=self.game.count_moves(mover))
            elif self._is_timed:
                self.clock.run(self.game.position.turn)
            self._keep()

    def _keep(self) -> None:
        if self.keeper is not None:
            self.keeper.write(self)

    def _check_player(self, player: Player) -> None:
        if isinstance(player, WrittenPlayer):
            player.check(self.game.position)

    def _copy(self) -> Game[Any, Any]:
        """The game for somebody to think about."""
        if outcome := self.game.outcome():
            raise GameOverError(outcome)
        return self.game.copy()

    def _check_going_on(self) -> None:
        if outcome := self.check_time() or self.game.outcome():
            raise GameOverError(outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
