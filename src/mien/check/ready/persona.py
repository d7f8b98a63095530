"""The checklist of a persona."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mien.check.place import HERE
from mien.check.probes import disk
from mien.check.ready import pins, results
from mien.check.ready.point import Point, tried
from mien.check.result import Finding, Result, failed, ok, warning

if TYPE_CHECKING:
    from mien.persona.spec import PersonaSpec

BUDGET_MS = 15.0
MOST_DAYS = 30.0


def persona(
    name: str,
    *,
    lock: Path | None = None,
    where: Path | None = None,
    budget_ms: float = BUDGET_MS,
    most_days: float = MOST_DAYS,
) -> list[Finding]:
    """Return what stands between a persona and production.

    `lock`: the file of pinned versions; `where`: the folder of results, else `$MIEN_HOME/bench`. Raises
    `MissingError` and `InputError` for the persona.
    """
    from mien.persona import spec as specs

    spec = specs.read(name)
    folder = where or results.folder()
    points: list[Point] = [
        ("versions", "compare what is installed with what was pinned", partial(pins.pins, lock)),
        ("packs", "hash every file that it needs", partial(_packs, spec)),
        ("head", "load it", partial(_head, spec)),
        ("mind", "read its folder", partial(_mind, spec)),
        ("engines", "compare each with this machine", engines),
        ("renderer", "look for compiled code", _renderer),
        ("lips", "read the newest figures", partial(results.lips, folder, budget_ms, most_days)),
        ("disk", "write, flush and remove 16 MB", partial(disk.disk, HERE)),
    ]
    return tried(f"persona {spec.name}", points)


def needed(spec: PersonaSpec) -> list[str]:
    """Return the packs that a persona speaks and is drawn with, and those that it listens with."""
    from mien.packs import catalogue

    kind, name = spec.voice.get("kind"), str(spec.voice.get("name", ""))
    voice = {"piper": f"voice-{name}", "kokoro": "kokoro"}.get(str(kind))
    known = catalogue.names()
    listen = catalogue.GROUPS["listen"] if spec.mind is not None else ()
    return [pack for pack in (voice, "human", *listen) if pack in known]


def _packs(spec: PersonaSpec) -> Result:
    from mien.packs import catalogue, store

    wanted = needed(spec)
    manifests = [catalogue.manifest(name) for name in wanted]
    lacking = [each.name for each in manifests if store.state(each) is not store.State.INSTALLED]
    if lacking:
        return failed(f"not installed: {', '.join(lacking)}", f"mien packs pull {' '.join(lacking)}")
    wrong = [fault for each in manifests for fault in store.faults(each)]
    if wrong:
        bad = " ".join(sorted({fault.pack for fault in wrong}))
        return failed(
            f"{len(wrong)} files are not what their hashes say", f"mien packs pull {bad}", str(wrong[0])
        )
    return ok(f"{', '.join(wanted)}: every file as its hash says")


def _head(spec: PersonaSpec) -> Result:
    from mien import avatar

    head = avatar.load(spec.avatar)
    return ok(f"{spec.avatar}: {len(head.parts)} parts")


def _mind(spec: PersonaSpec) -> Result:
    if spec.mind is None:
        return ok("it has no mind: it speaks what it is given")
    from mien.mind import folder

    read = folder.read(spec.mind)
    return ok(f"{spec.mind.name}: {', '.join(read.languages)}", str(spec.mind))


def engines() -> Result:
    """Judge the engines in the cache: each that does not fit this machine would be refused."""
    from mien.engine import shelf

    found = shelf.entries()
    useless = [entry for entry in found if entry.is_useless]
    if useless:
        names = ", ".join(entry.path.name for entry in useless[:2])
        return failed(
            f"{len(useless)} engines do not fit this machine: {names}", "mien engines prune", useless[0].state
        )
    if not found:
        return warning("no engine is built: the first session waits for it", "mien say Hello. -o hello.wav")
    return ok(f"{len(found)} engines fit this machine")


def _renderer() -> Result:
    from mien.avatar.render.warmup import compiled

    if compiled():
        return ok("compiled")
    return warning("the first film compiles it for half a minute", "mien say Hello. -o hello.mp4")
