import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.engine.runtime.rings import Rings

F32 = np.dtype(np.float32)


def test_an_array_is_used_again_when_nobody_looks_at_it():
    rings = Rings()
    one = rings.lease((4, 256), F32)
    place = one.ctypes.data
    part = one[2:3, 10:][0]  # a view of a view
    del one
    two = rings.lease((4, 256), F32)
    assert two.ctypes.data != place
    del part
    assert rings.lease((4, 256), F32).ctypes.data == place
    assert rings.residency().allocated == 2
    assert rings.residency().reused == 1


def test_figures_say_what_is_free():
    rings = Rings()
    held = rings.lease((1000,), F32)
    rings.lease((500,), F32)
    rings.lease((250,), F32)
    found = rings.residency()
    assert (found.reserved_bytes, found.in_use_bytes, found.largest_free_bytes) == (7000, 4000, 2000)
    assert found.fragmentation == 1 - 2000 / 3000
    rings.clear()
    assert rings.residency().reserved_bytes == 4000
    assert rings.residency().fragmentation == 0.0
    del held


def test_beyond_the_limit_old_shapes_go_and_then_arrays_are_ordinary():
    rings = Rings(limit_bytes=1000)
    rings.lease((100,), F32)
    rings.lease((200,), F32)
    assert rings.residency().reserved_bytes == 800
    held = [rings.lease((200,), F32) for _ in range(3)]
    found = rings.residency()
    assert found.reserved_bytes == found.in_use_bytes == 800
    assert len({array.ctypes.data for array in held}) == 3


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=40))
def test_no_array_is_lent_twice(steps):
    rings, held = Rings(limit_bytes=64), []
    for size, keep in steps:
        array = rings.lease((size,), F32)
        array[:] = len(held)
        if keep:
            held.append(array[:])
        assert rings.residency().reserved_bytes <= 64
    for i, array in enumerate(held):
        assert (array == i).all()
