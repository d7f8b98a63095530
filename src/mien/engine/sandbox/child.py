"""The child's side: take limits upon itself, do one task, write the answer as JSON to standard output."""

from __future__ import annotations

import errno
import importlib
import json
import math
import os
import sys
from pathlib import Path
from typing import Final

from mien.engine.sandbox.call import MAX_ANSWER

OUT_OF_MEMORY: Final = 86  # exit code
# Task → the function that does it: `(path, **options) -> JSON`.
TASKS: Final = {
    "validate": "mien.engine.validate.untrusted:task",
    "inspect": "mien.engine.inspect.untrusted:task",
    "passes": "mien.engine.inspect.dryrun:task",
}


def main() -> int:
    """Do what the request on standard input asks for; the exit code says how it went."""
    request = json.load(sys.stdin)
    module, _, name = TASKS[request["task"]].partition(":")
    task = getattr(importlib.import_module(module), name)  # libraries are loaded before the limits
    limit(request["memory_bytes"], request["time_s"])
    try:
        answer = json.dumps(task(Path(request["path"]), **request["options"]))
    except MemoryError:
        return OUT_OF_MEMORY
    except OSError as error:
        if error.errno != errno.ENOMEM:
            raise
        return OUT_OF_MEMORY
    sys.stdout.write(answer)
    sys.stdout.flush()
    return 0


def limit(memory_bytes: int, time_s: float, file_bytes: int = MAX_ANSWER) -> None:
    """Bound this process for good: address space, processor time, files written, no core dump."""
    if os.name != "posix":
        return
    import resource

    cores = os.cpu_count() or 1
    wanted = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_CPU: math.ceil(time_s) * cores,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # no destructors of libraries that ran out of memory
