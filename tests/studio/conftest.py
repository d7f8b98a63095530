"""A studio that serves on a real port, and a page that shows it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.browser import Page, opened

from mien.errors import MissingError


@pytest.fixture(scope="session")
def pack() -> None:
    from mien import packs

    try:
        packs.path("human")
    except MissingError as error:
        pytest.skip(str(error))


@dataclass(frozen=True)
class Served:
    """`address` ends with the token and a slash; personas are written to `folder`."""

    address: str
    port: int
    folder: Path


@pytest.fixture(scope="session")
def served(pack, tmp_path_factory) -> Iterator[Served]:
    """A studio in which whole heads of changed people are never built: nobody is calm for so long."""
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    pytest.importorskip("websockets")
    from mien.avatar.render import compiled, warm_up
    from mien.studio.app import Studio
    from mien.studio.guard import Guard
    from mien.studio.serve import configuration, listening

    if not compiled():
        warm_up()
    folder = tmp_path_factory.mktemp("personas")
    with listening(0) as listener:
        port = listener.getsockname()[1]
        studio = Studio(folder, calm_s=3600)
        server = uvicorn.Server(configuration(studio.app(Guard(port, "token"))))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield Served(f"http://127.0.0.1:{port}/token/", port, folder)
        server.should_exit = True
        thread.join(30)
        studio.close()
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def browser_page(tmp_path_factory) -> Iterator[Page]:
    with opened(tmp_path_factory.mktemp("profile")) as page:
        yield page
