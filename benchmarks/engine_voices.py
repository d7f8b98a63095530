"""A voice's text part as it is cut out of its model, and as it is run, in turn.

python benchmarks/engine_voices.py en_US-joe-medium.onnx
"""

import sys
from pathlib import Path

import numpy as np

from mien.engine import graph
from mien.engine.backends import onnxruntime
from mien.engine.timing import side_by_side
from mien.speech.voices import piper_graph, piper_model


def main() -> None:
    path = Path(sys.argv[1])
    cut = piper_graph.split(graph.load(path))["front"]
    made = graph.load(piper_model.prepared(path) / "front.onnx")
    engines = {"cut": onnxruntime.parse(cut.SerializeToString())}
    engines["run"] = onnxruntime.parse(made.SerializeToString())
    takes = {info.name for info in cut.graph.input}
    config, draw = piper_model.read(path), np.random.default_rng(0)
    print("| ids | nodes | best ms | nodes | best ms | times as fast | largest difference |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for count in (22, 42, 122):
        ids = tuple(int(n) for n in draw.integers(3, 120, count))
        sentence = piper_model.Sentence(ids, (1.0,) * count)
        sample = piper_model._inputs(config, sentence, piper_model._drawn())
        sample = {name: value for name, value in sample.items() if name in takes}
        times = side_by_side(engines, sample, seconds=4)
        one, other = (engine.run(**sample)["latent"] for engine in engines.values())
        before, after = times["cut"].best_ms, times["run"].best_ms
        error = np.abs(one - other).max() / np.abs(one).max()
        print(
            f"| {count} | {len(cut.graph.node)} | {before:.1f} | {len(made.graph.node)} | {after:.1f} "
            f"| {before / after:.2f} | {error:.1e} |"
        )


if __name__ == "__main__":
    main()
