"""`/v1/avatars/videos`: ask for a film, watch it being made, fetch it, or cancel it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel
from starlette.responses import FileResponse, StreamingResponse

from mien.persona.threads import in_thread
from mien.serve.refusals import RefusedError
from mien.serve.site import enter, site_of
from mien.serve.videos.jobs import Job
from mien.serve.videos.request import VideoRequest, checked

router = APIRouter(prefix="/v1/avatars/videos", tags=["films"])
Owner = Annotated[str, Depends(enter)]
_TYPES = {".mp4": "video/mp4", ".webm": "video/webm"}
_CONTENT: dict[str, Any] = {kind: {} for kind in _TYPES.values()}
_ABSENT: dict[int | str, dict[str, Any]] = {404: {"description": "no such film"}}


class Failure(BaseModel):
    """Why a film could not be made; `status` 422: the request was wrong, 500: the server."""

    message: str
    status: int


class Video(BaseModel):
    """A film: `progress` from 0 to 1, `what` is done now; `seconds` of speech when it is there."""

    id: str
    object: Literal["avatar.video"] = "avatar.video"
    status: Literal["queued", "in_progress", "completed", "failed", "cancelled"]
    progress: float
    what: str
    created_at: int
    seconds: float | None
    error: Failure | None
    warnings: list[str]

    @classmethod
    def of(cls, job: Job) -> Video:
        """Return a job as it is told."""
        return cls.model_validate(
            {
                "id": job.id, "status": job.status, "progress": round(job.share, 4), "what": job.what,
                "created_at": job.created_at, "seconds": job.seconds, "error": job.error,
                "warnings": job.warnings,
            }
        )  # fmt: skip


@router.post("", status_code=202, responses={503: {"description": "too many films wait"}})
async def create(asked: VideoRequest, request: Request, owner: Owner) -> Video:
    """Ask for a film; 422 for what can not be made or lasts too long."""
    site = site_of(request)
    work, warnings = await in_thread(checked, asked, site.house)
    return Video.of(site.films.begin(work, owner, warnings, asked.render_options.format))


@router.get("/{name}", responses=_ABSENT)
async def status(name: str, request: Request, owner: Owner) -> Video:
    """Tell how far a film is."""
    return Video.of(site_of(request).films.get(name, owner))


@router.get(
    "/{name}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}, **_ABSENT},
)
async def events(name: str, request: Request, owner: Owner) -> StreamingResponse:
    """Tell how far a film is whenever that changes, until it is there (server-sent events)."""
    job = site_of(request).films.get(name, owner)
    return StreamingResponse(_events(job), media_type="text/event-stream")


async def _events(job: Job) -> AsyncGenerator[str, None]:
    async for _ in job.states():
        yield f"event: {job.status}\ndata: {Video.of(job).model_dump_json()}\n\n"


@router.get(
    "/{name}/content",
    response_class=FileResponse,
    responses={200: {"content": _CONTENT}, 409: {"description": "it is not there yet"}, **_ABSENT},
)
async def content(name: str, request: Request, owner: Owner) -> FileResponse:
    """Return the film."""
    job = site_of(request).films.get(name, owner)
    if job.status != "completed":
        raise RefusedError(f"the film is {job.status.replace('_', ' ')}", "not_ready", status=409)
    file = Path(job.work.file)
    return FileResponse(file, media_type=_TYPES[file.suffix], filename=file.name)


@router.delete("/{name}", responses=_ABSENT)
async def delete(name: str, request: Request, owner: Owner) -> Video:
    """Stop a film that is being made, and remove it."""
    films = site_of(request).films
    job = films.get(name, owner)
    await films.remove(job)
    return Video.of(job)
