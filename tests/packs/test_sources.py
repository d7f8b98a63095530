"""npm and the hub against real HTTP servers on this machine."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import sys
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mien import packs
from mien.errors import CorruptError, MissingError, ResourceError
from mien.packs.manifest import Archive
from mien.packs.sources import npm, pypi

VOICE = b"voice" * 10_000


@pytest.fixture
def server():
    """Serve `server.files` (path → bytes), ranges too; `server.seen` lists (method, path, range)."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            wanted = self.headers.get("Range")
            self.server.seen.append((self.command, self.path, wanted))
            data = self.server.files.get(self.path.split("?")[0])
            if data is None:
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = int(wanted.removeprefix("bytes=").split("-")[0]) if wanted else 0
            self.send_response(206 if wanted else 200)
            self.send_header("Content-Length", str(len(data) - start))
            if wanted:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
            self.send_header("X-Repo-Commit", "0" * 40)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(data[start:])

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.files, made.seen = {}, []
    made.url = f"http://127.0.0.1:{made.server_port}"
    thread = threading.Thread(target=made.serve_forever, args=[0.01])
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def registry(world, server, monkeypatch):
    """An npm registry that holds `voices` 1.0.0, and a pack made from it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, data in {
            "voices/a.bin": VOICE,
            "package.json": b'{"name":"voices","version":"1.0.0"}',
        }.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    tarball = buffer.getvalue()
    path = "/voices/-/voices-1.0.0.tgz"
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    version = {
        "name": "voices",
        "version": "1.0.0",
        "dist": {"tarball": server.url + path, "integrity": integrity},
    }
    about = {"name": "voices", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
    server.files = {path: tarball, "/voices": json.dumps(about).encode()}
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", server.url)
    monkeypatch.setenv("npm_config_cache", str(world.root / "npm"))
    row = f'{{ npm = "voices", version = "1.0.0", sha256 = "{hashlib.sha256(tarball).hexdigest()}" }}'
    world.manifest("demo", ({"voices/a.bin": VOICE}, [f'root = "package/"\narchives = [{row}]']))
    return server


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not here")
def test_npm_packs_a_package(world, registry):
    packs.pull(["demo"])
    assert (packs.path("demo") / "voices" / "a.bin").read_bytes() == VOICE


def without_npm(monkeypatch):
    monkeypatch.setattr(npm.shutil, "which", lambda _: None)


def test_without_npm_the_configured_registry_serves_and_resumes(world, registry, monkeypatch):
    without_npm(monkeypatch)
    downloads = world.home / "downloads" / "demo"
    downloads.mkdir(parents=True)
    tarball = registry.files["/voices/-/voices-1.0.0.tgz"]
    (downloads / "voices-1.0.0.part").write_bytes(tarball[:50])
    packs.pull(["demo"])
    assert (packs.path("demo") / "voices" / "a.bin").read_bytes() == VOICE
    assert registry.seen == [("GET", "/voices/-/voices-1.0.0.tgz", "bytes=50-")]


def test_a_changed_tarball_is_refused_and_not_kept(world, registry, monkeypatch):
    without_npm(monkeypatch)
    registry.files["/voices/-/voices-1.0.0.tgz"] += b"hostile"
    with pytest.raises(CorruptError, match=r"npm:voices==1\.0\.0: .* has sha256"):
        packs.pull(["demo"])
    assert list((world.home / "downloads" / "demo").iterdir()) == []


def test_a_registry_without_the_package_is_said_so(world, registry, monkeypatch):
    without_npm(monkeypatch)
    registry.files.clear()
    with pytest.raises(ResourceError, match="answered 404"):
        packs.pull(["demo"])


def test_a_registry_that_does_not_answer_is_said_so(world, monkeypatch):
    without_npm(monkeypatch)
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9")
    with pytest.raises(ResourceError, match="no answer from"):
        npm.fetch(Archive("npm", "voices", "1.0.0", "0" * 64), world.root, lambda _: None)


def test_the_registry_of_the_users_file_is_used(tmp_path, monkeypatch):
    for name in ("NPM_CONFIG_REGISTRY", "npm_config_registry"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(npm.Path, "home", lambda: tmp_path)
    with pytest.raises(MissingError, match=r"install Node\.js, or set NPM_CONFIG_REGISTRY"):
        npm.registry()
    (tmp_path / ".npmrc").write_text("color = false\nregistry = https://mirror.example/npm/\n")
    assert npm.registry() == "https://mirror.example/npm"


def hub_pull(world, endpoint, offline=0):
    """Pull `demo` in a process of its own: huggingface_hub reads HF_ENDPOINT when it is imported."""
    code = (
        f"import os; os.environ.update(HF_ENDPOINT={endpoint!r}, HF_HUB_OFFLINE='{offline}')\n"
        "os.environ['HF_HUB_DISABLE_XET'] = '1'\n"
        "from mien import packs, errors\n"
        "try: print(packs.pull(['demo']))\n"
        "except errors.MienError as error: print(type(error).__name__, error)\n"
    )
    said, wrong = world.python(code).communicate(timeout=60)
    return said + ("" if said else wrong)


@pytest.fixture
def on_hub(world, server):
    pytest.importorskip("huggingface_hub")
    server.files = {"/some/voices/resolve/v1/en/joe.onnx": VOICE}
    source = 'root = "en/"\narchives = [{ huggingface = "some/voices", revision = "v1" }]'
    world.manifest("demo", ({"joe.onnx": VOICE}, [source]))
    return server


def test_the_hub_endpoint_of_the_user_serves(world, on_hub):
    assert hub_pull(world, on_hub.url) == "['demo']\n"
    assert (packs.path("demo") / "joe.onnx").read_bytes() == VOICE
    assert ("GET", "/some/voices/resolve/v1/en/joe.onnx", None) in on_hub.seen


def test_the_hub_s_answers_become_one_line(world, on_hub):
    on_hub.files = {"/some/voices/resolve/v1/en/joe.onnx": VOICE[:-1]}
    assert hub_pull(world, on_hub.url).startswith(
        "CorruptError pack 'demo' could not be pulled: joe.onnx has"
    )
    on_hub.files = {}
    assert "huggingface:some/voices==v1" in hub_pull(world, on_hub.url)
    assert "check the network or HF_ENDPOINT" in hub_pull(world, on_hub.url, offline=1)


def test_the_hub_library_is_optional(world, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    source = 'archives = [{ huggingface = "some/voices", revision = "v1" }]'
    world.manifest("demo", ({"a": b"1"}, [source]))
    with pytest.raises(MissingError, match=r"pip install 'mien\[hub\]'"):
        packs.pull(["demo"])


def test_without_pip_another_one_is_found_or_asked_for(monkeypatch):
    here = {"uvx"}
    monkeypatch.setattr(pypi.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(pypi.shutil, "which", lambda name: name if name in here else None)
    assert pypi._pip() == ["uvx", "pip"]
    here.clear()
    with pytest.raises(MissingError, match="run: python -m ensurepip"):
        pypi._pip()


def test_the_wheel_of_one_platform_is_asked_for_on_every_machine():
    archive = Archive("pypi", "x", "1", "0" * 64, platform="manylinux_2_28_x86_64", python="3.11")
    said = " ".join(pypi._arguments(archive))
    assert "--platform manylinux_2_28_x86_64" in said
    assert "--python-version 3.11 --implementation cp --abi cp311" in said
