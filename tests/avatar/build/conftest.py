"""Real heads, from the real pack; a head is built at most once for each state of the code."""

from __future__ import annotations

import pytest

from mien import packs
from mien.avatar import Avatar, load
from mien.avatar.build.assemble import make_cast
from mien.avatar.build.draft import Cast
from mien.avatar.build.human import Human, read_human
from mien.avatar.build.person import read_person
from mien.avatar.build.skin import Skin, make_skin


@pytest.fixture(scope="session")
def human() -> Human:
    return read_human(packs.path("human"))


@pytest.fixture(scope="session", params=["ava", "joe"])
def cast(human: Human, request: pytest.FixtureRequest) -> Cast:
    return make_cast(human, read_person(request.param))


@pytest.fixture(scope="session")
def skin(human: Human, cast: Cast) -> Skin:
    return make_skin(human, cast)


@pytest.fixture(scope="session", params=["ava", "joe"])
def avatar(request: pytest.FixtureRequest) -> Avatar:
    return load(request.param)
