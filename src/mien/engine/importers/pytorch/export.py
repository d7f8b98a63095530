"""The child's work: call a factory, export its module, write ONNX.

A factory takes nothing and returns `(module, inputs)` or `(module, inputs, dynamic_shapes)`: `inputs` is a
tuple of tensors, or a mapping of keyword arguments; `dynamic_shapes` is as `torch.export.export` takes it.
"""

from __future__ import annotations

import importlib
import linecache
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from mien.engine.importers.pytorch.advice import SHAPE, Place, place
from mien.errors import InputError, MienError, MissingError, nearest, require

_FRAME: Final = re.compile(r'File "([^"]+)", line (\d+)')
_DATA: Final = ("GuardOnDataDependentSymNode", "data-dependent", "DataDependentOutput", "DynamicOutputShape")


def task(path: Path, *, factory: str, out: str) -> dict[str, Any]:
    """Export `package.module:factory`, found from folder `path`; `notes` name data-dependent shapes."""
    sys.path.insert(0, str(path))
    warnings.simplefilter("ignore")
    try:
        notes = _exported(factory, Path(out))
    except MienError as error:
        return {"error": str(error), "kind": type(error).__name__, "notes": []}
    return {"error": "", "kind": "", "notes": notes}


def _exported(name: str, out: Path) -> list[str]:
    torch = require("torch", extra="torch")
    require("onnxscript", extra="torch")
    module, inputs, shapes = _made(name, _factory(name), torch)
    program = _program(torch, name, module, inputs, shapes)
    try:
        torch.onnx.export(program, dynamic_shapes=shapes, dynamo=True, verbose=False).save(
            str(out), external_data=False
        )
    except torch.onnx.OnnxExporterError as error:
        raise InputError(f"{name} was exported, and can not be written as ONNX: {_first(error)}") from None
    return _counted(program)


def _factory(name: str) -> Callable[[], Any]:
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise MissingError(
            f"no Python module {error.name!r} for {name}; run mien where it can be imported"
        ) from None
    found = getattr(module, attribute, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and key[0] != "_"]
        raise InputError(f"{module_name!r} has no function {attribute!r}{nearest(attribute, known)}")
    return found  # type: ignore[no-any-return]


def _made(name: str, factory: Callable[[], Any], torch: Any) -> tuple[Any, Any, Any]:
    made = factory()
    if not (isinstance(made, tuple) and len(made) in (2, 3) and isinstance(made[0], torch.nn.Module)):
        raise InputError(
            f"{name}() returned {type(made).__name__}; it must return (module, inputs) or "
            "(module, inputs, dynamic_shapes)"
        )
    return made[0].eval(), made[1], made[2] if len(made) == 3 else None


def _program(torch: Any, name: str, module: Any, inputs: Any, shapes: Any) -> Any:
    """Export; anything that depends on data is an `InputError` with file and line."""
    arguments, named = ((), dict(inputs)) if isinstance(inputs, Mapping) else (tuple(inputs), None)
    try:
        with torch.no_grad():
            return torch.export.export(module, arguments, named, dynamic_shapes=shapes, strict=False)
    except Exception as error:  # noqa: BLE001 - torch and the user's own code raise anything
        where = _user_place(error, torch)
        if where is not None and _is_data(error):
            raise InputError(str(where)) from None
        at = f"{where.file}:{where.line}: " if where is not None else ""
        raise InputError(f"torch.export can not read {name}: {at}{_first(error)}") from None


def _is_data(error: BaseException) -> bool:
    text = f"{type(error).__name__} {error}"
    return any(word in text for word in _DATA)


def _user_place(error: BaseException, torch: Any) -> Place | None:
    """Return the innermost line that is neither torch's nor mien's."""
    own = (str(Path(torch.__file__).parent), str(Path(__file__).parent), "<")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(own)]
    users = [f for f in frames if "importlib" not in f.filename and f.lineno is not None]
    return _place(users[-1].filename, users[-1].lineno or 0) if users else None


def _place(file: str, line: int) -> Place:
    return place(file, line, "".join(linecache.getlines(file)))


def _counted(program: Any) -> list[str]:
    """Return a note for each tensor whose size depends on values."""
    found = {}
    for node in program.graph.nodes:
        frames = _FRAME.findall(node.meta.get("stack_trace") or "")
        if node.meta.get("unbacked_bindings") and frames:
            file, line = frames[-1]
            at = _place(file, int(line))
            found[file, line] = str(Place(at.file, at.line, at.code, SHAPE))
    return list(found.values())


def _first(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:300]
