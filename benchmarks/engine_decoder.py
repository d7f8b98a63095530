"""A Piper vocoder in every precision, side by side: the table of docs/benchmarks-engine.md.

    python benchmarks/latents.py VOICE.onnx latents.npz 40
    python benchmarks/engine_decoder.py VOICE.onnx latents.npz FOLDER

All engines take turns on one held-out window; errors are over all held-out windows.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mien.engine import machine, package, pareto
from mien.engine.backends import onnxruntime
from mien.engine.compare import compare
from mien.engine.compile import compile_model
from mien.engine.request import Request
from mien.engine.samples import find, split
from mien.engine.timing import side_by_side
from mien.speech.voices.piper_model import prepared

RATE_HZ, HOP = 22_050, 256
PLANS = {
    "fp32": {"precision": "fp32"},
    "fp16": {"precision": "fp16", "allow_slower": True},
    "w8": {"precision": "w8"},
    "int8": {"precision": "int8"},
    "int8, log-mel under 3 dB": {"precision": "int8", "budget": "log-mel=3"},
    "int8, log-mel under 2 dB": {"precision": "int8", "budget": "log-mel=2"},
    "int8, log-mel under 1 dB": {"precision": "int8", "budget": "log-mel=1"},
}


def main() -> None:
    voice, data, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    source = prepared(voice) / "decoder.onnx"
    made = {}
    for name, options in PLANS.items():
        out = folder / f"{name.replace(' ', '').replace(',', '-').replace('under', '')}.engine"
        made[name] = compile_model(Request(source, out, data=data, rate_hz=RATE_HZ, **options))
        print(f"made {out}", file=sys.stderr, flush=True)
    report(source, data, made, folder)


def report(source: Path, data: str, made: dict, folder: Path) -> None:
    reference = onnxruntime.load(source)
    held_out = split(find(data, reference.inputs))[1]
    sample = next(iter(held_out))
    engines = {"source": reference} | {name: package.load(each.folder) for name, each in made.items()}
    times = side_by_side(engines, sample, seconds=40)
    sound_ms = 1e3 * sample["latent"].shape[2] * HOP / RATE_HZ
    print(f"{machine.processor()}, {sound_ms:.0f} ms of sound a run, {times['source'].runs} runs each\n")
    print(
        "| plan | int8 nodes | MB | best ms | median ms | times as fast | rel-error | SQNR dB | log-mel dB |"
    )
    print("| --- |" + " ---: |" * 8)
    trials = []
    for name, engine in engines.items():
        row = compare(reference, engine, held_out, ("rel-error", "sqnr", "log-mel"), rate_hz=RATE_HZ)
        found = row.outputs["audio"]
        manifest = made[name].manifest if name in made else None
        size = manifest.size_bytes["engine"] if manifest else source.stat().st_size
        count = manifest.precision.get("int8", 0) if manifest else 0
        faster = times["source"].best_ms / times[name].best_ms
        cells = [
            str(count),
            f"{size / 1e6:.2f}",
            f"{times[name].best_ms:.1f}",
            f"{times[name].median_ms:.1f}",
        ]
        cells += [f"{faster:.2f}", f"{found['rel-error']:.4f}", f"{found['sqnr']:.1f}"]
        print("| " + " | ".join([name, *cells, f"{found['log-mel']:.2f}"]) + " |")
        trials.append(pareto.Trial(name, 0, found["log-mel"], times[name].best_ms, size))
    pareto.draw(trials, "log-mel", None, folder / "decoder.png")


if __name__ == "__main__":
    main()
