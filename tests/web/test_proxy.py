"""The server behind nginx, configured as the documentation describes."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tablemen.web.connections import TRY_AGAIN
from tests.timeouts import TIMEOUT
from tests.web.in_process_server import Running, Socket, running, wait_for_close

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PAGE = Path(__file__).parents[2] / "docs" / "server.md"
NAME = "play.example.org"
ALICE, BOB = "127.0.0.2", "127.0.0.3"  # other addresses of the loopback interface

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed: apt-get install nginx-light"),
]


def write_configuration(folder: Path, server: int, first: int, second: int) -> Path:
    """Write the documented configuration for two proxies, of which the first one connects to the second one."""
    found = re.search(r"```nginx\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    mapping, block = found[1].split("\n\n", 1)
    block = re.sub(r"\n *ssl_.*", "", block).replace("$scheme", "https")  # as if the connection were encrypted
    blocks = [
        block.replace("443 ssl", f"127.0.0.1:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{target}")
        for port, target in ((first, second), (second, server))
    ]
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "\n".join(f"{kind}_temp_path {folder};" for kind in kinds)
    path = folder / "nginx.conf"
    path.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{ access_log off; {folders}\n{mapping}\n{''.join(blocks)} }}\n",
        encoding="utf-8",
    )
    return path


@contextlib.contextmanager
def proxied(folder: Path, **settings: Any) -> Iterator[tuple[Running, int, int]]:
    """Run a server behind two proxies; yield the server and the ports of the proxies."""
    assert NGINX is not None
    with running(folder, hosts=(NAME,), **settings) as server:
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
            first, second = one.getsockname()[1], other.getsockname()[1]
        configuration = write_configuration(folder, server.port, first, second)
        nginx = subprocess.Popen([NGINX, "-c", configuration, "-p", folder], stderr=subprocess.PIPE, text=True)
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=8), timeout=TIMEOUT) as client:
                answer = client.get(f"http://127.0.0.1:{first}/api/variants", headers={"Host": NAME})
                assert answer.status_code == 200, (answer.text, (folder / "errors").read_text(encoding="utf-8"))
            yield server, first, second
        finally:
            nginx.terminate()
            nginx.communicate(timeout=TIMEOUT)


def visitor(address: str, port: int, **headers: str) -> httpx.Client:
    """Return a client that connects from this address."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(
        transport=transport, base_url=f"http://127.0.0.1:{port}", headers={"Host": NAME, **headers}, timeout=TIMEOUT
    )


def create_games(client: httpx.Client, count: int) -> list[int]:
    """Create games; return the statuses."""
    with client:
        return [client.post("/api/games", json={"variant": "english"}).status_code for _ in range(count)]


def test_visitors_behind_a_proxy_have_separate_limits(tmp_path: Path) -> None:
    with proxied(tmp_path, new_games_an_hour=2, trusted_proxies=("127.0.0.1",)) as (_, chain, single):
        assert create_games(visitor(ALICE, single), 3) == [201, 201, 429]
        assert create_games(visitor(BOB, single), 3) == [201, 201, 429]
        for forged in ("198.51.100.7", "127.0.0.1", f"{BOB}, 198.51.100.7", "nonsense"):
            forger = {"X-Forwarded-For": forged}
            assert create_games(visitor(ALICE, single, **forger), 1) == [429]
            assert create_games(visitor(BOB, chain, **forger), 1) == [429]
        assert create_games(visitor("127.0.0.4", chain), 3) == [201, 201, 429]


def test_the_header_is_ignored_by_default(tmp_path: Path) -> None:
    with proxied(tmp_path, new_games_an_hour=2) as (server, _, single):
        assert create_games(visitor(ALICE, single), 2) == [201, 201]
        assert create_games(visitor(BOB, single), 1) == [429]
        direct = visitor("127.0.0.1", server.port, **{"X-Forwarded-For": "198.51.100.7"})
        assert create_games(direct, 1) == [429]


def test_a_visitor_cannot_forge_the_header_without_the_proxy(tmp_path: Path) -> None:
    with proxied(tmp_path, new_games_an_hour=2, trusted_proxies=("127.0.0.1",)) as (server, _, single):
        assert create_games(visitor(ALICE, single), 2) == [201, 201]
        direct = visitor(BOB, server.port, **{"X-Forwarded-For": "198.51.100.7"})
        assert create_games(direct, 3) == [201, 201, 429]
        assert create_games(visitor(BOB, single), 1) == [429]  # the same visitor through the proxy


def test_websockets_pass_the_proxy_with_the_address_of_the_visitor(tmp_path: Path) -> None:
    limits = {"connections_of_one": 1, "trusted_proxies": ("127.0.0.1",)}
    with proxied(tmp_path, **limits) as (_, chain, single), contextlib.ExitStack() as stack:

        def open_socket(address: str, port: int, **headers: str) -> Socket:
            connected = socket.create_connection(("127.0.0.1", port), TIMEOUT, source_address=(address, 0))
            url, origin = f"ws://{NAME}/api/analyse/socket", Origin(f"https://{NAME}")
            return Socket(stack.enter_context(connect(url, sock=connected, origin=origin, additional_headers=headers)))

        open_socket(ALICE, single)
        one = open_socket(BOB, chain)
        assert wait_for_close(open_socket(ALICE, chain, **{"X-Forwarded-For": "198.51.100.7"}))[0] == TRY_AGAIN
        one.send({"type": "analyse", "id": 5, "subject": {"variant": "kalah"}, "seconds": 0.1})
        one.receive_until("ended", 5)


def test_the_scheme_of_the_proxy_is_used(tmp_path: Path) -> None:
    """The proxies say that the connection is encrypted; redirects and the check of origins must agree."""
    with proxied(tmp_path, trusted_proxies=("127.0.0.1",)) as (_, _, single), visitor(ALICE, single) as client:
        answer = client.get("/analyse/", follow_redirects=False)
        assert answer.headers["Location"] == f"https://{NAME}/analyse"
        for origin, status in ((f"https://{NAME}", 200), (f"http://{NAME}", 403), ("https://other.example", 403)):
            assert client.get("/api/variants", headers={"Origin": origin}).status_code == status
        assert client.get("/api/variants", headers={"Host": "other.example"}).status_code == 421
        for size, status in ((2_000_000, 422), (2_000_001, 413)):
            assert client.post("/api/files/read", content=b"x" * size).status_code == status


def test_streams_are_not_buffered(tmp_path: Path) -> None:
    with proxied(tmp_path, trusted_proxies=("127.0.0.1",)) as (_, _, single), visitor(ALICE, single) as client:
        body = {"subject": {"variant": "international"}, "seconds": 3600}
        with client.stream("POST", "/api/analyse", json=body) as answer:
            assert '"found"' in next(answer.iter_lines())  # long before the end
