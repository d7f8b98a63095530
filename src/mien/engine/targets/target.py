"""Reading target profiles."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from importlib import resources
from typing import Any

from mien.engine import machine
from mien.errors import CorruptError, InputError, nearest


@dataclass(frozen=True, slots=True)
class Int8:
    """How a target wants int8.

    `activations`: `"uint8"` or `"int8"`. `reduce_range`: weights use 7 bits. `operators`: what has int8
    kernels that pay.
    """

    activations: str
    symmetric_activations: bool
    per_channel: bool
    reduce_range: bool
    quantise_bias: bool
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A backend on a kind of device.

    `fp16_needs_win`: fp16 is refused unless it is measured to be faster. `compute_capabilities`: what is
    built runs on all of them; `selectable`: those that a name may end in (`tensorrt-rtx:sm89`).
    """

    name: str
    backend: str
    device: str
    precisions: tuple[str, ...]
    int8: Int8
    fp16_needs_win: bool
    cpu_features: tuple[str, ...] = ()
    compute_capabilities: tuple[str, ...] = ()
    selectable: tuple[str, ...] = ()

    @property
    def runs_here(self) -> bool:
        """Whether this machine can run what is made for the target."""
        return self.device == "cpu" and set(self.cpu_features) <= machine.cpu_features()

    def check(self, precision: str) -> None:
        """Raise `InputError` for a precision that the target does not have."""
        if precision not in self.precisions:
            raise InputError(
                f"target {self.name!r} has no precision {precision!r}{nearest(precision, self.precisions)}"
            )


def names() -> list[str]:
    """Return the targets that there are."""
    folder = resources.files("mien.engine.targets")
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))


def choose(name: str) -> Target:
    """Return a target by its name; `cpu` is this machine's, `tensorrt-rtx:sm89` one kind of GPU.

    Raises `InputError` for an unknown one.
    """
    known = names()
    base, colon, capability = name.partition(":")
    wanted = "cpu-avx2" if base == "cpu" else base
    if wanted not in known:
        raise InputError(f"no target {base!r}{nearest(base, ['cpu', *known])}")
    text = (resources.files("mien.engine.targets") / f"{wanted}.toml").read_text("utf-8")
    target = parse(wanted, text)
    return _narrowed(target, capability) if colon else target


def _narrowed(target: Target, capability: str) -> Target:
    valid = {"sm" + each.replace(".", ""): each for each in target.selectable}
    if not valid:
        raise InputError(f"target {target.name!r} has no compute capabilities; leave {capability!r} out")
    if capability not in valid:
        raise InputError(
            f"{target.name} builds nothing for {capability!r}; valid: {', '.join(valid)} "
            "(GPUs of data centres, as sm90, need TensorRT itself)"
        )
    return replace(target, name=f"{target.name}:{capability}", compute_capabilities=(valid[capability],))


def parse(name: str, text: str) -> Target:
    """Return the target of a profile's text; raises `CorruptError` for an unknown or missing key."""
    try:
        table = tomllib.loads(text)
        int8 = _only(Int8, table.pop("int8"))
        fp16 = table.pop("fp16")
        needs_win = fp16.pop("needs_win")
        if fp16:
            raise ValueError(f"unknown key {next(iter(fp16))!r} in [fp16]")
        return Target(name=name, int8=int8, fp16_needs_win=needs_win, **_checked(Target, table))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise CorruptError(f"target profile {name!r} is not usable: {error}") from None


def _only(kind: type[Int8], table: dict[str, Any]) -> Int8:
    return kind(**_checked(kind, table))


def _checked(kind: type[Any], table: dict[str, Any]) -> dict[str, Any]:
    known = [field.name for field in fields(kind)]
    for key in table:
        if key not in known:
            raise ValueError(f"unknown key {key!r}{nearest(key, known)}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
