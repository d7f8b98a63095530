"""The server as an ASGI application: one router for each protocol."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.websockets import WebSocket

import mien
from mien.errors import InputError, MienError
from mien.serve import health, models, page, personas, speech, transcriptions
from mien.serve.guard import Guarded
from mien.serve.operation import route as figures
from mien.serve.operation.requests import Counted
from mien.serve.realtime.route import realtime
from mien.serve.refusals import Refusal, RefusedError
from mien.serve.site import Site
from mien.serve.videos import route as videos

ROUTERS = (
    health.router,
    figures.router,
    models.router,
    personas.router,
    speech.router,
    transcriptions.router,
    videos.router,
    page.router,
)


def application(site: Site) -> FastAPI:
    """Return the application."""
    app = FastAPI(
        title="mien",
        version=mien.__version__,
        description="Digital humans to talk to.",
        docs_url=None,  # their pages would fetch scripts from elsewhere
        redoc_url=None,
    )
    app.state.site = site
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(MienError, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _no_route)
    app.add_middleware(Guarded, door=site.door)
    if site.options.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(site.options.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type"],
        )
    app.add_middleware(Counted, observe=site.metrics.requested)
    for router in ROUTERS:
        app.include_router(router, responses={"4XX": {"model": Refusal, "description": "refused"}})

    @app.websocket("/v1/realtime")
    async def connect(socket: WebSocket) -> None:
        await realtime(socket, site.door, site.registry)

    return app


def _answer(error: RefusedError) -> JSONResponse:
    headers = {"retry-after": "10"} if error.status == 503 else {}
    return JSONResponse({"error": error.table()}, error.status, headers)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RefusedError)
    return _answer(error)


async def _failed(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, InputError):
        return _answer(RefusedError(str(error), status=422))
    return _answer(RefusedError(str(error), "server_error", None, "server_error", 500))


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _answer(RefusedError("the body is no JSON", "invalid_json", status=422))
    param = ".".join(str(part) for part in first["loc"][1:]) or None
    return _answer(
        RefusedError(f"{param or 'the body'}: {first['msg'].lower()}", "invalid_value", param, status=422)
    )


async def _no_route(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = "not_found" if error.status_code == 404 else "invalid_value"
    return _answer(RefusedError(str(error.detail).lower(), code, status=error.status_code))
