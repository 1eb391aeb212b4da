#!/usr/bin/env bash
# Chromium, for the tests that look at the report and for the pictures of docs/; without it they fail.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if can_apt; then
    say "installing Chromium (about 1 minute) ..."
    if apt_install chromium; then exit 0; fi
fi
say "Chromium is missing: tests that open the report in a browser will fail. Install the package chromium."
