import sys
import time
from pathlib import Path

import pytest

from mien.check import Place, Status, run


def test_a_probe_says_what_it_found_and_prints_nothing(probe, capfd):
    (finding,) = run(Place(port=77), [probe("well")])
    assert (finding.status, finding.line, finding.evidence) == (Status.OK, "well", "77")
    assert capfd.readouterr() == ("", "")


def test_a_hanging_probe_is_one_line_and_the_rest_goes_on(probe):
    began = time.perf_counter()
    found = run(probes=[probe("hangs", limit_s=0.1), probe("well")], patience=2.0)
    assert time.perf_counter() - began < 15
    assert [finding.status for finding in found] == [Status.FAILED, Status.OK]
    assert found[0].line == "it did not end within 0.2 s"
    assert found[0].evidence == "about to hang"
    assert found[0].remedy == "mend it"


@pytest.mark.skipif(sys.platform != "linux", reason="process groups of Linux")
def test_what_a_hanging_probe_started_ends_too(probe):
    (finding,) = run(probes=[probe("hangs_in_a_child_of_its_own", limit_s=1.0)])
    assert finding.status is Status.FAILED
    stat = Path(f"/proc/{int(finding.evidence)}/stat")
    assert not stat.exists() or stat.read_text().rsplit(")")[-1].split()[0] in "ZX"  # gone, or about to be


def test_a_crash_is_one_line_with_what_was_last_said(probe):
    found = run(probes=[probe("well"), probe("crashes"), probe("lacks")])
    assert [finding.status for finding in found] == [Status.OK, Status.FAILED, Status.FAILED]
    assert found[1].line == "it crashed (SIGSEGV)"
    assert found[1].evidence == "driver: Xid 79"
    assert found[2].line == "av is not installed"
    assert found[2].remedy == "pip install 'mien[video]'"


def test_errors_and_exits_are_lines(probe):
    found = run(probes=[probe("raises"), probe("leaves")])
    assert found[0].line == "RuntimeError: no"
    assert found[1].line == "it failed (exit code 3)"


def test_a_flood_of_warnings_does_not_block(probe, capfd):
    (finding,) = run(probes=[probe("spews")])
    assert (finding.status, finding.remedy) == (Status.WARNING, "pip install quiet")
    assert capfd.readouterr().err == ""


def test_findings_keep_the_order_of_the_probes(probe):
    asked = [probe("spews", process="a"), probe("well", process="b"), probe("raises", process="a")]
    heard = []
    found = run(probes=asked, tell=heard.append)
    assert [finding.name for finding in found] == ["spews", "well", "raises"]
    assert {finding.name for finding in heard} == {"spews", "well", "raises"}
