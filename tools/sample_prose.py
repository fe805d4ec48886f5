"""Draw a random sample of docstrings and comments, to judge how the project reads.

`python -m tools.sample_prose --seed 7` prints 100 of them from the tracked Python, Rust and JavaScript files, each with
its file and line. Give folders or files to sample only those.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DIRECTIVES = re.compile(r"(noqa|type:|fmt:|!|pragma|eslint|@ts-|SAFETY:?$)")


class Prose(NamedTuple):
    """A docstring, or a block of comment lines."""

    path: str
    line: int
    text: str


def python_prose(path: str, source: str) -> Iterator[Prose]:
    """Yield the docstrings of a Python file, and its comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield Prose(path, node.body[0].lineno, text)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [(token.start, token.string[1:].strip()) for token in tokens if token.type == tokenize.COMMENT]
    yield from join_lines(path, comments)


def marked_prose(path: str, source: str) -> Iterator[Prose]:
    """Yield the comments of a Rust or JavaScript file: `//` to the end of the line, and `/** … */`."""
    comments = []
    is_open = False
    for number, line in enumerate(source.splitlines(), 1):
        block = re.match(r"\s*(?:/\*\*?|\*(?!/)|(?=\*/))(?P<text>.*)", line) if is_open or "/*" in line else None
        match = block or re.search(r"(?:^|\s)//[/!]?(?:\s+(?P<text>.*))?$", line)
        if match:
            text = (match["text"] or "").split("*/")[0]
            comments.append(((number, 0 if block else match.start()), text.strip()))
        if block:
            is_open = "*/" not in line
    yield from join_lines(path, comments)


def join_lines(path: str, comments: list[tuple[tuple[int, int], str]]) -> Iterator[Prose]:
    """Join comments on adjacent lines that begin in the same column, and leave out directives and types of tools."""
    block: list[tuple[tuple[int, int], str]] = []
    for comment in [*comments, ((0, -1), "")]:
        (line, column), _ = comment
        if block and (line, column) != (block[-1][0][0] + 1, block[-1][0][1]):
            text = "\n".join(text for _, text in block if not text.startswith("@")).strip()
            if re.search(r"[a-z]{2}", text) and not DIRECTIVES.match(text):
                yield Prose(path, block[0][0][0], text)
            block = []
        block.append(comment)


def collect(folders: list[str]) -> list[Prose]:
    """Return all docstrings and comments of the tracked files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    )
    found: list[Prose] = []
    for path in listed.stdout.split("\0"):
        file = ROOT / path
        if file.suffix == ".py":
            found += python_prose(path, file.read_text(encoding="utf-8"))
        elif file.suffix in {".rs", ".js"}:
            found += marked_prose(path, file.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="PATH", help="folders or files; default: the whole project")
    parser.add_argument("--seed", type=int, required=True, help="seed of the random number generator")
    parser.add_argument("--count", type=int, default=100, help="number of texts (default: 100)")
    options = parser.parse_args()
    found = collect(options.folders)
    sample = random.Random(options.seed).sample(found, min(options.count, len(found)))
    for number, prose in enumerate(sample, 1):
        print(f"{number}. {prose.path}:{prose.line}\n{prose.text}\n")
    print(f"{len(sample)} of {len(found)} docstrings and comments, seed {options.seed}")


if __name__ == "__main__":
    main()
