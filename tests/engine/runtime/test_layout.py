import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.engine.runtime.layout import Layout, Padding, tier
from mien.engine.runtime.proof import TOLERANCE, differing, refuted
from mien.errors import CorruptError

from .nets import CAUSAL, LOOKING_AHEAD, LOOKUP, MIXING, PADDED, SCALED, engine, wave

ENGINES = {"padded": engine(CAUSAL, PADDED), "plain": engine(CAUSAL)}


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(17, 20)), min_size=1, max_size=5))
def test_a_batch_of_padded_requests_gives_what_each_gives_alone(asked):
    made, layout = ENGINES["padded"], Layout(ENGINES["padded"])
    requests = [{"x": wave(n, seed, rows)} for seed, (rows, n) in enumerate(asked)]
    shares = layout.split(requests, made.run(**layout.join(requests)))
    for request, share in zip(requests, shares, strict=True):
        assert differing(made.run(**request), share) == ""
        assert share["out"].shape == request["x"].shape


def test_equal_tiers_are_one_kind_only_where_the_model_allows_padding():
    padded, plain = Layout(ENGINES["padded"]), Layout(ENGINES["plain"])
    assert padded.kind({"x": wave(17)}) == padded.kind({"x": wave(20)}) != padded.kind({"x": wave(21)})
    assert plain.kind({"x": wave(17)}) != plain.kind({"x": wave(20)})


def test_one_request_is_not_padded():
    layout = Layout(ENGINES["padded"])
    assert layout.join([{"x": wave(17)}])["x"].shape == (1, 1, 17)
    assert layout.join([{"x": wave(17)}, {"x": wave(18)}])["x"].shape == (2, 1, 20)


def test_what_is_not_stacked_must_be_equal():
    made = engine(SCALED)
    layout = Layout(made)
    x, one, two = np.ones((1, 3), np.float32), np.ones(1, np.float32), np.full(1, 2, np.float32)
    assert layout.kind({"x": x, "gain": one}) != layout.kind({"x": x, "gain": two})
    requests = [{"x": x, "gain": two}, {"x": 2 * x, "gain": two}]
    assert layout.join(requests)["gain"].shape == (1,)
    assert refuted(made, layout, requests) == ""


@given(st.integers(1, 10_000))
def test_a_tier_holds_its_size_and_wastes_a_quarter_at_most(size):
    assert size <= tier(size) <= max(size, 1.25 * size)
    assert tier(tier(size)) == tier(size)


def test_there_are_few_tiers():
    assert sorted({tier(n) for n in range(9, 65)}) == [10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64]


def test_a_model_that_mixes_rows_is_found_out():
    made = engine(MIXING)
    x = np.array([[1, 2]], np.float32)
    reason = refuted(made, Layout(made), [{"x": x}, {"x": 3 * x}])
    assert reason.startswith("output 'out' differs by")


def test_a_model_that_can_not_be_padded_is_found_out():
    made = engine(LOOKING_AHEAD, PADDED)
    requests = [{"x": wave(17)}, {"x": wave(20, 1)}]
    assert "differs by" in refuted(made, Layout(made), requests)
    assert refuted(made, Layout(made), requests, tolerance=10.0) == ""
    assert refuted(made, Layout(made), [{"x": wave(20)}, {"x": wave(20, 1)}]) == ""


def test_differences_are_named():
    one = {"a": np.ones(3, np.float32)}
    assert differing(one, {"a": np.full(3, 1 + TOLERANCE / 2, np.float32)}) == ""
    assert "nan" in differing(one, {"a": np.full(3, np.nan, np.float32)})
    assert "is (2,) in a batch" in differing(one, {"a": np.ones(2, np.float32)})
    assert "not the same" in differing({"a": np.array([1])}, {"a": np.array([2])})


def test_a_model_without_a_batch_axis_does_not_stack():
    text = "fixed (float[1, n] x) => (float[1, n] out) { out = Tanh (x) }"
    assert not Layout(engine(text)).stacks
    assert Layout(engine(LOOKUP)).stacks


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"input": "x", "axis": "two", "outputs": {}}'])
def test_a_padding_that_can_not_be_read_says_how_it_should_be(text):
    with pytest.raises(CorruptError, match=r"'pad' can not be read .* it is as \{\"input\""):
        Padding.parse(text)
