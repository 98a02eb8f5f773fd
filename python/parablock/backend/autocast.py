# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.compile under autocast, or that turn it on themselves.

`Trainer` of transformers puts it into the module's own forward, so that PyTorch's
graph begins and ends with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from parablock.backend.differentiated import wants_gradients
from parablock.errors import Error

_ENTERS = torch.amp.autocast_mode._enter_autocast
_EXITS = torch.amp.autocast_mode._exit_autocast
#: What computes nothing that autocast would do in another type.
_MOVES = ("float", "to", "getattr", "getitem")
_UNWANTED = "autocast is on and no gradient is wanted: move the module to bf16 instead"


def refuse_autocast(args: Sequence[Any]) -> str | None:
    """Returns why a call under autocast runs eagerly, or None."""
    if not torch.is_autocast_enabled("cpu"):
        return None
    if problem := _refuse_type(torch.get_autocast_dtype("cpu")):
        return problem
    return None if wants_gradients(args) else _UNWANTED


def _refuse_type(dtype: Any) -> str | None:
    if dtype == torch.bfloat16:
        return None
    return f"autocast: expected torch.bfloat16, got {dtype}"


def set_autocast(is_on: bool) -> torch.autocast:
    """Traces with it or without; every reader of a parameter casts for itself."""
    return torch.autocast("cpu", torch.bfloat16, enabled=is_on, cache_enabled=False)


def drop_autocast(
    graph: torch.fx.GraphModule, args: Sequence[Any]
) -> tuple[torch.fx.GraphModule, bool]:
    """Returns the graph without a switch that turns autocast on for all of it."""
    switches = [node for node in graph.graph.nodes if node.target in (_ENTERS, _EXITS)]
    if not switches:
        return graph, False
    device, dtype, is_enabled, *_ = switches[0].args
    if device == "cpu" and (problem := _refuse_type(dtype or torch.get_autocast_dtype("cpu"))):
        raise Error(problem)
    if [node.target for node in switches] != [_ENTERS, _EXITS] or not (
        device == "cpu" and is_enabled and _is_around_all(graph, switches)
    ):
        raise Error("the graph turns autocast on or off for a part of it")
    if not wants_gradients(args):
        raise Error(_UNWANTED)
    copy = torch.fx.Graph()
    copies: dict[torch.fx.Node, torch.fx.Node] = {}
    for node in graph.graph.nodes:
        if node not in switches:
            copies[node] = copy.node_copy(node, copies.__getitem__)
    return torch.fx.GraphModule(graph, copy), True


def _is_around_all(graph: torch.fx.GraphModule, switches: Sequence[torch.fx.Node]) -> bool:
    """Returns whether nothing is computed before the first and behind the last of them."""
    is_inside = False
    for node in graph.graph.nodes:
        if node in switches:
            is_inside = not is_inside
        elif not is_inside and node.op not in ("placeholder", "get_attr", "output"):
            if str(getattr(node.target, "__name__", node.target)) not in _MOVES:
                return False
    return True
