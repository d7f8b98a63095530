"""Calibration beside ONNX Runtime's own: peak memory, time a sample, ranges, error of the int8 they give.

    python benchmarks/calibration.py VOICE.onnx [COUNT ...]

The model is a Piper voice's vocoder, the samples windows of 24 frames of forty sentences. Every run is a
process of its own; its peak is what it takes beyond the process that has only loaded the libraries and model.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from mien.atomic import replacing
from mien.engine import graph
from mien.engine.backends import onnxruntime
from mien.engine.calibrate import Range, calibrate
from mien.engine.compare import compare
from mien.engine.precision import int8, named
from mien.engine.samples import find, first
from mien.engine.targets import choose
from mien.speech.voices.piper_model import prepared

FRAMES = 24
RATE_HZ = 22_050
LIMIT_BYTES = 10 << 30  # of address space: what needs more counts as out of memory
METHODS = {
    "mien minmax": None,
    "mien percentile": None,
    "mien entropy": None,
    "ort MinMax": ("MinMax", {}),
    "ort Percentile": ("Percentile", {}),
    "ort Entropy": ("Entropy", {}),
    "ort Entropy, 2,048 bins": ("Entropy", {"num_bins": 2048}),
}


def main() -> None:
    if sys.argv[1] == "--one":
        print(json.dumps(one(*sys.argv[2:5], int(sys.argv[5]))))
        return
    voice = Path(sys.argv[1])
    counts = [int(count) for count in sys.argv[2:]] or [16, 64, 256]
    model = prepared(voice, threads=1) / "decoder.onnx"
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "latents.npz"
        save(voice, data, max(counts) + 40)
        table = {m: {n: apart(m, str(model), str(data), n) for n in counts} for m in METHODS}
        report(table, counts, model, data)


def save(voice: Path, path: Path, count: int) -> None:
    from latents import windows

    with replacing(path) as aside, aside.open("wb") as file:
        np.savez(file, latent=windows(voice, count, FRAMES))


def apart(method: str, model: str, data: str, count: int) -> dict:
    """One run in a process of its own."""
    command = [sys.executable, __file__, "--one", method, model, data, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["killed"])[-1][:60]}
    return json.loads(done.stdout.splitlines()[-1])


def one(method: str, path: str, data: str, count: int) -> dict:
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    model = named(graph.load(Path(path)))
    samples = first(find(data, onnxruntime.load(Path(path)).inputs), count)
    onnxruntime.load(Path(path)).run(**next(iter(samples)))
    tensors = int8.tensors(model, int8.candidates(model, choose("cpu").int8))
    before, began = peak_mb(), time.perf_counter()
    if method.startswith("mien"):
        ranges = calibrate(model, samples, tensors).ranges(method.split()[1])
    else:
        ranges = theirs(model, samples, tensors, *METHODS[method])
    took = time.perf_counter() - began
    bounds = {name: [r.low, r.high] for name, r in ranges.items()}
    return {"peak_mb": peak_mb() - before, "ms": 1e3 * took / count, "ranges": bounds}


def theirs(model, samples, tensors, method: str, options: dict) -> dict[str, Range]:
    """ONNX Runtime's calibrator on the same operators."""
    from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, create_calibrator

    class Reader(CalibrationDataReader):
        rest = iter(samples)

        def get_next(self):
            return next(self.rest, None)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        file.write_bytes(model.SerializeToString())
        calibrator = create_calibrator(
            file,
            ["Conv"],
            str(Path(folder) / "augmented.onnx"),
            getattr(CalibrationMethod, method),
            extra_options=options,
        )
        calibrator.collect_data(Reader())
        found = calibrator.compute_data()
        return {n: Range(*(float(np.min(v)) for v in found[n].range_value)) for n in tensors if n in found}


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(table: dict, counts: list[int], path: Path, data: Path) -> None:
    head = " | ".join(f"{n} samples" for n in counts)
    line = "| --- |" + " ---: |" * (2 * len(counts) + 3)
    print(f"| method | peak MB: {head} | ms a sample: {head} | widest | rel-error | log-mel dB |\n{line}")
    for method, row in table.items():
        peaks = [shown(row[n], "peak_mb") for n in counts]
        times = [shown(row[n], "ms") for n in counts]
        whole = [row[n] for n in counts if "ranges" in row[n]]
        quality = judged(whole[-1]["ranges"], path, data, max(counts)) if whole else ["", "", ""]
        print("| " + " | ".join([method, *peaks, *times, *quality]) + " |", flush=True)


def shown(run: dict, key: str) -> str:
    return f"{run[key]:.0f}" if key in run else f"failed: {run['failed']}"


def judged(bounds: dict, path: Path, data: Path, used: int) -> list[str]:
    """Median width against the full range's, and the error on samples that were not calibrated on."""
    model, target = named(graph.load(path)), choose("cpu").int8
    reference = onnxruntime.load(path)
    samples = find(str(data), reference.inputs)
    ranges = {name: Range(*values) for name, values in bounds.items()}
    made = int8.quantise(model, int8.candidates(model, target), ranges, target)
    engine = onnxruntime.parse(made.SerializeToString())
    from mien.engine.samples import Subset

    unused = Subset(samples, lambda n: n >= used)
    result = compare(reference, engine, unused, ("rel-error", "log-mel"), rate_hz=RATE_HZ).outputs["audio"]
    widest = np.median([r.high - r.low for r in ranges.values()])
    return [f"{widest:.3g}", f"{result['rel-error']:.3f}", f"{result['log-mel']:.2f}"]


if __name__ == "__main__":
    main()
