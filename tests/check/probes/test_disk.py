"""Environments that are broken on purpose: each is found, named, and given the right fix."""

from mien.check import Place, Status
from mien.check.probes import disk

from .expected import found, limited, linux


@linux
def test_files_may_not_grow():
    result = limited("RLIMIT_FSIZE", 1 << 20, "mien.check.probes.disk:temporary")
    assert result["status"] == "failed"
    assert "file too large" in result["line"]
    assert "TMPDIR" in result["remedy"]


def test_a_home_that_can_not_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "file" / "mien"))
    found(disk.disk(Place()), Status.FAILED, "can not be written", "export MIEN_HOME=")


def test_a_full_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 90e6}))
    found(disk.disk(Place()), Status.FAILED, "nearly full", "MIEN_HOME")
