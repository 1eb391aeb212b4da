#!/usr/bin/env bash
# See that Spark has a Java that it runs on; install one where that can be done without asking.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

# streaming/spark/java.py judges: the first word is ok, missing or unfit, and the rest is a sentence for the user.
verdict=$(.venv/bin/python -m streaming.spark.java || true)
if [ "${verdict%% *}" = missing ] && can_apt; then
    say "installing Java (about 1 minute) ..."
    apt_install openjdk-17-jre-headless openjdk-21-jre-headless default-jre-headless ||
        say "apt could not install Java (the end of its output is above)."
    verdict=$(.venv/bin/python -m streaming.spark.java || true)
fi
[ -n "$verdict" ] || stop "the Python in .venv does not run Sendlab (see above). Remove .venv and run make setup again."
[ "${verdict%% *}" = ok ] || stop "${verdict#* }"
