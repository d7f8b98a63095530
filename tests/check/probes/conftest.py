"""Parts of broken environments."""

import os
import stat

import pytest

from mien.check import Place


@pytest.fixture
def root(tmp_path):
    """Return a maker of files below a root of a system; its place comes back."""

    def write(files: dict[str, str]) -> Place:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Place(root=tmp_path)

    return write


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a maker of distributions that are installed before all others."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name: str, version: str, files: dict[str, str] | None = None) -> None:
        folder = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        for path, text in (files or {}).items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)

    return install


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch):
    """Return a maker of an `nvidia-smi` that says what it is told to say."""

    def make(rows: str, parts: str = "GPU 0: x", code: int = 0, before: str = "") -> None:
        script = tmp_path / "nvidia-smi"
        script.write_text(
            f"#!/bin/sh\n{before}\n"
            f"if [ \"$1\" = -L ]; then echo '{parts}'; else echo '{rows}'; fi\nexit {code}\n"
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    return make
