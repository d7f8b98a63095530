"""Who can be talked to, and their heads."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel
from starlette.responses import Response

from mien import avatar
from mien.avatar.files import glb
from mien.errors import MissingError
from mien.persona.threads import in_thread
from mien.serve.house import House
from mien.serve.realtime import inputs, rate, setup
from mien.serve.refusals import RefusedError
from mien.serve.site import enter, newcomer, site_of

router = APIRouter(prefix="/v1/mien", tags=["personas"])
GLB = "model/gltf-binary"


class Person(BaseModel):
    """One who can be talked to; `avatar`: the path of the head."""

    id: str
    name: str
    languages: list[str]
    avatar: str


class Limits(BaseModel):
    """What a client has to keep to."""

    sessions: int
    events_per_s: float
    text: int
    resume_s: float


class Config(BaseModel):
    """What a page needs to know before it connects; `auth`: a token is needed."""

    personas: list[Person]
    default: str
    limits: Limits
    auth: bool


@router.get("/config")
async def config(request: Request) -> Config:
    """Tell who can be talked to."""
    site = site_of(request)
    people = await in_thread(lambda: [_person(site.house, name) for name in site.house.personas()])
    limits = Limits(
        sessions=site.options.sessions,
        events_per_s=rate.EVENTS,
        text=inputs.LONGEST_TEXT,
        resume_s=setup.RESUME_S,
    )
    return Config(
        personas=people, default=site.house.default, limits=limits, auth=site.door.tokens is not None
    )


def _person(house: House, name: str) -> Person:
    title, languages = house.spec(name).title, house.languages(name)
    return Person(id=name, name=title, languages=languages, avatar=f"/v1/mien/avatars/{name}.glb")


class Place(BaseModel):
    """A session could begin now."""

    free: bool = True


@router.get("/place", responses={503: {"description": "no place, or about to end"}})
async def place(request: Request, owner: Annotated[str, Depends(newcomer)]) -> Place:
    """Tell whether a session could begin now: browsers do not tell pages why a WebSocket was refused."""
    site_of(request).registry.check(owner)
    return Place()


@router.get(
    "/avatars/{name}.glb",
    response_class=Response,
    responses={200: {"content": {GLB: {}}}, 304: {"description": "as it was"}},
)
async def head(name: str, request: Request, _: Annotated[str, Depends(enter)]) -> Response:
    """Return a persona's head: glTF with meshopt, 52 morph targets by their ARKit names."""
    house = site_of(request).house
    try:
        data = await in_thread(lambda: house.once(("head", name), lambda: _head(house.spec(name).avatar)))
    except MissingError as error:
        raise RefusedError(str(error), "not_found", "name", status=404) from None
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    return Response(data, 200, headers, GLB)


def _head(name: str) -> bytes:
    """Build a head (some ten seconds the first time) and return it as a file."""
    with tempfile.TemporaryDirectory(prefix="mien-head-") as folder:
        file = Path(folder) / "head.glb"
        glb.write(file, avatar.load(name), compress=True)
        return file.read_bytes()
