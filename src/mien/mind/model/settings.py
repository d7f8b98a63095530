"""`model.yaml`: where the language model is and how it may be used."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mien.errors import MissingError
from mien.mind import source
from mien.mind.source import Entry

KEYS = (
    "url",
    "model",
    "key_env",
    "instructions",
    "first_token_s",
    "total_s",
    "max_tokens",
    "temperature",
    "history",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """`url` ends before `/chat/completions`. `history`: characters of the conversation to send along."""

    url: str
    model: str
    instructions: str = ""
    first_token_s: float = 2.0
    total_s: float = 20.0
    max_tokens: int = 200
    temperature: float = 0.3
    history: int = 4000
    key: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, file: Path) -> Settings:
        """Read the file; the key comes from the environment alone.

        Raises `InputError` with file and line (also without a `url`), `MissingError` when the variable that
        `key_env` names is not set.
        """
        entry = source.read(file)
        table = entry.table("model.yaml", KEYS)
        for key in ("url", "model"):
            if key not in table:
                raise entry.error(f"{key!r} is missing; add for example {_EXAMPLES[key]}")
        url = table["url"].text("url")
        if not url.startswith(("http://", "https://")):
            raise table["url"].error(f"url {url!r} must begin with http:// or https://")
        own = Settings(url, table["model"].text("model"))
        return cls(
            url=url.rstrip("/"),
            model=own.model,
            instructions=table["instructions"].text("instructions") if "instructions" in table else "",
            first_token_s=_number(table, "first_token_s", own.first_token_s, 0.05, 60),
            total_s=_number(table, "total_s", own.total_s, 0.1, 600),
            max_tokens=int(_number(table, "max_tokens", own.max_tokens, 1, 8192)),
            temperature=_number(table, "temperature", own.temperature, 0, 2),
            history=int(_number(table, "history", own.history, 0, 200_000)),
            key=_key(table),
        )


_EXAMPLES = {"url": 'url: "http://127.0.0.1:8000/v1"', "model": "model: qwen2.5-7b-instruct"}


def _number(table: Mapping[str, Entry], key: str, default: float, low: float, high: float) -> float:
    return table[key].number(key, low, high) if key in table else default


def _key(table: Mapping[str, Entry]) -> str | None:
    if "key_env" not in table:
        return None
    variable = table["key_env"].text("key_env")
    key = os.environ.get(variable)
    if not key:
        place = table["key_env"].place
        raise MissingError(
            f"{place.file}:{place.line}: the environment variable {variable} is not set; it holds the key"
        )
    return key
