"""What mien runs of Kokoro against the float model, and against the file as it comes."""

import json

import numpy as np
import pytest

from mien.engine import cache
from mien.engine.backends import onnxruntime
from mien.engine.machine import cpu_features
from mien.engine.metrics import LogMel
from mien.speech.voices import kokoro_model, registry

TOKENS = [0, 81, 83, 16, 44, 156, 87, 158, 123, 147, 16, 4, 0]


def sample(seed):
    """A short run of symbols in a voice that nobody has: plausible numbers are enough to compare models."""
    styles = np.fromfile(registry.kokoro_file().parent / "voices" / "af_heart.bin", np.float32).reshape(
        -1, 256
    )
    return {
        "tokens": np.array([TOKENS], np.int64),
        "style": styles[[len(TOKENS) - 2 + seed]],
        "speed": np.ones(1, np.float32),
        "stretch": np.ones((1, len(TOKENS)), np.float32),
    }


@pytest.mark.skipif("avx2" not in cpu_features(), reason="this processor gains nothing by int8")
def test_int8_keeps_phone_times_and_the_sound_within_a_decibel():
    path = registry.kokoro_file()
    models = [kokoro_model.prepared(path, quantised=each) / "kokoro.onnx" for each in (False, True)]
    made = [onnxruntime.load(model).run(**sample(3)) for model in models]
    assert np.array_equal(*(each["durations"] for each in made))
    distance = LogMel(kokoro_model.RATE_HZ)
    distance.add(*(each["audio"] for each in made))
    assert 0.05 < distance.value < 1.5  # a second of sound; over many sentences the mean is under 1


def test_the_plan_is_for_the_model_of_the_pack_and_nearly_whole():
    plans = json.loads(kokoro_model._PLANS.read_text("utf-8"))
    plan = plans[cache.fingerprint(registry.kokoro_file())]
    assert plan["found"]["log_mel_db_held_out"] <= 1.0
    assert len(plan["nodes"]) > 40 > len(plan["kept"])
