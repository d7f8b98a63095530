"""A machine that is not here, from its profile: every finding says that it was not run."""

from __future__ import annotations

from typing import Final

from mien.check.profiles import Profile, sources
from mien.check.result import Finding, Status

_TRIED = "not run"
_SAYS: Final = {
    "run": "was run",
    "vendor": "the vendor says so",
    "reported": "somebody else says so",
    "recalled": "the vendor's figure, not looked up again",
    "inferred": "inferred",
}


def findings(profile: Profile) -> list[Finding]:
    """Return what is claimed of a machine; a trap is a warning."""
    return [*_backends(profile), *_claims(profile)]


def _group(profile: Profile, part: str) -> str:
    return f"{profile.title}: {part} (from its profile, nothing was run)"


def _backends(profile: Profile) -> list[Finding]:
    found = []
    for each in profile.backends:
        opset = f", operator set {each.opset}" if each.opset else ""
        line = f"{each.versions}{opset}: {', '.join(each.precisions)}"
        evidence = _evidence(each.how, each.source)
        name = f"{each.name}, {each.on}"
        found.append(Finding(name, _group(profile, "backends"), Status.NOT_RUN, line, _TRIED, evidence))
    if profile.engine:
        line = f"mien compile MODEL --target {profile.engine}"
        found.append(Finding("engines", _group(profile, "backends"), Status.NOT_RUN, line, _TRIED))
    return found


def _claims(profile: Profile) -> list[Finding]:
    return [
        Finding(
            claim.about,
            _group(profile, "traps" if claim.about == "trap" else "machine"),
            Status.WARNING if claim.about == "trap" else Status.NOT_RUN,
            claim.what,
            _TRIED,
            _evidence(claim.how, claim.source),
        )
        for claim in sorted(profile.claims, key=lambda claim: claim.about == "trap")
    ]


def _evidence(how: str, source: str) -> str:
    found = sources()[source]
    opened = f", opened {found.read}" if found.read else ""
    line = f"{_SAYS[how]}: {found.title} ({found.date}{opened})"
    return f"{line}\n{found.url}" if found.url else line
