"""Where mien keeps what it downloads and makes."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return `$MIEN_HOME`, or the user's cache folder for mien."""
    return Path(os.environ.get("MIEN_HOME") or platformdirs.user_cache_dir("mien"))
