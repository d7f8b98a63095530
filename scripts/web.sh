#!/bin/sh
# Builds the page and the viewer from web/ into the package. Does nothing when they are newer than their sources.
# Without npm nothing is built: mien then serves everything but its page. Fails only when a build fails.
set -eu
cd "$(dirname "$0")/../web"
built=../src/mien/serve/page/index.html
sources="index.html package-lock.json public src tsconfig.json vite.config.ts ../src/mien/avatar/render/shaders"
[ -f "$built" ] && [ -z "$(find $sources -type f -newer "$built" | head -n 1)" ] && exit 0
command -v npm >/dev/null 2>&1 || { echo "web: no npm here; the page is not built"; exit 0; }
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    echo "web: installing what builds the page (once, half a minute)"
    npm ci --silent --no-audit --no-fund --ignore-scripts \
        || { echo "web: npm could not install it; the page is not built"; exit 0; }
fi
npm run --silent build -- --logLevel warn
