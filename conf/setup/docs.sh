#!/usr/bin/env bash
# The generator of the documentation site, for `make docs` and its test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

if .venv/bin/python -c 'import material, mkdocs, mkdocstrings_handlers.python' 2>/dev/null; then exit 0; fi
say "installing the generator of the documentation (about 20 seconds) ..."
PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 quietly .venv/bin/python -m pip install -q \
    -c conf/constraints.txt -e '.[docs]' ||
    stop "pip could not install the extra 'docs' (the end of its output is above)."
