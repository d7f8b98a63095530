import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mien.mind import Mind, embedding, folder
from mien.mind.understand import Understander

BANK = Path(__file__).parents[2] / "personas" / "bank" / "mind"


class Server:
    """A small HTTP server whose answers a test writes: `reply(handler)` for each request."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str], object]] = []
        self.reply: Callable[[BaseHTTPRequestHandler], None] = lambda handler: send(handler, 200, {})
        self.hang = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                asked = (self.command, self.path, dict(self.headers), json.loads(body) if body else None)
                outer.asked.append(asked)
                outer.reply(self)

            do_GET = do_POST = _any  # noqa: N815 (the names that http.server calls)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        self.hang.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def send(handler: BaseHTTPRequestHandler, status: int, body: object) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="session")
def minds(request):
    """Where vectors are kept between tests: mien's own cache stays as it is."""
    return request.config.cache.mkdir("minds")


@pytest.fixture(scope="session")
def bank(minds):
    content = folder.read(BANK)
    return content, Understander(content, embedding.shared(), minds)


@pytest.fixture
def converse(bank):
    """Hold a conversation with the bank's mind; returns what was said to each turn, and the last answer."""

    def hold(*turns, model=None, state=None):
        async def run():
            mind = Mind(*bank, model)
            now = state or mind.begin()
            said, answer = [], None
            for words in turns:
                answer = await mind.answer(words, now)
                parts = [part async for part in answer.parts()]
                said.append("".join(part.text for part in parts).strip())
                now = answer.state
            await mind.close()
            return said, answer

        return asyncio.run(run())

    return hold
