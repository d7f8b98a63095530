"""The profiles as a page: `python -m mien.check.compatibility > docs/compatibility.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from mien.check.profiles import Claim, Profile, select, sources

_SIGNS: Final = {"run": "●", "vendor": "○", "reported": "◇", "recalled": "?", "inferred": "◌"}
_KINDS: Final = {
    "cpu": "Computers",
    "board": "Boards",
    "phone": "Phones",
    "browser": "Browsers",
    "gpu": "GPUs",
}
_HEAD: Final = """\
# Compatibility

<!-- Made by `make compatibility` from src/mien/check/targets; do not change it by hand. -->

What mien, and models that it compiles, can do on machines other than yours. For yours: `mien check`.
For your model: `mien check model.onnx --target all`. Each claim shows where it comes from:

● run: it was done, on a machine of this kind or for it · ○ a vendor's document, opened, says so ·
◇ reported: somebody else's document, opened, says so ·
? recalled: a figure of the vendor's that was not looked up again · ◌ inferred
"""


def page() -> str:
    """Return docs/compatibility.md."""
    profiles = select("all")
    parts = [_HEAD, _overview(profiles)]
    for kind, title in _KINDS.items():
        parts.append(f"## {title}\n")
        parts += [_section(profile) for profile in profiles if profile.kind == kind]
    return "\n".join([*parts, _sources(profiles)])


def _overview(profiles: Iterable[Profile]) -> str:
    rows = ["| target | what | backends | video encoder | traps |", "| --- | --- | --- | --- | ---: |"]
    for each in profiles:
        backends = ", ".join(f"{_SIGNS[b.how]} {b.name}" for b in each.backends)
        encoders = "; ".join(_told(claim) for claim in each.about("encode")) or "not known"
        link = f"[{each.name}](#{each.name.replace('.', '')})"
        rows.append(f"| {link} | {each.title} | {backends} | {encoders} | {len(each.about('trap'))} |")
    return "\n".join(rows) + "\n"


def _section(profile: Profile) -> str:
    lines = [f"### {profile.name}\n", f"{profile.title}. {profile.system}."]
    if profile.capability:
        lines[-1] += f" Compute capability {profile.capability}."
    if profile.engine:
        lines[-1] += f" `mien compile --target {profile.engine}`."
    lines += [
        "",
        "| backend | on | versions | operator set | precisions | |",
        "| --- | --- | --- | ---: | --- | --- |",
    ]
    for each in profile.backends:
        precisions = ", ".join(each.precisions)
        opset = str(each.opset or "not known")
        mark = f"{_SIGNS[each.how]} {_link(each.source)}"
        lines.append(f"| {each.name} | {each.on} | {each.versions} | {opset} | {precisions} | {mark} |")
    lines += ["", *(f"- {claim.about}: {_told(claim)} {_link(claim.source)}" for claim in profile.claims)]
    missing = [what for what in ("memory", "power", "encode") if not profile.about(what)]
    if missing:
        lines.append(f"- not known: {', '.join(missing)}")
    return "\n".join(lines) + "\n"


def _told(claim: Claim) -> str:
    return f"{_SIGNS[claim.how]} {claim.what}"


def _link(name: str) -> str:
    return f"[{name}](#sources)"


def _sources(profiles: Iterable[Profile]) -> str:
    used = {claim.source for each in profiles for claim in each.claims}
    used |= {backend.source for each in profiles for backend in each.backends}
    rows = ["## Sources\n", "| name | what | date | opened |", "| --- | --- | --- | --- |"]
    for name, source in sources().items():
        if name in used:
            title = f"[{source.title}]({source.url})" if source.url else source.title
            rows.append(f"| {name} | {title} | {source.date} | {source.read} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
