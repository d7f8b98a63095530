import numpy as np

from mien.engine.engine import Port
from mien.engine.wrapper import Around, Described


class Loaded(Described):
    def __init__(self, name):
        self._inputs = (Port(name, np.dtype(np.float32), ("n",)),)
        self._outputs, self._metadata = (), {"name": name}

    def run(self, stop=None, /, **inputs):
        return {}


class Changing(Around):
    def __init__(self, engine):
        self._engine = engine

    def run(self, stop=None, /, **inputs):
        return self._engine.run(stop, **inputs)


def test_an_engine_around_another_tells_of_the_one_inside_now():
    outer = Changing(Loaded("a"))
    assert [port.name for port in outer.inputs] == ["a"]
    outer._engine = Loaded("b")
    assert [port.name for port in outer.inputs] == ["b"]
    assert (outer.outputs, outer.metadata) == ((), {"name": "b"})


def test_what_was_described_once_stays():
    copy = Loaded("a")
    copy._describe(Loaded("b"))
    assert copy.inputs[0].name == "b"
    assert copy.metadata == {"name": "b"}
