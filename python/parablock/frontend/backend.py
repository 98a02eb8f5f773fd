# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.compile(model, backend="parablock")`, for inference.

PyTorch hands over graphs; each is compiled when it is first called with inputs
of some sizes. What cannot be compiled runs as it is, and is counted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import torch

from parablock.compiled import CompiledModel
from parablock.errors import Error
from parablock.frontend.export import export_module
from parablock.frontend.from_torch import model_from_program
from parablock.frontend.importer import UnknownOperation
from parablock.statistics import STATISTICS

_log = logging.getLogger("parablock")

Key = tuple[Any, ...]


def compile_graph(
    graph: torch.fx.GraphModule, example_inputs: Sequence[Any]
) -> Callable[..., Any]:
    """The backend that PyTorch finds by the package's entry point."""
    STATISTICS.graphs += 1
    return _Graph(graph)


class _Graph:
    """A graph, compiled for each choice of sizes that it is called with."""

    def __init__(self, graph: torch.fx.GraphModule) -> None:
        self.graph = graph.eval()
        placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
        #: Arguments that are weights of the module, by their number.
        self.weights = {
            number
            for number, node in enumerate(placeholders)
            if "_parameters_" in str(node.target)
        }
        self.compiled: dict[Key, Callable[..., Any]] = {}

    def __call__(self, *args: Any) -> Any:
        data = [a for i, a in enumerate(args) if i not in self.weights]
        if torch.is_grad_enabled() and any(_requires_grad(a) for a in args):
            return self._run_eager("grad is enabled: use torch.no_grad()", args)
        if any(isinstance(a, torch.Tensor) and a.device.type != "cpu" for a in data):
            return self._run_eager("inputs on another device", args)
        key = tuple(_describe(argument) for argument in args)
        if key not in self.compiled:
            self.compiled[key] = self._compile(args)
        return self.compiled[key](*args)

    def _run_eager(self, reason: str, args: Sequence[Any]) -> Any:
        STATISTICS.fallbacks[reason] += 1
        return self.graph(*args)

    def _compile(self, args: Sequence[Any]) -> Callable[..., Any]:
        count = sum(node.op == "call_function" for node in self.graph.graph.nodes)
        try:
            compiled = self._make(args)
        except Error as problem:
            reason = str(problem).splitlines()[0]
            if not isinstance(problem, UnknownOperation):
                reason = f"not recognised as a whole: {reason}"
            _log.info("a graph runs eagerly: %s", reason)
            STATISTICS.fallbacks[reason] += 1
            STATISTICS.eager_operations += count
            return self.graph
        STATISTICS.compiled += 1
        STATISTICS.operations += count
        return compiled

    def _make(self, args: Sequence[Any]) -> CompiledModel:
        program = export_module(self.graph, args, {})
        weights = {i: args[i] for i in self.weights}
        model = model_from_program(program, "graph", weights)
        compiled = model.optimize().compile("cpu")
        STATISTICS.recognised.update(model.explain().to_dict()["recognised"])
        return compiled


def _requires_grad(argument: Any) -> bool:
    return isinstance(argument, torch.Tensor) and argument.requires_grad


def _describe(argument: Any) -> Any:
    if isinstance(argument, torch.Tensor):
        return (argument.dtype, tuple(argument.shape))
    return argument
