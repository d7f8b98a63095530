"""The spine: load, passes, precision, read back, compare, time, write."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock
from onnx import ModelProto

from mien.atomic import refused
from mien.engine import cache, graph, package, pareto, passes, recipe
from mien.engine import manifest as manifests
from mien.engine.backends import onnxruntime
from mien.engine.compare import Comparison, compare, default_metrics
from mien.engine.dequantise import is_dynamic
from mien.engine.engine import Engine
from mien.engine.manifest import Manifest
from mien.engine.metrics import higher_is_better
from mien.engine.pareto import Trial
from mien.engine.precision import keep, named, readback
from mien.engine.precision.plan import Plan
from mien.engine.recipe import Recipe
from mien.engine.request import Request, rebuild
from mien.engine.request import key as key_of
from mien.engine.samples import Samples, find, split
from mien.engine.search import Budget, Found, Tuning, rank, search
from mien.engine.targets import Target, choose
from mien.engine.trials import measured
from mien.errors import CorruptError, InputError

_VERIFIED_ON = 2  # samples a pass is checked with
_WIN = 0.95  # of the source's time: what differs less is noise

Tell = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Compiled:
    """The engine's folder, its manifest, remarks, and whether it was there already."""

    folder: Path
    manifest: Manifest
    notes: tuple[str, ...] = ()
    was_there: bool = False


def compile_model(request: Request, tell: Tell = lambda _what, _share: None) -> Compiled:
    """Make an engine of a model; an engine of the same key that is there already is returned as it is.

    Raises `MissingError`, `CorruptError`, `ResourceError`, and `InputError` when the target has not the
    precision, the samples do not fit, the budget can not be held, or fp16 would be slower on this target.
    """
    target = choose(request.target)
    target.check(request.precision)
    if request.data is None and (request.precision in ("fp16", "int8") or request.budget):
        raise InputError(
            f"{request.precision} needs samples: --data samples.npz (or random:64, by name, to try things)"
        )
    model = graph.load(request.source)
    reference = onnxruntime.load(request.source)
    samples = find(request.data, reference.inputs) if request.data else None
    key = key_of(request, target, samples)
    out = request.out or cache.folder() / f"{request.source.stem}-{request.precision}-{key[:16]}.engine"
    package.check_place(out)
    with _lock(out):
        if not request.force and (there := _present(out, key)):
            return Compiled(out, there, was_there=True)
        return _Compiler(request, target, reference, samples, tell).run(model, out, key)


