import httpx2
import pytest

PATHS = {
    "/healthz": {"get"},
    "/readyz": {"get"},
    "/v1/models": {"get"},
    "/v1/models/{name}": {"get"},
    "/v1/mien/config": {"get"},
    "/v1/mien/avatars/{name}.glb": {"get"},
    "/v1/audio/speech": {"post"},
    "/v1/audio/transcriptions": {"post"},
    "/v1/avatars/videos": {"post"},
    "/v1/avatars/videos/{name}": {"get", "delete"},
    "/v1/avatars/videos/{name}/events": {"get"},
    "/v1/avatars/videos/{name}/content": {"get"},
}


@pytest.fixture(scope="module")
def schema(server):
    return httpx2.get(f"{server.http}/openapi.json").json()


def test_every_path_is_described(schema):
    found = {path: set(operations) for path, operations in schema["paths"].items()}
    assert {path: found.get(path) for path in PATHS} == PATHS
    for operations in schema["paths"].values():
        for operation in operations.values():
            assert operation["description"]
            good = next(each for code, each in operation["responses"].items() if code.startswith("2"))
            assert good["content"]


def test_every_reference_leads_somewhere(schema):
    def walk(node):
        if isinstance(node, dict):
            if "$ref" in node:
                name = node["$ref"].removeprefix("#/components/schemas/")
                assert name in schema["components"]["schemas"]
            for each in node.values():
                walk(each)
        elif isinstance(node, list):
            for each in node:
                walk(each)

    walk(schema)


def test_errors_have_one_shape(server):
    for got in (
        httpx2.get(f"{server.http}/nowhere"),
        httpx2.put(f"{server.http}/v1/models"),
        httpx2.get(f"{server.http}/v1/models/gpt"),
        httpx2.post(f"{server.http}/v1/audio/speech", json=[]),
        httpx2.get(f"{server.http}/v1/mien/avatars/nobody.glb"),
    ):
        assert got.status_code >= 400
        assert set(got.json()["error"]) == {"type", "code", "message", "param"}


def test_the_config_names_who_can_be_talked_to(server):
    config = httpx2.get(f"{server.http}/v1/mien/config").json()
    assert config["default"] == "joe"
    bank = next(person for person in config["personas"] if person["id"] == "bank")
    assert bank["languages"] == ["en", "zh"]
    assert config["auth"] is False


def test_a_head_is_given_once(server):
    first = httpx2.get(f"{server.http}/v1/mien/avatars/joe.glb", timeout=100)
    assert first.content[:4] == b"glTF"
    again = httpx2.get(
        f"{server.http}/v1/mien/avatars/joe.glb", headers={"if-none-match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (b"", "invalid_value", "the body: field required"),
        (b'{"input":', "invalid_json", "the body is no JSON"),
        (b"\xff{", "invalid_value", "there was an error parsing the body"),
    ],
)
def test_a_body_that_can_not_be_read_is_called_so(server, body, code, message):
    for path in ("/v1/audio/speech", "/v1/avatars/videos"):
        answer = httpx2.post(
            f"{server.http}{path}", content=body, headers={"content-type": "application/json"}
        )
        error = answer.json()["error"]
        assert (error["code"], error["message"], error["param"]) == (code, message, None)
