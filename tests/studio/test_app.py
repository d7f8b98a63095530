"""The studio as a program meets it: HTTP and WebSocket on a real port."""

from __future__ import annotations

import io
import json
import threading

import httpx2
import numpy as np
import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from mien.avatar.build.person import people
from mien.avatar.fields import compose
from mien.avatar.sources import person_of
from mien.persona import spec

PATIENCE_S = 120  # other tests may compile kernels meanwhile


@pytest.fixture
def client(served):
    with httpx2.Client(base_url=served.address, timeout=PATIENCE_S) as made:
        yield made


@pytest.fixture
def live(served):
    with connect(served.address.replace("http", "ws") + "live", max_size=None) as socket:
        yield Live(socket)


class Live:
    """Asks, and hears until something comes."""

    def __init__(self, socket):
        self.socket, self.progress = socket, []

    def ask(self, generation, **wish):
        self.socket.send(json.dumps({"generation": generation, **wish}))

    def until(self, kind, generation=None):
        while True:
            told = self.socket.recv(timeout=PATIENCE_S)
            if isinstance(told, bytes):
                length = int.from_bytes(told[:4], "big")
                about = json.loads(told[4 : 4 + length])
                if kind == "picture" and generation in (None, about["generation"]):
                    return about, np.array(Image.open(io.BytesIO(told[4 + length :])))
            else:
                message = json.loads(told)
                self.progress += [message["what"]] if "what" in message else []
                if kind in message:
                    return message


def test_the_page_and_all_it_loads_are_there(client):
    page = client.get("")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    for name in ("style.css", "studio.js", "controls.js", "history.js", "link.js", "icon.svg"):
        assert client.get(name).status_code == 200, name
    assert client.get("../guard.py").status_code == 404
    assert client.get("%2e%2e/guard.py").status_code == 404


def test_the_schema_tells_every_field_with_its_range(client):
    schema = client.get("schema.json").json()
    age = next(row for row in schema["fields"] if row["key"] == "age")
    assert (age["low"], age["high"], age["group"]) == (16, 90, "person")
    assert {row["group"] for row in schema["fields"]} == set(schema["groups"])
    assert [row["name"] for row in schema["presets"]] == people()


def test_a_person_by_chance_can_be_built(client):
    values = client.get("random/12").json()
    assert values == client.get("random/12").json()
    compose(values)


def test_strangers_are_refused(served, client):
    assert client.get("", headers={"Host": f"evil.example:{served.port}"}).status_code == 421
    assert client.get("", headers={"Origin": "http://evil.example"}).status_code == 403
    assert httpx2.get(f"http://127.0.0.1:{served.port}/").status_code == 404
    assert client.post("export/toml", content=b" " * 70_000).status_code == 413
    assert client.post("export/toml", content=iter([b"{}"])).status_code == 413
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}):
        with pytest.raises(InvalidStatus):
            connect(served.address.replace("http", "ws") + "live", additional_headers=headers)


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("export/obj", {}, "no export 'obj'"),
        ("export/toml", {"name": "../me"}, "a person can not be called '../me'"),
        ("export/toml", {"values": {"age": 5}}, "age is 5; it must be from 16 to 90"),
        ("export/png", {"background": "/etc/passwd"}, "no background"),
        ("export/persona", {"voice": "nobody"}, "no persona 'nobody'"),
    ],
)
def test_an_export_that_can_not_be_says_why(client, path, body, said):
    refused = client.post(path, json=body)
    assert refused.status_code == 400
    assert said in refused.json()["error"]


def test_a_recipe_comes_back_as_the_person(client, tmp_path):
    values = {"like": "finn", "age": 50, "nose_width": -0.4, "jacket": "wine"}
    saved = client.post("export/toml", json={"values": values, "name": "ben"})
    assert saved.headers["content-disposition"] == 'attachment; filename="ben.toml"'
    file = tmp_path / "ben.toml"
    file.write_bytes(saved.content)
    assert person_of(file) == compose(values, "ben")


def test_a_persona_is_one_that_speaks_with_this_head(client, served):
    values = {"like": "joe", "glasses": "round"}
    made = client.post("export/persona", json={"values": values, "name": "bob", "voice": "joe"}).json()
    read = spec.read(made["made"][0])
    assert read.voice == spec.read("joe").voice
    assert read.manners == spec.read("joe").manners
    assert person_of(read.avatar).glasses.frame == "round"
    assert made["say"].startswith("mien say -p bob.toml ")
    again = client.post("export/persona", json={"values": values, "name": "bob", "voice": "joe"})
    assert again.status_code == 400
    assert "bob.toml is there already" in again.json()["error"]


def test_a_change_gives_another_picture_and_its_undoing_the_first_one(live):
    live.ask(1, values={"like": "ava"})
    assert live.until("values")["values"]["hair"] == "bob"
    _, first = live.until("picture")
    live.ask(3, values={"like": "ava", "nose_width": 0.9})
    about, second = live.until("picture", 3)
    assert about["quality"] == "draft"
    assert second.shape == first.shape == (640, 640, 3)
    nose = np.abs(first[300:400, 270:370].astype(int) - second[300:400, 270:370]).mean()
    assert nose > 3
    live.ask(4, values={"like": "ava", "nose_width": 0.9}, yaw=30)
    _, turned = live.until("picture", 4)
    assert np.abs(turned.astype(int) - second).mean() > 5
    live.ask(5, values={"like": "ava", "nose_width": 0.9})
    _, back = live.until("picture", 5)
    assert np.array_equal(back, second)


def test_only_the_newest_wish_is_drawn(live):
    for generation, width in enumerate(np.linspace(-1, 1, 12)):
        live.ask(generation, values={"like": "ava", "chin_width": float(width)})
    about, _ = live.until("picture", 11)
    assert about["generation"] == 11
    assert live.progress.count("sketching") < 12


def test_a_wrong_wish_is_told_and_the_next_one_is_drawn(live):
    live.ask(1, values={"age": 3})
    assert live.until("error")["error"] == "age is 3; it must be from 16 to 90"
    live.socket.send("{")
    assert "not JSON" in live.until("error")["error"]
    live.ask(2, values={"like": "ava"}, background="transparent")
    assert live.until("picture", 2)[1].shape == (640, 640, 4)


def test_a_message_without_end_closes_the_connection(live):
    live.socket.send("x" * 100_000)
    with pytest.raises(ConnectionClosed):
        live.until("nothing")


def test_a_page_that_goes_leaves_no_thread(served, client):
    before = threading.active_count()
    with connect(served.address.replace("http", "ws") + "live", max_size=None) as socket:
        gone = Live(socket)
        gone.ask(1, values={"like": "ava", "jaw": 0.3})
    assert client.get("schema.json").status_code == 200
    assert threading.active_count() <= before + 4  # the server's pool and the renderer's
