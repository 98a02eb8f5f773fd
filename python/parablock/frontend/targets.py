# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Class numbers of losses, checked in each call.

A number that is no class would be an error of PyTorch's. And where a mask of padding
changes rows that it hides, a loss is of real rows alone as long as it ignores those.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import torch

from parablock.errors import Error
from parablock.frontend.computations import Computation
from parablock.frontend.padding import PaddingMask


@dataclasses.dataclass(frozen=True)
class HiddenRows:
    """Rows of logits that may depend on tokens which a mask hides."""

    mask: PaddingMask
    #: The last of such tokens, for each target.
    reach: torch.Tensor


@dataclasses.dataclass(frozen=True)
class Targets:
    """Targets of a loss, and the operations that compute them."""

    path: str
    #: Targets are below it, and at least 0, or the one that is ignored.
    classes: int
    ignored: int
    targets: Computation
    hidden: Sequence[HiddenRows] = ()

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
        for rows in self.hidden:
            lengths = torch.as_tensor(rows.mask.measure(read(rows.mask.position)))
            each = lengths.repeat_interleave(targets.numel() // lengths.numel())
            is_hidden = rows.reach.flatten() >= each
            if bool((targets.flatten()[is_hidden] != self.ignored).any()):
                raise Error(
                    f"{self.path}: expected the target {self.ignored} for tokens that "
                    f"'{rows.mask.name}' hides, whose rows are not those of PyTorch"
                )
