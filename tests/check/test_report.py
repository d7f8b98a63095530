import json
from xml.etree import ElementTree

import pytest

from mien.check.report import fails, to_json, to_junit
from mien.check.result import Finding, Status

FOUND = [
    Finding("cores", "machine", Status.OK, "2 cores", "count"),
    Finding("clock", "machine", Status.WARNING, "<late>", "ask", "by 3 s", "ntp"),
    Finding("camera", "devices", Status.NOT_RUN, "none", "open"),
]


@pytest.mark.parametrize(("fail_on", "ends"), [("failure", False), ("warning", True), ("never", False)])
def test_what_fails(fail_on, ends):
    assert fails(FOUND, fail_on) is ends
    assert fails([Finding("x", "y", Status.FAILED, "", "")], fail_on) is (fail_on != "never")


def test_json_counts():
    table = json.loads(to_json(FOUND))
    assert table["counts"] == {"ok": 1, "warning": 1, "failed": 0, "not run": 1}
    assert table["findings"][1]["remedy"] == "ntp"
    assert table["system"]


def test_junit():
    root = ElementTree.fromstring(to_junit(FOUND, "warning"))
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["machine", "devices"]
    assert (suites[0].get("failures"), suites[1].get("skipped")) == ("1", "1")
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "<late>"
    assert "do: ntp" in (failure.text or "")
    assert root.find(".//skipped") is not None
