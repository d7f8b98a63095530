from __future__ import annotations

from collections.abc import Iterator

import pytest

from mien.avatar.render.gl import Stage
from mien.errors import MissingError


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """One OpenGL context for all tests: a GPU's, or Mesa's llvmpipe."""
    try:
        stage = Stage()
    except MissingError as error:
        pytest.skip(str(error))
    with stage:
        yield stage