class _Compiler:
    def __init__(
        self, request: Request, target: Target, reference: Engine, samples: Samples | None, tell: Tell
    ) -> None:
        self._request, self._target, self._reference, self._tell = request, target, reference, tell
        self._samples = samples
        self._split = split(samples) if samples is not None else None
        self._budget = Budget.parse(request.budget, request.rate_hz) if request.budget else None
        self._metric = self._budget.metric if self._budget else "rel-error"
        self._tuning: Tuning | None = None

    def run(self, model: ModelProto, out: Path, key: str) -> Compiled:
        model, records = self._passed(model)
        model = named(model)
        chosen = self._recipe(model)
        if self._request.keep:
            chosen = recipe.without(chosen, keep(self._request.keep, [n.name for n in model.graph.node]))
        found = self._planned(chosen)
        built = chosen.build(found.plan)
        contained = readback.check(built, found.plan)
        data = built.SerializeToString()
        options = self._options()
        executed = readback.executed(data, options)
        engine = onnxruntime.parse(data, options, name=str(out))
        check = self._compared(engine)
        trials = self._trials(chosen, found)
        speed = {trial.name: trial.ms for trial in trials}
        notes = [
            *chosen.notes,
            *_left_in_float(found.plan, executed, self._target),
            *self._judged(trials, check),
        ]
        made = self._manifest(key, data, found, contained, executed, records, chosen, check, trials, speed)
        package.write(out, data, made, lambda folder: self._picture(trials, folder))
        return Compiled(out, made, tuple(notes))

    def _passed(self, model: ModelProto) -> tuple[ModelProto, list[dict[str, Any]]]:
        """Run the passes, each checked on real samples; without samples there is nothing to check on."""
        if self._samples is None:
            return model, []
        self._tell("passes", 0.0)
        checked = list(itertools.islice(iter(self._samples), _VERIFIED_ON))
        records = []
        if is_dynamic(model):
            tolerance = passes.DEQUANTISE_TOLERANCE
            model, done = passes.run(model, [passes.DEQUANTISE], checked, tolerance=tolerance)
            records += done
        wanted = [*passes.STANDARD, *([passes.WIDEN] if self._target.device == "cpu" else [])]
        model, done = passes.run(model, wanted, checked)
        return model, [record.to_dict() for record in [*records, *done]]

    def _recipe(self, model: ModelProto) -> Recipe:
        precision = self._request.precision
        if precision == "w8":
            return recipe.stored(model)
        if precision == "fp16" and self._split:
            return recipe.half(model, self._split[0])
        if precision == "int8" and self._split:
            method = self._request.calibration
            return recipe.quantised(model, self._target.int8, self._split, method, self._badness, self._tell)
        return recipe.full(model)

    def _planned(self, chosen: Recipe) -> Found:
        """Search a plan that holds the budget on the calibration samples, then on those held out."""
        if self._budget is None or not chosen.plan.nodes:
            return Found(chosen.plan, (), ())

        def score(plan: Plan) -> float:
            return self._tuned().score(self._engine(chosen.build(plan)))

        found = search(chosen.plan, self._budget, score, self._tell)
        return self._tightened(found, chosen, score)

    def _tightened(self, found: Found, chosen: Recipe, score: Callable[[Plan], float]) -> Found:
        """Keep more nodes, the costliest first, until the budget also holds on held-out samples."""
        assert self._budget is not None
        assert self._split is not None
        held_out = Tuning(self._reference, self._split[1], self._metric, self._request.rate_hz)
        plan, ranking = found.plan, found.ranking
        value = held_out.score(self._engine(chosen.build(plan)))
        if not self._budget.holds(value) and not ranking:
            ranking = tuple(rank(plan, score, self._metric, self._tell))
        for name, cost in ranking:
            if self._budget.holds(value):
                break
            if name in plan.nodes:
                plan = plan.without([name], f"alone costs {self._metric} {cost:.4g}")
                value = held_out.score(self._engine(chosen.build(plan)))
        if not self._budget.holds(value):
            raise InputError(f"the budget {self._request.budget} does not hold on held-out data: {value:.4g}")
        return Found(plan, found.tried, ranking)

    def _badness(self, model: ModelProto) -> tuple[float, float]:
        """Return a number that is less for a better model, and the metric's value."""
        value = self._tuned().score(self._engine(model))
        return (-value if higher_is_better(self._metric) else value) if not math.isnan(
            value
        ) else math.inf, value

    def _tuned(self) -> Tuning:
        if self._tuning is None:
            assert self._split is not None
            self._tuning = Tuning(self._reference, self._split[0], self._metric, self._request.rate_hz)
        return self._tuning

    def _engine(self, model: ModelProto) -> Engine:
        return onnxruntime.parse(model.SerializeToString(), self._options())

    def _options(self) -> onnxruntime.Options:
        return onnxruntime.Options(fold_weights=self._request.precision == "w8")

    def _compared(self, engine: Engine) -> Comparison | None:
        if self._split is None:
            return None
        metrics = default_metrics(self._request.rate_hz)
        return compare(
            self._reference,
            engine,
            self._split[1],
            metrics,
            rate_hz=self._request.rate_hz,
            tell=self._tell,
        )

    def _trials(self, chosen: Recipe, found: Found) -> list[Trial]:
        if self._split is None:
            return []
        self._tell("timing", 0.0)
        held_out = self._split[1]
        tuning = Tuning(self._reference, held_out, self._metric, self._request.rate_hz)
        size = self._request.source.stat().st_size
        return measured(chosen, found, (self._reference, size), next(iter(held_out)), tuning, self._options())

    def _judged(self, trials: list[Trial], check: Comparison | None) -> list[str]:
        """Return remarks on speed; raises `InputError` for NaN and for fp16 that wins nothing but must."""
        if not trials:
            return ["no samples: neither checked nor timed; give --data"]
        source, engine = trials[0], next(trial for trial in trials if trial.chosen)
        notes = []
        if check and any(math.isnan(v) for row in check.outputs.values() for v in row.values()):
            raise InputError(
                "the engine's outputs hold NaN where the model's do not; keep more nodes in fp32"
            )
        if self._budget and check and not self._budget.holds(value := check.worst(self._metric)):
            raise InputError(f"the budget {self._request.budget} does not hold on held-out data: {value:.4g}")
        speed = f"{engine.ms:.1f} ms a run, the source {source.ms:.1f} ms"
        must_win = self._request.precision == "fp16" and self._target.fp16_needs_win
        if must_win and not self._request.allow_slower and engine.ms > _WIN * source.ms:
            raise InputError(
                f"fp16 wins nothing on {self._target.name} ({speed}); use fp32, or add --allow-slower"
            )
        notes.append(f"{speed}: {source.ms / engine.ms:.2f}x as fast")
        return notes

    def _picture(self, trials: list[Trial], folder: Path) -> None:
        if len(trials) > 2:
            pareto.draw(
                trials, self._metric, self._budget.limit if self._budget else None, folder / "pareto.png"
            )

    def _manifest(
        self,
        key: str,
        data: bytes,
        found: Found,
        contained: Mapping[str, int],
        executed: Mapping[str, int],
        records: list[dict[str, Any]],
        chosen: Recipe,
        check: Comparison | None,
        trials: list[Trial],
        speed: Mapping[str, float],
    ) -> Manifest:
        request, source = self._request, self._request.source
        backend, device = manifests.place_of(self._target)
        return Manifest(
            key=key,
            source={"path": str(source), "sha256": cache.fingerprint(source)},
            model_sha256=hashlib.sha256(data).hexdigest(),
            target=self._target.name,
            backend=backend,
            device=device,
            command=request.command or rebuild(request),
            asked=request.precision,
            precision=dict(contained),
            kept=dict(found.plan.kept),
            executed=dict(executed),
            passes=tuple(records),
            calibration=chosen.facts,
            check=_checked(check, self._split),
            speed_ms=speed,
            size_bytes={"source": source.stat().st_size, "engine": len(data)},
            budget=request.budget,
            trials=tuple(trial.to_json() for trial in trials),
            session={"fold_weights": self._options().fold_weights},
        )


