"""What this machine has."""

from __future__ import annotations

from pathlib import Path

import psutil


def memory_bytes(control_group: Path = Path("/sys/fs/cgroup")) -> tuple[int, int]:
    """Total and free memory; a container's limit counts where it is below the machine's."""
    machine = psutil.virtual_memory()
    try:
        limit = int((control_group / "memory.max").read_text())
        stat = dict(line.split() for line in (control_group / "memory.stat").read_text().splitlines())
        # Pages of files that nobody is using are given back when memory gets tight.
        used = int((control_group / "memory.current").read_text()) - int(stat["inactive_file"])
    except (OSError, ValueError, KeyError):  # no control group, or "max": no limit
        return machine.total, machine.available
    return min(limit, machine.total), min(max(limit - used, 0), machine.available)
