# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of graphs that PyTorch runs by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from parablock.frontend.computations import list_sources

if TYPE_CHECKING:
    from parablock.frontend.cached_graph import CachedGraph

Node = torch.fx.Node


def extract_part(graph: CachedGraph, wanted: Sequence[Node]) -> torch.fx.GraphModule:
    """Returns the part of a graph that computes some values from all inputs."""
    part = torch.fx.Graph()
    root = torch.nn.Module()
    copies: dict[Node, Node] = {}
    for node in graph.inputs:
        copies[node] = part.placeholder(node.name)
    for node in list_sources(wanted):
        if node in copies:
            continue
        tensor = graph.find_tensor(node)
        if tensor is None:
            copies[node] = part.node_copy(node, copies.__getitem__)
        else:
            name = f"own{len(copies)}"
            root.register_buffer(name, tensor)
            copies[node] = part.get_attr(name)
    part.output(tuple(copies[node] for node in wanted))
    return torch.fx.GraphModule(root, part)
