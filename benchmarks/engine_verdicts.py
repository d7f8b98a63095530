"""What a target says of ONNX's own node test cases: how many build, and the root cause of each that does not.

python benchmarks/engine_verdicts.py tensorrt-rtx:sm89|openvino|onnxruntime-cpu [PART OF A NAME]
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from pathlib import Path

from onnx.backend.test.case.node import collect_testcases
from rich.console import Console
from rich.progress import track

from mien.cli.diagnose_tables import show_causes
from mien.engine.backends.tensorrt_rtx import shapes
from mien.engine.diagnose import Cause, Result
from mien.engine.diagnose.ask import Backend
from mien.engine.diagnose.diagnose import Options, examine
from mien.engine.diagnose.distribution import distribution


def main() -> None:
    """Print the table."""
    target, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the generator's own overflows
        cases = [case for case in collect_testcases(None) if case.kind == "node" and part in case.name]
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Backend(target) as backend:
        results = [examined(case, backend, Path(folder)) for case in track(cases, target, transient=True)]
    show(target, results, time.perf_counter() - began)


def examined(case: object, backend: Backend, folder: Path) -> Result:
    """Diagnose one case with sizes for its free axes, as a user would give them."""
    model = case.model  # type: ignore[attr-defined]
    path = folder / f"{case.name}.onnx"  # type: ignore[attr-defined]
    path.write_bytes(model.SerializeToString())
    options = Options(sizes=shapes.usual(model), reduce=False, trusted=True)
    try:
        return examine(path, backend, options)
    finally:
        path.unlink()


def show(target: str, results: list[Result], seconds: float) -> None:
    """Print the distribution, and what was not recognised."""
    console, found = Console(), distribution(target, results)
    show_causes(found, console)
    for each in results:
        if not each.builds and each.diagnoses[0].cause in (Cause.UNKNOWN, Cause.CRASH):
            console.print(f"{each.path.stem}: {each.diagnoses[0].evidence}", markup=False, soft_wrap=True)
    unknown = sum(row.models for row in found.rows if row.cause is Cause.UNKNOWN)
    console.print(
        f"{found.builds:,} of {found.models:,} build for {target}; of the others "
        f"{unknown} without a root cause; {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
