# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of which only the beginning is compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import torch
from torch.fx.passes.split_module import split_module

#: Backend of torch.compile: a function of a graph and inputs.
Backend = Callable[[torch.fx.GraphModule, list[Any]], Callable[..., Any]]

_ROOT = re.compile(r"^L\['\w+'\]\.?")


class PrefixBackend:
    """Compiles the graph before the first of some parts, and runs the rest eagerly."""

    def __init__(self, backend: Backend, stops: Collection[str]) -> None:
        self._backend, self._stops = backend, stops
        self._is_behind = False

    def __call__(self, graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        was_behind = self._is_behind
        sides: dict[torch.fx.Node, int] = {}
        for node in graph.graph.nodes:
            self._is_behind = self._is_behind or self._stops_at(node)
            sides[node] = int(self._is_behind)
        if was_behind:
            return graph.forward
        if not self._is_behind:
            return self._backend(graph, inputs)
        parts = split_module(graph, graph, lambda node: sides[node])
        beginning = getattr(parts, "submod_0", None)
        if isinstance(beginning, torch.fx.GraphModule):
            parts.submod_0 = _Late(self._backend, beginning)
        return parts.forward

    def _stops_at(self, node: torch.fx.Node) -> bool:
        """Returns whether a node belongs to one of the parts."""
        if node.op in ("placeholder", "output"):
            return False
        stack = node.meta.get("nn_module_stack") or {}
        return any(_ROOT.sub("", path) in self._stops for path, _ in stack.values())


class _Late(torch.nn.Module):
    """A function that its first call compiles."""

    def __init__(self, backend: Backend, graph: torch.fx.GraphModule) -> None:
        super().__init__()
        self._backend, self._graph = backend, graph
        self._function: Callable[..., Any] | None = None

    def forward(self, *args: Any) -> Any:
        if self._function is None:
            self._function = self._backend(self._graph, list(args))
        return self._function(*args)