def _left_in_float(plan: Plan, executed: Mapping[str, int], target: Target) -> list[str]:
    """Say when the backend runs fewer nodes in int8 than the file has."""
    planned = sum(precision == "int8" for precision in plan.nodes.values())
    ran = sum(count for name, count in executed.items() if name.startswith("int8 "))
    if target.backend != "onnxruntime" or ran >= planned:
        return []
    return [f"of {planned} nodes in int8 {target.backend} runs {planned - ran} in float"]


def _checked(check: Comparison | None, parts: tuple[Samples, Samples] | None) -> dict[str, Any] | None:
    if check is None or parts is None:
        return None
    return {"samples": check.samples, "origin": parts[1].origin, "outputs": check.to_json()}


def _present(out: Path, key: str) -> Manifest | None:
    """Return the manifest of an engine of this key at `out`, when it is whole."""
    if not (out / manifests.NAME).is_file():
        return None
    try:
        found = manifests.read(out)
    except CorruptError:  # it is replaced
        return None
    whole = (out / package.MODEL).is_file() and cache.fingerprint(out / package.MODEL) == found.model_sha256
    return found if whole and found.key == key else None


def _lock(out: Path) -> FileLock:
    """Return the lock of an engine's place; it lies in the cache, so that nothing stays beside the engine."""
    folder = cache.folder() / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(error, folder) from None
    return FileLock(folder / f"{hashlib.sha256(str(out.absolute()).encode()).hexdigest()[:32]}.lock")


def summed(counts: Mapping[str, int]) -> str:
    """Return counts as text: `20 int8, 44 fp32`."""
    return ", ".join(f"{count} {name}" for name, count in Counter(counts).most_common())
