#!/usr/bin/env bash
# jars.sh SET WHAT: fetch the jars of conf/SET into the user's cache folder; all but WHAT works without them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

.venv/bin/python -m streaming.spark.jars "$1" --missing || exit 0
say "downloading the jars for $2 (about 1 minute) ..."
quietly .venv/bin/python -m streaming.spark.jars "$1" ||
    say "the download failed (the end of the output is above); everything except $2 works."
