"""What the tests of probes share: Linux alone, and how a result is held to what it must say."""

import json
import subprocess
import sys

import pytest

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has it")


def found(result, status, line, remedy):
    """Hold a result to its status, to words of its line and to words of its remedy."""
    assert (result.status, line in result.line, remedy in result.remedy) == (status, True, True), result


def limited(limit: str, value: int, probe: str) -> dict[str, str]:
    """Run a probe in a process that is limited as `ulimit` does."""
    module, _, name = probe.partition(":")
    source = (
        f"import json, resource, dataclasses as d; from mien.check import Place; import {module} as m;"
        f"resource.setrlimit(resource.{limit}, ({value}, resource.getrlimit(resource.{limit})[1]));"
        f"print(json.dumps(d.asdict(m.{name}(Place()))))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
