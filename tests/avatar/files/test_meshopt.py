"""The meshopt codecs against what meshoptimizer 1.3 (the reference) wrote, and against themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mien.avatar.files import meshopt, meshopt_triangles
from mien.avatar.files.meshopt_filters import FILTERS
from mien.errors import CorruptError

GOLDEN = json.loads((Path(__file__).parent / "golden" / "meshopt.json").read_text("utf-8"))
FACES = np.array(GOLDEN["triangles"]).reshape(-1, 3)


def from_first(triangles: np.ndarray) -> list[tuple[int, ...]]:
    """Turn each triangle so that it is the smallest of its three turns."""
    return [min((a, b, c), (b, c, a), (c, a, b)) for a, b, c in np.asarray(triangles, np.int64).tolist()]


def test_vertices_of_the_reference():
    rows = np.frombuffer(bytes.fromhex(GOLDEN["rows"]), np.uint8).reshape(40, 8)
    coded = bytes.fromhex(GOLDEN["vertices"])
    assert np.array_equal(meshopt.decode(coded, 40, 8), rows)
    assert meshopt.encode(rows) == coded


def test_triangles_of_the_reference():
    coded = bytes.fromhex(GOLDEN["faces"])
    assert np.array_equal(
        from_first(meshopt_triangles.decode(coded, FACES.size).reshape(-1, 3)), from_first(FACES)
    )
    assert meshopt_triangles.encode(FACES) == coded
    sequence = meshopt.decode_sequence(bytes.fromhex(GOLDEN["sequence"]), FACES.size)
    assert np.array_equal(sequence, FACES.ravel())


@pytest.mark.parametrize("case", GOLDEN["filters"], ids=lambda case: f"{case['name']}-{case['stride']}")
def test_filters_of_the_reference(case):
    rows = meshopt.decode(bytes.fromhex(case["data"]), 20, case["stride"])
    assert FILTERS[case["name"]](rows).tobytes().hex() == case["decoded"]


@given(
    st.sampled_from([4, 8, 12, 256]).flatmap(
        lambda stride: arrays.arrays(np.uint8, st.tuples(st.integers(0, 300), st.just(stride)))
    )
)
def test_any_rows_come_back(rows):
    assert np.array_equal(meshopt.decode(meshopt.encode(rows), *rows.shape), rows)


@given(arrays.arrays(np.int64, st.tuples(st.integers(0, 60), st.just(3)), elements=st.integers(0, 70000)))
def test_any_triangles_come_back(triangles):
    decoded = meshopt_triangles.decode(meshopt_triangles.encode(triangles), triangles.size).reshape(-1, 3)
    assert from_first(decoded) == from_first(triangles)


@given(st.binary(max_size=200), st.integers(0, 40))
def test_any_bytes_are_decoded_or_refused(data, count):
    for decode in (
        lambda: meshopt.decode(b"\xa0" + data, count, 8),
        lambda: meshopt_triangles.decode(b"\xe1" + data, count * 3),
        lambda: meshopt.decode_sequence(b"\xd1" + data, count),
    ):
        try:
            decode()
        except CorruptError:
            continue


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_what_is_cut_short_is_refused(cut):
    with pytest.raises(CorruptError, match=r"cut short|left over"):
        meshopt.decode(bytes.fromhex(GOLDEN["vertices"])[:-cut], 40, 8)
    with pytest.raises(CorruptError, match=r"cut short|left over"):
        meshopt_triangles.decode(bytes.fromhex(GOLDEN["faces"])[:-cut], FACES.size)


def test_smooth_data_becomes_small():
    rows = np.round(np.sin(np.arange(8000).reshape(-1, 4) / 2500) * 3000).astype(np.int16).view(np.uint8)
    assert len(meshopt.encode(rows)) < rows.nbytes / 3
