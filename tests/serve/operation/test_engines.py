"""What engines at work tell: how large their batches were, and which of a chain are set aside."""

import asyncio

import numpy as np
from onnx import parser

from mien.engine.backends import onnxruntime
from mien.engine.runtime.chain import Chain, Link
from mien.engine.runtime.served import ServedEngine
from mien.errors import ResourceError
from mien.serve.operation.engines import engines

DOUBLE = """
<ir_version: 9, opset_import: ["" : 17]>
double (float[n, t] x) => (float[n, t] out) { two = Constant<value = float {2.0}>() out = Mul(x, two) }
"""


class Failing:
    """An engine whose runs fail."""

    def __init__(self, inner):
        self.inputs, self.outputs, self.metadata = inner.inputs, inner.outputs, inner.metadata

    def run(self, stop=None, /, **inputs):
        raise ResourceError("out of memory")


def engine():
    return onnxruntime.parse(parser.parse_model(DOUBLE).SerializeToString(), name="double")


def told(name, part):
    """Return the samples of one family about one engine."""
    return {
        tuple(value for key, value in sorted(sample.labels.items()) if key != "engine"): sample.value
        for family in engines()
        for sample in family.samples
        if sample.name == part and sample.labels["engine"] == name
    }


def test_single_runs_and_batches_are_counted_by_size():
    x = np.ones((1, 8), np.float32)
    with ServedEngine(engine(), name="test/batches") as served:
        served.run(x=x)

        async def together():
            await asyncio.gather(*(served.submit(x=x) for _ in range(12)))

        asyncio.run(together())
        count = told("test/batches", "mien_engine_batch_size_count")[()]
        buckets = told("test/batches", "mien_engine_batch_size_bucket")
        assert told("test/batches", "mien_engine_batch_size_sum")[()] == 13
        assert 2 <= count < 13
        assert buckets["64.0",] == buckets["+Inf",] == count
        assert buckets["1.0",] >= 1


def test_engines_of_the_same_name_count_together():
    x = np.ones((1, 8), np.float32)
    with ServedEngine(engine(), name="test/same") as one, ServedEngine(engine(), name="test/same") as other:
        one.run(x=x)
        other.run(x=x)
        assert told("test/same", "mien_engine_batch_size_count")[()] == 2


def test_a_breaker_that_opens_is_seen():
    good = engine()
    chain = Chain([Link("e on cuda", lambda: Failing(good)), Link("e on cpu", lambda: good)])
    with ServedEngine(chain, name="test/chain") as served:
        assert told("test/chain", "mien_engine_breaker_open") == {("e on cuda",): 0.0, ("e on cpu",): 0.0}
        served.run(x=np.ones((1, 8), np.float32))
        assert told("test/chain", "mien_engine_breaker_open") == {("e on cuda",): 1.0, ("e on cpu",): 0.0}
