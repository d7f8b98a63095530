"""How much each precision takes from each model, on data that nothing was tuned on: one table.

    python benchmarks/decay.py KOKORO.onnx VOICE.onnx FOLDER

The vocoder in log-mel dB (budget 1), the face's landmarks in pixels of 192 (budget 1), Kokoro in log-mel dB
(budget 1). `mixed`: int8 but for the nodes that the budget's search, or the shipped plan, keeps in fp32. The
engines and the samples stay in FOLDER, and are there again in a second run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from latents import SENTENCES
from mien import packs
from mien.engine import cache, graph, package
from mien.engine.backends import onnxruntime
from mien.engine.calibrate import calibrate
from mien.engine.compare import compare
from mien.engine.compile import compile_model
from mien.engine.engine import Engine
from mien.engine.metrics import LogMel
from mien.engine.precision import fp16, int8, named, shipped
from mien.engine.precision.plan import Plan
from mien.engine.request import Request
from mien.engine.samples import find, split
from mien.engine.targets import choose
from mien.speech.voices import kokoro_model, piper_model
from utterances import utterance

HERE = Path(__file__).parent
# for the ranges of all 48 convolutions; the search of the plan heard their first five words
CALIBRATED = [(0, "af_heart"), (9, "bm_george"), (17, "am_michael"), (26, "bf_emma")]
UNHEARD = [(33, "af_heart"), (35, "am_michael"), (37, "bf_emma"), (39, "bm_george")]


def main() -> None:
    kokoro, voice, folder = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    print("| model | metric | held out | fp32 | fp16 | int8 | mixed | nodes in int8: all, mixed |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    latents, faces = folder / "latents.npz", folder / "faces.npz"
    script("latents.py", latents, str(voice), str(latents), "40")
    script("faces.py", faces, str(faces), "80")
    vocoder = piper_model.prepared(voice) / "decoder.onnx"
    compiled("Piper vocoder", vocoder, latents, "log-mel=1", folder, rate_hz=piper_model.read(voice).rate_hz)
    compiled("face landmarks", packs.path("faces") / "face_landmark.tflite", faces, "landmarks=1", folder)
    speech(kokoro)


def script(name: str, made: Path, *arguments: str) -> None:
    if not made.is_file():
        subprocess.run(
            [sys.executable, str(HERE / name), *arguments], cwd=HERE, check=True, stdout=sys.stderr
        )


def compiled(
    name: str, source: Path, data: Path, budget: str, folder: Path, rate_hz: int | None = None
) -> None:
    """Print the row of a model as `mien compile` makes it."""
    plans = {"fp32": {}, "fp16": {"allow_slower": True}, "int8": {}, "mixed": {"budget": budget}}
    metric, values, counts = budget.partition("=")[0], [], []
    reference = package.load(source)
    held_out = split(find(str(data), reference.inputs))[1]
    for plan, options in plans.items():
        precision = "int8" if plan == "mixed" else plan
        out = folder / f"{source.stem}-{plan}.engine"
        request = Request(
            source, out, precision=precision, data=str(data), rate_hz=rate_hz, trusted=True, **options
        )
        made = compile_model(request, tell)
        found = compare(reference, package.load(out), held_out, (metric,), rate_hz=rate_hz)
        values.append(found.worst(metric))
        counts.append(made.manifest.precision.get("int8", 0))
    show(name, metric, len(held_out), values, counts[2:])


def speech(path: Path) -> None:
    """Print Kokoro's row, the same convolutions in each precision: all else decides how long phones are."""
    model, target = named(graph.load(kokoro_model.prepared(path) / "kokoro.onnx")), choose("cpu").int8
    mixed = shipped.read(kokoro_model._PLANS, cache.fingerprint(path))
    assert mixed is not None, "there is a plan for the file of the pack alone"
    every = Plan("int8", dict.fromkeys((*mixed.nodes, *mixed.kept), "int8"))
    heard = [utterance(path, SENTENCES[n], voice) for n, voice in CALIBRATED]
    ranges = calibrate(model, Heard(heard), int8.tensors(model, every)).ranges("percentile")
    half = fp16.candidates(model).only(every.nodes)
    models = {
        "fp16": fp16.convert(model, fp16.fitting(model, half, ranges)),
        "int8": int8.quantise(model, every, ranges, target),
        "mixed": mixed.applied(model, choose("cpu")),
    }
    unheard = [utterance(path, SENTENCES[n], voice) for n, voice in UNHEARD]
    wanted = sounds(onnxruntime.parse(model.SerializeToString()), unheard)
    values = [0.0]
    for name in list(models):
        distance = LogMel(kokoro_model.RATE_HZ)
        for one, other in zip(
            wanted, sounds(onnxruntime.parse(models.pop(name).SerializeToString()), unheard), strict=True
        ):
            distance.add(one, other)
        values.append(distance.value)
    show("Kokoro", "log-mel", len(unheard), values, [len(every.nodes), len(mixed.nodes)])


class Heard(list):
    """Samples made here."""

    origin = "sentences"


def sounds(engine: Engine, samples: Sequence[dict]) -> list:
    return [engine.run(**{port.name: each[port.name] for port in engine.inputs})["audio"] for each in samples]


def show(name: str, metric: str, count: int, values: Sequence[float], nodes: Sequence[int]) -> None:
    cells = [name, metric, str(count), *(f"{value:.3g}" for value in values), f"{nodes[0]}, {nodes[1]}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def tell(what: str, share: float) -> None:
    print(f"\r{what} {share:.0%}  ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
