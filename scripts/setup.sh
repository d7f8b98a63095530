#!/bin/sh
# Makes a virtual environment with mien and everything it needs, each dependency pinned by hash.
# Installs the system's venv module when it is missing and the machine allows it.
set -eu
venv=${1:-.venv}
python=${PYTHON:-python3}

fail() { echo "setup: $1" >&2; exit 1; }

command -v "$python" >/dev/null 2>&1 || {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 \
        && apt-get update -qq && apt-get install -y -qq python3 python3-venv >/dev/null \
        || fail "no $python here; install Python 3.11 or newer"
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || fail "$python is older than 3.11; run: make PYTHON=python3.12"
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv" 2>/dev/null || {
    rm -rf "$venv"
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 \
        && apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null && "$python" -m venv "$venv" \
        || fail "Python has no venv module; run: apt-get install python3-venv"
}
# uv installs the same pinned wheels several times faster than pip; where it can not, pip does.
quick() {
    list=$(mktemp)
    sed -n '/^uv==/,/[^\\]$/p' requirements.lock > "$list"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$list" || { rm -f "$list"; return 1; }
    rm -f "$list"
    index=${PIP_INDEX_URL:-$("$venv/bin/python" -m pip config get global.index-url 2>/dev/null || true)}
    "$venv/bin/python" -m uv pip install --quiet --python "$venv/bin/python" --require-hashes \
        ${index:+--default-index "$index"} -r requirements.lock
}

echo "setup: installing into $venv (half a minute the first time)"
quick || {
    echo "setup: uv could not install everything; trying pip (a few minutes)"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
}
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
