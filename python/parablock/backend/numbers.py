# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python numbers that torch.compile(dynamic=True) passes as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.fx.node import map_aggregate


def is_number(argument: Any) -> bool:
    """Returns whether a tensor is a float that PyTorch has wrapped.

    >>> is_number(torch.tensor(0.5, dtype=torch.float64)), is_number(torch.ones(3))
    (True, False)
    """
    return (
        isinstance(argument, torch.Tensor)
        and argument.dtype == torch.float64
        and argument.dim() == 0
    )


def set_numbers(
    graph: torch.fx.GraphModule, args: Sequence[Any]
) -> torch.fx.GraphModule:
    """Returns the graph with the numbers of a call."""
    if not any(is_number(argument) for argument in args):
        return graph
    known = torch.fx.Graph()
    known.output(known.graph_copy(graph.graph, {}))
    inputs = [node for node in known.nodes if node.op == "placeholder"]
    for node, argument in zip(inputs, args, strict=True):
        for read in list(node.users) if is_number(argument) else ():
            if getattr(read.target, "__name__", read.target) == "item":
                _replace(read, argument.item())
                known.erase_node(read)
    return torch.fx.GraphModule(graph, known)


def _replace(read: torch.fx.Node, number: float) -> None:
    """Replaces a node by a number, which replace_all_uses_with cannot."""

    def look_up(argument: Any) -> Any:
        return number if argument is read else argument

    for user in list(read.users):
        user.args = map_aggregate(user.args, look_up)
        user.kwargs = map_aggregate(user.kwargs, look_up)
