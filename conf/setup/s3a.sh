#!/usr/bin/env bash
# Fetch the jars that a checkpoint on S3 needs into the user's cache folder; all else works without them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

.venv/bin/python -m streaming.spark.jars objects --missing || exit 0
say "fetching the jars that a checkpoint on S3 needs, 12 MB (about 1 minute) ..."
quietly .venv/bin/python -m streaming.spark.jars objects ||
    say "they could not be fetched (the end of the output is above)."
