import logging

import numpy as np
import pytest

from mien.engine.backends.onnxruntime import load
from mien.errors import InputError
from mien.speech.voices import piper_graph

from . import small_piper


def engines(parts, folder):
    made = {}
    for name, part in parts.items():
        path = folder / f"{name}.onnx"
        path.write_bytes(part.SerializeToString())
        made[name] = load(path)
    return made


def inputs(n=9, **more):
    rng = np.random.default_rng(2)
    return {
        "ids": rng.integers(0, 26, (1, n)),
        "scales": np.array([0.6, 1.5, 0.3], np.float32),
        "stretch": np.ones((1, 1, n), np.float32),
        "noise": rng.standard_normal(999).astype(np.float32),
        **more,
    }


def test_the_halves_are_found_by_structure(tmp_path):
    parts = engines(piper_graph.split(small_piper.model()), tmp_path)
    assert parts.keys() == {"front", "decoder"}
    out = parts["front"].run(**inputs())
    assert out["durations"].shape == (1, 1, 9)
    assert out["latent"].shape == (1, 4, out["durations"].sum())
    sound = parts["decoder"].run(latent=out["latent"])["audio"]
    assert sound.size == out["durations"].sum() * small_piper.HOP
    assert parts["decoder"].metadata["hop"] == str(small_piper.HOP)


def test_stretch_lengthens_one_id(tmp_path):
    front = engines(piper_graph.split(small_piper.model()), tmp_path)["front"]
    plain, longer = inputs(), inputs()
    longer["stretch"][0, 0, 4] = 3.0
    before, after = (front.run(**given)["durations"].ravel() for given in (plain, longer))
    assert after[4] > before[4]
    assert (np.delete(after, 4) == np.delete(before, 4)).all()


def test_a_frame_is_not_heard_beyond_the_context(tmp_path):
    decoder = engines(piper_graph.split(small_piper.model()), tmp_path)["decoder"]
    context = int(decoder.metadata["context"])
    latent = np.random.default_rng(0).standard_normal((1, 4, 41)).astype(np.float32)
    touched = latent.copy()
    touched[:, :, 20] += 1.0
    a, b = (decoder.run(latent=z)["audio"].ravel() for z in (latent, touched))
    heard = np.flatnonzero(np.abs(a - b) > 1e-7) // small_piper.HOP
    assert heard.min() >= 20 - context
    assert heard.max() <= 20 + context
    assert heard.max() - heard.min() >= 4  # the bound is not idle: neighbours are heard


def test_the_speaker_colours_the_decoder(tmp_path):
    decoder = engines(piper_graph.split(small_piper.model(2)), tmp_path)["decoder"]
    latent = np.ones((1, 4, 8), np.float32)
    first, second = (decoder.run(latent=latent, speaker=np.array([k]))["audio"] for k in (0, 1))
    assert np.abs(first - second).max() > 1e-3


def test_a_vocoder_that_looks_at_everything_stays_whole(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        parts = engines(piper_graph.split(small_piper.model(pointwise="Softmax")), tmp_path)
    assert parts.keys() == {"whole"}
    assert "can not be cut" in caplog.text
    assert "durations" in parts["whole"].run(**inputs())


def test_without_durations_it_runs_whole_and_says_so(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        parts = engines(piper_graph.split(small_piper.model(durations="Floor")), tmp_path)
    assert parts.keys() == {"whole"}
    assert "no durations" in caplog.text
    assert [port.name for port in parts["whole"].outputs] == ["audio"]


def test_another_kind_of_model_is_refused():
    model = small_piper.model()
    model.graph.input[2].name = "speed"
    with pytest.raises(
        InputError, match="not a Piper voice: the model's inputs are input, input_lengths, speed"
    ):
        piper_graph.split(model)
