# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the build made: the tools, and the driver library that runs kernels on the emulator."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BUILD = ROOT / os.environ.get("PARABLOCK_BUILD_DIR", "build")
BIN = _BUILD / "bin"
DRIVER = _BUILD / "lib" / "libparablock-fake-driver.so"
