#!/bin/sh
# Brings what tests use beside Python, where the machine allows it: OpenGL on the CPU (Mesa), and a browser.
# Without them those tests are skipped; nothing here can fail.
set -u
wanted=
ldconfig -p 2>/dev/null | grep -q 'libEGL\.so\.1' || wanted="libegl1 libgl1 libegl-mesa0 libgl1-mesa-dri"
for browser in chromium chromium-browser google-chrome google-chrome-stable chrome none; do
    command -v "$browser" >/dev/null 2>&1 && break
done
[ "$browser" = none ] && wanted="${wanted:+$wanted }chromium"
[ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || exit 0
echo "system: installing $wanted (once, a minute)"
apt-get update -qq && apt-get install -y -qq --no-install-recommends $wanted >/dev/null 2>&1 \
    || echo "system: not installed; tests that need them are skipped"
exit 0
