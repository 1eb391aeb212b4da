#!/usr/bin/env bash
# Make .venv and install the package with its exact pins into it. Run through `make setup`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

python=$(find_python) || stop "Python 3.11 or newer is needed, and" \
    "$(python3 --version 2>/dev/null || echo nothing) was found. Install a newer one (on Debian and Ubuntu:" \
    "apt-get install python3 python3-venv), or name yours: make setup PYTHON=/path/to/python3.12"

# Keep a .venv that works; one from another place, or half made, is made anew.
usable() {
    .venv/bin/python -m pip --version && .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' &&
        { [ ! -e .venv/.installed ] || [ "$(cat .venv/.installed)" = "$(pwd -P)" ]; }
} >/dev/null 2>&1

if ! usable; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null || stop "$python has no venv module." \
        "On Debian and Ubuntu: apt-get install python3-venv. Then run make setup again."
    # A link leads to the .venv of another checkout, which --clear would empty.
    if [ -L .venv ]; then rm .venv; fi
    say "creating .venv with $("$python" --version) ..."
    quietly "$python" -m venv --clear .venv || stop "$python could not create .venv (the end of its output is above)."
fi

rm -f .venv/.installed
say "installing Python packages (about 1 minute) ..."
PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 quietly .venv/bin/python -m pip install -q \
    -c conf/constraints.txt -e '.[spark,kafka,dev]' ||
    stop "pip could not install the packages (the end of its output is above)." \
        "It needs the Python package index; once it is reachable, run make setup again."
pwd -P >.venv/.installed
