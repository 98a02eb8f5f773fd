# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurement of the speed of reading memory."""

from __future__ import annotations

import concurrent.futures
import os
import time
from typing import Any

import numpy as np

#: Buffers that caches do not hold, and that fit everywhere.
_LEAST, _MOST = 64 << 20, 512 << 20
_REPEAT = 4


def measure_reading(size: int, threads: int = 0) -> float:
    """Returns bytes per second of a plain loop over about `size` bytes; 0 threads are all cores.

    >>> measure_reading(1, threads=1) > 1e6
    True
    """
    count = threads or len(os.sched_getaffinity(0))
    elements = min(max(size, _LEAST), _MOST) // 4
    buffer = np.ones(elements, np.float32)
    parts = np.array_split(buffer, count)

    def read(part: np.ndarray[Any, Any]) -> float:
        # NumPy's widest loads, and the other threads go on meanwhile.
        return float(part.max())

    best = float("inf")
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for _ in range(_REPEAT):
            start = time.perf_counter()
            list(pool.map(read, parts))
            best = min(best, time.perf_counter() - start)
    return buffer.nbytes / best
