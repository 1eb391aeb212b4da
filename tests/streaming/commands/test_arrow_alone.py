"""A short command does not wait for pandas; who asks Arrow for a data frame gets one."""

from __future__ import annotations

import subprocess
import sys

import pytest

ALONE = "import sys; from streaming.files.arrow_alone import load_arrow_alone; load_arrow_alone(); "


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", ALONE + code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["streaming.commands.run_command", "streaming.report.page"])
def test_a_command_without_data_frames_does_not_load_pandas(module):
    assert printed(f"import {module}, pyarrow.dataset; print('pandas' in sys.modules)") == "False"


def test_a_data_frame_is_made_all_the_same():
    made = "import pyarrow as pa; frame = pa.table({'a': pa.array([1, None])}).to_pandas(); "
    assert printed(made + "print(type(frame).__name__, frame.a.isna().sum())") == "DataFrame 1"
