"""Test `make play` through a pipe, the error messages for missing tools, and the pinned packages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The programs that the Makefile calls before it builds anything.
TOOLS = ("sh", "find", "id", "cargo", "cc")


def make(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    # Remove the flags of an outer make.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    program = shutil.which("make")
    assert program is not None
    return subprocess.run(
        [program, "-C", str(ROOT), "--no-print-directory", *arguments],
        env=environment | ({} if path is None else {"PATH": path}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def path_without(tmp_path: Path, missing: str) -> str:
    """Return a PATH with all programs that the Makefile calls, except one."""
    for tool in TOOLS:
        found = shutil.which(tool)
        if tool != missing and found is not None:
            (tmp_path / tool).symlink_to(found)
    return str(tmp_path)


@pytest.mark.skipif(not (ROOT / ".venv" / "bin" / "tablemen").exists(), reason="requires `make compile`")
def test_make_play_through_a_pipe_is_kalah() -> None:
    recipe = make("--dry-run", "play").stdout.splitlines()[-1]
    done = subprocess.run(["sh", "-c", recipe], cwd=ROOT, input="3\nq\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "| P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |"
    assert done.stdout.splitlines()[-6] == "Player P1's turn - Specify house number or 'q' to quit: Game over"


@pytest.mark.parametrize("missing", ["cargo", "cc"])
def test_missing_tool_is_reported_on_one_line(tmp_path: Path, missing: str) -> None:
    done = make("compile", f"PYTHON={sys.executable}", path=path_without(tmp_path, missing))
    errors = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(errors) == 1
    assert re.search(rf": install .*\b{missing}\b", errors[0])
    assert not done.stdout


def test_old_python_is_reported_on_one_line(tmp_path: Path) -> None:
    old = tmp_path / "python-3.8"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = make("compile", f"PYTHON={old}")
    errors = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(errors) == 1
    assert "Python 3.11 or newer" in errors[0]


@pytest.mark.parametrize(
    ("target", "remedy"), [("asan", "toolchain install nightly"), ("miri", "component miri"), ("deny", "cargo-deny")]
)
def test_missing_tool_of_an_optional_check_is_reported_on_one_line(tmp_path: Path, target: str, remedy: str) -> None:
    done = make(target, path=path_without(tmp_path, "cargo"))
    errors = [line for line in done.stderr.splitlines() if not line.startswith("make:")]
    assert done.returncode != 0
    assert len(errors) == 1
    assert re.fullmatch(rf"make {target} requires .*: .*\b{remedy}\b.*", errors[0])


@pytest.mark.parametrize(("target", "missing"), [("page", "npm"), ("browser", "Chromium")])
def test_missing_tool_of_the_page_is_not_an_error(tmp_path: Path, target: str, missing: str) -> None:
    done = make(target, path=path_without(tmp_path, missing))
    assert done.returncode == 0
    assert re.fullmatch(rf"{missing} .*; skipping .*\binstall\b.*\n", done.stderr)
    assert not done.stdout


REQUIREMENTS = sorted((ROOT / "requirements").glob("*.in"))
PIN = re.compile(r"([a-z0-9-]+)==(\S+?)( ; .+?)?((?: --hash=sha256:[0-9a-f]{64})+)")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a requirements file without comments; continued lines are joined."""
    text = re.sub(r"\s*\\\n\s*", " ", path.read_text(encoding="utf-8"))
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def read_pins(path: Path) -> dict[str, str]:
    """Return the version of each package in a file; every line must be a pinned package with hashes."""
    pins = [PIN.fullmatch(line) for line in read_lines(path)]
    assert all(pins), path
    return {pin[1]: pin[2] for pin in pins if pin}


def test_every_python_package_is_pinned_with_hashes() -> None:
    assert {path.stem for path in REQUIREMENTS} == {"run", "dev", "docs", "tune", "pins"}
    versions: dict[str, str] = {}
    for path in REQUIREMENTS:
        pins = read_pins(path.with_suffix(".txt"))
        named = {re.split(r"[;<>=~ ]", line)[0] for line in read_lines(path) if not line.startswith("-r ")}
        assert named <= set(pins), path
        assert versions | pins == pins | versions, f"{path} has other versions of the same packages"
        versions |= pins
    assert read_pins(ROOT / "requirements" / "run.txt").items() <= read_pins(ROOT / "requirements" / "dev.txt").items()


def test_every_page_tool_is_pinned_with_a_hash() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    pinned = {name.removeprefix("node_modules/"): facts for name, facts in lock["packages"].items() if name}
    assert all(facts["integrity"].startswith("sha512-") for facts in pinned.values())
    assert not any("resolved" in facts for facts in pinned.values())  # npm then uses the registry that is configured
    assert {name: pinned[name]["version"] for name in package["devDependencies"]} == package["devDependencies"]


@pytest.mark.parametrize("folder", [".", "fuzz/core"])
def test_every_crate_is_from_the_registry_and_has_a_hash(folder: str) -> None:
    crates = tomllib.loads((ROOT / folder / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    registry = "registry+https://github.com/rust-lang/crates.io-index"
    ours = {crate["name"] for crate in crates if "source" not in crate}
    assert all(name.startswith("tablemen-") for name in ours)
    assert all((crate["source"], len(crate["checksum"])) == (registry, 64) for crate in crates if "source" in crate)


def test_workflows_use_actions_by_their_commit_and_few_permissions() -> None:
    versions: dict[str, str] = {}
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        assert "\npermissions: {}\n" in text, path
        for used in re.findall(r"uses: (.+)", text):
            action = re.fullmatch(r"([\w-]+/[\w-]+)@([0-9a-f]{40}) # v[\d.]+", used)
            assert action, f"{path}: {used}"
            assert versions.setdefault(action[1], action[2]) == action[2], f"{path}: {used}"
    maturin = read_pins(ROOT / "requirements" / "run.txt")["maturin"]
    built = re.findall(r"maturin-version: v(.+)", (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8"))
    assert set(built) == {maturin}


def test_dependabot_updates_every_list_of_pins() -> None:
    text = (ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"package-ecosystem: (\S+)", text)) == {"uv", "npm", "cargo", "github-actions"}
    folders = re.findall(r"directory: (\S+)", text) + re.findall(r"directories: \[(.+)\]", text)[0].split(", ")
    assert all((ROOT / folder.lstrip("/")).is_dir() for folder in folders)
    assert text.count("interval: weekly") == text.count("groups:") == text.count("package-ecosystem:")
