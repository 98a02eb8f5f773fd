# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension, loaded when the compiler is required."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any

from parablock.errors import MissingError


@functools.cache
def get_core_module() -> Any:
    """Returns the extension module; an error names what is missing."""
    flags = sys.getdlopenflags()
    # Python would have every function of LLVM and MLIR looked up by name at once, which
    # takes a third of the time: most are never called.
    sys.setdlopenflags(flags & ~os.RTLD_NOW | os.RTLD_LAZY)
    try:
        import parablock._core as core
    except ImportError as problem:
        raise MissingError(
            "the compiler cannot be loaded; unless scripts/make_wheel.sh built the "
            "package, it requires LLVM and MLIR 22.1 of the system (Debian: libmlir-22 "
            f"and libllvm22): {problem}"
        ) from problem
    finally:
        sys.setdlopenflags(flags)
    return core
