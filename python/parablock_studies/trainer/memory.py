# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a step: the compiler's prediction, and a process of its own."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from parablock.device_memory import OpenDevice
from parablock.errors import Error
from parablock_studies.trainer.run import Run
from parablock_studies.trainer.settings import Settings
from parablock_studies.trainer.text import read_text

_STEPS = 2


def measure_memory(settings: Settings, data: Path | None) -> dict[str, int | None]:
    """Returns the bytes that a step takes, with gradients.

    `predicted` is the peak by the plans of the compiled step, `allocated` what the
    engine counted; `measured` is how far a new process grows within a step, with what
    PyTorch makes for the loss; `process` is how far it has grown then since before the model:
    by weights, moments, and what importing and compiling left. `device` is what a GPU has
    less since before the model: kernels, packed weights, and all between them.
    """
    request = json.dumps([dataclasses.asdict(settings), data and str(data.resolve())])
    command = [sys.executable, "-m", "parablock_studies.trainer.memory", request]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no output"]
        raise Error(f"measuring the memory of {settings.name}: {lines[-1]}")
    found: dict[str, int | None] = json.loads(done.stdout.splitlines()[-1])
    return found


def read_counts(run: Run) -> dict[str, int | None]:
    """Returns predicted and allocated bytes; None for other engines, and on GPUs."""
    is_counted = run.engine and run.settings.device == "cpu"
    memory = run.engine.memory() if run.engine and is_counted else None
    return {
        "predicted": memory.predicted.total if memory else None,
        "allocated": memory.allocated.total if memory else None,
    }


def read_status(key: str) -> int:
    """Returns the bytes that the system counts for this process."""
    found = re.search(rf"^{key}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    assert found, key
    return int(found[1]) << 10


def forget_peak() -> None:
    """Releases memory of the compilation, and restarts the peak."""
    ctypes.CDLL(None).malloc_trim(0)
    opened = os.open("/proc/self/clear_refs", os.O_WRONLY)
    try:
        os.write(opened, b"5")
    finally:
        os.close(opened)


def _measure(settings: Settings, data: Path | None) -> dict[str, Any]:
    text = read_text(data, settings.tokens)
    free = _read_free(settings)
    before = read_status("VmRSS")
    run = Run(settings, text)
    run.prepare()
    run.advance()
    forget_peak()
    rest = read_status("VmRSS")
    for _ in range(_STEPS):
        run.advance()
    peak = read_status("VmHWM")
    device = None if free is None else free - (_read_free(settings) or 0)
    grown = {"measured": peak - rest, "process": peak - before, "device": device}
    return {**read_counts(run), **grown}


def _read_free(settings: Settings) -> int | None:
    """Returns the free bytes of the GPU; None for the CPU."""
    if settings.device == "cpu":
        return None
    device = OpenDevice(int(settings.device.partition(":")[2] or 0))
    return int(device.read_facts().free_bytes)


if __name__ == "__main__":
    given, place = json.loads(sys.argv[1])
    print(json.dumps(_measure(Settings(**given), Path(place) if place else None)))
