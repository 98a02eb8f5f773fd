# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of exported graphs, by the names of their ATen operations."""

from __future__ import annotations

import operator
from typing import Any

from torch.fx import Node

from parablock.frontend.table import normalise_dim

_KEPT = ("alias", "clone", "contiguous", "detach", "lift_fresh_copy")
_CASTS = ("_to_copy", "to", "type_as")


def get_name(node: Any) -> str:
    """Returns the name of a node's ATen operation, or an empty string."""
    parts = str(node.target).split(".") if isinstance(node, Node) else []
    return parts[1] if len(parts) == 3 and parts[0] == "aten" else ""


def is_part(node: Node, number: int) -> bool:
    return node.target is operator.getitem and bool(node.args[1] == number)


def skip_copies(node: Any) -> Any:
    """Returns the node that another one is a copy of, of any type and of its shape."""
    while isinstance(node, Node):
        name = get_name(node)
        is_view = name in ("view", "reshape", "_unsafe_view") and _has_shape_of_source(node)
        if name not in (*_KEPT, *_CASTS) and not is_view:
            break
        node = node.args[0]
    return node


def _has_shape_of_source(node: Node) -> bool:
    source: Any = node.args[0]
    return tuple(source.meta["val"].shape) == tuple(node.meta["val"].shape)


def is_last(dim: Any, of: Any) -> bool:
    """Returns whether a number names the last dimension of a node."""
    rank = of.meta["val"].dim()
    return isinstance(dim, int) and normalise_dim(dim, rank) == rank - 1


def list_dims(node: Node) -> list[int]:
    """Returns the dimensions of a reduction, counted from the back."""
    given: Any = node.args[1] if len(node.args) > 1 else []
    source: Any = node.args[0]
    dims = [given] if isinstance(given, int) else list(given or [])
    return [normalise_dim(dim, source.meta["val"].dim()) - source.meta["val"].dim() for dim in dims]


def makes_number(node: Any, number: float) -> bool:
    """Returns whether a node is a tensor that has one number everywhere."""
    if number == 0 and get_name(node) in ("zeros_like", "zeros", "new_zeros"):
        return True
    return get_name(node) in ("full", "full_like") and bool(node.args[1] == number)
