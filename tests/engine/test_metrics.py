import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.engine.metrics import METRICS, LogMel, metric, within
from mien.errors import InputError

RATE = 22_050


def of(name, reference, value, rate=RATE):
    made = metric(name, rate)
    made.add(np.asarray(reference, np.float32), np.asarray(value, np.float32))
    return made.value


def test_known_values():
    reference, value = [3.0, 4.0], [3.0, 4.5]
    assert of("rel-error", reference, value) == pytest.approx(0.1)
    assert of("sqnr", reference, value) == pytest.approx(20.0)
    assert of("max-abs", reference, value) == pytest.approx(0.5)
    assert of("cosine", [1, 0], [1, 1]) == pytest.approx(math.sqrt(0.5))


def test_no_difference_and_no_signal():
    assert of("rel-error", [0, 0], [0, 0]) == 0
    assert of("sqnr", [1, 2], [1, 2]) == math.inf
    assert of("rel-error", [0, 0], [1, 0]) == math.inf
    assert of("sqnr", [0, 0], [1, 0]) == -math.inf
    assert of("cosine", [0, 0], [0, 0]) == 1
    assert of("cosine", [0, 0], [1, 0]) == 0


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=30), st.integers(1, 29))
def test_samples_may_come_in_parts(values, at):
    reference = np.asarray(values, np.float32)
    value = reference + np.float32(0.25)
    for name in METRICS:
        whole, parts = metric(name), metric(name)
        whole.add(reference, value)
        parts.add(reference[:at], value[:at])
        parts.add(reference[at:], value[at:])
        assert parts.value == pytest.approx(whole.value, rel=1e-9)


@pytest.mark.parametrize("name", [*METRICS, "log-mel"])
def test_nan_is_never_inside_a_budget(name):
    value = of(name, np.ones(4000), [np.nan] * 4000)
    assert math.isnan(value)
    assert not within(name, value, 1e9)


def test_log_mel_is_in_decibels_of_what_is_heard():
    t = np.arange(RATE) / RATE
    tone = 0.5 * np.sin(2 * np.pi * 440 * t)
    assert of("log-mel", tone, tone) == 0
    assert of("log-mel", tone, 0.5 * tone) > 0.5
    noise = 1e-5 * np.random.default_rng(0).standard_normal(RATE)
    assert of("log-mel", tone, tone + noise) < 0.1
    everywhere = np.random.default_rng(1).standard_normal(RATE) * 0.1
    assert of("log-mel", everywhere, 0.5 * everywhere) == pytest.approx(6.02, abs=0.1)


def test_names():
    with pytest.raises(InputError, match="no metric 'rel-eror'; did you mean 'rel-error'"):
        metric("rel-eror")
    with pytest.raises(InputError, match="log-mel needs the rate"):
        metric("log-mel")
    assert isinstance(metric("log-mel", RATE), LogMel)
    assert within("sqnr", 30, 20)
    assert not within("rel-error", 30, 20)
