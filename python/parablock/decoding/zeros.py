# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of caches, in large pages if the system has them.

A step reads rows of a head that lie kilobytes apart: with small pages, each row or two of
them wait for another page to be looked up.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

Array = np.ndarray[Any, Any]

#: Of a large page, and of what an array begins at.
_LARGE, _LINE = 2 << 20, 64


def make_zeros(shapes: Sequence[tuple[tuple[int, ...], DTypeLike]]) -> list[Array]:
    """Arrays of zeros, one behind the other in memory that the system gives when it is
    first touched, and that goes when none of them is there any more."""
    sizes = [math.prod(shape) * np.dtype(kind).itemsize for shape, kind in shapes]
    starts = np.cumsum([0] + [-(-size // _LINE) * _LINE for size in sizes]).tolist()
    whole = _map(starts[-1]) if starts[-1] >= _LARGE else None
    if whole is None:
        return [np.zeros(shape, kind) for shape, kind in shapes]
    return [
        whole[start : start + size].view(kind).reshape(shape)
        for start, size, (shape, kind) in zip(starts, sizes, shapes, strict=False)
    ]


def _map(size: int) -> Array | None:
    """Returns bytes that begin with a large page, or None if the system has none."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return None
    try:
        # Of this process alone: a child would write to what is shared.
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        memory = mmap.mmap(-1, size + _LARGE, flags=flags)
        memory.madvise(mmap.MADV_HUGEPAGE)
    except (OSError, OverflowError):  # only a wish
        return None
    whole = np.frombuffer(memory, np.uint8)
    return whole[-whole.ctypes.data % _LARGE :]
