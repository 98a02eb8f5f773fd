# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.compile(model, backend="parablock")`, for inference.

PyTorch hands over graphs; each is compiled when it is first called with inputs
of some sizes. A graph that is not recognised as a whole is split: its blocks run
here, the rest runs as it is, and is counted.
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
from parablock.frontend.imported import Choices
from parablock.frontend.regions import SplitGraph
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
        names = [str(n.target) for n in graph.graph.nodes if n.op == "placeholder"]
        #: Arguments that are tensors of the module, by their number.
        self.weights = {i for i, name in enumerate(names) if "_parameters_" in name}
        self.constants = {i for i, name in enumerate(names) if "_buffers_" in name}
        self.compiled: dict[Key, Callable[..., Any]] = {}

    def __call__(self, *args: Any) -> Any:
        own = self.weights | self.constants
        data = [a for i, a in enumerate(args) if i not in own]
        if torch.is_grad_enabled():
            _refuse_gradients(data)
            if any(_requires_grad(a) for a in args):
                return self._run_eager("grad is enabled: use torch.no_grad()", args)
        if any(isinstance(a, torch.Tensor) and a.device.type != "cpu" for a in data):
            return self._run_eager("inputs on another device", args)
        key = tuple(_describe(a, i in own) for i, a in enumerate(args))
        if key not in self.compiled:
            self.compiled[key] = self._compile(args)
        return self.compiled[key](*args)

    def _run_eager(self, reason: str, args: Sequence[Any]) -> Any:
        STATISTICS.fallbacks[reason] += 1
        return self.graph(*args)

    def _compile(self, args: Sequence[Any]) -> Callable[..., Any]:
        count = _count_operations(self.graph)
        choices = Choices(
            weights={i: args[i] for i in self.weights},
            constants={i: args[i].detach() for i in self.constants},
        )
        try:
            compiled = compile_whole(self.graph, args, choices)
        except Error as problem:
            _log.info("a graph is split: %s", problem)
            return self._split(args, choices)
        STATISTICS.compiled += 1
        STATISTICS.operations += count
        return compiled

    def _split(self, args: Sequence[Any], choices: Choices) -> Callable[..., Any]:
        try:
            program = export_module(self.graph, args, {})
            split = SplitGraph(program, choices, Region)
        except Error as problem:
            STATISTICS.fallbacks[str(problem).splitlines()[0]] += 1
            STATISTICS.eager_operations += _count_operations(self.graph)
            return self.graph
        STATISTICS.fallbacks.update(split.reasons)
        STATISTICS.eager_operations += split.eager_operations
        return split


class Region(torch.nn.Module):
    """A part of a graph, compiled at its first call."""

    def __init__(
        self, graph: torch.fx.GraphModule, weights: set[int], constants: set[int]
    ) -> None:
        super().__init__()
        self.graph = graph.eval()
        self.weights, self.constants = weights, constants
        self.run: Callable[..., Any] | None = None

    def forward(self, *args: Any) -> Any:
        if self.run is None:
            self.run = self._compile(args)
        return self.run(*args)

    def _compile(self, args: Sequence[Any]) -> Callable[..., Any]:
        choices = Choices(
            weights={i: args[i] for i in self.weights},
            constants={i: args[i] for i in self.constants},
        )
        count = _count_operations(self.graph)
        try:
            compiled = compile_whole(self.graph, args, choices, needs_blocks=True)
        except Error as problem:
            STATISTICS.fallbacks[str(problem).splitlines()[0]] += 1
            STATISTICS.eager_operations += count
            return self.graph
        STATISTICS.compiled += 1
        STATISTICS.operations += count
        return compiled


def compile_whole(
    graph: torch.fx.GraphModule,
    args: Sequence[Any],
    choices: Choices,
    *,
    needs_blocks: bool = False,
) -> CompiledModel:
    """All of a graph, or an error that says what is in the way."""
    program = export_module(graph, args, {})
    model = model_from_program(program, "graph", choices)
    found = model.explain().to_dict()["recognised"]
    if left := model.list_left():
        raise Error(f"not recognised: {left[0]}")
    if needs_blocks and not found["attention"] + found["mlp"]:
        raise Error("no block is in a part of a graph")
    compiled = model.optimize().compile("cpu")
    STATISTICS.recognised.update(found)
    return compiled


def _count_operations(graph: torch.fx.GraphModule) -> int:
    return sum(node.op == "call_function" for node in graph.graph.nodes)


def _refuse_gradients(data: Sequence[Any]) -> None:
    """What another graph computed may require grad; the caller's inputs may not."""
    if any(_requires_grad(tensor) and tensor.is_leaf for tensor in data):
        raise Error(
            "an input requires grad, and there is no backward: pass it detached, as "
            "in x.detach(), or call under torch.no_grad()"
        )


def _requires_grad(argument: Any) -> bool:
    return isinstance(argument, torch.Tensor) and argument.requires_grad


def _describe(argument: Any, is_own: bool) -> Any:
    """What compiled code depends on: of the module's tensors also their values."""
    if not isinstance(argument, torch.Tensor):
        return argument
    shape = (argument.dtype, tuple(argument.shape))
    if not is_own or argument.is_inference():
        return shape
    return (*shape, argument.data_ptr(), argument._version)
