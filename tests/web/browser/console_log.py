"""Everything that a page must not do: complain, fail, break its own policy, or ask anybody else."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

# A violation is told to the page too, also where a browser writes nothing about it; and a page may keep to itself that
# something failed later on.
TELL = """addEventListener("unhandledrejection", ({ reason }) => console.error(`failed later: ${reason}`));
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"""


class Watch:
    """Looks after all pages of a test."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()
        self.complaints: list[str] = []
        self._forgiven: list[str] = []

    def over(self, context: BrowserContext, url: str) -> None:
        """Begins to look after a browser's pages, which may ask the server at this address."""
        self.hosts.add(urlsplit(url).netloc)
        context.add_init_script(TELL)
        context.on("console", self._hear)
        context.on("weberror", self._fail)
        context.on("request", self._ask)
        context.on("page", self._meet)

    def forgive(self, pattern: str) -> None:
        """A complaint that a test brings about on purpose: one that this is found in."""
        self._forgiven.append(pattern)

    @property
    def unforgiven(self) -> list[str]:
        """What no test asked for."""
        return [each for each in self.complaints if not any(re.search(pattern, each) for pattern in self._forgiven)]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _fail(self, error: WebError) -> None:
        self.complaints.append(f"failure: {error.error}")

    def _ask(self, request: Request) -> None:
        self._check(request.url)

    def _meet(self, page: Page) -> None:
        page.on("websocket", self._connect)

    def _connect(self, socket: WebSocket) -> None:
        self._check(socket.url)

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob"} and parts.netloc not in self.hosts:
            self.complaints.append(f"asked elsewhere: {url}")
