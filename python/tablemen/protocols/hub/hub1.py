"""Hub 1, the older version: words in a fixed order, milliseconds, and scores in hundredths of a man.

Its lines are converted to and from the messages of Hub 2, so that one state machine serves both versions. Hub 1 cannot
express declared options, a node limit or an increment without a clock; these are omitted.
"""

from __future__ import annotations

import re

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub.messages import (
    HubMessage,
    build_message,
    format_real,
    format_seconds,
    parse_int,
    parse_message,
    parse_real,
)

INFO = ("depth", "mean-depth", "score", "nodes", "time", "nps")  # the words of `info` in order; the moves follow
SEARCHES = {"go": "think", "ponder": "ponder", "analyse": "analyze"}

_HUB1_COMMANDS = frozenset({"set", "start", "depth", "time", "move", "ponder", "analyse", "new"})


def is_hub1_command(text: str) -> bool:
    """Return whether a line from a board must be Hub 1.

    >>> [is_hub1_command(text) for text in ("set threads 2", "level 0 60000 500", "level depth=3", "go", "hub")]
    [True, True, False, False, False]
    """
    command, *words = text.split() or [""]
    if command in {"pos", "level"}:
        return bool(words) and "=" not in text and words[0] not in {"start", "infinite"}
    return command in _HUB1_COMMANDS and "=" not in text


def is_hub2_command(text: str) -> bool:
    """Return whether a line from a board must be Hub 2.

    >>> [is_hub2_command(text) for text in ("set-param name=threads value=2", "go think", "level depth=3", "go")]
    [True, True, True, False]
    """
    command, *words = text.split() or [""]
    if command == "go":
        return bool(words)
    return command in {"set-param", "new-game"} or (command in {"pos", "level"} and "=" in text)


def parse_command(text: str) -> HubMessage:  # noqa: PLR0911 - one return for each command
    """Parse a line from a board.

    >>> print(parse_command("level 10 60000 500"), parse_command("pos wbbe"), sep="; ")
    level moves=10 time=60 inc=0.5; pos pos=Wbbe

    Raises `NotationError` if the command or a word is missing, or a number is invalid.
    """
    command, words = _split(text)
    match command:
        case "set":
            return build_message("set-param", name=_word(text, words, 0), value=" ".join(words[1:]))
        case "pos" if words != ["start"]:
            board = _word(text, words, 0)
            return build_message("pos", pos=board[:1].upper() + board[1:])
        case "start" | "pos":
            return build_message("pos", "start")
        case "move":
            return build_message("move", move=_word(text, words, 0))
        case "depth":
            return build_message("level", depth=_number(text, words, 0))
        case "time":
            return build_message("level", move_time=format_real(_number(text, words, 0) / 1000, 3))
        case "level" if words != ["infinite"]:
            moves, left = _number(text, words, 0), format_seconds(_number(text, words, 1) / 1000)
            increment = _number(text, words, 2) if len(words) > 2 else 0
            inc = format_seconds(increment / 1000) if increment else None
            return build_message("level", moves=moves or None, time=left, inc=inc)
        case "go" | "ponder" | "analyse":
            return build_message("go", SEARCHES[command])
        case "new":
            return build_message("new-game")
    return HubMessage(command)


def format_command(message: HubMessage) -> tuple[str, ...]:
    """Format a message of a board; Hub 1 may need several lines.

    >>> format_command(HubMessage("pos", (("pos", "Wbbe"), ("moves", "1-5 9-6"))))
    ('pos wbbe', 'move 1-5', 'move 9-6')
    """
    match message.command:
        case "set-param":
            value = message.get("value") or ""
            if len(value.split()) != 1:
                raise ArgumentError(str(message.get("name")), value, "a single word")
            return (f"set {message.get('name')} {value}",)
        case "pos":
            board = message.get("pos")
            start = "start" if board is None else f"pos {board[:1].lower()}{board[1:]}"
            return (start, *(f"move {move}" for move in (message.get("moves") or "").split()))
        case "level":
            return tuple(_format_level(message))
        case "go":
            return (next((command for command, mode in SEARCHES.items() if message.has(mode)), "go"),)
        case "new-game":
            return ("new",)
    return (message.command,)


