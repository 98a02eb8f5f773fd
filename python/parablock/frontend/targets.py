# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Class numbers of losses, checked in each call.

A number that is no class would be an error of PyTorch's. And where a mask of padding
changes rows that it hides, a loss is of real rows alone as long as it ignores those.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.fx.node import map_aggregate

from parablock.errors import Error
from parablock.frontend.padding import PaddingMask


@dataclasses.dataclass(frozen=True)
class HiddenRows:
    """Rows of logits that may depend on tokens which a mask hides."""

    mask: PaddingMask
    #: The last of such tokens, for each target.
    reach: torch.Tensor


@dataclasses.dataclass(frozen=True)
class Computation:
    """Integers that inputs determine, computed by PyTorch before a call."""

    #: The operations in order, of which the last gives the numbers.
    nodes: Sequence[torch.fx.Node]
    #: Inputs among them by their place, and constants.
    inputs: Mapping[torch.fx.Node, int]
    known: Mapping[torch.fx.Node, Any]

    @torch.no_grad()
    def compute(self, read: Callable[[int], Any]) -> torch.Tensor:
        """Returns the numbers; `read` returns inputs by their place."""
        made: dict[torch.fx.Node, Any] = dict(self.known)

        def look_up(argument: Any) -> Any:
            return made[argument] if isinstance(argument, torch.fx.Node) else argument

        for node in self.nodes:
            if node in self.inputs:
                given = read(self.inputs[node])
                is_array = isinstance(given, torch.Tensor | np.ndarray)
                made[node] = torch.as_tensor(given).cpu() if is_array else given
            elif node not in made:
                args: Any = map_aggregate(node.args, look_up)
                kwargs: Any = map_aggregate(node.kwargs, look_up)
                made[node] = node.target(*args, **kwargs)  # type: ignore[operator]
        numbers: torch.Tensor = made[self.nodes[-1]]
        return numbers


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


def list_sources(
    target: torch.fx.Node, known: Mapping[torch.fx.Node, Any]
) -> list[torch.fx.Node]:
    """Returns the nodes that compute a node, in order, up to known values."""
    seen: set[torch.fx.Node] = set()
    waiting = [target]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node not in known:
            waiting.extend(node.all_input_nodes)
    return [node for node in target.graph.nodes if node in seen]
