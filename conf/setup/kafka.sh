#!/usr/bin/env bash
# Fetch the jars that Kafka needs into the user's cache folder; all but Kafka works without them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

.venv/bin/python -m streaming.spark.jars kafka --missing || exit 0
say "fetching the jars that Kafka needs, 54 MB (about 1 minute) ..."
quietly .venv/bin/python -m streaming.spark.jars kafka ||
    say "they could not be fetched (the end of the output is above); all but Kafka works without them."
