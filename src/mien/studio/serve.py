"""The studio's server: this machine only, on a free port, behind a token that only its address tells."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mien.errors import InputError, ResourceError, require
from mien.studio.guard import BODY, Guard

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

HOST = "127.0.0.1"
Ready = Callable[[str], None]


async def serve(folder: Path, *, port: int = 0, browser: bool = True, ready: Ready) -> None:
    """Serve the studio until cancelled; `ready` hears its address. `port` 0 is any free one.

    Raises `InputError` for a port that is not one, `ResourceError` for one in use, `MissingError` without
    the extra `serve`.
    """
    for library in ("starlette", "uvicorn", "websockets"):
        require(library, extra="serve")
    from mien.studio.app import Studio
    from mien.studio.server import Server

    with listening(port) as listener:
        guard = Guard(listener.getsockname()[1], secrets.token_urlsafe(24))
        studio = Studio(folder)
        address = f"http://{HOST}:{guard.port}/{guard.token}/"
        ready(address)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        try:
            await Server(configuration(studio.app(guard)), studio.end_work).serve([listener])
        finally:
            studio.close()


def configuration(app: ASGIApp) -> uvicorn.Config:
    """Return how the studio is served: silently, with small messages."""
    import uvicorn

    return uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="off", ws="websockets-sansio", ws_max_size=BODY,
        timeout_graceful_shutdown=3, server_header=False, proxy_headers=False,
    )  # fmt: skip


def listening(port: int) -> socket.socket:
    """Return a socket that listens on this machine only; raises `InputError`, `ResourceError`."""
    if not 0 <= port < 65536:
        raise InputError(f"port {port}; valid: 1 to 65535, or 0 for any free one")
    listener = socket.socket()
    try:
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise ResourceError(f"can not listen on port {port}: {error.strerror}; choose another one") from None
    return listener
