import pytest

from mien.engine.runtime.pool import Pool, size_of
from mien.errors import ResourceError


class Machine:
    """A process whose memory grows by what is loaded."""

    def __init__(self, sizes, hidden=0):
        self.sizes, self.hidden, self.used, self.closed = sizes, hidden, 0, []

    def load(self, name):
        self.used += self.sizes[name] + self.hidden
        machine = self

        class Engine:
            def close(self):
                machine.used -= machine.sizes[name] + machine.hidden
                machine.closed.append(name)

        return Engine()

    def pool(self, budget):
        return Pool(budget, self.load, self.sizes.__getitem__, lambda: self.used)


@pytest.fixture
def machine():
    return Machine({"a": 40, "b": 40, "c": 40, "huge": 200})


def use(pool, *names):
    for name in names:
        with pool.use(name):
            pass


def test_the_longest_unused_goes_first(machine):
    pool = machine.pool(100)
    use(pool, "a", "b", "a", "c")
    assert machine.closed == ["b"]
    assert [held.name for held in pool.held()] == ["a", "c"]
    assert pool.loads == 3
    assert pool.evictions == 1


def test_what_is_in_use_stays(machine):
    pool = machine.pool(100)
    with pool.use("a"), pool.use("b"):
        with pytest.raises(ResourceError, match=r"no room for engine 'c': .* \(a, b\) .* raise the budget"):
            use(pool, "c")
        assert pool.held()[0].users == 1
    use(pool, "c")
    assert machine.closed == ["a"]
    assert machine.used <= 100


def test_what_never_fits_costs_nobody_their_engine(machine):
    pool = machine.pool(100)
    use(pool, "a")
    with pytest.raises(ResourceError, match="no room for engine 'huge'"):
        use(pool, "huge")
    assert machine.closed == []


def test_what_an_engine_really_takes_counts():
    machine = Machine({"a": 10, "b": 10, "c": 10}, hidden=30)
    pool = machine.pool(100)
    use(pool, "a", "b", "c")
    assert pool.used_bytes == machine.used == 80
    assert machine.closed == ["a"]
    use(pool, "a")  # known to take 40 by now: room is made before it is loaded
    assert machine.used == 80


def test_closing_gives_up_what_is_idle(machine):
    pool = machine.pool(100)
    with pool.use("a"):
        use(pool, "b")
        pool.close()
        assert machine.closed == ["b"]


def test_sizes_of_files_and_folders(tmp_path):
    (tmp_path / "one").write_bytes(bytes(10))
    (tmp_path / "two").write_bytes(bytes(5))
    assert size_of(tmp_path) == 15
    assert size_of(tmp_path / "one") == 10
