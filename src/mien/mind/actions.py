"""Actions as HTTP calls: awaited, timed out, tried again, never raising for what a server does."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from mien.errors import ResourceError
from mien.mind.content import Action
from mien.mind.http import Http
from mien.mind.intents import address
from mien.mind.outcome import Outcome

LARGEST_BYTES = 1 << 20
PAUSE_S = 0.1  # before the second try; twice as long before each further one
FAILED = Outcome("failed")
_log = logging.getLogger(__name__)


class Caller:
    """Makes the calls of one mind; `close` ends its connections."""

    def __init__(self) -> None:
        self._http = Http()

    async def call(self, action: Action, values: Mapping[str, str]) -> Outcome:
        """Call an action with the values of a form.

        A try that takes longer than the action's time-out is given up; only what may succeed later (no
        answer, 429, 5xx) is tried again. All tries carry one Idempotency-Key, so that a server can tell a
        second try from a second wish. Raises `MissingError` without the extra `mind`.
        """
        url = address(action.url)
        if not url.startswith(("http://", "https://")):
            _log.error("action %s: %s is no address; set the variable in the environment", action.url, url)
            return FAILED
        for name, value in values.items():
            url = url.replace(f"{{{name}}}", quote(value, safe=""))
        headers = {"Idempotency-Key": uuid.uuid4().hex, "Accept": "application/json", **_key(action)}
        await self._http.ready()
        for attempt in range(action.tries):
            if attempt:
                await asyncio.sleep(PAUSE_S * 2 ** (attempt - 1))
            outcome = await self._tried(action, url, headers, values)
            if outcome is not None:
                return outcome
        return FAILED

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def _tried(
        self, action: Action, url: str, headers: Mapping[str, str], values: Mapping[str, str]
    ) -> Outcome | None:
        """Return the outcome of one try; None when another may do better."""
        try:
            async with asyncio.timeout(action.timeout_s):
                status, body = await self._fetch(action, url, headers, values)
        except TimeoutError:
            _log.warning("action %s gave no answer within %g s", action.url, action.timeout_s)
            return None
        except ResourceError as error:
            _log.warning("action %s: %s", action.url, error)
            return None
        if status == 429 or status >= 500:
            _log.warning("action %s: status %d", action.url, status)
            return None
        return Outcome("refused") if status >= 300 else _given(action, body)

    async def _fetch(
        self, action: Action, url: str, headers: Mapping[str, str], values: Mapping[str, str]
    ) -> tuple[int, bytes]:
        body = None if action.method in ("GET", "DELETE") else dict(values)
        data = bytearray()
        async with self._http.request(action.method, url, headers=headers, body=body) as reply:
            async for part in reply.aiter_bytes():
                data += part
                if len(data) > LARGEST_BYTES:
                    raise ResourceError(f"an answer of over {LARGEST_BYTES:,} bytes")
            return int(reply.status_code), bytes(data)


def _key(action: Action) -> dict[str, str]:
    if action.key_env is None:
        return {}
    key = os.environ.get(action.key_env)
    if not key:
        _log.error(
            "action %s: the environment variable %s, which holds its key, is not set",
            action.url,
            action.key_env,
        )
        return {}
    return {"Authorization": f"Bearer {key}"}


def _given(action: Action, body: bytes) -> Outcome:
    """Return what the JSON answer gives; a field that is not there is a failure."""
    if not action.gives:
        return Outcome("done")
    try:
        answer = json.loads(body)
        return Outcome("done", {name: _field(answer, path) for name, path in action.gives.items()})
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        _log.error(
            "action %s: its answer has not the fields %s", action.url, ", ".join(action.gives.values())
        )
        return FAILED


def _field(answer: Any, path: str) -> str:
    """Return a field such as `account.balance` or `items.0.name` as text."""
    for step in path.split("."):
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    if answer is None or isinstance(answer, dict | list):
        raise TypeError(path)
    return str(answer)
