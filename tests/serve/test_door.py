import asyncio
import json
import time

import httpx2
import jwt
import pytest
import websockets
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from openai import AsyncOpenAI

from mien.errors import InputError
from mien.serve.options import ServeOptions
from mien.serve.refusals import RefusedError
from mien.serve.tokens import Tokens

SECRET = b"a secret of thirty-two bytes, or more"


def claims(**other):
    return {"aud": "mien", "exp": time.time() + 3600, "sub": "someone", **other}


def pem(key):
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )  # fmt: skip


@pytest.fixture(scope="module")
def guarded(start, tmp_path_factory):
    key = tmp_path_factory.mktemp("keys") / "secret"
    key.write_bytes(SECRET)
    options = ServeOptions(
        port=0, persona="joe", sessions=2, jwt_key=key, origins=("https://example.org",)
    )  # fmt: skip
    with start(options) as server:
        yield server


def token(**other):
    return jwt.encode(claims(**other), SECRET, "HS256")


def opened(url, **options):
    async def main():
        async with websockets.connect(url, **options) as socket:
            return socket.subprotocol, json.loads(await socket.recv())["type"]

    return asyncio.run(main())


def test_a_stock_client_comes_in_with_a_token_as_its_key(guarded):
    async def main():
        client = AsyncOpenAI(base_url=f"{guarded.http}/v1", api_key=token())
        async with client, client.realtime.connect(model="mien") as connection:
            return (await connection.recv()).type

    assert asyncio.run(main()) == "session.created"


def test_a_browser_comes_in_with_a_subprotocol_or_a_query(guarded):
    offered = ["realtime", f"openai-insecure-api-key.{token()}"]
    origin = "https://example.org"
    assert opened(guarded.ws, subprotocols=offered, origin=origin) == ("realtime", "session.created")
    assert opened(f"{guarded.ws}?token={token()}") == (None, "session.created")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "token is needed"),
        ("nonsense", "not valid"),
        (token(exp=time.time() - 60), "expired"),
        (token(aud="others"), "audience"),
        (jwt.encode({"aud": "mien"}, SECRET, "HS256"), "not valid"),
        (jwt.encode(claims(), SECRET + b"?", "HS256"), "not valid"),
        (jwt.encode(claims(), None, "none"), "not valid"),
        ("x" * 5000, "too long"),
    ],
)
def test_others_stay_out(guarded, given, says):
    headers = {"authorization": f"Bearer {given}"} if given else {}
    with pytest.raises(websockets.InvalidStatus) as refused:
        opened(guarded.ws, additional_headers=headers)
    assert refused.value.response.status_code == 401
    assert says in json.loads(refused.value.response.body)["error"]["message"]
    got = httpx2.get(f"{guarded.http}/v1/models", headers=headers)
    assert got.status_code == 401


def test_a_token_with_an_id_opens_one_connection(guarded):
    once = {"authorization": f"Bearer {token(jti='one')}"}
    place = f"{guarded.http}/v1/mien/place"
    assert httpx2.get(place, headers=once).status_code == 200  # asking does not use it up
    assert opened(guarded.ws, additional_headers=once)[1] == "session.created"
    with pytest.raises(websockets.InvalidStatus) as refused:
        opened(guarded.ws, additional_headers=once)
    assert "used before" in json.loads(refused.value.response.body)["error"]["message"]
    asked = httpx2.get(place, headers=once)
    assert (asked.status_code, asked.json()) == (401, json.loads(refused.value.response.body))
    assert httpx2.get(f"{guarded.http}/v1/models", headers=once).status_code == 200


def test_a_token_that_found_no_place_is_still_good(guarded):
    once = f"{guarded.ws}?token={token(jti='patient')}"

    async def main():
        url = f"{guarded.ws}?token={token()}"
        async with websockets.connect(url), websockets.connect(url):
            for _ in range(2):
                with pytest.raises(websockets.InvalidStatus) as refused:
                    await websockets.connect(once)
                assert refused.value.response.status_code == 503

    asyncio.run(main())
    assert opened(once)[1] == "session.created"


