"""Fixtures for the tests of sessions."""

from __future__ import annotations

import pytest

from tests.fake_clock import Time


@pytest.fixture
def time() -> Time:
    return Time(0)
