"""The first Hub: words in a fixed order, milliseconds, and scores in hundredths of a man.

Its lines become the messages of the second Hub, and those are written as its lines, so that there is one conversation
for both. What the first Hub cannot say is left out: declared options, a limit of nodes, an increment without a clock.
"""

from __future__ import annotations

import re

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub.message import Message, message, parse_message
from tablemen.protocols.hub.numbers import read_real, read_whole, write_real, write_seconds

INFO = ("depth", "mean-depth", "score", "nodes", "time", "nps")  # in this order, and the moves behind them
SEARCHES = {"go": "think", "ponder": "ponder", "analyse": "analyze"}

_WORDS = frozenset({"set", "start", "depth", "time", "move", "ponder", "analyse", "new"})  # in no line of the second


def is_first_order(text: str) -> bool:
    """Whether no board that speaks the second Hub says so.

    >>> [is_first_order(text) for text in ("set threads 2", "level 0 60000 500", "level depth=3", "go", "hub")]
    [True, True, False, False, False]
    """
    command, *words = text.split() or [""]
    if command in {"pos", "level"}:
        return bool(words) and "=" not in text and words[0] not in {"start", "infinite"}
    return command in _WORDS and "=" not in text


def is_second_order(text: str) -> bool:
    """Whether no board that speaks the first Hub says so.

    >>> [is_second_order(text) for text in ("set-param name=threads value=2", "go think", "level depth=3", "go")]
    [True, True, True, False]
    """
    command, *words = text.split() or [""]
    if command == "go":
        return bool(words)
    return command in {"set-param", "new-game"} or (command in {"pos", "level"} and "=" in text)


def parse_order(text: str) -> Message:  # noqa: PLR0911 - a case each
    """What a board says, as a message of the second Hub.

    >>> print(parse_order("level 10 60000 500"), parse_order("pos wbbe"), sep="; ")
    level moves=10 time=60 inc=0.5; pos pos=Wbbe

    Raises `NotationError` where there is no command, or a word is missing or wrong.
    """
    command, words = _split(text)
    match command:
        case "set":
            return message("set-param", name=_word(text, words, 0), value=" ".join(words[1:]))
        case "pos" if words != ["start"]:
            written = _word(text, words, 0)
            return message("pos", pos=written[:1].upper() + written[1:])
        case "start" | "pos":
            return message("pos", "start")
        case "move":
            return message("move", move=_word(text, words, 0))
        case "depth":
            return message("level", depth=_number(text, words, 0))
        case "time":
            return message("level", move_time=_seconds(text, words, 0))
        case "level" if words != ["infinite"]:
            moves = _number(text, words, 0)
            left, increment = (_seconds(text, words, at) for at in (1, 2))
            return message("level", moves=moves or None, time=left, inc=increment)
        case "go" | "ponder" | "analyse":
            return message("go", SEARCHES[command])
        case "new":
            return message("new-game")
    return Message(command)


def format_order(order: Message) -> tuple[str, ...]:
    """The lines that say it, its twin: where the second Hub has one, the first may need several.

    >>> format_order(Message("pos", (("pos", "Wbbe"), ("moves", "1-5 9-6"))))
    ('pos wbbe', 'move 1-5', 'move 9-6')
    """
    match order.command:
        case "set-param":
            value = order.get("value") or ""
            if len(value.split()) != 1:
                raise ArgumentError(str(order.get("name")), value, "one word")
            return (f"set {order.get('name')} {value}",)
        case "pos":
            board = order.get("pos")
            begin = "start" if board is None else f"pos {board[:1].lower()}{board[1:]}"
            return (begin, *(f"move {move}" for move in (order.get("moves") or "").split()))
        case "level":
            return tuple(_limits(order))
        case "go":
            wanted = next((word for word, mode in SEARCHES.items() if order.has(mode)), "go")
            return (wanted,)
        case "new-game":
            return ("new",)
    return (order.command,)


