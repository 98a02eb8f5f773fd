# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.compile under autocast, or that turn it on themselves.

`Trainer` of transformers puts it into the module's own forward, so that PyTorch's
graph begins and ends with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx.node import map_aggregate

from parablock.backend.differentiated import wants_gradients
from parablock.backend.open_sizes import FUSED
from parablock.errors import Error

_ENTERS = torch.amp.autocast_mode._enter_autocast
_EXITS = torch.amp.autocast_mode._exit_autocast
#: Operations that autocast does not compute in another type.
_MOVES = ("float", "to", "getattr", "getitem")
_UNWANTED = "autocast is on and no gradient is wanted: move the module to bf16 instead"


def find_kind(args: Sequence[Any]) -> str:
    """Returns the type of device whose autocast a call is under."""
    tensors = (a for a in args if isinstance(a, torch.Tensor))
    return "cuda" if any(tensor.device.type == "cuda" for tensor in tensors) else "cpu"


def find_type(args: Sequence[Any]) -> torch.dtype | None:
    """Returns the type of the autocast that a call is under, or None."""
    kind = find_kind(args)
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else None


def refuse_autocast(args: Sequence[Any], is_device: bool) -> str | None:
    """Returns why a call under autocast runs eagerly, or None.

    Code for a device has the weights packed in 16 bits; on the CPU that is a step's alone.
    """
    if (dtype := find_type(args)) is None:
        return None
    if problem := _refuse_type(dtype, is_device):
        return problem
    return None if is_device or wants_gradients(args) else _UNWANTED


def refuse_types(traced: torch.fx.Graph, program: ExportedProgram) -> None:
    """Rejects results of another type than PyTorch's, whose kernels may cast otherwise."""
    for node in traced.nodes:
        if (name := getattr(node.target, "__name__", "")) in FUSED:
            raise Error(f"autocast: the type of '{name}' is unknown: move the module to bf16 instead")
    outputs = [next(reversed(graph.nodes)) for graph in (traced, program.graph)]
    types = []
    for node, name in zip(outputs, ("example_value", "val"), strict=True):
        leaves: list[Any] = []
        map_aggregate(node.args[0], leaves.append)
        values = [leaf.meta.get(name) for leaf in leaves if isinstance(leaf, torch.fx.Node)]
        types.append([v.dtype for v in values if isinstance(v, torch.Tensor)])
    if types[0] != types[1]:
        own, found = (", ".join(map(str, each)) for each in types)
        raise Error(f"autocast: expected results of {own}, as PyTorch's are, got {found}")


def _refuse_type(dtype: Any, is_device: bool) -> str | None:
    """Returns why PyTorch runs autocast to a type; the CPU's steps have no f16."""
    if dtype == torch.bfloat16 or (dtype == torch.float16 and is_device):
        return None
    return f"autocast: expected torch.bfloat16, got {dtype}"


def set_autocast(dtype: torch.dtype | None, kind: str = "cpu") -> torch.autocast:
    """Traces with it or without; every reader of a parameter casts for itself."""
    wanted = dtype or torch.bfloat16
    return torch.autocast(kind, wanted, enabled=dtype is not None, cache_enabled=False)


def drop_autocast(
    graph: torch.fx.GraphModule, args: Sequence[Any], is_device: bool
) -> tuple[torch.fx.GraphModule, torch.dtype | None]:
    """Returns the graph without a switch that turns autocast on for all of it, and its type."""
    switches = [node for node in graph.graph.nodes if node.target in (_ENTERS, _EXITS)]
    if not switches:
        return graph, None
    device, dtype, is_enabled, *_ = switches[0].args
    kind = find_kind(args)
    dtype = dtype or torch.get_autocast_dtype(kind)
    if device == kind and (problem := _refuse_type(dtype, is_device)):
        raise Error(problem)
    if [node.target for node in switches] != [_ENTERS, _EXITS] or not (
        device == kind and is_enabled and _is_around_all(graph, switches)
    ):
        raise Error("the graph turns autocast on or off for a part of it")
    if not is_device and not wants_gradients(args):
        raise Error(_UNWANTED)
    copy = torch.fx.Graph()
    copies: dict[torch.fx.Node, torch.fx.Node] = {}
    for node in graph.graph.nodes:
        if node not in switches:
            copies[node] = copy.node_copy(node, copies.__getitem__)
    return torch.fx.GraphModule(graph, copy), dtype


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
