import pytest

from mien.check.address import address, readiness
from mien.check.ready.server import Server, server
from mien.check.result import Finding, Status
from mien.cli.check_tables import last_line
from mien.errors import InputError


def test_where_a_server_is():
    assert address("https://example.org") == ("example.org", 443, True)
    assert address("http://[::1]:8080/") == ("::1", 8080, False)


@pytest.mark.parametrize("text", ["nonsense", "http://[", "http://x:99999", "file:///etc/passwd", "https://"])
def test_what_is_no_address(text):
    with pytest.raises(InputError, match="is no address of a server; write https"):
        address(text)
    with pytest.raises(InputError, match="is no address of a server; write https"):
        server(Server(url=text))


def test_a_page_of_another_server_is_no_readiness():
    assert readiness('{"sessions": 3}').line == "it takes sessions; 3 talk now"
    assert {readiness(said).status for said in ("<html>", "[]", "[" * 100_000)} == {Status.FAILED}


def test_a_failure_without_a_remedy_is_still_named_last():
    finding = Finding("tokens", "server", Status.FAILED, "can not read key", "load the key", "", "", 0.1)
    assert last_line([finding], 1.0, "server is ready") == "1 failed in 1.0 s; first: can not read key"
