import pytest

from mien.check.table import Probe

SOURCE = """
import ctypes, os, sys, time
from mien.check.result import ok, warning
from mien.errors import MissingError

def well(place):
    print("a library greets")
    return ok("well", str(place.port))

def hangs(place):
    print("about to hang", file=sys.stderr)
    time.sleep(60)

def hangs_in_a_child_of_its_own(place):
    import subprocess
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    print(child.pid, file=sys.stderr, flush=True)
    child.wait()

def crashes(place):
    print("driver: Xid 79", file=sys.stderr, flush=True)
    ctypes.string_at(0)

def spews(place):
    for _ in range(20_000):
        print("warning: " + 200 * "x", file=sys.stderr)
    return warning("it works", "pip install quiet")

def raises(place):
    raise RuntimeError("no\\nimplementation")

def lacks(place):
    raise MissingError("av is not installed; run: pip install 'mien[video]'")

def leaves(place):
    os._exit(3)
"""


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """Return a maker of probes that misbehave."""
    (tmp_path / "mischief.py").write_text(SOURCE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def make(name: str, *, limit_s: float = 20.0, process: str = "one", remedy: str = "mend it") -> Probe:
        return Probe(name, "mischief", f"mischief:{name}", limit_s, "tries", process, remedy)

    return make
