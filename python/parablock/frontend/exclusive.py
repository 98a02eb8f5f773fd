# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tracing, for one thread at a time, because PyTorch patches global state."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def trace_alone() -> Iterator[None]:
    """Waits for other threads that trace, also those of torch.compile."""
    from torch._dynamo.convert_frame import compile_lock

    with compile_lock, warnings.catch_warnings():
        # torch.export's own words about itself.
        warnings.filterwarnings("ignore", ".*LeafSpec.*", FutureWarning)
        yield
