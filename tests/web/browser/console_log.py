"""Detection of page errors: console messages, uncaught errors, policy violations and requests to other hosts."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

# Unhandled rejections that the page handles itself, and policy violations, would not be on the console otherwise.
REPORT_SCRIPT = """
addEventListener("unhandledrejection", ({ reason }) => console.error(`unhandled rejection: ${reason}`));
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""


class ConsoleLog:
    """The problems on all pages of a test."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()
        self.problems: list[str] = []
        self._allowed: list[str] = []

    def attach(self, context: BrowserContext, url: str) -> None:
        """Record the problems of all pages of a context. Requests to the server at this URL are allowed."""
        self.hosts.add(urlsplit(url).netloc)
        context.add_init_script(REPORT_SCRIPT)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)
        context.on("page", self._on_page)

    def allow(self, pattern: str) -> None:
        """Allow problems that match a pattern, because the test causes them."""
        self._allowed.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        """The problems that no pattern allows."""
        return [each for each in self.problems if not any(re.search(pattern, each) for pattern in self._allowed)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _on_error(self, error: WebError) -> None:
        self.problems.append(f"uncaught error: {error.error}")

    def _on_request(self, request: Request) -> None:
        self._check_host(request.url)

    def _on_page(self, page: Page) -> None:
        page.on("websocket", self._on_socket)

    def _on_socket(self, socket: WebSocket) -> None:
        self._check_host(socket.url)

    def _check_host(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob"} and parts.netloc not in self.hosts:
            self.problems.append(f"request to another host: {url}")