def _limits(order: Message) -> list[str]:
    lines = []
    if depth := order.get("depth"):
        lines.append(f"depth {depth}")
    if (seconds := read_real(order.get("move-time"))) is not None:
        lines.append(f"time {_milliseconds(seconds)}")
    if (left := read_real(order.get("time"))) is not None:
        increment = read_real(order.get("inc")) or 0.0
        moves = order.get("moves") or "0"
        lines.append(f"level {moves} {_milliseconds(left)} {_milliseconds(increment) if increment else 0}")
    return lines


def parse_answer(text: str) -> Message:
    """What a program says, as a message of the second Hub.

    >>> print(parse_answer("move 32-28 17-22"), parse_answer("info 2 1.5 -12 30 0.01 3.0 32-28 17-22"), sep="; ")
    done move=32-28 ponder=17-22; info depth=2 mean-depth=1.5 score=-0.12 nodes=30 time=0.01 nps=3.0 pv="32-28 17-22"

    Raises `NotationError` where there is no command.
    """
    command, words = _split(text)
    match command:
        case "name" | "author" | "country":
            return Message("id", ((command, " ".join(words)),))
        case "move":
            names = ("move", "ponder")
            return Message("done", tuple(zip(names, words[:2], strict=False)))
        case "info":
            told = dict(zip(INFO, words, strict=False))
            if (score := read_real(told.get("score"))) is not None:
                told["score"] = write_real(score / 100, 2)
            moves = " ".join(words[len(INFO) :])
            return Message("info", (*told.items(), *((("pv", moves),) if moves else ())))
        case "error":
            return message("error", message=" ".join(words))
    return Message(command)


def format_answer(answer: Message) -> tuple[str, ...]:
    """The lines that say it, its twin; none for what the first Hub does not know.

    >>> format_answer(Message("id", (("name", "Scan"), ("version", "2.0"), ("country", "France"))))
    ('name Scan 2.0', 'country France')
    """
    match answer.command:
        case "id":
            name = " ".join(filter(None, (answer.get("name"), answer.get("version"))))
            told = {"name": name, "author": answer.get("author"), "country": answer.get("country")}
            return tuple(f"{word} {value}" for word, value in told.items() if value)
        case "param":
            return ()
        case "done":
            moves = [move for move in (answer.get("move"), answer.get("ponder")) if move]
            return (" ".join(["move", *moves]),)
        case "info":
            score = read_real(answer.get("score")) or 0.0
            usual = {"mean-depth": answer.get("depth")}
            words = {name: answer.get(name) or usual.get(name) or "0" for name in INFO}
            words["score"] = str(round(score * 100))
            return (" ".join(["info", *words.values(), *(answer.get("pv") or "").split()]),)
        case "error":
            return (f"error {answer.get('message') or ''}".strip(),)
    return (answer.command,)


def _split(text: str) -> tuple[str, list[str]]:
    words = [word.replace('"', "") for word in text.split()]  # which the second Hub could not write
    if not words:
        raise NotationError("a command is missing", text)
    return parse_message(words[0]).command, words[1:]


def _word(text: str, words: list[str], at: int) -> str:
    if at >= len(words):
        raise NotationError("a word is missing", text, column=len(text) + 1)
    return words[at]


def _number(text: str, words: list[str], at: int) -> int:
    number = read_whole(_word(text, words, at))
    if number is None:
        raise NotationError(f"{words[at]!r} is no whole number", text, column=_column(text, at + 1))
    return number


def _column(text: str, at: int) -> int:
    """Where a word stands."""
    return [found.start() for found in re.finditer(r"\S+", text)][at] + 1


def _seconds(text: str, words: list[str], at: int) -> str | None:
    """Milliseconds as seconds; an increment may be missing, and none is not told."""
    if at == 2 and (at >= len(words) or not _number(text, words, at)):
        return None
    return write_seconds(_number(text, words, at) / 1000)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
