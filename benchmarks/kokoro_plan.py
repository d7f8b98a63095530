"""Find which of Kokoro's convolutions can be int8, for src/mien/speech/voices/kokoro_int8.json.

    python benchmarks/utterances.py kokoro-v1.0.int8.onnx utterances.npz 40
    python benchmarks/utterances.py kokoro-v1.0.int8.onnx long.npz 3 2
    python benchmarks/kokoro_plan.py kokoro-v1.0.int8.onnx utterances.npz 1.0 plan.json long.npz

The search is that of `mien compile --budget log-mel=1.0`, for the generator's convolutions alone: what is in
front of them decides how long phones are. Of the last eight utterances the search looks at two; on the other
six, which nothing was tuned on, the budget has to hold too, and on the long ones: those nodes go first whose
error, squared, is largest for what they compute.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from onnx import ModelProto

from mien.atomic import replacing
from mien.engine import cache, graph
from mien.engine.backends import onnxruntime
from mien.engine.calibrate import calibrate
from mien.engine.precision import int8, named
from mien.engine.precision.plan import Plan
from mien.engine.precision.shipped import Shipped
from mien.engine.samples import Subset, find, first
from mien.engine.search import Budget, Tuning, search
from mien.engine.targets import choose
from mien.speech.voices import kokoro_graph, kokoro_model

RATE_HZ = kokoro_model.RATE_HZ
METHOD = "percentile"
SEARCHED, HELD_OUT = 2, 6
BLOCKS = "/resblocks.", "/noise_res."
LATE = "/resblocks.3/", "/resblocks.4/", "/resblocks.5/", "/noise_res.1/"  # at the generator's last rate
FASTER = 6  # times the rate before


class Heard(Tuning):
    """Judges the sound alone; durations come before what is quantised."""

    def score(self, engine) -> float:
        class Sound:
            inputs, outputs, run = engine.inputs, [p for p in engine.outputs if p.name == "audio"], engine.run

        return super().score(Sound())


def main() -> None:
    path, data, limit, out = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    model, target = named(kokoro_graph.prepare(graph.load(path))), choose("cpu")
    reference = onnxruntime.parse(model.SerializeToString())
    samples = find(data, reference.inputs)
    used = len(samples) - SEARCHED - HELD_OUT
    widest = int8.candidates(model, target.int8)
    convolutions = {node.name for node in model.graph.node if node.op_type == "Conv"}
    widest = widest.only(n for n in widest.nodes if n in convolutions and any(b in n for b in BLOCKS))
    counted = calibrate(
        model, first(samples, used), int8.tensors(model, widest), budget_bytes=500 << 20, tell=tell
    )
    ranges = counted.ranges(METHOD)

    def made(plan: Plan):
        return onnxruntime.parse(int8.quantise(model, plan, ranges, target.int8).SerializeToString())

    tuning, unseen = (
        Heard(reference, Subset(samples, lambda n, a=a, b=b: a <= n < b), "log-mel", RATE_HZ)
        for a, b in ((used, used + SEARCHED), (used + SEARCHED, len(samples)))
    )
    found = search(widest, Budget("log-mel", float(limit)), lambda plan: tuning.score(made(plan)), tell)
    plan, value = found.plan, unseen.score(made(found.plan))
    for name, cost in found.ranking:
        if value <= float(limit):
            break
        if name in plan.nodes:
            plan = plan.without([name], f"alone costs log-mel {cost:.3g}")
            value = unseen.score(made(plan))
            print(f"held out: {value:.3f} dB without {name}", flush=True)
    facts: dict[str, object] = {}
    if len(sys.argv) > 5:
        long = Heard(reference, find(sys.argv[5], reference.inputs), "log-mel", RATE_HZ)
        plan, heard = fitted(plan, costly(found.ranking, model), lambda p: long.score(made(p)), float(limit))
        facts["log_mel_db_long"] = round(heard, 3)
    facts |= {
        "samples": used,
        "method": METHOD,
        "log_mel_db_held_out": round(value, 3),
        "log_mel_db_all_int8": round(found.tried[0].value, 3),
    }
    needed = {name: ranges[name] for name in int8.tensors(model, plan)}
    shipped = Shipped(tuple(plan.nodes), needed, dict(plan.kept), facts)
    with replacing(out) as aside:
        aside.write_text(json.dumps({cache.fingerprint(path): shipped.to_dict()}, indent=1) + "\n")
    print(json.dumps(facts), dict(plan.kept))


def costly(ranking: Sequence[tuple[str, float]], model: ModelProto) -> list[str]:
    """Return the nodes in order: whose error, squared, is largest for what the node computes comes first."""
    weights = graph.constants(model)
    convolutions = [n for n in model.graph.node if n.op_type == "Conv" and n.input[1] in weights]
    work = {node.name: math.prod(weights[node.input[1]].dims) for node in convolutions}
    work |= {name: FASTER * count for name, count in work.items() if any(block in name for block in LATE)}
    return [name for name, _ in sorted(ranking, key=lambda each: -(each[1] ** 2) / work[each[0]])]


def fitted(
    plan: Plan, order: Sequence[str], score: Callable[[Plan], float], limit: float
) -> tuple[Plan, float]:
    """Return the plan with as many of `order` in fp32 as its score needs to be within the limit."""
    value = score(plan)
    for name in order:
        if value <= limit:
            break
        if name in plan.nodes:
            plan = plan.without([name], "costs most for what it computes, on long sentences")
            value = score(plan)
            print(f"long: {value:.3f} dB without {name}", flush=True)
    return plan, value


def tell(what: str, share: float) -> None:
    print(f"\r{what} {share:.0%}  ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
