"""A console program that uses an `IO`, so that `add_up.transcript` can test it."""

from __future__ import annotations

from tablemen.console import IO, StandardIO


def add_up(io: IO) -> None:
    """Read numbers until the user quits, and print their sum after each one."""
    total = 0
    while number := io.read_integer("A number from 1 to 100, or q: ", 1, 100, 0, "q"):
        total += number
        io.println(f"The sum is {total}.")
    io.println("Bye.")


if __name__ == "__main__":
    add_up(StandardIO())
