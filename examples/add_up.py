"""A console program that talks through an `IO`: a person can use it, and `add_up.transcript` can check it."""

from __future__ import annotations

from tablemen.console import IO, StandardIO


def add_up(io: IO) -> None:
    """Ask for numbers until there are no more, and say what they add up to."""
    total = 0
    while number := io.read_integer("A number from 1 to 100, or q: ", 1, 100, 0, "q"):
        total += number
        io.println(f"The sum is {total}.")
    io.println("Bye.")


if __name__ == "__main__":
    add_up(StandardIO())
