"""A game session for the terminal and the full-screen interface: the game, its players, its clock, and all actions."""

from __future__ import annotations

import datetime as dt
import difflib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from tablemen import search
from tablemen.clock import GameClock, TimeControl, fit_clocks, format_time
from tablemen.console import escape_controls
from tablemen.endgame import EndgameResult, Wdl, WdlTablebase
from tablemen.errors import ArgumentError, GameError, GameOverError, TablemenError
from tablemen.family import Family, ScoreSheet, get_family
from tablemen.game import Game
from tablemen.game_files import add_game, read_last_game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN, HumanPlayer, Player, SearcherPlayer, WrittenPlayer, parse_player

__all__ = ["AutoSave", "Hint", "PlayerChoice", "Session"]

HINT_PLAYER = "searcher:nodes=200000"
EVENT = "tablemen play"
NOTIFY_TIMEOUT = 20.0  # seconds; longer than the timeouts of engines


class AutoSave(Protocol):
    """An auto-save: it saves a session after every change. `tablemen.saved_games` implements it with files."""

    problem: str | None  # the reason why the current state is not saved
    finished_file: Path | None  # the file to which the finished game was added

    @property
    def is_saved(self) -> bool:
        """Whether there is a saved state to resume."""
        ...

    def write(self, session: Session) -> None:
        """Save the current state of the session. Sets `problem` instead of raising if that fails."""
        ...

    def start_next(self, session: Session) -> AutoSave:
        """Save the current game of the session, and return the auto-save of its next game."""
        ...

    def close(self) -> None:
        """Release the game; its last saved state can be resumed."""
        ...


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """The choice of a player in a revision of the session: a move, `RESIGN`, or None to claim a draw."""

    move: Any
    side: Side
    revision: int


@dataclass(frozen=True, slots=True)
class Hint:
    """A good move, and the reason if a tablebase proves it; otherwise the reason is empty.

    >>> print(Hint("14-18", "it wins in 23 plies"))
    Try 14-18: it wins in 23 plies
    """

    move: Any
    reason: str = ""

    def __str__(self) -> str:
        return f"Try {self.move}: {self.reason}" if self.reason else f"Try {self.move}"


