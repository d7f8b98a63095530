"""A machine that is not here, from its profile: every finding says that it was not run."""

from __future__ import annotations

from mien.check.profiles import Profile, sources
from mien.check.result import Finding, Status

_TRIED = "nothing: from its profile"


def findings(profile: Profile) -> list[Finding]:
    """Return what is claimed of a machine; a trap is a warning."""
    return [*_backends(profile), *_claims(profile)]


def _backends(profile: Profile) -> list[Finding]:
    found = []
    for each in profile.backends:
        opset = f", operator set {each.opset}" if each.opset else ""
        line = f"{each.versions}{opset}: {', '.join(each.precisions)}"
        evidence = _evidence(each.how, each.source)
        name = f"{each.name}, {each.on}"
        found.append(Finding(name, "backends", Status.NOT_RUN, line, _TRIED, evidence))
    if profile.engine:
        found[-1] = _with_remedy(found[-1], f"mien compile MODEL --target {profile.engine}")
    return found


def _claims(profile: Profile) -> list[Finding]:
    return [
        Finding(
            claim.about,
            "traps" if claim.about == "trap" else "machine",
            Status.WARNING if claim.about == "trap" else Status.NOT_RUN,
            claim.what,
            _TRIED,
            _evidence(claim.how, claim.source),
        )
        for claim in sorted(profile.claims, key=lambda claim: claim.about == "trap")
    ]


def _with_remedy(finding: Finding, remedy: str) -> Finding:
    return Finding(
        finding.name, finding.group, finding.status, finding.line, finding.tried, finding.evidence, remedy
    )


def _evidence(how: str, source: str) -> str:
    found = sources()[source]
    says = {"run": "was run", "vendor": "the vendor says so", "inferred": "inferred"}[how]
    return f"{says}: {found.title} ({found.date})"
