"""A small world: a home folder, a wheelhouse that the real pip reads, and manifests of the user's own."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass
class World:
    root: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def wheels(self) -> Path:
        return self.root / "wheels"

    def wheel(self, name: str, files: dict[str, bytes], *, pip: bool, version: str = "1.0") -> str:
        """Put a wheel into the wheelhouse; returns the TOML row that fetches it, by pip or by path."""
        path = self.wheels / f"{name}-{version}-py3-none-any.whl"
        info = f"{name}-{version}.dist-info"
        about = {
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
            f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": b"",
        }
        with zipfile.ZipFile(path, "w") as archive:
            for member, data in (files | about).items():
                archive.writestr(member, data)
        if not pip:
            return f'{{ file = "{path.as_posix()}", sha256 = "{sha(path.read_bytes())}" }}'
        return f'{{ pypi = "{name}", version = "{version}", sha256 = "{sha(path.read_bytes())}" }}'

    def folder(self, name: str, files: dict[str, bytes]) -> str:
        """Lay files into a folder; returns the TOML row that takes them from there."""
        for path, data in files.items():
            target = self.root / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return f'{{ file = "{(self.root / name).as_posix()}" }}'

    def manifest(self, name: str, *parts: tuple[dict[str, bytes], list[str]], version: str = "1") -> Path:
        """Write a manifest of parts: files by path, and their sources as TOML bodies."""
        text = f'title = "A pack"\nversion = "{version}"\nlicence = "CC0-1.0"\norigin = "a test"\n'
        for files, sources in parts:
            rows = (f'{{path = "{p}", size = {len(d)}, sha256 = "{sha(d)}"}}' for p, d in files.items())
            text += f"[[parts]]\nfiles = [{', '.join(rows)}]\n"
            text += "".join(f"[[parts.sources]]\n{source}\n" for source in sources)
        file = self.home / "manifests" / f"{name}.toml"
        file.write_text(text)
        return file

    def simple(self, name: str = "demo", files: dict[str, bytes] | None = None) -> dict[str, bytes]:
        """Write a pack whose files come from a folder; returns its files."""
        files = files or {"model.onnx": b"model" * 1000, "sub/voice.bin": b"voice" * 100}
        row = self.folder(f"{name}-origin", files)
        self.manifest(name, (files, [f"archives = [{row}]"]))
        return files

    def python(self, code: str) -> subprocess.Popen[str]:
        """Run code in another process that shares this world."""
        return subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    made.wheels.mkdir()
    (made.home / "manifests").mkdir(parents=True)
    monkeypatch.setenv("MIEN_HOME", str(made.home))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(made.wheels))
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    return made
