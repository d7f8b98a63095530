from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from mien import packs


@pytest.fixture
def mien(tmp_path, monkeypatch):
    """Run the real command in a home that knows one small pack of its own, `demo`."""
    (tmp_path / "home" / "manifests").mkdir(parents=True)
    (tmp_path / "origin").mkdir()
    (tmp_path / "origin" / "a.bin").write_bytes(b"data")
    sha = hashlib.sha256(b"data").hexdigest()
    (tmp_path / "home" / "manifests" / "demo.toml").write_text(
        'title = "A pack"\nversion = "1"\nlicence = "CC0-1.0"\norigin = "a test"\n'
        f'[[parts]]\nfiles = [{{ path = "a.bin", size = 4, sha256 = "{sha}" }}]\n'
        f'[[parts.sources]]\narchives = [{{ file = "{(tmp_path / "origin").as_posix()}" }}]\n'
    )
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words):
        command = [sys.executable, "-c", "from mien.cli import main; main()", "packs", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
        assert "Traceback" not in done.stderr
        return done

    return run


def test_from_nothing_to_a_bundle_and_back(mien, tmp_path):
    assert "run: mien packs pull demo" in mien("path", "demo").stderr
    pulled = mien("pull", "demo")
    assert pulled.stdout.startswith("installed demo in")
    assert 'next: mien say --persona joe "Hello."' in pulled.stdout  # the others' voices are not there
    assert "already installed" in mien("pull", "demo").stdout
    assert mien("path", "demo").stdout.strip() == str(packs.path("demo"))
    assert "on the other machine: mien packs install all.tar" in mien("bundle", "all.tar").stdout
    assert "back with: mien packs pull demo" in mien("remove", "demo").stdout
    assert "installed demo" in mien("install", "all.tar").stdout
    assert "verified demo" in mien("verify").stdout


def test_the_list_shows_each_pack_and_what_to_pull(mien):
    said = mien("list").stdout
    row = next(line for line in said.splitlines() if line.startswith("demo"))
    assert "A pack" in row
    assert "CC0-1.0" in row
    assert "not installed" in row
    assert f"0 of {said.count('not installed')} packs are installed" in said
    assert "mien packs pull demo" in said.splitlines()[-1]


def test_verify_names_the_file_and_fails(mien):
    mien("pull", "demo")
    (packs.path("demo") / "a.bin").write_bytes(b"dada")
    done = mien("verify")
    assert done.returncode == 1
    assert "demo: a.bin has sha256" in done.stderr
    assert "mend them with: mien packs pull demo" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pull", "demmo"), "did you mean 'demo'?"),
        (("pull",), "Missing argument"),
        (("install", "none.tar"), "no bundle none.tar"),
        (("bundle", "x.tar"), "no pack is installed to bundle"),
        (("bundle", "x.tar", "demo"), "mien packs pull demo"),
        (("path", "demmo"), "did you mean 'demo'?"),
    ],
)
def test_what_can_not_be_done_is_one_line(mien, words, said):
    done = mien(*words)
    assert done.returncode != 0
    assert said in done.stderr
    assert done.stdout == ""
