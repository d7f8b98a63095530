"""The `.onnx.json` beside a Piper voice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mien.contents import contents, parse_json
from mien.errors import CorruptError, InputError, nearest

PAD, BEGIN, END = "_", "^", "$"


@dataclass(frozen=True, slots=True)
class PiperConfig:
    """How to speak to a Piper model.

    `language`: espeak-ng's name. `ids`: a symbol's ids. `noise`, `length`, `noise_w`: the model's
    own scales. `speakers`: name → id, empty for a voice of one speaker.
    """

    rate_hz: int
    language: str
    ids: Mapping[str, tuple[int, ...]]
    noise: float
    length: float
    noise_w: float
    speakers: Mapping[str, int]

    def speaker(self, name: str | int | None) -> int:
        """Return a speaker's id, the first for None; raises `InputError` for one the voice has not."""
        if name is None or (not self.speakers and name in (0, "0")):
            return 0
        if not self.speakers:
            raise InputError(f"this voice has one speaker; leave out speaker {name!r}")
        if str(name) in self.speakers:
            return self.speakers[str(name)]
        if str(name).isdecimal() and int(name) in self.speakers.values():
            return int(name)
        raise InputError(f"the voice has no speaker {name!r}{nearest(str(name), self.speakers)}")


def read(model: Path) -> PiperConfig:
    """Read the configuration of the voice `model` (`NAME.onnx` → `NAME.onnx.json`).

    Raises `MissingError` when it is not there and `CorruptError` when it is no Piper configuration.
    """
    file = model.with_name(model.name + ".json")
    try:
        table = parse_json(contents(file, hint="a Piper voice needs its .onnx.json beside it"))
    except ValueError as error:
        raise CorruptError(f"{str(file)!r} is not JSON: {error}") from None
    try:
        return _parse(table)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise CorruptError(f"{str(file)!r} is not a Piper configuration: {error!r}") from None


def _parse(table: dict[str, Any]) -> PiperConfig:
    kind = table.get("phoneme_type", "espeak")
    if kind != "espeak":
        raise InputError(f"this Piper voice reads phoneme type {kind!r}; mien speaks those of type 'espeak'")
    scales = table.get("inference", {})
    ids = {symbol: tuple(int(n) for n in numbers) for symbol, numbers in table["phoneme_id_map"].items()}
    for symbol in (PAD, BEGIN, END):
        if symbol not in ids:
            raise KeyError(f"phoneme_id_map[{symbol!r}]")
    count = int(table.get("num_speakers", 1))
    named = {str(name): int(n) for name, n in (table.get("speaker_id_map") or {}).items()}
    return PiperConfig(
        rate_hz=int(table["audio"]["sample_rate"]),
        language=str(table["espeak"]["voice"]),
        ids=ids,
        noise=float(scales.get("noise_scale", 0.667)),
        length=float(scales.get("length_scale", 1.0)),
        noise_w=float(scales.get("noise_w", 0.8)),
        speakers=(named or {str(n): n for n in range(count)}) if count > 1 else {},
    )
