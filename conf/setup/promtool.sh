#!/usr/bin/env bash
# Prometheus's own checker, for `make alerts`: taken out of the system's package, which would start a server if installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

tool=.cache/promtool
if [ -x "$tool" ]; then exit 0; fi
mkdir -p .cache
if command -v promtool >/dev/null; then ln -sf "$(command -v promtool)" "$tool"; exit 0; fi
spare=$(mktemp -d)
trap 'rm -rf "$spare"' EXIT
command -v apt-get >/dev/null || stop "promtool is missing and apt is not available: install Prometheus."
say "downloading promtool (19 MB) ..."
(cd "$spare" && quietly apt-get download prometheus) || stop "apt has no package prometheus, which brings promtool."
dpkg-deb --fsys-tarfile "$spare"/prometheus_*.deb | tar -x -C "$spare" ./usr/bin/promtool
mv "$spare/usr/bin/promtool" "$tool"
