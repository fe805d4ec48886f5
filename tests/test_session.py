"""A game at a table: what those who sit at it can do."""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import Position
from tablemen.draughts.pdn import read_pdn
from tablemen.errors import PeerGoneError
from tablemen.mancala import Position as Pits
from tablemen.players import RESIGN, HumanPlayer, Player, RandomPlayer, RobotPlayer, SearcherPlayer
from tablemen.search import Clock
from tablemen.session import Choice, Session
from tests.engines_for_tests import FakePlayer
from tests.patience import LONG
from tests.players_for_tests import Counting, First, Resigning, Shuffling

INTERNATIONAL = Position.start("international")


def table(
    start: Any = INTERNATIONAL, white: Player | None = None, black: Player | None = None, **options: Any
) -> Session:
    """A session; whoever is not given is a person."""
    players = {Side.WHITE: white or HumanPlayer(), Side.BLACK: black or HumanPlayer()}
    return Session(start, players, hints="minimax:depth=1", **options)


class Time:
    """What a clock asks for the time."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def timed(time: Time, black: Player | None = None, start: Any = INTERNATIONAL) -> Session:
    """A session with a minute for each side, and two seconds a move."""
    session = table(start, black=black, control=TimeControl(60, 2))
    session.clock = GameClock(TimeControl(60, 2), now=time)
    return session


def left(session: Session) -> list[float | None]:
    return [session.clock.left(side) for side in Side]


class Witness:
    """A keeper that writes down what it hears."""

    problem: str | None = None
    is_kept = True

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def write(self, session: Session) -> None:
        outcome = session.game.outcome()
        self.heard.append(len(session.game.moves) if outcome is None else outcome.termination)

    def renew(self, session: Session) -> Witness:  # noqa: ARG002 - as any keeper is asked
        self.heard.append("renewed")
        return self

    def close(self) -> None:
        self.heard.append("closed")


def test_who_sits_where() -> None:
    session = table(black=First())
    assert [session.is_person(side) for side in Side] == [True, False]
    assert session.has_people
    assert isinstance(session.player, HumanPlayer)
    assert not table(white=First(), black=First()).has_people
    with pytest.raises(ArgumentError, match="a player for each side is expected"):
        Session(INTERNATIONAL, {Side.WHITE: First()})
    with pytest.raises(GameError, match="the robot plays games of mancala alone"):
        table(black=RobotPlayer())


def test_people_sit_at_the_bottom() -> None:
    assert table().orientation is table(black=First()).orientation is Side.WHITE
    session = table(white=First())
    seen = [session.orientation]
    session.flip()
    assert [*seen, session.orientation] == [Side.BLACK, Side.WHITE]
    assert table(white=First(), black=First()).orientation is Side.WHITE


def test_people_and_computers_move_in_turn() -> None:
    session = table(black=First())
    assert str(session.move("32-28")) == "32-28"
    assert session.player.name == "first"
    reply = session.think()
    assert session.game.moves[1] == reply == session.game.positions[1].legal_moves()[0]


def test_what_cannot_be_played_is_told_and_changes_nothing() -> None:
    session = table()
    with pytest.raises(TablemenError, match="no piece stands on 28"):
        session.move("28-22")
    assert session.game.moves == ()


def test_back_goes_to_the_last_decision_of_a_person() -> None:
    session = table(black=First())
    session.move("32-28")
    session.think()
    session.move("33-29")
    assert session.back() == 1
    assert [str(move) for move in session.game.moves][:1] == ["32-28"]
    assert session.back() == 2
    assert session.game.moves == ()
    with pytest.raises(GameError, match="there is no move of yours to take back"):
        session.back()


def test_the_first_move_of_a_computer_is_not_taken_back() -> None:
    session = table(white=First())
    session.think()
    with pytest.raises(GameError, match="there is no move of yours to take back"):
        session.back()
    assert len(session.game.moves) == 1


def test_back_among_people_and_extra_turns() -> None:
    session = table(Pits.start("kalah"), black=First())
    session.move("3")
    session.move("6")
    session.think()
    assert session.back() == 2
    assert [str(move) for move in session.game.moves] == ["3"]
    assert session.back() == 1


def test_back_takes_a_resignation_back() -> None:
    session = table()
    session.move("32-28")
    assert session.resign() == Outcome(Side.WHITE, Termination.RESIGNATION)
    assert session.back() == 1
    assert session.game.outcome() is None


def test_nothing_goes_on_after_the_end() -> None:
    session = table()
    session.resign()
    ends = (session.resign, session.claim_draw, session.agree_draw)
    for action in (lambda: session.move("32-28"), session.think, session.hint, *ends):
        with pytest.raises(GameOverError):
            action()


def test_hints_change_nothing() -> None:
    session = table()
    assert session.hint() in session.game.legal_moves()
    assert session.game.moves == ()


def test_draws_are_claimed_where_they_are_due() -> None:
    session = table(Position.from_fen("B:WK29,K32:BK1,K4", "english"))
    with pytest.raises(GameError, match="no draw can be claimed"):
        session.claim_draw()
    for text in ["1-6", "32-27", "6-1", "27-32"] * 2:
        session.move(text)
    assert session.claim_draw() == Outcome(None, Termination.REPETITION)


def test_players_agree_on_a_draw() -> None:
    assert table().agree_draw() == Outcome(None, Termination.AGREEMENT)


def test_computers_claim_draws_and_resign() -> None:
    session = table(Position.from_fen("B:WK32:BK1", "english"), Shuffling(), Shuffling())
    declared = None
    while session.game.outcome() is None:
        declared = session.think()
    assert declared == Outcome(None, Termination.REPETITION)
    assert table(white=Resigning()).think() == Outcome(Side.BLACK, Termination.RESIGNATION)


@pytest.mark.parametrize("start", [INTERNATIONAL, Position.start("frysk"), Pits.start("oware")])
def test_games_are_saved_and_loaded(tmp_path: Path, start: Any) -> None:
    file = tmp_path / "games"
    session = table(start, RandomPlayer(seed=1), RandomPlayer(seed=2))
    for _ in range(2):
        for _ in range(5):
            session.think()
        session.save(file)
    saved = session.game
    other = table(start)
    assert other.load(file) == 2
    assert other.game == saved
    other.move(str(other.game.legal_moves()[0]))
    assert len(other.game.moves) == 11


def test_what_is_saved(tmp_path: Path) -> None:
    session = table(black=RandomPlayer(seed=4))
    session.move("32-28")
    session.think()
    session.resign()
    session.save(tmp_path / "game.pdn")
    (game,) = read_pdn(tmp_path / "game.pdn")
    assert dict(game.tags) == {
        "Event": "tablemen play",
        "White": "human",
        "Black": "random:seed=4",
        "Result": "0-2",
        "GameType": "20",
        "Termination": "resignation",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "game has no games"),
        (b"1. 32-28 32-28 *", "game: game 1, line 1, column 10: 32-28 is not legal here"),
        (b'[GameType "21"] 1. 11-15 *', "game: game 1, line 1, column 1: the game is english, and not international"),
        (b"1. 32-28 \xff *", "game is not a text"),
    ],
)
def test_what_cannot_be_loaded_leaves_the_game(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "game").write_bytes(content)
    session = table()
    session.move("32-28")
    with pytest.raises(TablemenError, match=problem):
        session.load(tmp_path / "game")
    assert len(session.game.moves) == 1


def sheet_of(start: Any, *moves: str) -> str:
    session = table(start)
    for move in moves:
        session.move(move)
    return session.family.format_sheet(session.sheet())


@pytest.mark.parametrize(
    ("start", "move", "other", "broken"),
    [
        (INTERNATIONAL, "32-28", sheet_of(Position.start("english"), "11-15"), '[Event "x"]\n\n1. 32-28 32-28 *\n'),
        (Pits.start("kalah"), "3", sheet_of(Pits.start("oware"), "1"), "Variant: kalah\nMoves: 3 3 3\n"),
        (Pits.start("kalah"), "3", sheet_of(Pits.start("oware"), "1"), "Variant: kalah\nrubbish\nMoves: 3\n"),
    ],
    ids=["draughts", "mancala", "no record"],
)
def test_games_that_do_not_fit_are_passed_over(tmp_path: Path, start: Any, move: str, other: str, broken: str) -> None:
    file = tmp_path / "games"
    file.write_text("\n".join([other, sheet_of(start), broken, sheet_of(start, move), other, broken]))
    session = table(start)
    assert session.load(file) == 2
    assert [str(each) for each in session.game.moves] == [move]
    file.write_text(f"{other}\n{broken}")
    with pytest.raises(TablemenError, match=r"games: none of its 2 games can be loaded; the last one: .*line"):
        session.load(file)


@pytest.mark.parametrize("start", [INTERNATIONAL, Pits.start("kalah")], ids=["draughts", "mancala"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n", "\r\n\r\n"])
def test_a_game_is_added_behind_whatever_a_file_ends_with(tmp_path: Path, start: Any, end: str) -> None:
    file = tmp_path / "games"
    written = sheet_of(start).rstrip()
    file.write_bytes((written + end).encode())
    session = table(start)
    session.save(file)
    content = file.read_bytes().decode().replace("\r\n", "\n")
    assert content == f"{written}\n\n{sheet_of(start)}"
    assert session.load(file) == 2


@pytest.mark.parametrize(
    ("start", "other", "names"),
    [
        (INTERNATIONAL, Pits.start("kalah"), "mancala, and not of draughts"),
        (Pits.start("kalah"), INTERNATIONAL, "draughts, and not of mancala"),
    ],
)
def test_files_of_another_family_are_left_alone(tmp_path: Path, start: Any, other: Any, names: str) -> None:
    file = tmp_path / "games"
    table(other).save(file)
    before = file.read_bytes()
    for use in (table(start).save, table(start).load):
        with pytest.raises(TablemenError, match=f"games has games of {names}"):
            use(file)
    assert file.read_bytes() == before


def test_what_is_no_file_on_a_disk_can_be_written_to() -> None:
    table().save("/dev/null")
    with pytest.raises(OSError, match="No such file"):
        table().save("/no/such/folder/game.pdn")


def test_a_game_of_ones_own_goes_on() -> None:
    game: Game[Any, Any] = Game(INTERNATIONAL, ["32-28"])
    assert table(game).game is game


def test_players_go_home(tmp_path: Path) -> None:
    with table(white=Counting(tmp_path / "closed")):
        pass
    assert (tmp_path / "closed").read_text() == "closed\n"


def test_a_choice_changes_nothing_until_it_is_answered() -> None:
    session = table(white=First())
    choice = session.choose()
    assert choice == Choice(session.game.legal_moves()[0], Side.WHITE, 0)
    assert list(session.game.moves) == []
    assert session.answer(choice) in session.game.moves


@pytest.mark.parametrize(
    "change",
    [
        lambda session: session.move("18-23"),
        lambda session: session.resign(),
        lambda session: session.back(),
        lambda session: session.restart(),
        lambda session: session.seat(Side.BLACK, HumanPlayer()),
    ],
    ids=["move", "resign", "back", "restart", "seat"],
)
def test_a_choice_of_another_time_is_refused(change: Any) -> None:
    session = table(black=First())
    session.move("32-28")
    choice = session.choose()
    change(session)
    before = session.game.copy()
    with pytest.raises(GameError, match="the game has changed since that was chosen"):
        session.answer(choice)
    assert session.game == before


def test_turning_the_board_leaves_a_choice_as_it_is() -> None:
    session = table(white=First())
    choice = session.choose()
    session.flip()
    assert session.answer(choice) == session.game.moves[0]


def test_what_is_chosen_can_be_a_claim_or_a_resignation() -> None:
    session = table(white=Resigning())
    assert session.choose().move is RESIGN
    assert session.game.outcome() is None
    kings = table(Game(Position.from_fen("B:WK29,K32:BK1,K4", "english"), ["1-6", "32-27", "6-1", "27-32"] * 2))
    assert kings.choose().move is None
    assert kings.answer(kings.choose()) == Outcome(None, Termination.REPETITION)
    for over in (kings.choose, kings.hint):
        with pytest.raises(GameOverError):
            over()


def test_a_player_that_thinks_in_another_thread_is_stopped() -> None:
    begun = Event()

    class Endless(SearcherPlayer):
        def choose(self, game: Game[Any, Any]) -> Any:
            begun.set()
            return super().choose(game)

    with table(white=Endless(time=2 * LONG)) as session, ThreadPoolExecutor(1) as pool:
        thinking = pool.submit(session.choose)
        assert begun.wait(LONG)
        end = clock.monotonic() + LONG
        while not thinking.done():  # said before the search begins, it is not heard
            session.stop()
            assert clock.monotonic() < end
        assert session.answer(thinking.result()) in session.game.moves


def test_the_clock_runs_from_resume_on(time: Time) -> None:
    session = timed(time)
    time.now += 10
    session.resume()
    time.now += 7
    session.resume()  # which it does already
    time.now += 1
    assert (left(session), session.clock.running) == ([52, 60], Side.WHITE)
    session.move("32-28")
    time.now += 5
    assert (left(session), session.clock.running) == ([54, 55], Side.BLACK)
    session.pause()
    time.now += 100
    assert left(session) == [54, 55]
    session.move("19-23")
    time.now += 1
    assert (left(session), session.clock.running) == ([53, 55], Side.WHITE)


def test_the_clock_begins_with_the_first_move_at_the_latest(time: Time) -> None:
    session = timed(time)
    time.now += 10
    session.move("32-28")
    time.now += 3
    assert left(session) == [60, 57]


def test_extra_turns_are_moves(time: Time) -> None:
    session = timed(time, start=Pits.start("kalah"))
    session.resume()
    time.now += 5
    session.move("3")
    assert (left(session), session.clock.running) == ([57, 60], Side.WHITE)


def test_time_that_was_used_stays_used(time: Time) -> None:
    session = timed(time)
    session.move("32-28")
    time.now += 10
    session.back()
    time.now += 5
    assert (left(session), session.clock.running) == ([55, 50], Side.WHITE)
    session.resign()
    time.now += 100
    assert (left(session), session.clock.running) == ([55, 50], None)
    session.back()
    assert session.clock.running is Side.WHITE


def test_no_time_is_won_by_taking_moves_back(time: Time) -> None:
    session = timed(time, black=First())
    session.resume()
    for _ in range(20):
        session.move("32-28")
        session.think()
        session.back()
    assert left(session) == [60, 60]
    session.move("32-28")
    time.now += 4
    session.think()
    session.back()
    assert (left(session), session.clock.running) == ([60, 56], Side.WHITE)


def test_who_answers_too_late_has_lost(time: Time) -> None:
    session = timed(time)
    session.resume()
    time.now += 59
    assert session.check_time() is None
    time.now += 1
    with pytest.raises(GameOverError, match="black wins: time ran out"):
        session.move("32-28")
    assert session.game.moves == ()
    assert session.game.outcome() == Outcome(Side.BLACK, Termination.TIME)
    assert (session.check_time(), session.clock.running) == (None, None)


def test_a_fallen_flag_is_declared_once(time: Time) -> None:
    session = timed(time)
    session.move("32-28")
    time.now += 60
    assert session.check_time() == Outcome(Side.WHITE, Termination.TIME) == session.game.outcome()
    assert session.check_time() is None


def test_a_computer_that_thinks_too_long_has_lost(time: Time) -> None:
    class Slow(First):
        def choose(self, game: Game[Any, Any]) -> Any:
            time.now += 61
            return super().choose(game)

    session = timed(time, black=Slow())
    session.move("32-28")
    assert session.think() == Outcome(Side.WHITE, Termination.TIME)
    assert len(session.game.moves) == 1


def test_after_a_loss_on_time_is_taken_back_nobody_is_hurried(time: Time) -> None:
    session = timed(time)
    session.move("32-28")
    time.now += 60
    session.check_time()
    assert session.back() == 1
    time.now += 1000
    session.move("31-27")
    assert (left(session), session.check_time()) == ([None, None], None)
    session.restart()
    assert left(session) == [60, 60]


def test_players_are_told_their_time(time: Time) -> None:
    player = First()
    session = timed(time, black=player)
    session.move("32-28")
    time.now += 15
    session.think()
    assert player.clock == Clock(45.0, 2)
    untimed = table(black=player)
    untimed.move("32-28")
    untimed.think()
    assert player.clock is None


def test_a_game_begins_anew(time: Time) -> None:
    session = timed(time, start=Position.from_fen("W:W33,34:B12,13", "international"))
    session.move("33-29")
    time.now += 8
    session.restart()
    assert (session.game, left(session)) == (Game(session.game.start), [60, 60])


def test_somebody_else_sits_down(tmp_path: Path) -> None:
    session = table(white=Counting(tmp_path / "closed"))
    session.think()
    session.seat(Side.WHITE, HumanPlayer())
    assert session.has_people
    with pytest.raises(GameError, match="the robot plays games of mancala alone"):
        session.seat(Side.WHITE, RobotPlayer())
    session.close()
    assert (tmp_path / "closed").read_text() == "closed\n"


def test_a_keeper_hears_of_every_change(tmp_path: Path, time: Time) -> None:
    keeper = Witness()
    with timed(time) as session:
        session.keeper = keeper
        session.move("32-28")
        session.move("19-23")
        session.flip()
        session.save(tmp_path / "game.pdn")
        session.back()
        session.load(tmp_path / "game.pdn")
        session.resign()
        session.back()
        time.now += 100
        session.check_time()
        session.back()
        with pytest.raises(TablemenError):
            session.move("1-2")
        with pytest.raises(GameError):
            session.claim_draw()
        session.restart()
    resigned, late = Termination.RESIGNATION, Termination.TIME
    assert keeper.heard == [1, 2, 2, 1, 2, resigned, 1, late, 0, "renewed", 0, 0, "closed"]
    session.close()
    assert keeper.heard[-2:] == [0, "closed"]


def test_a_side_can_resign_out_of_turn() -> None:
    session = table()
    assert session.resign(Side.BLACK) == Outcome(Side.WHITE, Termination.RESIGNATION)


@pytest.mark.parametrize(("side", "count"), [(Side.WHITE, 1), (Side.BLACK, 2), (None, 1)])
def test_taking_back_to_the_turn_of_a_side(side: Side | None, count: int) -> None:
    session = table()
    for text in ("32-28", "19-23", "28x19"):
        session.move(text)
    assert session.back(side) == count
    assert len(session.game.moves) == 3 - count


def test_a_side_that_has_not_moved_takes_nothing_back() -> None:
    session = table()
    session.move("32-28")
    with pytest.raises(GameError, match="no move of yours"):
        session.back(Side.BLACK)


def test_going_back_to_a_snapshot(time: Time) -> None:
    session = timed(time)
    session.keeper = witness = Witness()
    session.move("32-28")
    before = session.snapshot()
    time.now = 10
    session.move("19-23")
    session.resign()
    choice_is_old = session._revision
    session.restore(before)
    assert [str(move) for move in session.game.moves] == ["32-28"]
    assert session.game.outcome() is None
    time.now = 15
    assert left(session) == [60, 45]  # Black's time has run on
    assert session._revision > choice_is_old
    assert witness.heard == [1, 2, Termination.RESIGNATION, 1]
    session.move("18-23")
    assert left(session) == [60, 47]


def test_time_for_a_number_of_moves(time: Time) -> None:
    """Who thinks is told how many moves its time is for, and the time comes again after these."""
    player = First()
    session = timed(time, player)
    session.clock = GameClock(TimeControl(60, 0, 2), now=time)
    for text, seconds in (("32-28", 10), ("34-29", 20)):
        session.resume()
        time.now += seconds
        session.move(text)
        session.think()
        assert player.clock is not None
        assert player.clock.moves == 2 - (session.game.count_moves(Side.BLACK) - 1)
    assert left(session) == [60 + 60 - 30, 60 + 60]
    session.back()
    assert left(session) == [60 - 30, 60]


def heard_by(session: Session, side: Side = Side.BLACK) -> list[Any]:
    """What the program of a side heard, once everybody has gone home."""
    player = session.players[side]
    assert isinstance(player, FakePlayer)
    session.close()
    return [each for each in player.heard if each != "stop"]


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (Session.resign, ("end", 2, "RESIGNATION")),
        (Session.restart, ("end", 2, None)),
        (Session.leave, ("end", 2, None)),
        (lambda session: session.back(), ("end", 0, None)),  # when everybody leaves
    ],
)
def test_players_hear_of_the_end_of_a_game(end: Any, told: Any) -> None:
    session = table(black=FakePlayer(address="plays"))
    session.move("32-28")
    session.think()
    end(session)
    heard = heard_by(session)
    assert heard[:3] == ["open", ("choose", 1, None, None), told]
    assert heard[-1] == "close"
    assert heard.count("close") == 1


def test_a_player_that_goes_home_hears_of_the_end_first() -> None:
    player, other = FakePlayer(address="plays"), FakePlayer(address="plays")
    session = table(white=player, black=other)
    session.think()
    session.seat(Side.WHITE, HumanPlayer())
    session.close()
    assert player.heard[-2:] == [("end", 1, None), "close"]
    assert other.heard == []  # it was never asked


def test_a_program_that_fails_leaves_the_game_as_it_was() -> None:
    session = table(white=FakePlayer(address="dies"), control=TimeControl(60))
    with pytest.raises(PeerGoneError, match="ended with status 3"):
        session.think()
    assert session.game.moves == ()
    session.seat(Side.WHITE, First())
    assert str(session.think()) == str(INTERNATIONAL.legal_moves()[0])
    session.close()