class Session:
    """A game, its players, its clock, and the side at the bottom of the board. A person is a `HumanPlayer`.

    >>> from tablemen.draughts import Position
    >>> session = Session(Position.start("english"), {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player("random")})
    >>> session.is_person(session.game.position.turn)
    False
    >>> move = session.think()
    >>> session.is_person(session.game.position.turn), len(session.game.moves)
    (True, 1)

    With a time control, the clock starts with `resume` or the first move. Every change is auto-saved. Players are
    notified of the end of a game in threads, because another program may be slow. A session belongs to one thread; only
    `choose`, `hint`, `is_proven_draw` and `stop` may be called from others.
    """

    def __init__(
        self,
        start: Any,
        players: Mapping[Side, Player],
        *,
        control: TimeControl | None = None,
        autosave: AutoSave | None = None,
        hints: str = HINT_PLAYER,
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
        self.date = dt.datetime.now().astimezone().date()  # the date on which the game began
        self._control = control
        self._clocks: list[float | None] = [None] * len(self.game.moves)
        self._is_timed = False  # whether the clock continues after a change
        self.autosave = autosave
        self.loaded: Game[Any, Any] | None = None  # the last game from a file, as it was there
        self._hints = hints
        self._hint_player: Player | None = None
        self._revision = 0
        self._lock = threading.RLock()  # held during a change, so that `choose` in another thread sees all of it
        self._is_closed = False
        self._notifier = PlayerNotifier()

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()

    @property
    def family(self) -> Family:
        """The family of the game."""
        return get_family(self.game.position)

    @property
    def revision(self) -> int:
        """A number that grows with every change of the game or its players."""
        return self._revision

    @property
    def player(self) -> Player:
        """The player to move."""
        return self.players[self.game.position.turn]

    @property
    def has_people(self) -> bool:
        """Whether a person plays a side."""
        return any(map(self.is_person, Side))

    @property
    def has_begun(self) -> bool:
        """Whether the game is worth saving: a person has moved, or any player in a game without people."""
        movers = {position.turn for position in self.game.positions[:-1]}
        return any(map(self.is_person, movers)) if self.has_people else bool(movers)

    def is_person(self, side: Side) -> bool:
        """Return whether a person plays the side."""
        return isinstance(self.players[side], HumanPlayer)

    @property
    def clocks(self) -> tuple[float | None, ...]:
        """The seconds that the mover had left after each move; None without a time control."""
        return tuple(self._clocks)

    def move(self, text: str) -> Any:
        """Play a move typed by a person and return it. Raises `TablemenError`, with the reason, if it is not legal.

        If the time is up, the game is lost, and `GameOverError` is raised.
        """
        self._check_going_on()
        problem = self.family.explain_illegal(text, self.game.position)
        if problem is not None:
            raise TablemenError(problem)
        with self._changing(has_moved=True):
            return self.game.push(text)

    def think(self) -> Any:
        """Make the player to move choose, and execute the choice; return the move or the declared outcome.

        A draw is claimed if a draw rule permits it.
        """
        self.resume()
        return self.answer(self.choose())

    def choose(self) -> PlayerChoice:
        """Return the choice of the player to move. The session does not change, so any thread may call this.

        Raises `GameOverError` if the game is over, and `GameError` if the session is closed.
        """
        with self._lock:
            if self._is_closed:
                raise GameError("the session is closed")
            game, revision, player = self._copy_game(), self._revision, self.player
            side = game.position.turn
            left, control = self.clock.left(side), self.clock.control
        if game.claims():
            return PlayerChoice(None, side, revision)
        player.clock = None
        if control is not None and left is not None:
            to_go = control.moves_to_go(game.count_moves(side))
            player.clock = search.Clock(max(0.0, left), control.increment, to_go)
        return PlayerChoice(player.choose(game), side, revision)

    def answer(self, choice: PlayerChoice) -> Any:
        """Execute a choice; return the move played or the outcome, which is a loss on time if the choice is late.

        Raises `GameError` if the game or its players have changed since.
        """
        if choice.revision != self._revision:
            raise GameError("the game has changed since the player chose")
        if outcome := self.check_time():
            return outcome
        self._check_going_on()
        is_move = choice.move is not None and choice.move is not RESIGN
        with self._changing(has_moved=is_move):
            if is_move:
                return self.game.push(choice.move)
            return self.game.claim_draw() if choice.move is None else self.game.resign(choice.side)

    def stop(self) -> None:
        """Make a `choose` or `hint` in another thread return with its best result so far."""
        for player in (*self.players.values(), self._hint_player):
            if player is not None:
                player.stop()

    def hint(self) -> Hint:
        """Return a good move: the best one if a tablebase has the position, else one that a short search finds.

        The search also chooses between the moves that keep a proven draw. Raises `TablebaseError` if the file of a
        tablebase is damaged, and `OSError`.
        """
        with self._lock:
            game = self._copy_game()
            if self._hint_player is None:
                self._hint_player = parse_player(self._hints)
        endgame = get_family(game.position).probe_endgame(game)
        return choose_hint(endgame, partial(self._hint_player.choose, game))

    def is_proven_draw(self) -> bool:
        """Return whether a tablebase proves that an unfinished game is a draw. Any thread may call this.

        This may build a small tablebase in memory, which takes up to a second. Raises `TablebaseError` if a file is
        damaged, and `OSError`.
        """
        with self._lock:
            position, outcome = self.game.position, self.game.outcome()
        return outcome is None and _find_proof(position) is not None

    def back(self) -> int:
        """Take moves back until a person is to move; return their number.

        Raises `GameError` if there is no such move. If only a result was declared, only that is taken back. Time used
        remains used, and increments of the moves are subtracted. A game lost on time continues without a clock.
        """
        turns = [position.turn for position in self.game.positions[:-1]]
        own = [number for number, mover in enumerate(turns) if self.is_person(mover)]
        if not own and self.game.declared is None:
            raise GameError("you have no move to take back")
        count = len(turns) - own[-1] if own else 0
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

    def resign(self, side: Side | None = None) -> Outcome:
        """Resign for a side, by default the side to move."""
        self._check_going_on()
        with self._changing():
            return self.game.resign(self.game.position.turn if side is None else side)

    def claim_draw(self) -> Outcome:
        """Claim a draw by a draw rule or, if none permits it, by a tablebase.

        Raises `GameError` if neither is possible, and the errors of `is_proven_draw`.
        """
        self._check_going_on()
        proof = None if self.game.claims() else _find_proof(self.game.position)
        with self._changing():
            return self.game.claim_draw() if proof is None else self.game.claim_proven_draw(proof)

    def agree_draw(self) -> Outcome:
        """End the game as a draw by agreement."""
        self._check_going_on()
        with self._changing():
            return self.game.agree_draw()

    def check_time(self) -> Outcome | None:
        """Declare and return a loss on time if a flag has fallen, else return None."""
        side = self.clock.flagged()
        if side is None or self.game.outcome() is not None:
            return None
        with self._changing():
            return self.game.lose_on_time(side)

    def resume(self) -> None:
        """Start the clock of the side to move; it continues from move to move."""
        with self._lock:
            self._is_timed = True
            if self.game.outcome() is None and self.clock.running is None:
                self.clock.run(self.game.position.turn)

    def pause(self) -> None:
        """Stop the clock until `resume` or the next move."""
        with self._lock:
            self._is_timed = False
            self.clock.pause()

    def restart(self) -> None:
        """Start a new game from the same position and with the same time; the old game remains saved."""
        with self._changing():
            self._abandon_game()
            if self.autosave is not None:
                self.autosave = self.autosave.start_next(self)
            self.game = Game(self.game.start)
            self.clock.reset(self._control)
            self.date = dt.datetime.now().astimezone().date()

    def replace_player(self, side: Side, player: Player) -> None:
        """Replace the player of a side; the former player is closed in the background.

        Raises `TablemenError` if the player cannot play this game.
        """
        self._check_player(player)
        former = self.players[side]
        with self._changing():
            self.players[side] = player
        if all(former is not each for each in self.players.values()):
            self._notifier.close_players([former], self._unfinished_game())

    def flip(self) -> None:
        """Turn the board around."""
        self.orientation = self.orientation.opponent
        self._save()

    def sheet(self) -> ScoreSheet:
        """Return the game for a game file."""
        control = self.clock.control
        return ScoreSheet(
            game=self.game,
            players={side: player.name for side, player in self.players.items()},
            outcome=self.game.outcome(),
            event=EVENT,
            date=self.date,
            controls={} if control is None else dict.fromkeys(Side, control),
            clocks=self.clocks,
        )

    def save(self, path: str | Path) -> None:
        """Append the game to a file.

        Raises `TablemenError` if the file has games of another family, and `OSError`; the file is then unchanged,
        unless the disk became full while writing.
        """
        add_game(Path(path), self.sheet())

    def load(self, path: str | Path) -> int:
        """Continue the last game of this variant in a file with the same clock; return the number of such games.

        Games of other variants and unreadable games are skipped. Raises `TablemenError` if no game is left, and
        `OSError`.
        """
        found = read_last_game(Path(path), self.game.start.variant)
        self.loaded = found.sheet.game.copy()
        with self._changing():
            self._abandon_game()
            self.continue_sheet(found.sheet)
        return found.games_read

    def continue_sheet(self, sheet: ScoreSheet) -> None:
        """Replace the game with a recorded game, its date and its clock times."""
        self.game = sheet.game
        self.date = sheet.date or self.date
        self._clocks = list(sheet.clocks)
        fit_clocks(self._clocks, len(self.game.moves))

    def close(self, *, wait: bool = True) -> None:
        """Close the players, and wait for them by default. An unfinished game remains saved."""
        if not self._is_closed:
            self._is_closed = True
            self.stop()
            self.clock.pause()
            self._save()
            if self.autosave is not None:
                self.autosave.close()
            self._notifier.close_players(self.players.values(), self._unfinished_game())
            if self._hint_player is not None:
                self._notifier.close_players([self._hint_player], None)
        if wait:
            self._notifier.wait()

    def _unfinished_game(self) -> Game[Any, Any] | None:
        """Return the game, or None if it is over and the players have been notified."""
        return self.game if self.game.outcome() is None else None

    def _abandon_game(self) -> None:
        if (game := self._unfinished_game()) is not None:
            self._notifier.end_game(self.players.values(), game, None)

    @contextmanager
    def _changing(self, *, has_moved: bool = False) -> Iterator[None]:
        """Change the game in this block, and then update the clock, notify the players and save.

        Every change of the game uses this context manager.
        """
        with self._lock:
            mover = self.game.position.turn
            was_over = self.game.outcome() is not None
            yield
            self._revision += 1
            self._is_timed |= has_moved
            if outcome := self.game.outcome():
                self.clock.pause()
                if not was_over:
                    self._notifier.end_game(self.players.values(), self.game, outcome)
            elif has_moved:
                self.clock.press(self.game.position.turn, made=self.game.count_moves(mover))
            elif self._is_timed:
                self.clock.run(self.game.position.turn)
            fit_clocks(self._clocks, len(self.game.moves))
            if has_moved:
                self._clocks[-1] = self.clock.left(mover)
            self._save()

    def _save(self) -> None:
        if self.autosave is not None:
            self.autosave.write(self)

    def _check_player(self, player: Player) -> None:
        if isinstance(player, WrittenPlayer):
            player.check(self.game.position)

    def _copy_game(self) -> Game[Any, Any]:
        """Return a copy of the game for a player. Raises `GameOverError` if it is over."""
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


def choose_hint(endgame: EndgameResult | None, search: Callable[[], Any]) -> Hint:
    """Return the hint for a position with this proven value, if there is one. `search` finds a move if it is needed."""
    if endgame is not None and endgame.wdl is not Wdl.DRAW:
        return Hint(endgame.best_move, _explain_hint(endgame))
    move = search()
    if endgame is None:
        return Hint(move)
    is_drawn = any(each.move == move for each in endgame.with_value(Wdl.DRAW))
    return Hint(move if is_drawn else endgame.best_move, _explain_hint(endgame))


def _explain_hint(endgame: EndgameResult) -> str:
    """Return why the best move is good, as a clause after the move."""
    if endgame.wdl is Wdl.DRAW:
        return "it keeps the draw"
    if endgame.wdl is Wdl.WIN:
        return endgame.describe("it")
    return f"all moves lose, {endgame.describe('this one')}"


def _find_proof(position: Any) -> WdlTablebase | None:
    """Return a tablebase that proves a draw, if there is one."""
    tablebase = get_family(position).find_tablebase(position)
    return tablebase if tablebase is not None and tablebase.probe_wdl(position) is Wdl.DRAW else None


class PlayerNotifier:
    """Background threads that notify players of the end of a game, and close them.

    Each call of a player has its own thread, since players can be slow. A player of both sides is called once. Errors
    of players are ignored.
    """

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def end_game(self, players: Iterable[Player], game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Notify players that a game is over, or abandoned if the outcome is None."""
        for player in _unique(players):
            player.stop()  # otherwise it is notified only after its choice
            self._start(player.end_game, game.copy(), outcome)

    def close_players(self, players: Iterable[Player], game: Game[Any, Any] | None) -> None:
        """Close players; they abandon their current game, if there is one."""
        for player in _unique(players):
            player.stop()
            if game is None:
                self._start(player.close)
            else:
                self._start(_abandon_and_close, player, game.copy())

    def wait(self) -> None:
        """Wait for all threads, with a timeout for each."""
        for thread in self._threads:
            thread.join(NOTIFY_TIMEOUT)

    def _start(self, function: Callable[..., None], *args: Any) -> None:
        def run() -> None:
            with suppress(Exception):
                function(*args)

        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(threading.Thread(target=run, name="player notification", daemon=True))
        self._threads[-1].start()


def _unique(players: Iterable[Player]) -> Iterable[Player]:
    return {id(each): each for each in players}.values()


def _abandon_and_close(player: Player, game: Game[Any, Any]) -> None:
    try:
        player.end_game(game, None)
    finally:
        player.close()


def describe_player(player: Player) -> str:
    """Return a readable name: `computer, level 5`; players without a level have their own name."""
    if isinstance(player, SearcherPlayer) and isinstance(player.effort, search.Level):
        return f"computer, level {player.effort.number}"
    return escape_controls(player.name)


def suggest_command(text: str, commands: Iterable[str]) -> str:
    """Return the message about a typed text that is neither a move nor one of the commands."""
    near = difflib.get_close_matches(text.partition(" ")[0].casefold(), commands, n=1)
    hint = f"did you mean {near[0]}?" if near else "type ? for help"
    return f"{text!r} is neither a move nor a command; {hint}"


def parse_seat(text: str, family: Family) -> tuple[Side, str]:
    """Parse the arguments of the command `seat`: a side, and the text of a player. Raises `TablemenError`."""
    name, _, player = text.partition(" ")
    sides = {each: side for side in Side for each in (family.sides[side], str(side))}
    side = sides.get(name.casefold())
    if side is None or not player.strip():
        white, black = (family.sides[each] for each in Side)
        raise TablemenError(f"usage: seat {white} PLAYER or seat {black} PLAYER")
    return side, player.strip()


def format_clocks(session: Session) -> str:
    """Format the time left of both sides."""
    times = {session.family.side_name(side): session.clock.left(side) for side in Side}
    texts = [f"{name} {format_time(left)}" for name, left in times.items() if left is not None]
    return ", ".join(texts) or "no clock: start with --clock 5+3 for 5 minutes, and 3 seconds per move"


def format_taken_back(count: int) -> str:
    """Format the result of `Session.back`: `Took back 2 moves`."""
    taken = {0: "the result", 1: "a move"}.get(count, f"{count} moves")
    return f"Took back {taken}"


def format_loaded(games: int) -> str:
    """Format the result of `Session.load`, after the name of the file: `, the last of 3 games`."""
    return f", the last of {games} games" if games > 1 else ""


def format_draw_counts(game: Game[Any, Any]) -> list[str]:
    """Format the count of each draw rule that applies now."""
    return [f"{count} of {rule.limit}: {rule}" for rule, count in game.draw_counts().items()]
