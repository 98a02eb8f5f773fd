# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of a graph that PyTorch computes before a call, and the walk that finds them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.fx.node import map_aggregate


def list_sources(
    targets: Sequence[torch.fx.Node],
    known: Collection[torch.fx.Node] = (),
    list_operands: Callable[[torch.fx.Node], Iterable[torch.fx.Node]] | None = None,
) -> list[torch.fx.Node]:
    """Returns the nodes that compute some nodes, in order, up to known values.

    `list_operands` returns what a node is computed from, if not all that it reads.
    """
    seen: set[torch.fx.Node] = set()
    waiting = list(targets)
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node not in known:
            waiting.extend(list_operands(node) if list_operands else node.all_input_nodes)
    return [node for node in targets[0].graph.nodes if node in seen] if targets else []


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
