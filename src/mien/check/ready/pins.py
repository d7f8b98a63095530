"""Whether what is installed is what was pinned."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import Final

from mien.check.place import HERE
from mien.check.probes import versions
from mien.check.result import Result, Status, failed, ok, warning
from mien.contents import contents

_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def pins(lock: Path | None) -> Result:
    """Compare what is installed with a file of pins (`name==version`), as requirements.lock is one."""
    for probe in (versions.requirements, versions.onnxruntimes, versions.cuda_wheels):
        result = probe(HERE)
        if result.status is Status.FAILED:
            return result
    if lock is None:
        return warning(
            "no file says which versions are meant to be installed",
            "give it: --lock requirements.lock  # where there is none: pip freeze > installed.lock",
        )
    wanted: dict[str, list[str]] = {}  # a name may have several, for several Pythons or systems
    for name, version in _PIN.findall(contents(lock).decode()):
        wanted.setdefault(versions.canonical(name), []).append(version)
    if not wanted:
        return failed(f"{lock} pins nothing", f"pip freeze > {lock}")
    other = [
        f"{name} {here} instead of {' or '.join(wanted[name])}"
        for name, here in versions.installed().items()
        if here not in wanted.get(name, [here])
    ]
    if other:
        return failed(
            f"{len(other)} packages are of other versions: {', '.join(sorted(other)[:3])}",
            f"pip install --no-deps -r {lock}",
        )
    loose = [name for name in versions.installed() if name not in wanted and name != "mien"]
    line = f"mien {metadata.version('mien')}, {len(wanted)} versions pinned"
    return ok(line, f"not pinned: {', '.join(sorted(loose)[:8]) or 'none'}")
