"""What a backend takes of a model: asked of the library where it runs, looked up in a table elsewhere."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from mien.engine.sandbox import Worker
from mien.errors import CorruptError, InputError, MienError, nearest

if TYPE_CHECKING:
    from onnx import ModelProto

    from mien.engine.backends.tensorrt_rtx.shapes import Sizes
    from mien.engine.diagnose.ask import Backend as Target

_GIB: Final = 1 << 30
_TIME_S: Final = 120.0
_AXES: Final = 3  # corners of so many free axes are tried all, of more only the least and the greatest
_DOMAINS: Final = ("unknown-domain", "domain-not-imported")  # a backend may know what ONNX does not
_TABLES: Final = "mien.check.operators"
_LIBRARIES: Final = {"onnxruntime": "coverage-onnxruntime", "openvino": "coverage-openvino"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was found of a model: `lacking` operators → nodes of `nodes`; `corners` tried, those that `ran`.

    `runs`: it was run, not only built or looked up. `failure`: why it can not be used at all. `notes`: what
    remains open.
    """

    nodes: int = 0
    lacking: Mapping[str, int] = field(default_factory=dict)
    corners: int = 0
    ran: int = 0
    runs: bool = False
    failure: str = ""
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of nodes that the backend takes, also of a model that it refuses for the others."""
        if self.failure and not self.lacking:
            return 0.0
        return 1.0 - sum(self.lacking.values()) / self.nodes if self.nodes else 1.0


class Asking:
    """Asks about models, each question once. Use it as a context: it keeps child processes."""

    def __init__(self, sizes: Mapping[str, Sizes] | None = None) -> None:
        self._sizes = dict(sizes or {})
        self._workers: dict[str, Worker] = {}
        self._targets: dict[str, Target] = {}
        self._known: dict[tuple[Path, str], Asked] = {}
        self._sources: dict[Path, Path | CorruptError] = {}

    def __enter__(self) -> Asking:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers.values():
            worker.close()
        for target in self._targets.values():
            target.__exit__(kind, error, trace)

    def ask(self, path: Path, ask: str) -> Asked:
        """Return what `onnxruntime`, `openvino`, `tensorrt-rtx[:sm89]` or `table:NAME` says of a model."""
        check_ask(ask)
        if (path, ask) not in self._known:
            self._known[path, ask] = self._asked(path, ask)
        return self._known[path, ask]

    def _asked(self, path: Path, ask: str) -> Asked:
        library, _, rest = ask.partition(":")
        try:
            source = self._source(path)
            if library == "table":
                return _looked_up(source, rest)
            return self._of_library(source, library) if library in _LIBRARIES else self._of_rtx(source, ask)
        except MienError as error:
            return Asked(failure=str(error))

    def _source(self, path: Path) -> Path:
        """Return a model's ONNX file, once a child process found it sound; raises what says why not."""
        from mien.engine.importers import imported
        from mien.engine.validate import errors, validate_untrusted

        if path not in self._sources:
            source = imported(path).path
            wrong = [each for each in errors(validate_untrusted(source)) if each.code not in _DOMAINS]
            self._sources[path] = CorruptError(str(wrong[0])) if wrong else source
        found = self._sources[path]
        if isinstance(found, CorruptError):
            raise found
        return found

    def _of_library(self, path: Path, library: str) -> Asked:
        import onnx

        model = onnx.load(path, load_external_data=False)
        wanted = corners(self._ranges(model))
        worker = self._workers.get(library)
        if worker is None:
            worker = self._workers[library] = Worker(_LIBRARIES[library], memory_bytes=12 * _GIB)
        outcome = worker.ask(path, time_s=_TIME_S, corners=wanted)
        if outcome.failure:
            return Asked(failure=outcome.failure)
        return _of_answer(outcome.answer)

    def _of_rtx(self, path: Path, target: str) -> Asked:
        from mien.engine import graph
        from mien.engine.diagnose.ask import Backend as Target

        model = graph.load(path)
        ranges = self._ranges(model)
        backend = self._targets.get(target)
        if backend is None:
            backend = self._targets[target] = Target(target, model_bytes=_GIB)
        answer = backend.ask(model, ranges, folder=path.parent)
        nodes = sum(_operators(path).values())
        if answer.builds:
            built = 2 ** len(ranges)
            return Asked(nodes, corners=built, ran=built, notes=("built for the range, not run",))
        lacking: dict[str, int] = {}
        for report in answer.reports:
            name = report.operator or report.code
            lacking[name] = lacking.get(name, 0) + 1
        first = answer.failure or answer.reports[0].message
        return Asked(nodes, lacking, failure=" ".join(first.split())[:160])

    def _ranges(self, model: ModelProto) -> dict[str, Sizes]:
        from mien.engine.backends.tensorrt_rtx import shapes

        usual = shapes.usual(model)
        return {axis: self._sizes.get(axis, usual[axis]) for axis in usual}


def corners(ranges: Mapping[str, Sizes]) -> list[dict[str, int]]:
    """Return the sizes to try: the usual ones, and the corners of the ranges (of many axes only two)."""
    names = list(ranges)
    middle = {name: ranges[name][1] for name in names}
    if len(names) > _AXES:
        ends = [{name: ranges[name][end] for name in names} for end in (0, 2)]
    else:
        each = [sorted({ranges[name][0], ranges[name][2]}) for name in names]
        ends = [dict(zip(names, sizes, strict=True)) for sizes in itertools.product(*each)]
    return [middle, *(end for end in ends if end != middle)]


def check_ask(ask: str) -> None:
    """Raise `InputError` for who can not be asked; the empty text is nobody."""
    library, _, rest = ask.partition(":")
    if library == "table":
        table(rest)
    elif ask and library not in (*_LIBRARIES, "tensorrt-rtx"):
        raise InputError(
            f"{ask!r} can not be asked{nearest(library, [*_LIBRARIES, 'tensorrt-rtx', 'table'])}"
        )


@cache
def table(name: str) -> tuple[frozenset[str], Mapping[str, str]]:
    """Return the operators of a table and conditions on some; raises `InputError`."""
    known = [f.name.removesuffix(".toml") for f in resources.files(_TABLES).iterdir()]
    if name not in known:
        raise InputError(f"no table of operators {name!r}{nearest(name, known)}")
    read = tomllib.loads((resources.files(_TABLES) / f"{name}.toml").read_text("utf-8"))
    return frozenset(read["operators"].split()), read["conditions"]


def _looked_up(path: Path, name: str) -> Asked:
    known, conditions = table(name)
    counted = _operators(path)
    counted.pop("Constant", None)  # folded before a backend sees it
    lacking = {operator: n for operator, n in counted.items() if operator not in known}
    notes = tuple(f"{operator}: {conditions[operator]}" for operator in counted if operator in conditions)
    return Asked(sum(counted.values()), lacking, notes=notes)


def _operators(path: Path) -> dict[str, int]:
    from mien.engine.backends.coverage import operators

    return operators(path)


def _of_answer(answer: Mapping[str, Any]) -> Asked:
    tried = answer["corners"]
    failed = [each for each in tried if each["reason"]]
    notes = tuple(
        f"at {', '.join(f'{axis}={size}' for axis, size in each['sizes'].items()) or 'its size'}: "
        f"{re.sub(r'^.*?: ', '', each['reason'], count=1)}"
        for each in failed[:2]
    )
    return Asked(
        answer["nodes"], answer["lacking"], len(tried), len(tried) - len(failed), runs=True, notes=notes
    )
