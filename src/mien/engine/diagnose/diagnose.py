"""The steps of a diagnosis: is it a model, what does the target say, what is meant, how small can it be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from onnx import ModelProto, NodeProto, ValueInfoProto

from mien.engine import graph
from mien.engine.backends.report import Report
from mien.engine.backends.tensorrt_rtx import shapes
from mien.engine.backends.tensorrt_rtx.shapes import Sizes
from mien.engine.diagnose.ask import Answer, Backend
from mien.engine.diagnose.cause import Cause, Diagnosis, Result
from mien.engine.diagnose.classify import classify, of_failure
from mien.engine.diagnose.locate import locate
from mien.engine.diagnose.reduce import smallest
from mien.engine.diagnose.remedy import Case, remedy
from mien.engine.importers import imported
from mien.engine.precision import named
from mien.engine.validate import Finding, errors, validate, validate_untrusted
from mien.errors import InputError, nearest
from mien.progress import Progress, silent

_MOST: Final = 8  # diagnoses of one model
_EVIDENCE: Final = 400  # characters
# What validation finds that is no damage to the file; anything else it finds is.
_CODES: Final = {
    "unknown-domain": Cause.CUSTOM,
    "domain-not-imported": Cause.CUSTOM,
    **dict.fromkeys(
        "unknown-operator withdrawn-operator opset-range ir-version no-opset opset-twice".split(),
        Cause.VERSION,
    ),
    **dict.fromkeys(
        "too-many-nodes too-many-parts file-too-large tensor-too-large weights-too-large external-too-large "
        "nested-too-deep".split(),
        Cause.MEMORY,
    ),
}


@dataclass(frozen=True, slots=True)
class Options:
    """`sizes` of free axes; `reduce`: search the smallest failing part, for `time_s` a cause at most.

    `trusted`: the file is validated in this process. `strict`: a size for an axis that the model does not
    have is an error.
    """

    sizes: Mapping[str, Sizes] = field(default_factory=dict)
    reduce: bool = True
    time_s: float = 60.0
    trusted: bool = False
    strict: bool = False


def diagnose(path: Path, target: str, options: Options = Options(), tell: Progress = silent) -> Result:
    """Return why a model does not build for a target, or that it does.

    Raises `InputError` for an unknown target, `MissingError` for a file or library that is not there.
    """
    with Backend(target, model_bytes=path.stat().st_size if path.is_file() else 0) as backend:
        return examine(path, backend, replace(options, strict=True), tell)


def examine(path: Path, backend: Backend, options: Options, tell: Progress = silent) -> Result:
    """Do the same with a backend that is there already: for many models."""
    try:
        source = imported(path, tell).path
    except InputError as error:
        return Result(path, backend.target, (_of_import(path, str(error)),))
    graph.check_file(source)
    tell("validating", 0.0)
    found = errors(validate(source) if options.trusted else validate_untrusted(source))
    if any(_CODES.get(finding.code) is not Cause.CUSTOM for finding in found):
        return Result(path, backend.target, tuple(_of_finding(each) for each in found[:_MOST]))
    model = named(graph.load(source))
    if options.strict:
        _check_axes(model, options.sizes)
    tell(f"asking {backend.target}", 0.2)
    return _Examination(path, model, backend, options, tell).result()


def _check_axes(model: ModelProto, sizes: Mapping[str, Sizes]) -> None:
    known = shapes.axes(model)
    for axis in sizes:
        if axis not in known:
            raise InputError(f"no input has a free axis {axis!r}{nearest(axis, known)}")


def _of_finding(finding: Finding) -> Diagnosis:
    cause = _CODES.get(finding.code, Cause.CORRUPT)
    return Diagnosis(cause, finding.node, "", finding.code, finding.message, finding.remedy)


def _of_import(path: Path, message: str) -> Diagnosis:
    """Return the diagnosis of a model that does not become ONNX; its error says what to do."""
    told, _, advice = message.partition("; ")
    causes = {"branch": Cause.CONTROL, "loop": Cause.CONTROL, "shape": Cause.SHAPE, "value": Cause.SHAPE}
    found = [cause for word, cause in causes.items() if f"data-dependent {word}" in told]
    kind = "torch" if ":" in path.name and not path.exists() else "tflite"
    return Diagnosis(next(iter(found), Cause.OPERATOR), "", "", f"import-{kind}", told, advice or message)


class _Examination:
    """One model before one backend."""

    def __init__(
        self, path: Path, model: ModelProto, backend: Backend, options: Options, tell: Progress
    ) -> None:
        self._path, self._model, self._backend = path, model, backend
        self._options, self._tell = options, tell
        self._sizes = dict(options.sizes)
        self._infos: Mapping[str, ValueInfoProto] = graph.value_infos(model)

    def result(self) -> Result:
        answer = self._ask(self._model)
        diagnoses = self._diagnoses(answer)
        notes = list(answer.notes)
        if [each.cause for each in diagnoses] == [Cause.PROFILE]:
            notes.append(self._with_sizes())
        nodes = len(self._model.graph.node)
        return Result(self._path, self._backend.target, tuple(diagnoses), nodes, tuple(notes))

    def _with_sizes(self) -> str:
        """Return what is wrong besides the missing profile: try with made-up sizes."""
        usual = shapes.usual(self._model)
        answer = self._backend.ask(self._model, usual, folder=self._path.parent)
        told = ", ".join(f"{axis} {':'.join(map(str, sizes))}" for axis, sizes in usual.items())
        if answer.builds:
            return f"tried with {told}: it builds"
        first = self._diagnoses(answer)[0]
        return f"tried with {told}: {first.cause} at {first.operator} {first.node}: {first.evidence}"

    def _ask(self, model: ModelProto) -> Answer:
        return self._backend.ask(model, self._sizes, folder=self._path.parent)

    def _diagnoses(self, answer: Answer) -> list[Diagnosis]:
        if answer.failure:
            return [self._diagnosis(Report("build", "DIED", answer.failure), of_failure(answer.failure))]
        kept: dict[tuple[Cause, str], Report] = {}
        for report in answer.reports:
            kept.setdefault((self._cause(report), self._operator(report)), report)
        items = list(kept.items())[:_MOST]
        return [self._diagnosis(report, cause) for (cause, _), report in items]

    def _diagnosis(self, report: Report, cause: Cause) -> Diagnosis:
        place = locate(self._model, report)
        node = self._model.graph.node[place] if place is not None else None
        case = Case(self._path, self._backend.target, self._model, node, self._infos, report.message)
        found = self._reduced(cause, report, place)
        part, count = found or (None, 0)
        return Diagnosis(
            cause,
            node.name if node is not None else "",
            node.op_type if node is not None else report.operator,
            report.code,
            report.message[:_EVIDENCE],
            remedy(cause, case),
            part,
            count,
            len(self._model.graph.node),
        )

    def _reduced(self, cause: Cause, report: Report, place: int | None) -> tuple[ModelProto, int] | None:
        if not self._options.reduce or cause is Cause.PROFILE:
            return None
        asked = 0

        def fails(part: ModelProto) -> bool:
            nonlocal asked
            asked += 1
            self._tell(f"reducing: {len(part.graph.node)} nodes", min(0.3 + asked / 120, 0.99))
            return self._is_same(self._ask_part(part), cause, report)

        return smallest(self._model, fails, place, time_s=self._options.time_s)

    def _ask_part(self, part: ModelProto) -> Answer:
        """Ask about a part: axes that were inner ones get a size to build for."""
        sizes = {**shapes.usual(part), **self._sizes}
        return self._backend.ask(part, sizes, folder=self._path.parent)

    def _is_same(self, answer: Answer, cause: Cause, report: Report) -> bool:
        if answer.failure:
            return report.code == "DIED" and of_failure(answer.failure) is cause
        return any(
            each.code == report.code and each.operator == report.operator and self._cause(each) is cause
            for each in answer.reports
        )

    def _cause(self, report: Report) -> Cause:
        return classify(report, self._domain(report))

    def _operator(self, report: Report) -> str:
        node = self._node(report)
        return node.op_type if node is not None else report.operator

    def _domain(self, report: Report) -> str:
        node = self._node(report)
        return node.domain if node is not None else ""

    def _node(self, report: Report) -> NodeProto | None:
        place = locate(self._model, report)
        return self._model.graph.node[place] if place is not None else None
