"""The user's folders on each operating system."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from tablemen.paths import cache_folder, data_folder


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Set a temporary home folder, and unset all variables that name folders."""
    for name in ("TABLEMEN_CACHE", "TABLEMEN_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(platformdirs, "PlatformDirs", Unix)
    return tmp_path


def test_environment_variables_name_the_folders(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("TABLEMEN_CACHE", str(home / "tables"))
    monkeypatch.setenv("TABLEMEN_DATA", "games/of mine")
    assert (cache_folder(), data_folder()) == (home / "tables", Path("games/of mine"))


def test_linux_uses_the_xdg_folders(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    assert (cache_folder(), data_folder()) == (home / ".cache" / "tablemen", home / ".local" / "share" / "tablemen")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert (cache_folder(), data_folder()) == (Path("/elsewhere/tablemen"), Path("/data/tablemen"))


def test_a_relative_xdg_path_is_ignored(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert (cache_folder(), data_folder()) == (home / ".cache" / "tablemen", home / ".local" / "share" / "tablemen")


def test_macos_uses_the_library(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    library = home / "Library"
    assert cache_folder() == library / "Caches" / "tablemen"
    assert data_folder() == library / "Application Support" / "tablemen"


def test_windows_uses_the_local_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", Windows)
    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _: "/local")
    assert (cache_folder(), data_folder()) == (Path("/local/tablemen/Cache"), Path("/local/tablemen"))


def test_no_folder_is_created(home: Path) -> None:
    cache_folder()
    data_folder()
    assert list(home.iterdir()) == []


def test_a_user_without_a_home_folder_must_set_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # no user has an entry
    with pytest.raises(OSError, match="TABLEMEN_CACHE"):
        cache_folder()
    with pytest.raises(OSError, match="TABLEMEN_DATA"):
        data_folder()
    monkeypatch.setenv("TABLEMEN_CACHE", "/elsewhere")
    assert cache_folder() == Path("/elsewhere")
