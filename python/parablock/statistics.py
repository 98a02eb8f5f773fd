# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statistics of the backend of torch.compile and of kept code in this process."""

from __future__ import annotations

import collections
import dataclasses
import sys
from typing import Any


@dataclasses.dataclass
class Statistics:
    """Counts since the process began."""

    #: Graphs that PyTorch handed over; each but the first follows a break.
    graphs: int = 0
    #: Parts of graphs that run here.
    compiled: int = 0
    #: Those of them that have gradients.
    differentiated: int = 0
    #: Choices of sizes whose code gave way to others'.
    dropped: int = 0
    #: Operations that run here, and that PyTorch runs.
    operations: int = 0
    eager_operations: int = 0
    recognised: collections.Counter[str] = dataclasses.field(
        default_factory=collections.Counter
    )
    #: Why parts were left to PyTorch: reason -> how often.
    fallbacks: collections.Counter[str] = dataclasses.field(
        default_factory=collections.Counter
    )


STATISTICS = Statistics()


def stats() -> dict[str, Any]:
    """Returns counts of graphs, parts and operations, and reasons of what ran eagerly.

    `cache_hits` and `cache_misses` are programs for the CPU whose code was kept, and
    was not, of those that looked; `weight_hits` and `weight_misses` the same of their
    packed weights.

    >>> sorted(stats())[:3]
    ['breaks', 'cache_hits', 'cache_misses']
    """
    counts = dataclasses.asdict(STATISTICS)
    counts["recognised"] = dict(STATISTICS.recognised)
    counts["fallbacks"] = dict(STATISTICS.fallbacks)
    counts["breaks"] = _count_breaks()
    # Without the compiler, nothing has looked.
    core = sys.modules.get("parablock._core")
    names = ("cache_hits", "cache_misses", "weight_hits", "weight_misses")
    uses = core.count_cache_uses() if core else (0,) * len(names)
    counts.update(zip(names, uses, strict=True))
    return counts


def _count_breaks() -> int:
    """Returns graph breaks, as PyTorch counts them until torch.compiler.reset()."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    return sum(dynamo.counters["graph_break"].values()) if dynamo else 0
