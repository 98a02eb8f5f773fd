# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Class numbers of losses, checked in each call.

A number that is no class would be an error of PyTorch's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from parablock.errors import Error
from parablock.frontend.computations import Computation


@dataclasses.dataclass(frozen=True)
class Targets:
    """Targets of a loss, and the operations that compute them."""

    path: str
    #: Targets are below it, and at least 0, or the one that is ignored.
    classes: int
    ignored: int
    targets: Computation

    def check(self, read: Callable[[int], Any]) -> None:
        """Rejects a target out of range; `read` returns inputs by their place."""
        targets = self.targets.compute(read)
        counted = targets[targets != self.ignored]
        wrong = counted[(counted < 0) | (counted >= self.classes)]
        if wrong.numel():
            raise Error(
                f"{self.path}: expected targets from 0 to {self.classes - 1}, or "
                f"{self.ignored}, which is ignored, got {int(wrong[0])}"
            )
