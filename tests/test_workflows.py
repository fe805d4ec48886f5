"""What the workflows build with is what the project says, and nothing in them changes by itself."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in WORKFLOWS}


def project() -> dict[str, list[str]]:
    found: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def test_there_are_these_two() -> None:
    assert set(TEXTS) == {"tests", "wheels"}


@pytest.mark.parametrize("name", TEXTS)
def test_actions_are_pinned_to_a_commit_and_say_which_version_that_is(name: str) -> None:
    uses = re.findall(r"uses: (.*)", TEXTS[name])
    assert uses
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each) for each in uses), uses


def test_an_action_has_one_version_everywhere() -> None:
    pins = set(re.findall(r"uses: ([\w/-]+)@(\w+)", "".join(TEXTS.values())))
    assert len(pins) == len({action for action, _ in pins})


@pytest.mark.parametrize("name", TEXTS)
def test_a_job_may_read_and_only_publishing_may_more(name: str) -> None:
    assert "\npermissions: {}\n" in TEXTS[name]
    granted = re.findall(r"^ +([\w-]+): (read|write)\b", TEXTS[name], re.MULTILINE)
    writing = [what for what, how in granted if how == "write"]
    assert writing == (["id-token"] if name == "wheels" else [])
    assert {what for what, how in granted if how == "read"} == {"contents"}
    assert "secrets." not in TEXTS[name]


def test_the_tools_are_those_of_the_project() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    pinned = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    for text in TEXTS.values():
        toolchains = re.findall(r'rust-toolchain: "(.*)"', text) + re.findall(
            r"rustup (?:toolchain|default) .*?(1\S+)", text
        )
        assert set(toolchains) == {cargo["rust-version"]}
    for maturin in re.findall(r"maturin-version: v(.*)", TEXTS["wheels"]):
        assert f"maturin=={maturin}\n" in pinned


def test_wheels_are_tried_with_every_python_that_the_metadata_name() -> None:
    named = {each.rpartition(" ")[2] for each in project()["classifiers"] if re.search(r"Python :: 3\.\d+$", each)}
    (tried,) = re.findall(r"python: \[(.*)\]", TEXTS["wheels"])
    assert named <= set(re.findall(r"3\.\d+", tried))
    assert min(named, key=lambda each: int(each[2:])) == "3.11"


def test_no_wheel_is_for_one_kind_of_processor() -> None:
    assert 'if [ -n "${!name:-}" ]' in TEXTS["wheels"]  # where flags from outside would be told
    assert not re.search(r"RUSTFLAGS *[:=]|target-(cpu|feature)", TEXTS["wheels"])
    assert not [*ROOT.glob(".cargo"), *ROOT.glob("crates/**/.cargo")]
    (recipe,) = re.findall(r"^wheel:.*\n\t(.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert recipe.startswith("RUSTFLAGS= ")