def _format_level(level: HubMessage) -> list[str]:
    lines = []
    if depth := level.get("depth"):
        lines.append(f"depth {depth}")
    if (seconds := parse_real(level.get("move-time"))) is not None:
        lines.append(f"time {_milliseconds(seconds)}")
    if (left := parse_real(level.get("time"))) is not None:
        increment = parse_real(level.get("inc")) or 0.0
        moves = level.get("moves") or "0"
        lines.append(f"level {moves} {_milliseconds(left)} {_milliseconds(increment) if increment else 0}")
    return lines


def parse_reply(text: str) -> HubMessage:
    """Parse a line from an engine.

    >>> print(parse_reply("move 32-28 17-22"), parse_reply("info 2 1.5 -12 30 0.01 3.0 32-28 17-22"), sep="; ")
    done move=32-28 ponder=17-22; info depth=2 mean-depth=1.5 score=-0.12 nodes=30 time=0.01 nps=3.0 pv="32-28 17-22"

    Raises `NotationError` if the command is missing.
    """
    command, words = _split(text)
    match command:
        case "name" | "author" | "country":
            return HubMessage("id", ((command, " ".join(words)),))
        case "move":
            return HubMessage("done", tuple(zip(("move", "ponder"), words[:2], strict=False)))
        case "info":
            values = dict(zip(INFO, words, strict=False))
            if (score := parse_real(values.get("score"))) is not None:
                values["score"] = format_real(score / 100, 2)
            moves = " ".join(words[len(INFO) :])
            return HubMessage("info", (*values.items(), *((("pv", moves),) if moves else ())))
        case "error":
            return build_message("error", message=" ".join(words))
    return HubMessage(command)


def format_reply(message: HubMessage) -> tuple[str, ...]:
    """Format a message of an engine; return no lines if Hub 1 has no such message.

    >>> format_reply(HubMessage("id", (("name", "Scan"), ("version", "2.0"), ("country", "France"))))
    ('name Scan 2.0', 'country France')
    """
    match message.command:
        case "id":
            name = " ".join(filter(None, (message.get("name"), message.get("version"))))
            values = {"name": name, "author": message.get("author"), "country": message.get("country")}
            return tuple(f"{word} {value}" for word, value in values.items() if value)
        case "param":
            return ()
        case "done":
            moves = [move for move in (message.get("move"), message.get("ponder")) if move]
            return (" ".join(["move", *moves]),)
        case "info":
            score = parse_real(message.get("score")) or 0.0
            defaults = {"mean-depth": message.get("depth")}
            words = {name: message.get(name) or defaults.get(name) or "0" for name in INFO}
            words["score"] = str(round(score * 100))
            return (" ".join(["info", *words.values(), *(message.get("pv") or "").split()]),)
        case "error":
            return (f"error {message.get('message') or ''}".strip(),)
    return (message.command,)


def _split(text: str) -> tuple[str, list[str]]:
    words = [word.replace('"', "") for word in text.split()]  # Hub 2 cannot express quotes
    if not words:
        raise NotationError("missing command", text)
    return parse_message(words[0]).command, words[1:]


def _word(text: str, words: list[str], at: int) -> str:
    if at >= len(words):
        raise NotationError("missing argument", text, column=len(text) + 1)
    return words[at]


def _number(text: str, words: list[str], at: int) -> int:
    number = parse_int(_word(text, words, at))
    if number is None:
        column = [found.start() for found in re.finditer(r"\S+", text)][at + 1] + 1
        raise NotationError(f"expected a whole number, got {words[at]!r}", text, column=column)
    return number


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
