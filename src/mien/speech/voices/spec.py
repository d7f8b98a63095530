"""A persona's `[voice]` table: strict, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mien.errors import InputError, nearest

# Each kind's keys, beside `kind`.
KEYS: Mapping[str, frozenset[str]] = {
    "piper": frozenset({"name", "path", "speaker"}),
    "kokoro": frozenset({"name", "path", "model"}),
    "openai": frozenset({"url", "model", "voice", "key_env", "language", "timeout_s", "instructions"}),
}
SLOW = frozenset({"kokoro"})  # kinds whose breaths are made whole, and take half their length and more


@dataclass(frozen=True, slots=True)
class VoiceSpec:
    """Which voice: its `kind` and that kind's `options`, sorted, so that two equal tables are equal.

    `piper`: `name` of a pack (`"joe"`) or `path` of an `.onnx`; `speaker` in a voice of several.
    `kokoro`: `name` of a voice (`"af_heart"`, or a blend `"af_heart:0.6+af_bella:0.4"`) or `path` of a voice
    vector; `model`: path of another Kokoro `.onnx`. `openai`: a server that speaks OpenAI's speech API.
    """

    kind: str
    options: tuple[tuple[str, Any], ...] = ()

    def option(self, key: str) -> Any:
        """Return an option's value, None when it is not given."""
        return dict(self.options).get(key)


def parse(table: Mapping[str, Any]) -> VoiceSpec:
    """Return the voice that a table describes; raises `InputError` for a wrong kind, key or value."""
    kind = table.get("kind")
    if kind is None:
        raise InputError(f"voice: 'kind' is missing; valid: {', '.join(sorted(KEYS))}")
    if not isinstance(kind, str) or kind not in KEYS:
        raise InputError(f"voice: no kind {kind!r}{nearest(str(kind), KEYS)}")
    for key, value in table.items():
        if key != "kind" and key not in KEYS[kind]:
            raise InputError(f"voice: {kind} has no key {key!r}{nearest(key, KEYS[kind])}")
        if not isinstance(value, str | int | float):
            raise InputError(f"voice: {key} is {value!r}; it must be text or a number")
    if kind in ("piper", "kokoro") and ("name" in table) == ("path" in table):
        raise InputError(f"voice: give {kind} either 'name' or 'path'")
    return VoiceSpec(kind, tuple(sorted((k, v) for k, v in table.items() if k != "kind")))
