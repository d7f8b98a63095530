import numpy as np
import pytest

from mien.engine.backends import onnxruntime
from mien.speech.listening.whisper import graph
from mien.speech.listening.whisper.weights import Weights

WIDTH, HEADS, LAYERS, POSITIONS, CONTEXT, VOCABULARY, MELS = 64, 2, 2, 48, 32, 40, 4


@pytest.fixture(scope="module")
def parts():
    rng = np.random.default_rng(7)

    def normal(*shape: int) -> np.ndarray:
        return (0.3 * rng.standard_normal(shape)).astype(np.float32)

    tensors = {
        "encoder/conv1/weight": normal(WIDTH, MELS, 3),
        "encoder/conv1/bias": normal(WIDTH),
        "encoder/conv2/weight": normal(WIDTH, WIDTH, 3),
        "encoder/conv2/bias": normal(WIDTH),
        "encoder/position_encodings/encodings": normal(POSITIONS, WIDTH),
        "decoder/position_encodings/encodings": normal(CONTEXT, WIDTH),
        "decoder/embeddings/weight": normal(VOCABULARY, WIDTH),
    }

    def linear(name: str, rows: int, columns: int) -> None:
        tensors[f"{name}/weight"], tensors[f"{name}/bias"] = normal(rows, columns), normal(rows)

    def norm(name: str) -> None:
        tensors[f"{name}/gamma"], tensors[f"{name}/beta"] = 1 + normal(WIDTH), normal(WIDTH)

    for side in ("encoder", "decoder"):
        norm(f"{side}/layer_norm")
        for layer in range(LAYERS):
            name = f"{side}/layer_{layer}"
            linear(f"{name}/self_attention/linear_0", 3 * WIDTH, WIDTH)
            linear(f"{name}/self_attention/linear_1", WIDTH, WIDTH)
            linear(f"{name}/ffn/linear_0", 4 * WIDTH, WIDTH)
            linear(f"{name}/ffn/linear_1", WIDTH, 4 * WIDTH)
            for part in ("self_attention", "ffn"):
                norm(f"{name}/{part}/layer_norm")
            if side == "decoder":
                norm(f"{name}/attention/layer_norm")
                linear(f"{name}/attention/linear_0", WIDTH, WIDTH)
                linear(f"{name}/attention/linear_1", 2 * WIDTH, WIDTH)
                linear(f"{name}/attention/linear_2", WIDTH, WIDTH)
    weights = Weights(tensors, LAYERS, LAYERS, WIDTH, HEADS, MELS, POSITIONS, CONTEXT, VOCABULARY)

    def run(model, mel):
        return onnxruntime.parse(model.SerializeToString()).run(mel=mel)

    made = graph.build(weights, [(0, 1), (1, 0)], run)
    return tuple(onnxruntime.parse(made[name].SerializeToString()) for name in ("encoder", "decoder"))


def hear(encoder, frames: int) -> dict[str, np.ndarray]:
    mel = np.random.default_rng(frames).standard_normal((1, MELS, frames)).astype(np.float32)
    return encoder.run(mel=mel)


def read(decoder, heard, tokens, cache=None):
    depth = WIDTH // HEADS
    keys, values = cache or (np.zeros((LAYERS, HEADS, 0, depth), np.float32),) * 2
    out = decoder.run(tokens=np.array(tokens), past_keys=keys, past_values=values, **heard)
    return out["logits"], (out["new_keys"], out["new_values"]), out["attention"]


@pytest.mark.parametrize("frames", [16, 32, 96])
def test_the_silence_up_to_the_full_window_is_read_too(parts, frames):
    heard = hear(parts[0], frames)
    own = frames // 2
    rest = (POSITIONS - own) // graph.STRIDE
    assert heard["keys"].shape == (LAYERS, HEADS, WIDTH // HEADS, own + rest)
    assert heard["values"].shape == (LAYERS, HEADS, own + rest, WIDTH // HEADS)
    assert heard["bias"].tolist() == pytest.approx([0.0] * own + [np.log(graph.STRIDE)] * rest)


def test_tokens_at_once_are_tokens_one_by_one(parts):
    encoder, decoder = parts
    heard = hear(encoder, 32)
    tokens = [3, 1, 4, 1, 5]
    at_once, cache, looks = read(decoder, heard, tokens)
    state, rows = None, []
    for token in tokens:
        row, state, _ = read(decoder, heard, [token], state)
        rows.append(row[0])
    np.testing.assert_allclose(np.stack(rows), at_once, atol=1e-4)
    np.testing.assert_allclose(state[0], cache[0], atol=1e-4)
    assert looks.shape == (2, 5, heard["bias"].size)
    np.testing.assert_allclose(looks.sum(axis=2), 1.0, atol=1e-5)


def test_a_later_token_changes_nothing_before_it(parts):
    encoder, decoder = parts
    heard = hear(encoder, 16)
    one, other = (read(decoder, heard, [1, 2, last])[0] for last in (3, 9))
    np.testing.assert_allclose(one[:2], other[:2], atol=1e-5)
    assert not np.allclose(one[2], other[2], atol=1e-3)
