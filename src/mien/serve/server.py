"""A server from its first to its last request: listening, loading, draining."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType

import uvicorn

from mien import signals
from mien.errors import ResourceError
from mien.serve.app import application
from mien.serve.operation.logs import written
from mien.serve.options import ServeOptions
from mien.serve.site import Site

MESSAGE = 4 << 20  # bytes
Ready = Callable[[str], None]


class Server(uvicorn.Server):
    """A uvicorn server that calls `ending` at the first SIGINT or SIGTERM, and stops at the second."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending, self._signalled = ending, False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        if self._signalled:
            self.should_exit = True
        self._signalled = True
        self._ending()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server, and give the handlers back."""
        with signals.handled(self.handle_exit):
            yield


async def serve(options: ServeOptions, ready: Ready) -> None:
    """Serve until SIGINT or SIGTERM, or until cancelled; `ready` hears the address when all is loaded.

    Raises `InputError` and `MissingError` for what can not be served, `ResourceError` for a port in use.
    """
    site = Site.of(options)
    logging.getLogger("uvicorn.error").addFilter(_is_error)
    logs = written(words=options.log_words) if options.log_json else nullcontext()
    with logs, listening(options.host, options.port) as listener:
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def ending() -> None:
            loop.call_soon_threadsafe(ended.set)

        server = Server(configuration(site), ending)
        address = f"http://{_shown(options.host)}:{listener.getsockname()[1]}/"
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_warm(site, ready, address))
                draining = group.create_task(_drain(site, server, ended))
                await server.serve([listener])
                draining.cancel()
        finally:
            await site.close()


async def _warm(site: Site, ready: Ready, address: str) -> None:
    await site.warm()
    ready(address)


async def _drain(site: Site, server: Server, ended: asyncio.Event) -> None:
    await ended.wait()
    await site.registry.drain(site.options.grace_s)
    server.should_exit = True


def _is_error(record: logging.LogRecord) -> bool:
    """Leave out what uvicorn says of each client that was refused before the handshake."""
    return "without completing handshake" not in str(record.msg)


def configuration(site: Site) -> uvicorn.Config:
    """Return how a site is served."""
    return uvicorn.Config(
        application(site), log_config=None, access_log=False, lifespan="off", ws="websockets-sansio",
        ws_max_size=MESSAGE, ws_per_message_deflate=False, timeout_graceful_shutdown=5, server_header=False,
        proxy_headers=False,
    )  # fmt: skip


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises `ResourceError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise ResourceError(f"can not listen on {host}, port {port}: {reason}; choose another one") from None
    return listener


def _shown(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
