"""`tablemen serve` as a process: where it serves, and its end, friendly or not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from click.testing import CliRunner

from tablemen.cli import main
from tests.timeouts import TIMEOUT, read_first_line

COMMAND = (sys.executable, "-m", "tablemen", "serve", "--no-browser")


class Server:
    """A server with a database of its own. It can be killed, and started again where it was."""

    def __init__(self, database: Path, port: int = 0, *, options: Sequence[str] = ()) -> None:
        """At any free port unless one is given."""
        self.database = database
        self.options = options
        self.port = port
        self.said = database.with_suffix(".errors")  # what it wrote to standard error
        self.url = ""
        self.start()
        self.asked = httpx.Client(base_url=self.url, timeout=TIMEOUT)

    def start(self) -> None:
        """Starts it, and waits until it says where it serves."""
        with self.said.open("ab") as errors:
            self.process = subprocess.Popen(
                [*COMMAND, "--port", str(self.port), "--database", str(self.database), *self.options],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        line = read_first_line(self.process)
        assert line.startswith("tablemen serves at http://"), (line, self.errors)
        self.url = line.split()[3].rstrip("/")
        self.port = urlsplit(self.url).port or 0

    @property
    def errors(self) -> str:
        """What it complained about so far."""
        return self.said.read_text(encoding="utf-8")

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self.process.kill()
        self._reap()

    def stop(self) -> None:
        """Asks it to end."""
        self.process.terminate()
        self._reap()
        self.asked.close()

    def _reap(self) -> None:
        assert self.process.stdout is not None
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.stdout.close()

    def ask(self, path: str, body: object = None, key: str | None = None) -> Any:
        """What it answers to a script."""
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        method = "GET" if body is None else "POST"
        answer = self.asked.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()


def refused_start(*words: str) -> tuple[int, str]:
    """The status and the words with which a server ends that cannot begin."""
    result = CliRunner().invoke(main, ["serve", "--no-browser", *words])
    return result.exit_code, result.output
