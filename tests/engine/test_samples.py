import numpy as np
import pytest

from mien.engine.engine import Port
from mien.engine.samples import NpzSamples, RandomSamples, find, first, split
from mien.errors import CorruptError, InputError, MissingError

X = Port("x", np.dtype(np.float32), (1, "n"))
K = Port("k", np.dtype(np.int64), (2,))


def saved(tmp_path, **arrays):
    path = tmp_path / "data.npz"
    np.savez(path, **arrays)
    return path


def f(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_a_stack_is_read_sample_by_sample(tmp_path, order, save):
    x, k = np.asarray(f(3, 1, 5), order=order), np.arange(6).reshape(3, 2)
    save(tmp_path / "data.npz", x=x, k=k)
    samples = NpzSamples(tmp_path / "data.npz", [X, K])
    assert len(samples) == 3
    for _ in range(2):
        for place, sample in enumerate(samples):
            np.testing.assert_array_equal(sample["x"], x[place])
            np.testing.assert_array_equal(sample["k"], k[place])


def test_samples_may_differ_in_shape(tmp_path):
    entries = {f"x@{n}": f(1, n + 1) for n in range(12)}
    shapes = [sample["x"].shape for sample in NpzSamples(saved(tmp_path, **entries), [X])]
    assert shapes == [(1, n + 1) for n in range(12)]


def test_an_array_of_the_inputs_own_shape_is_one_sample(tmp_path):
    assert len(NpzSamples(saved(tmp_path, x=f(1, 9)), [X])) == 1


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"y": f(2, 1, 3)}, "no samples for the input 'x'; it has y"),
        ({"x": f(2, 1, 3), "xx": f(2, 1, 3)}, "'xx', which is no input; did you mean 'x'"),
        ({"x": f(2, 1, 3).astype(np.float64)}, "'x' in .* is float64 .*takes float32"),
        ({"x": f(2, 4, 3)}, r"\(2, 4, 3\)"),
        ({"x": f(0, 1, 3)}, "holds no sample"),
    ],
)
def test_wrong_data_is_an_error_at_once(tmp_path, arrays, message):
    with pytest.raises(InputError, match=message) as caught:
        NpzSamples(saved(tmp_path, **arrays), [X])
    assert "\n" not in str(caught.value)


def test_different_numbers_of_samples_are_an_error(tmp_path):
    with pytest.raises(InputError, match="different numbers of samples: 'x' 2, 'k' 3"):
        NpzSamples(saved(tmp_path, x=f(2, 1, 3), k=np.zeros((3, 2), np.int64)), [X, K])


def test_nan_names_the_sample(tmp_path):
    x = f(3, 1, 2)
    x[2, 0, 1] = np.nan
    samples = NpzSamples(saved(tmp_path, x=x), [X])
    with pytest.raises(InputError, match=r"sample 2 of 'x' .* holds NaN"):
        list(samples)


def test_files_that_are_no_samples(tmp_path):
    with pytest.raises(MissingError, match=r"no samples .*nothing\.npz"):
        NpzSamples(tmp_path / "nothing.npz", [X])
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(CorruptError, match=r"is not a \.npz"):
        NpzSamples(tmp_path / "text.npz", [X])
    np.savez(tmp_path / "objects.npz", x=np.array([{}, None], object))
    with pytest.raises(InputError, match="is object"):
        NpzSamples(tmp_path / "objects.npz", [X])
    whole = saved(tmp_path, x=f(50, 1, 99)).read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorruptError, match=r"is not a \.npz"):
        NpzSamples(tmp_path / "cut.npz", [X])


def test_random_data_is_asked_for_by_name_and_repeats():
    samples = find("random:4,n=7", [X, K])
    assert isinstance(samples, RandomSamples)
    assert [s["x"].shape for s in samples] == [(1, 7)] * 4
    np.testing.assert_array_equal([s["x"] for s in samples], [s["x"] for s in samples])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("random", "is no random data; write random:COUNT"),
        ("random:0", "is no random data"),
        ("random:4", "needs sizes: random:4,n=64"),
        ("random:4,m=3", "no input has a free axis 'm'"),
    ],
)
def test_random_data_without_what_it_needs(given, message):
    with pytest.raises(InputError, match=message):
        find(given, [X])


def test_each_fifth_sample_is_held_out():
    used, held_out = split(find("random:11,n=2", [X]))
    assert (len(used), len(held_out), len(list(used)), len(list(held_out))) == (9, 2, 9, 2)
    few, same = split(find("random:4,n=2", [X]))
    assert len(few) == len(same) == 4
    assert len(list(first(used, 3))) == 3
