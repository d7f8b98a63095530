import concurrent.futures

import pytest
from onnx import parser

from mien.engine import cache
from mien.errors import MissingError, ResourceError

MODEL = parser.parse_model(
    """<ir_version: 9, opset_import: ["" : 18]> agraph (float[n] x) => (float[n] y) { y = Neg(x) }"""
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.bin"
    path.write_bytes(b"weights")
    return path


class Build:
    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return {"front": MODEL, "back": MODEL}


def test_models_are_built_once_and_kept(source, home):
    build = Build()
    folder = cache.derive(source, "halves-1", build)
    assert cache.derive(source, "halves-1", build) == folder
    assert build.calls == 1
    assert sorted(file.name for file in folder.iterdir()) == ["back.onnx", "front.onnx"]
    assert folder.parent == home / "engines"


def test_new_bytes_or_a_new_recipe_build_anew(source):
    build = Build()
    cache.derive(source, "halves-1", build)
    cache.derive(source, "halves-2", build)
    source.write_bytes(b"other weights")
    cache.derive(source, "halves-1", build)
    assert build.calls == 3


def test_a_failed_build_leaves_nothing(source, home):
    def fail():
        raise ValueError("broken pass")

    with pytest.raises(ValueError, match="broken pass"):
        cache.derive(source, "halves-1", fail)
    assert not [path for path in (home / "engines").iterdir() if path.is_dir()]


def test_several_at_once_build_once(source):
    build = Build()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        folders = list(pool.map(lambda _: cache.derive(source, "halves-1", build), range(8)))
    assert len(set(folders)) == 1
    assert build.calls == 1


def test_a_home_that_is_a_file_is_a_resource_error(source, home):
    home.write_text("in the way")
    with pytest.raises(ResourceError, match="MIEN_HOME"):
        cache.derive(source, "halves-1", Build())


def test_a_missing_source_is_missing(tmp_path):
    with pytest.raises(MissingError, match=r"none\.onnx"):
        cache.derive(tmp_path / "none.onnx", "halves-1", Build())
