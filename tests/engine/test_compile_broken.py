"""`compile` before everything that can be wrong: one line, the process alive, nothing left behind."""

import dataclasses
import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mien.engine.compile import compile_model
from mien.engine.request import Request
from mien.errors import CorruptError, InputError, MienError, MissingError

_spec = importlib.util.spec_from_file_location("broken", Path(__file__).parent / "validate" / "broken.py")
broken = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(broken)
FILES = (
    "truncated.onnx",
    "empty.onnx",
    "text.onnx",
    "zip.onnx",
    "sparse-3gb.onnx",
    "cycle.onnx",
    "many-nodes.onnx",
    "passwd.onnx",
    "nan.onnx",
    "opset-99.onnx",
)
pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("broken")
    broken.write(made)
    return made


def files(*folders):
    """Return everything that lies there, but for locks."""
    found = [path for folder in folders if folder.exists() for path in folder.rglob("*") if path.is_file()]
    return sorted(path for path in found if path.suffix != ".lock")


@pytest.mark.parametrize("name", FILES)
def test_a_broken_file_is_one_line_and_leaves_nothing(name, folder, tmp_path, own_cache):
    before = files(folder)
    with pytest.raises(CorruptError, match="must not be run: ") as caught:
        compile_model(Request(folder / name, tmp_path / "m.engine"))
    assert "\n" not in str(caught.value)
    assert files(folder) == before
    assert files(tmp_path, own_cache) == []


@pytest.fixture
def request_(net_file, data_file, tmp_path):
    return Request(net_file, tmp_path / "net.engine", precision="int8", data=str(data_file), trusted=True)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"z": np.zeros((8, 1, 4, 16), np.float32)}, "has no samples for the input 'x'; it has z"),
        ({"x": np.zeros((8, 1, 5, 16), np.float32)}, r"takes float32 \(1, 4, n\)"),
        ({"x": np.zeros((8, 1, 4, 16))}, "is float64"),
        ({"x": np.full((8, 1, 4, 16), np.nan, np.float32)}, "holds NaN or infinity; leave it out"),
        ({"x": np.zeros((0, 1, 4, 16), np.float32)}, "holds no sample"),
    ],
)
def test_wrong_calibration_data_is_one_line_and_leaves_nothing(
    arrays, message, request_, tmp_path, own_cache
):
    np.savez(tmp_path / "wrong.npz", **arrays)
    before = files(tmp_path)
    with pytest.raises(InputError, match=message) as caught:
        compile_model(dataclasses.replace(request_, data=str(tmp_path / "wrong.npz")))
    assert "\n" not in str(caught.value)
    assert files(tmp_path, own_cache) == before


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"source": Path("nothing.onnx")}, (MissingError, CorruptError)),
        ({"source": Path("nothing.tflite")}, MissingError),
        ({"data": "nothing.npz"}, MissingError),
        ({"target": "npu"}, InputError),
    ],
)
def test_what_is_not_there_is_one_line(change, error, request_):
    with pytest.raises(error) as caught:
        compile_model(dataclasses.replace(request_, trusted=False, **change))
    assert isinstance(caught.value, MienError)
    assert "\n" not in str(caught.value)


LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500));"
COMPILE = "from mien.cli import main; main()"
WRITE = """
from pathlib import Path
from mien.engine import manifest, package
from mien.errors import ResourceError
try:
    package.write(Path("two.engine"), bytes(100_000), manifest.read(Path("one.engine")), lambda folder: None)
except ResourceError as error:
    raise SystemExit(f"mien: {error}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize("code", [COMPILE, WRITE])
def test_no_space_is_one_line_and_leaves_nothing(code, net_file, tmp_path, own_cache):
    compile_model(Request(net_file, tmp_path / "one.engine", trusted=True))
    before = files(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED + code, "compile", "net.onnx", "--trusted"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("mien: disk full while writing ")
    assert done.stderr.count("\n") == 1
    assert files(tmp_path, own_cache) == before
