import numpy as np
from onnx import parser

from mien.engine.backends.onnxruntime import load
from mien.engine.noise import seed_noise

TEXT = """
<ir_version: 9, opset_import: ["" : 15]>
agraph (float[1, c, n] x) => (float[1, c, n] a, float[1, c, n] b)
{
    a = RandomNormalLike(x)
    b = RandomNormalLike <mean = 5.0, scale = 0.5> (x)
}
"""


def seeded(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(seed_noise(parser.parse_model(TEXT)).SerializeToString())
    return load(path)


def test_the_same_noise_gives_the_same_output(tmp_path):
    engine = seeded(tmp_path)
    noise = np.random.default_rng(1).standard_normal(5000).astype(np.float32)
    x = np.zeros((1, 4, 300), np.float32)
    first, second = engine.run(x=x, noise=noise), engine.run(x=x, noise=noise)
    np.testing.assert_array_equal(first["b"], second["b"])


def test_mean_and_scale_are_kept_and_nodes_differ(tmp_path):
    noise = np.random.default_rng(1).standard_normal(200_003).astype(np.float32)
    out = seeded(tmp_path).run(x=np.zeros((1, 8, 2000), np.float32), noise=noise)
    assert abs(out["a"].mean()) < 0.05
    assert abs(out["b"].mean() - 5.0) < 0.05
    assert abs(out["b"].std() - 0.5) < 0.02
    assert abs(np.corrcoef(out["a"].ravel(), out["b"].ravel())[0, 1]) < 0.05


def test_short_noise_is_taken_around_its_end(tmp_path):
    noise = np.arange(7, dtype=np.float32)
    out = seeded(tmp_path).run(x=np.zeros((1, 2, 7), np.float32), noise=noise)["a"]
    np.testing.assert_array_equal(out.ravel(), np.tile(noise, 2))


def test_a_model_without_noise_gets_no_input():
    plain = parser.parse_model(
        TEXT.replace("RandomNormalLike", "Neg").replace("<mean = 5.0, scale = 0.5>", "")
    )
    assert [info.name for info in seed_noise(plain).graph.input] == ["x"]
