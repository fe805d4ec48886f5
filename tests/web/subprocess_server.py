"""A server in a subprocess, which can be killed and restarted."""

from __future__ import annotations

import os
import re
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

URL = re.compile(r"http://[\w.]+:[0-9]+")  # in the first line of output
COMMAND = (sys.executable, "-m", "tablemen", "serve", "--no-browser")


class Server:
    """A `tablemen serve` process. It can be restarted with the same port and database."""

    def __init__(self, database: Path, port: int = 0, *, options: Sequence[str] = ()) -> None:
        """Start the server; port 0 is any free one."""
        self.database = database
        self.options = options
        self.port = port
        self._stderr = database.with_suffix(".errors")
        self.url = ""
        self.start()
        self._client = httpx.Client(base_url=self.url, timeout=TIMEOUT)

    def start(self) -> None:
        """Start the process, and wait until it prints its address."""
        with self._stderr.open("ab") as errors:
            self.process = subprocess.Popen(
                [*COMMAND, "--port", str(self.port), "--database", str(self.database), *self.options],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        line = read_first_line(self.process)
        url = URL.search(line)
        assert url is not None, (line, self.errors)
        self.url = url[0]
        self.port = urlsplit(self.url).port or 0

    @property
    def errors(self) -> str:
        """The standard error output so far."""
        return self._stderr.read_text(encoding="utf-8")

    def kill(self) -> None:
        """Kill the process, so that it cannot clean up."""
        self.process.kill()
        self._reap()

    def stop(self) -> None:
        """Terminate the process, and wait for its end."""
        self.process.terminate()
        self._reap()
        self._client.close()

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
        """Send a request that must succeed, and return the JSON of the response."""
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        method = "GET" if body is None else "POST"
        answer = self._client.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()


def invoke_serve(*words: str) -> tuple[int, str]:
    """Run `tablemen serve` in this process, for tests in which it fails; return the exit code and the output."""
    result = CliRunner().invoke(main, ["serve", "--no-browser", *words])
    return result.exit_code, result.output
