"""Hard constraints: why an option can not be taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mien.choose.constraints import Constraints
from mien.choose.options import Option

_FAR: Final = ("machine", "network", "anywhere")
_GPUS: Final = ("none", "any", "nvidia")
Reason = str | None


def reasons(option: Option, wanted: Constraints) -> list[str]:
    """Return all that stands against an option; an empty list: nothing does."""
    return [reason for test in _TESTS if (reason := test(option, wanted)) is not None]


def _use(option: Option, wanted: Constraints) -> Reason:
    return None if wanted.use in option.uses else f"it is no part of {_USES[wanted.use]}"


def _language(option: Option, wanted: Constraints) -> Reason:
    if "*" in option.languages or wanted.language in option.languages:
        return None
    return f"it knows {', '.join(option.languages)}, not {wanted.language}"


def _privacy(option: Option, wanted: Constraints) -> Reason:
    if _FAR.index(option.words_go) <= _FAR.index(wanted.words_may_go):
        return None
    where = {"network": "to another machine of yours", "anywhere": "to whoever runs the service"}
    return f"people's words go {where[option.words_go]}; they may not leave {_LEAVE[wanted.words_may_go]}"


def _offline(option: Option, wanted: Constraints) -> Reason:
    return "it needs a network at run time" if wanted.offline and option.online else None


def _hardware(option: Option, wanted: Constraints) -> Reason:
    if _GPUS.index(option.gpu) > _GPUS.index(wanted.gpu):
        return f"it needs a GPU ({option.gpu}); there is {wanted.gpu}"
    if option.memory_gb > wanted.memory_gb:
        return f"it takes {option.memory_gb:g} GB of memory; there are {wanted.memory_gb:g}"
    return None


def _client(option: Option, wanted: Constraints) -> Reason:
    if "*" in option.clients or wanted.client in option.clients:
        return None
    return f"it shows a face in: {', '.join(option.clients)}; not in: {wanted.client}"


def _knowledge(option: Option, wanted: Constraints) -> Reason:
    if "*" in option.knowledge or wanted.knowledge in option.knowledge:
        return None
    return "it answers only what its files hold; open answers are wanted"


def _budget(option: Option, wanted: Constraints) -> Reason:
    if option.per_hour <= wanted.budget_per_hour:
        return None
    return f"it costs about {option.per_hour:g} an hour of talking; {wanted.budget_per_hour:g} are allowed"


def _licence(option: Option, wanted: Constraints) -> Reason:
    if wanted.licence == "any" or not option.copyleft:
        return None
    return f"who passes it on passes on {option.copyleft}"


_USES: Final = {"talk": "a conversation", "film": "a film"}
_LEAVE: Final = {"machine": "this machine", "network": "your network"}
_TESTS: Final[tuple[Callable[[Option, Constraints], Reason], ...]] = (
    _use, _language, _privacy, _offline, _hardware, _client, _knowledge, _budget, _licence,
)  # fmt: skip