def test_pages_from_elsewhere_stay_out(guarded):
    with pytest.raises(websockets.InvalidStatus) as refused:
        opened(guarded.ws, origin="https://evil.example", additional_headers={"authorization": token()})
    assert refused.value.response.status_code == 403
    allowed = httpx2.options(
        f"{guarded.http}/v1/audio/speech",
        headers={"origin": "https://example.org", "access-control-request-method": "POST"},
    )
    assert allowed.headers["access-control-allow-origin"] == "https://example.org"


def test_a_name_that_points_here_is_not_this_machine(guarded):
    got = httpx2.get(f"{guarded.http}/healthz", headers={"host": "evil.example"})
    assert got.status_code == 421


def test_what_needs_no_token_says_so(guarded):
    assert httpx2.get(f"{guarded.http}/v1/mien/config").json()["auth"] is True
    assert httpx2.get(f"{guarded.http}/healthz").status_code == 200


def test_a_page_can_ask_why_it_was_refused(guarded):
    """What a browser does not tell of a WebSocket: the same as its refusal, and no place is taken."""

    async def main():
        async with httpx2.AsyncClient(base_url=guarded.http) as client:
            asked = [await client.get("/v1/mien/place", headers=bearer) for bearer in ({}, key)]
            async with websockets.connect(url), websockets.connect(url):
                asked.append(await client.get("/v1/mien/place", headers=key))
                with pytest.raises(websockets.InvalidStatus) as refused:
                    await websockets.connect(url)
        return asked, refused.value.response

    key, url = {"authorization": f"Bearer {token()}"}, f"{guarded.ws}?token={token()}"
    (out, free, full), refused = asyncio.run(main())
    assert [each.status_code for each in (out, free, full)] == [401, 200, 503]
    assert free.json() == {"free": True}
    assert full.json() == json.loads(refused.body)
    assert (refused.status_code, full.headers["retry-after"]) == (503, refused.headers["retry-after"])


def test_a_session_is_given_back_only_to_whom_it_belongs(guarded):
    async def main():
        async with websockets.connect(f"{guarded.ws}?token={token()}") as socket:
            name = json.loads(await socket.recv())["session"]["id"]
            socket.transport.abort()
        other = token(sub="another")
        async with websockets.connect(f"{guarded.ws}?session={name}&token={other}") as socket:
            return json.loads(await socket.recv())["session"]["mien"]["resumed"]

    assert asyncio.run(main()) is False


def test_keys_of_each_kind_check_tokens():
    for key, algorithm in (
        (rsa.generate_private_key(65537, 2048), "RS256"),
        (ed25519.Ed25519PrivateKey.generate(), "EdDSA"),
    ):
        tokens = Tokens(pem(key.public_key()), "mien")
        assert tokens.check(jwt.encode(claims(), key, algorithm), once=True)["sub"] == "someone"
        with pytest.raises(RefusedError):  # a public key is no secret
            tokens.check(jwt.encode(claims(), "x" * 40, "HS256"), once=False)


@pytest.mark.parametrize(
    "key",
    [b"short", b"-----BEGIN PUBLIC KEY-----\nxx", pem(ec.generate_private_key(ec.SECP256R1()).public_key())],
)
def test_what_is_no_key_is_refused_at_the_start(key):
    with pytest.raises(InputError):
        Tokens(key, "mien")


@pytest.mark.parametrize(
    "options",
    [{"host": "0.0.0.0"}, {"port": 70_000}, {"sessions": 0}, {"origins": ("example.org",)}],
)
def test_a_server_that_would_be_open_or_impossible_is_not_started(options):
    with pytest.raises(InputError):
        ServeOptions(**options)
    assert ServeOptions(host="0.0.0.0", insecure=True).insecure
