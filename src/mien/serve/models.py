"""`GET /v1/models`: what clients ask before they choose."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from mien.serve.refusals import RefusedError
from mien.serve.site import enter

router = APIRouter(prefix="/v1/models", tags=["models"])
NAMES = ("mien", "whisper-1", "tts-1")


class Model(BaseModel):
    """A model by its name; `created`: s since 1970."""

    id: str
    object: Literal["model"] = "model"
    created: int = 1_767_225_600
    owned_by: str = "mien"


class Models(BaseModel):
    """All of them."""

    object: Literal["list"] = "list"
    data: list[Model]


@router.get("")
async def models(_: Annotated[str, Depends(enter)]) -> Models:
    """List the names that can be given as `model`: for talking, listening and speaking."""
    return Models(data=[Model(id=name) for name in NAMES])


@router.get("/{name}", responses={404: {"description": "no such model"}})
async def model(name: str, _: Annotated[str, Depends(enter)]) -> Model:
    """Return one of them."""
    if name not in NAMES:
        raise RefusedError(f"no model {name!r}", "model_not_found", "model", status=404)
    return Model(id=name)
