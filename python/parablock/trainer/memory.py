# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a run: what the compiler predicts, and what a process of its own took."""

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

from parablock.errors import Error
from parablock.trainer.run import Run
from parablock.trainer.settings import Settings
from parablock.trainer.text import read_text

_STEPS = 2
#: Bytes of a parameter in f32, and of its two moments.
_WEIGHT, _MOMENTS = 4, 8


def measure_memory(settings: Settings, data: Path | None) -> dict[str, int | None]:
    """Bytes of a step's peak, weights and moments among them.

    `measured` is how far a new process grew beyond what it was before the model;
    `predicted` is the arena of the step, gradients in it, with weights and moments.
    """
    request = json.dumps([dataclasses.asdict(settings), data and str(data.resolve())])
    command = [sys.executable, "-m", "parablock.trainer.memory", request]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["nothing was said"]
        raise Error(f"measuring the memory of {settings.name}: {lines[-1]}")
    found: dict[str, int | None] = json.loads(done.stdout.splitlines()[-1])
    return found


def predict_peak(run: Run) -> int | None:
    """The compiler's word; none where another engine computes the step."""
    if run.engine is None:
        return None
    arena = int(run.engine.count()["step"]["peak_bytes"])
    return arena + (_WEIGHT + _MOMENTS) * run.parameters


def _read_status(key: str) -> int:
    """Bytes that the system counts for this process."""
    found = re.search(rf"^{key}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    assert found, key
    return int(found[1]) << 10


def _forget_peak() -> None:
    """Gives back what compiling left, and lets the peak begin anew."""
    ctypes.CDLL(None).malloc_trim(0)
    opened = os.open("/proc/self/clear_refs", os.O_WRONLY)
    try:
        os.write(opened, b"5")
    finally:
        os.close(opened)


def _measure(settings: Settings, data: Path | None) -> dict[str, Any]:
    text = read_text(data, settings.tokens)
    before = _read_status("VmRSS")
    run = Run(settings, text)
    run.prepare()
    run.advance()
    _forget_peak()
    for _ in range(_STEPS):
        run.advance()
    return {"predicted": predict_peak(run), "measured": _read_status("VmHWM") - before}


if __name__ == "__main__":
    given, place = json.loads(sys.argv[1])
    print(json.dumps(_measure(Settings(**given), Path(place) if place else None)))
