"""Golden files: messages that people read, kept in one text file per package.

Run `make golden` to rewrite the files after a change of wording, and read the diff.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest


def check_golden(path: Path, texts: Mapping[str, str]) -> None:
    """Compare named texts with a golden file, or write them to the file if `make golden` runs the tests."""
    content = "\n".join(f"{name}\n{textwrap.indent(text, '    ')}\n" for name, text in texts.items())
    if os.environ.get("TABLEMEN_UPDATE_GOLDEN"):
        path.write_text(content, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == content, "if the change is meant, run `make golden`"


def check_errors(path: Path, cases: Mapping[str, tuple[type[Exception], Callable[[], object]]]) -> None:
    """Check that each call raises exactly its type of error, with the message of the golden file.

    A case is a name, the expected type, and a call without arguments.
    """
    messages = {}
    for name, (kind, call) in cases.items():
        with pytest.raises(kind) as caught:
            call()
        assert caught.type is kind, f"{name}: {caught.value!r}"
        messages[name] = f"{kind.__name__}: {caught.value}"
    check_golden(path, messages)
