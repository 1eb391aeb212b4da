#!/usr/bin/env bash
# Make what runs elsewhere, in dist/: the wheel, and the archive that spark-submit gives to a cluster's machines.
# The archive is a venv with the wheel and its pinned dependencies, without Spark's jars, which a cluster has. As with
# any packed venv, its machines need the same Python at the same place as this one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

rm -rf dist build
say "building the wheel ..."
quietly .venv/bin/python -m pip wheel -q --no-deps -w dist . || stop "the wheel could not be built (see above)."
wheel=$(echo dist/sendlab-*.whl)

say "installing it and its dependencies into build/env (about 2 minutes) ..."
quietly .venv/bin/python -m venv build/env
quietly build/env/bin/python -m pip install -q -c conf/constraints.txt "$wheel[spark,kafka]" ||
    stop "pip could not install the wheel (the end of its output is above)."
quietly build/env/bin/python -m pip uninstall -q -y pip setuptools || true

say "packing dist/sendlab-env.tar.gz (about 1 minute) ..."
tar -C build/env --exclude=./lib/python*/site-packages/pyspark/{jars,examples,data} --exclude=./lib64 \
    -czf dist/sendlab-env.tar.gz .
rm -rf build
say "$wheel and dist/sendlab-env.tar.gz ($(du -h dist/sendlab-env.tar.gz | cut -f1)): see docs/scale.md"
