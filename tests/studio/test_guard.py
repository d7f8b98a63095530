"""Who may ask the studio."""

import pytest

from mien.studio.guard import BODY, Guard

GUARD = Guard(8123, "secret")
GOOD = {b"host": b"127.0.0.1:8123"}


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/secret/", GOOD, None),
        ("/secret/live", GOOD | {b"origin": b"http://127.0.0.1:8123"}, None),
        ("/secret/", {b"host": b"localhost:8123"}, None),
        ("/secret/", {}, 421),
        ("/secret/", {b"host": b"127.0.0.1"}, 421),
        ("/secret/", {b"host": b"127.0.0.1:8124"}, 421),
        ("/secret/", {b"host": b"evil.example:8123"}, 421),
        ("/secret/", {b"host": b"127.0.0.1:8123.evil.example"}, 421),
        ("/secret/", GOOD | {b"origin": b"http://evil.example"}, 403),
        ("/secret/", GOOD | {b"origin": b"null"}, 403),
        ("/secret/", GOOD | {b"origin": b"https://127.0.0.1:8123"}, 403),
        ("/", GOOD, 404),
        ("//secret/", GOOD, 404),
        ("/secre/", GOOD, 404),
        ("/sécret/", GOOD, 404),
        ("/secret/x", GOOD | {b"content-length": str(BODY).encode()}, None),
        ("/secret/x", GOOD | {b"content-length": str(BODY + 1).encode()}, 413),
        ("/secret/x", GOOD | {b"content-length": b"-1"}, 413),
        ("/secret/x", GOOD | {b"transfer-encoding": b"chunked"}, 413),
    ],
)
def test_only_this_machine_s_own_page_may_ask(path, headers, status):
    refusal = GUARD.refusal(path, list(headers.items()))
    assert (refusal and refusal[0]) == status
