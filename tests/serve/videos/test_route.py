import json
import time
from pathlib import Path

import httpx2
import pytest

from mien.media import FilmReader

SMALL = {"width": 64, "height": 64, "fps": 5}


@pytest.fixture(scope="module")
def client(server):
    with httpx2.Client(base_url=f"{server.http}/v1/avatars", timeout=60) as client:
        yield client


def make(client, text, **options):
    return client.post("/videos", json={"voice_input": text, "render_options": SMALL | options})


def followed(client, name):
    """Return the states that a film tells until it is over."""
    with client.stream("GET", f"/videos/{name}/events") as got:
        assert got.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line[6:]) for line in got.iter_lines() if line.startswith("data: ")]


def test_a_film_is_made_in_the_background_watched_and_fetched(client, server, tmp_path):
    asked = make(client, "<speak>Hello there.</speak>", emotion="delighted")
    assert asked.status_code == 202
    video = asked.json()
    assert video["status"] in ("queued", "in_progress")
    assert "'delighted'" in video["warnings"][0]
    assert "neutral" in video["warnings"][0]
    early = client.get(f"/videos/{video['id']}/content")
    assert early.status_code == 409
    states = followed(client, video["id"])
    assert states[-1]["status"] == "completed", states[-1]
    progress = [state["progress"] for state in states if state["what"] == "speaking"]
    assert progress == sorted(progress)
    film = tmp_path / "film.mp4"
    got = client.get(f"/videos/{video['id']}/content")
    assert got.headers["content-type"] == "video/mp4"
    film.write_bytes(got.content)
    with FilmReader(film) as reader:
        assert reader.size == (64, 64)
        assert reader.audio().duration_s == pytest.approx(states[-1]["seconds"], abs=0.3)
    file = Path(server.site.films.get(video["id"], "").work.file)
    assert file.is_file()
    assert client.delete(f"/videos/{video['id']}").status_code == 200
    assert client.get(f"/videos/{video['id']}").status_code == 404
    assert not file.exists()


def test_a_film_that_is_longer_than_allowed_is_no_film(client):
    got = make(client, "Hello there. " * 30, max_duration_ms=2000)
    assert got.status_code == 422
    assert got.json()["error"]["param"] == "voice_input"
    assert make(client, "Hello.", max_duration_ms=10_000_000).status_code == 422


def test_films_wait_in_a_line_that_ends_and_can_be_cancelled(client, server):
    asked = [make(client, "Hello there, how are you today? " * 6) for _ in range(10)]
    assert [got.status_code for got in asked] == [202] * 9 + [503]
    assert asked[-1].json()["error"]["code"] == "busy"
    folders = [Path(job.work.file).parent for job in server.site.films._jobs.values()]
    until = time.monotonic() + 20
    while client.get(f"/videos/{asked[0].json()['id']}").json()["status"] == "queued":
        assert time.monotonic() < until
    for got in asked[:-1]:
        assert client.delete(f"/videos/{got.json()['id']}").json()["status"] == "cancelled"
    assert not any(folder.exists() for folder in folders)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "voice_input"),
        ({"voice_input": "Hi", "avatar_id": "nobody"}, "avatar_id"),
        ({"voice_input": "<speak>Hi"}, "voice_input"),
        ({"voice_input": "Hi", "render_options": {"width": 65}}, "render_options.width"),
        ({"voice_input": "Hi", "render_options": {"format": "avi"}}, "render_options.format"),
        ({"voice_input": "Hi", "render_options": {"colour": 1}}, "render_options.colour"),
        ({"voice_input": "Hi", "callback": "http://elsewhere"}, "callback"),
    ],
)
def test_what_can_not_be_filmed_is_refused_by_name(client, body, param):
    got = client.post("/videos", json=body)
    assert got.status_code == 422
    assert got.json()["error"]["param"] == param


def test_a_film_nobody_asked_for_is_not_there(client):
    for got in (
        client.get("/videos/video_x"),
        client.get("/videos/video_x/content"),
        client.delete("/videos/video_x"),
    ):
        assert got.status_code == 404
