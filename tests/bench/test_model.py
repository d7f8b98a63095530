import json

import numpy as np
import onnx
import pytest
from click.testing import CliRunner

from mien.bench import yardstick
from mien.bench.batches import Batches, Row, measure
from mien.bench.changing import bear, sizes_of
from mien.bench.curve import draw
from mien.bench.turns import Spread
from mien.cli.bench import command
from mien.engine.backends import onnxruntime
from mien.engine.engine import Port
from mien.errors import InputError

TEXT = """<ir_version: 9, opset_import: ["" : 17]>
net (float[batch, 1, time] x) => (float[batch, 1, time] out) <float[1, 1, 3] w = {1, 2, 3}>
{ y = Conv <pads = [1, 1]> (x, w)
  out = Tanh (y) }"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "net.onnx"
    file.write_bytes(onnx.parser.parse_model(TEXT).SerializeToString())
    return file


def table(*ms, **others):
    """Batches of 1, 2, 4, ... that take so long; others are yardsticks' times."""
    rows = [
        Row(2**i, {"mien": spread(t)} | {name: spread(times[i]) for name, times in others.items()})
        for i, t in enumerate(ms)
    ]
    return Batches(0, tuple(rows))


def spread(ms):
    return Spread(ms, ms, ms, 10)


def test_the_knee_is_the_smallest_batch_with_nine_tenths_of_the_best():
    assert table(10, 12, 16, 31, 62).knee == 4  # 100, 167, 250, 258, 258 a second
    assert table(10, 20, 40).knee == 1
    assert table(10, 10, 10).knee == 4


def test_throughput_and_speed_up():
    row = table(10, 12, plain=(15, 30)).rows[1]
    assert row.per_s() == pytest.approx(166.7, abs=0.1)
    assert row.speed_up("plain") == 2.5


class Breaks:
    def __init__(self, engine, size):
        self._engine, self._size = engine, size

    def run(self, **inputs):
        if len(inputs["x"]) >= self._size:
            raise InputError("too large for me")
        return self._engine.run(**inputs)


def test_a_yardstick_that_fails_is_left_out_from_there(path):
    engine = onnxruntime.load(path)
    sample = {"x": np.zeros((1, 1, 8), np.float32)}
    found = measure(engine, {"weak": Breaks(engine, 2)}, sample, (1, 2), seconds=0.01)
    assert [set(row.times) for row in found.rows] == [{"mien", "weak"}, {"mien"}]
    assert found.failed == {"weak": "too large for me"}
    assert all(row.times["mien"].runs >= 8 for row in found.rows)
    assert json.loads(json.dumps(found.to_json()))["knee"] in (1, 2)


def test_other_sizes_leave_the_batch_and_fixed_axes_alone():
    port = Port("x", np.dtype(np.float32), ("batch", 3, "n"))
    sample = {"x": np.arange(12, dtype=np.float32).reshape(1, 3, 4)}
    found = sizes_of(sample, [port], (1, 2, 0.5, 1.01))
    assert [each["x"].shape for each in found] == [(1, 3, 4), (1, 3, 8), (1, 3, 2)]
    np.testing.assert_array_equal(found[1]["x"][:, :, 4:], sample["x"])


def test_stability_counts_failures(path):
    samples = [{"x": np.zeros((size, 1, 8), np.float32)} for size in (1, 2, 3)]
    found = bear("weak", Breaks(onnxruntime.load(path), 3), samples)
    assert (found.sizes, found.failures) == (3, 1)
    assert found.steady_ms > 0


def test_the_picture(tmp_path):
    draw(table(10, 12, 16, plain=(12, 20, 40)), tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"end it in \.png"):
        draw(table(1), tmp_path / "curve.gif")


def test_the_command(path, tmp_path):
    out = tmp_path / "figures.json"
    asked = ["model", str(path), "--batch", "2,1", "--threads", "1,2", "--seconds", "0.05", "-o", str(out)]
    done = CliRunner().invoke(command, asked, catch_exceptions=False)
    assert done.exit_code == 0
    assert "ONNX Runtime" in done.output
    assert "knee at batches of" in done.output
    if yardstick.missing():
        assert "no PyTorch beside it" in done.output
    made = json.loads(out.read_text())
    assert [[row["batch"] for row in table["rows"]] for table in made["tables"]] == [[1, 2], [1, 2]]
    assert made["stability"][0]["sizes"] > 2
    wrong = CliRunner().invoke(command, ["model", str(path), "--batch", "1,x"])
    assert "write 1,2,4" in wrong.output
