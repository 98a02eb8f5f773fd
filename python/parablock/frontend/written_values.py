# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a graph that operations write in place, before it is functional."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

import torch

_ATEN = torch.ops.aten
_COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd
#: Operations made of others, of which some return an argument and say nothing of it.
_FRESH = (_ATEN.linear.default, _ATEN.matmul.default, _ATEN.one_hot.default, _ATEN.einsum.default)
_NUMBERS = (int, float, torch.SymInt, torch.SymFloat, torch.SymBool)


def find_written(graph: torch.fx.Graph) -> set[Hashable]:
    """Returns nodes that may share memory with one that is written anywhere in the graph."""
    near: dict[Hashable, set[Hashable]] = defaultdict(set)
    left: list[Hashable] = []
    for node in graph.nodes:
        left += _list_written(node)
        for other in _list_shared(node):
            near[node].add(other)
            near[other].add(node)
    found: set[Hashable] = set()
    while left:
        value = left.pop()
        if value not in found:
            found.add(value)
            left += near[value]
    return found


def _list_written(node: torch.fx.Node) -> Iterator[torch.fx.Node]:
    if isinstance(node.target, torch._ops.OpOverload):
        if node.target._schema.is_mutable:
            yield from _list_marked(node)
    elif node.op == "call_function" and node.target is not operator.getitem:
        # A graph of its own, which may write what it is given.
        yield from _list_tensors(node)


def _list_shared(node: torch.fx.Node) -> list[Hashable]:
    """Returns earlier values in whose memory a result may lie."""
    if node.op == "get_attr":
        return [str(node.target)]
    if node.op != "call_function" or _is_number(node):
        return []
    if node.target is operator.getitem:
        source: Any = node.args[0]
        return [(source, node.args[1]) if _is_fresh(source) else source]
    return [] if _is_fresh(node) else list(_list_marked(node))


def _is_fresh(node: torch.fx.Node) -> bool:
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or any(r.alias_info for r in target._schema.returns):
        return False
    return target in _FRESH or not target.has_kernel_for_dispatch_key(_COMPOSITE)


def _list_marked(node: torch.fx.Node) -> list[torch.fx.Node]:
    """Returns the tensors that a schema says are written or returned; all if it says nothing."""
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or target._schema.name == "aten::set_":
        return _list_tensors(node)
    given = dict(enumerate(node.args)) | dict(node.kwargs)
    marked = [
        given.get(place, given.get(own.name))
        for place, own in enumerate(target._schema.arguments)
        if own.alias_info
    ]
    if not marked:
        return _list_tensors(node)
    found: list[torch.fx.Node] = []
    torch.fx.node.map_arg(marked, lambda each: found.append(each))
    return found


def _list_tensors(node: torch.fx.Node) -> list[torch.fx.Node]:
    return [source for source in node.all_input_nodes if not _is_number(source)]


def _is_number(node: torch.fx.Node) -> bool:
    return isinstance(node.meta.get("val"), _NUMBERS)
