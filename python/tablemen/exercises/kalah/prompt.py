"""What a player is asked at the Kalah console, and the answer."""

from __future__ import annotations

from typing import TypeAlias

from tablemen.console import IO

QUIT, NEW, SAVE, LOAD, SWAP = "q", "n", "s", "l", "x"

Answer: TypeAlias = int | str  # a house, or one of the letters above

NO_HOUSE = 0  # what `read_integer` gives for a letter


class Keyboard(IO):
    """A keyboard on which a few letters count as answers beside numbers, and a prompt may have several lines."""

    def __init__(self, io: IO, *, lines: list[str], letters: set[str]) -> None:
        self.io = io
        self.lines = lines
        self.letters = letters
        self.letter = QUIT

    def print(self, text: str) -> None:
        """As the real one."""
        self.io.print(text)

    def println(self, text: str = "") -> None:
        """As the real one."""
        self.io.println(text)

    def read_from_keyboard(self, prompt: str) -> str:
        """What is typed; a letter is kept, and given as the one that ends the question."""
        for line in self.lines:
            self.io.println(line)
        answer = self.io.read_from_keyboard(prompt)
        letter = answer.strip().lower()
        if letter not in self.letters:
            return answer
        self.letter = letter
        return QUIT


def ask_for_house(io: IO, player: str, houses: int, *, may_swap: bool) -> Answer:
    """The answer to a question of one line."""
    if may_swap:
        prompt = f"Player {player}'s turn - Specify house number, '{SWAP}' to swap sides or '{QUIT}' to quit: "
        return _read(io, prompt, houses, lines=[], letters={SWAP, QUIT})
    prompt = f"Player {player}'s turn - Specify house number or '{QUIT}' to quit: "
    return io.read_integer(prompt, 1, houses, NO_HOUSE, QUIT) or QUIT


def ask_with_menu(io: IO, player: str, houses: int, *, may_swap: bool) -> Answer:
    """The answer to a menu; its letters may be typed in either case."""
    lines = [
        f"Player {player}",
        f"    (1-{houses}) - house number for move",
        *(["    X - Swap sides"] if may_swap else []),
        "    N - New game",
        "    S - Save game",
        "    L - Load game",
        "    q - Quit",
    ]
    letters = {QUIT, NEW, SAVE, LOAD} | ({SWAP} if may_swap else set())
    return _read(io, "Choice:", houses, lines=lines, letters=letters)


def _read(io: IO, prompt: str, houses: int, *, lines: list[str], letters: set[str]) -> Answer:
    keyboard = Keyboard(io, lines=lines, letters=letters)
    return keyboard.read_integer(prompt, 1, houses, NO_HOUSE, QUIT) or keyboard.letter
