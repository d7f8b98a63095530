import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn

from mien import packs
from mien.audio.files import read
from mien.audio.pcm import Pcm
from mien.audio.resample import resample
from mien.persona import spec as specs
from mien.serve.options import ServeOptions
from mien.serve.server import configuration, listening
from mien.serve.site import Site


@dataclass
class Running:
    """A server in a thread of its own."""

    port: int
    site: Site
    loop: asyncio.AbstractEventLoop

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/realtime"


@contextlib.contextmanager
def running(options: ServeOptions, *, warm: bool = False) -> Iterator[Running]:
    site = Site.of(options)
    listener = listening(options.host, options.port)
    server = uvicorn.Server(configuration(site))
    started: list[asyncio.AbstractEventLoop] = []
    up = threading.Event()

    async def main() -> None:
        started.append(asyncio.get_running_loop())
        if warm:
            await site.warm()
        up.set()
        await server.serve([listener])
        await site.close()

    thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    thread.start()
    assert up.wait(60)
    try:
        yield Running(listener.getsockname()[1], site, started[0])
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """A server of joe, whose voice is the fastest."""
    with running(ServeOptions(port=0, persona="joe", sessions=4), warm=True) as one:
        yield one


@pytest.fixture(scope="session")
def start() -> Callable[..., contextlib.AbstractContextManager[Running]]:
    return running


@pytest.fixture(scope="session")
def question() -> Pcm:
    """ "It was the age of wisdom," and silence, at 24 kHz."""
    recording = read(packs.path("samples") / "two_cities.wav")
    said = recording.cut(round(4.9 * recording.rate_hz), round(6.45 * recording.rate_hz))
    return Pcm.join([resample(said, 24_000), Pcm.silence(1.0, 24_000)], 24_000)


@pytest.fixture
def jack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A persona who is joe by another name."""
    file = specs.folders()[-1] / "joe.toml"
    (tmp_path / "jack.toml").write_text(file.read_text().replace('"Joe"', '"Jack"'))
    monkeypatch.setenv("MIEN_PERSONAS", str(tmp_path))
    return "jack"
