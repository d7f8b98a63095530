"""The studio as an ASGI application: its page, the live picture, exports."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from mien.avatar import palette
from mien.avatar.build.person import people, read_person
from mien.avatar.fields import GROUPS, fields
from mien.avatar.presets import presets
from mien.errors import InputError, MienError, ResourceError
from mien.persona import spec as specs
from mien.studio import asked, chance, exports
from mien.studio.easel import Easel
from mien.studio.guard import Guard, Guarded
from mien.studio.live import CALM_S, Live, Send
from mien.studio.poses import POSES, YAW
from mien.studio.turns import Rank, Turns
from mien.studio.workshop import Workshop, keep

PAGE = Path(__file__).parent / "page"
THUMBNAIL = (128, 128)


class Studio:
    """One server: heads are built one at a time, whoever asks; `folder` is where personas are written."""

    def __init__(self, folder: Path, calm_s: float = CALM_S) -> None:
        self._folder, self._calm_s = folder, calm_s
        self._workshop = Workshop()
        self._sketches = Workshop()
        self._turns = Turns()
        self._thumbnails: dict[str, bytes] = {}
        self._closing = False

    def app(self, guard: Guard) -> ASGIApp:
        """Return the application that answers under `/TOKEN/` alone."""
        routes = [
            Route("/", lambda _: FileResponse(PAGE / "index.html")),
            Route("/schema.json", self.schema),
            Route("/random/{seed:int}", self.random),
            Route("/presets/{name}", self.preset),
            Route("/export/persona", self.persona, methods=["POST"]),
            Route("/export/{kind}", self.export, methods=["POST"]),
            WebSocketRoute("/live", self.live),
            Mount("/", StaticFiles(directory=PAGE)),
        ]
        inner = Starlette(
            routes=[Mount(f"/{guard.token}", routes=routes)], exception_handlers={MienError: _refused}
        )
        return Guarded(inner, guard)

    async def schema(self, request: Request) -> Response:
        """Tell the page what there is: fields, presets, poses, backgrounds, voices."""
        return JSONResponse(await asyncio.to_thread(schema))

    async def random(self, request: Request) -> Response:
        """Return the values of a person by chance."""
        return JSONResponse(chance.values(int(request.path_params["seed"])))

    async def preset(self, request: Request) -> Response:
        """Return a preset's small picture."""
        name = request.path_params["name"]
        if name not in people():
            raise InputError(f"no avatar {name!r}")
        if name not in self._thumbnails:
            self._thumbnails[name] = await self._turns.do(Rank.THUMBNAIL, partial(self._thumbnail, name))
        return Response(self._thumbnails[name], media_type="image/webp")

    def _thumbnail(self, name: str) -> bytes:
        """Draw a preset, whole when it is kept, else as a draft."""
        from mien.avatar import cache

        self._check()
        person, easel = read_person(name), Easel(THUMBNAIL)
        kept = cache.cached_path(name).is_file()
        head = cache.load(name) if kept else self._sketches.draft(person, self._check)
        try:
            return easel.picture(head, asked.View(pose="smile"), draft=True)
        finally:
            easel.close()

    async def export(self, request: Request) -> Response:
        """Return a head as a file to be saved."""
        kind, table = exports.check_kind(request.path_params["kind"]), await _table(request)
        name = exports.check_name(table.get("name", "me"))
        wanted = exports.Export(asked.person(table.get("values", {}), name), asked.view(table))
        if kind == "toml":
            content = exports.recipe_of(wanted)
        else:
            content = await self._turns.do(Rank.EXPORT, partial(self._export, kind, wanted))
        saved = {"content-disposition": f'attachment; filename="{name}.{kind}"'}
        return Response(content, media_type=exports.TYPES[kind], headers=saved)

    def _export(self, kind: str, wanted: exports.Export) -> bytes:
        head = self._workshop.whole(wanted.person, self._going_on)
        keep(wanted.person, head)
        return exports.data(kind, wanted, head)

    def _going_on(self, what: str, share: float) -> None:
        """Hear of a build's progress, and end it when the server ends."""
        self._check()

    def _check(self) -> None:
        """End work when the server ends."""
        if self._closing:
            raise ResourceError("the studio is closing; open it again")

    async def persona(self, request: Request) -> Response:
        """Write a persona; answer with its files and the command that lets it speak."""
        table = await _table(request)
        name = exports.check_name(table.get("name", "me"))
        person = asked.person(table.get("values", {}), name)
        seen, voice = asked.view(table), str(table.get("voice", "ava"))
        if voice not in specs.names():
            raise InputError(f"no persona {voice!r}")
        write = partial(exports.persona, person, voice, seen.background, self._folder)
        paths = await asyncio.to_thread(write)
        say = f'mien say -p {paths[0].name} "Hello." -o {name}.mp4'
        return JSONResponse({"made": [str(path) for path in paths], "say": say})

    async def live(self, socket: WebSocket) -> None:
        """Send the live picture of one page for as long as it is open."""
        await socket.accept()

        async def send(message: dict[str, Any] | bytes) -> None:
            if isinstance(message, bytes):
                await socket.send_bytes(message)
            else:
                await socket.send_text(json.dumps(message))

        live = Live(self._workshop, self._turns, send, self._calm_s)
        tasks = [asyncio.create_task(each) for each in (live.run(), _hear(socket, live, send))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()

    def end_work(self) -> None:
        """Let exports end at their next step."""
        self._closing = True

    def close(self) -> None:
        """End the threads, and what they do."""
        self.end_work()
        self._turns.close()


async def _hear(socket: WebSocket, live: Live, send: Send) -> None:
    """Take a page's messages until it goes."""
    with suppress(WebSocketDisconnect):
        while True:
            text = await socket.receive_text()
            try:
                live.ask(await asyncio.to_thread(asked.read, text))
            except MienError as error:
                await send({"error": str(error)})


async def _table(request: Request) -> dict[str, Any]:
    return dict(asked.read_table((await request.body()).decode("utf-8", "replace")))


def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


def schema() -> dict[str, Any]:
    """Return what the page is made from."""
    rows = [asdict(each) for each in fields()]
    for row, each in zip(rows, fields(), strict=True):
        row["swatches"] = {name: palette.to_hex(each.color(name)) for name in each.choices if each.palette}
    return {
        "groups": GROUPS,
        "fields": rows,
        "presets": [
            {"name": p.name, "years": round(p.years), "words": f"{p.gender}, {p.ancestry}"} for p in presets()
        ],
        "poses": list(POSES),
        "yaw": YAW,
        "backgrounds": asked.BACKGROUNDS,
        "voices": {name: specs.read(name).title for name in specs.names()},
    }
