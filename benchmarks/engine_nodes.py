"""How many of ONNX's own node test cases that ONNX Runtime runs survive validate → passes → run, and match.

python benchmarks/engine_nodes.py [PART OF A NAME]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, TypeProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from rich.console import Console
from rich.progress import track
from rich.table import Table

from mien.engine import passes
from mien.engine.backends.reference import Session
from mien.engine.passes import Status
from mien.engine.passes.verify import compare
from mien.engine.validate import errors, validate_model
from mien.errors import MienError

AIM = 99.5  # per cent


@dataclass(frozen=True)
class Result:
    """What became of one case: `stage` is where it ended, `"match"` when all went well."""

    name: str
    stage: str
    why: str = ""
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def main() -> None:
    """Print the table."""
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the generator's own overflows
        cases = [case for case in collect_testcases(None) if case.kind == "node" and part in case.name]
    began = time.perf_counter()
    results = [examine(case) for case in track(cases, "cases", transient=True)]
    show(results, time.perf_counter() - began)


def examine(case: Any) -> Result:
    """Take one case as far as it goes."""
    samples = [dict(_inputs(case.model, given)) for given, _ in case.data_sets]
    try:
        truth = run(case.model, samples)
    except MienError as error:
        return Result(case.name, "ONNX Runtime can not run it", str(error))
    expected = [want for _, want in case.data_sets]
    if not all(close(a, b, case) for a, b in zip(expected, truth, strict=True)):
        return Result(case.name, "ONNX Runtime does not match", "differs from the case's outputs")
    if found := errors(validate_model(case.model)):
        return Result(case.name, "validate", str(found[0]))
    try:
        made, records = passes.run(case.model, passes.STANDARD, samples)
        outputs = run(made, samples)
    except MienError as error:
        return Result(case.name, "run", str(error))
    kept = tuple(r.name for r in records if r.status is Status.KEPT)
    dropped = tuple(dict.fromkeys(f"{r.name}: {r.reason}" for r in records if r.reason))
    if not all(close(a, b, case) for a, b in zip(expected, outputs, strict=True)):
        return Result(case.name, "mismatch", "differs from the case's outputs", kept, dropped)
    return Result(case.name, "match", "", kept, dropped)


def _inputs(model: ModelProto, given: Any) -> Iterator[tuple[str, Any]]:
    """Yield the inputs as ONNX Runtime takes them: an absent optional is left out, a scalar is an array."""
    for info, value in zip(model.graph.input, given, strict=True):
        if value is None:
            continue
        yield info.name, np.asarray(_plain(value)) if _is_tensor(info.type) else value


def _plain(value: Any) -> Any:
    """Return the array of a value that a case holds as ONNX's own tensor."""
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else value


def _is_tensor(kind: TypeProto) -> bool:
    return kind.WhichOneof("value") == "tensor_type"


def run(model: ModelProto, samples: list[dict[str, Any]]) -> list[list[Any]]:
    """Run as users do, with ONNX Runtime's own optimisation."""
    session = Session(model, optimise=True)
    return [session.run(sample) for sample in samples]


def close(expected: Any, outputs: Any, case: Any) -> bool:
    """Whether outputs are the case's, within its own tolerances."""
    return all(_close(a, b, case) for a, b in zip(expected, outputs, strict=True))


def _close(expected: Any, output: Any, case: Any) -> bool:
    if isinstance(output, list):
        pairs = zip(expected, output, strict=False)
        return len(expected) == len(output) and all(_close(a, b, case) for a, b in pairs)
    if output is None or expected is None:
        return output is expected
    a, b = np.asarray(_plain(expected)), np.asarray(output)
    if ("float" in a.dtype.name or a.dtype.kind == "c") and a.shape == b.shape:
        wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
        return bool(np.allclose(b.astype(wide.dtype), wide, case.rtol, case.atol, equal_nan=True))
    return not compare(a.astype(b.dtype), b).reason


def show(results: list[Result], seconds: float) -> None:
    """Print counts, every failure and every dropped pass."""
    console, stages = Console(), Counter(result.stage for result in results)
    ran = [result for result in results if not result.stage.startswith("ONNX Runtime")]
    table = Table("node test cases", "count", box=None, header_style="bold")
    table.columns[1].justify = "right"
    for name, count in [("all", len(results)), *stages.most_common()]:
        table.add_row(name, f"{count:,}")
    console.print(table)
    touched = Counter(name for result in ran for name in set(result.kept))
    console.print("changed and kept:", ", ".join(f"{n} {c}" for n, c in touched.most_common()) or "nothing")
    for result in ran:
        if result.stage != "match":
            console.print(f"{result.name}: {result.stage}: {result.why}", markup=False, soft_wrap=True)
        for reason in result.dropped:
            console.print(f"{result.name}: dropped {reason}", markup=False, soft_wrap=True)
    share = 100 * stages["match"] / max(1, len(ran))
    verdict = "reached" if share >= AIM else "missed"
    console.print(
        f"{stages['match']:,} of {len(ran):,} that ONNX Runtime runs match: {share:.2f} % "
        f"(aim {AIM} %: {verdict}); {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
