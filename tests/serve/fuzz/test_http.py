"""Requests that the OpenAPI description allows, and ones that it does not, made up without end."""

import time
import warnings

import httpx2
import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode
from tests.serve.budget import within

BUDGET_S = 5.0


def is_error(table):
    """Whether a body has the shape of OpenAI's errors."""
    error = table["error"]
    assert set(table) == {"error"}
    assert set(error) == {"type", "code", "message", "param"}
    return all(isinstance(error[key], str) and error[key] for key in ("type", "code", "message"))


@pytest.fixture(scope="module")
def schema(server):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return schemathesis.openapi.from_dict(httpx2.get(f"{server.http}/openapi.json").json())


def test_whatever_is_asked_is_answered_or_refused_in_the_apis_shape(server, schema):
    operations = [found.ok() for found in schema.get_all_operations()]
    statuses, until = {}, time.monotonic() + BUDGET_S

    def check(case):
        response = case.call(base_url=server.http, timeout=30)
        label = case.operation.label
        statuses.setdefault(label, set()).add(response.status_code)
        assert response.status_code < 500, (label, case.as_curl_command(), response.text[:400])
        if response.status_code >= 400 and case.method != "HEAD":
            assert is_error(response.json()), (label, response.text[:400])
        if response.status_code == 202:
            removed = httpx2.delete(f"{server.http}/v1/avatars/videos/{response.json()['id']}")
            assert removed.status_code == 200

    for number, operation in enumerate(operations):
        within((until - time.monotonic()) / (len(operations) - number), cases(operation), check, 60)

    assert len(statuses) == len(operations) >= 12
    assert 422 in set().union(*statuses.values())
    assert httpx2.get(f"{server.http}/healthz").json()["status"] == "ok"
    assert httpx2.get(f"{server.http}/readyz").status_code == 200


def cases(operation):
    """Return good and bad requests for an operation; what can not be made wrong is made right alone."""
    good = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    has_parts = operation.body or operation.path_parameters or operation.query
    if not has_parts:
        return good
    return st.one_of(good, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "NONSENSE"])
def test_methods_that_are_not_there_are_refused_in_the_same_shape(server, method):
    got = httpx2.request(method, f"{server.http}/v1/audio/speech", content=b"{}")
    assert got.status_code == 405
    assert is_error(got.json())


@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"{", b"[" * 100_000, b'{"input": 1e999}', b"null"])
def test_bodies_that_are_no_json_are_refused_in_the_same_shape(server, body):
    for path in ("/v1/audio/speech", "/v1/avatars/videos"):
        got = httpx2.post(server.http + path, content=body, headers={"content-type": "application/json"})
        assert 400 <= got.status_code < 500
        assert is_error(got.json())
