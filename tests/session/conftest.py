"""The time of a test."""

from __future__ import annotations

import pytest

from tests.session.sessions import Time


@pytest.fixture
def time() -> Time:
    return Time()
