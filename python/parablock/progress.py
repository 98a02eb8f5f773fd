# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A line about long work, which is gone when the work is done."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

_ERASE = "\r\033[K"


@contextlib.contextmanager
def show_progress(text: str) -> Iterator[None]:
    """Shows the line on a terminal, and nothing elsewhere.

    >>> with show_progress("compiling"):
    ...     pass
    """
    if not sys.stderr.isatty():
        yield
        return
    sys.stderr.write(f"{_ERASE}{text} ...")
    sys.stderr.flush()
    try:
        yield
    finally:
        sys.stderr.write(_ERASE)
        sys.stderr.flush()
