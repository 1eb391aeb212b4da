#!/usr/bin/env bash
# Compile the model's rules into the on-disk cache, so that the first run does not wait for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

if [ -e simulator/warm.py ]; then
    say "compiling the model (about 30 seconds) ..."
    quietly .venv/bin/python -m simulator.warm || stop "the model could not be compiled (the end of the output is above)."
fi
if [ -e streaming/jobs/archive_maker.py ]; then
    say "preparing Java for Spark (about 20 seconds) ..."
    quietly .venv/bin/python -m streaming.jobs.archive_maker || say "Java could not be prepared; runs start some seconds later."
fi
mkdir -p .cache && touch .cache/warmed
