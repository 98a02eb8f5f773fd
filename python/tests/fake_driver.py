# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver library that runs kernels on the emulator."""

from __future__ import annotations

import os
from pathlib import Path

_ROOT = Path(__file__).parents[2]
DRIVER = (
    _ROOT / os.environ.get("PARABLOCK_BUILD_DIR", "build") / "lib" / "libparablock-fake-driver.so"
)
