# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.compile whose results belong to autograd.

PyTorch passes the graph of forward alone, with parameters as inputs. Its recognised parts
become one operation of autograd each, with a compiled backward, so AOTAutograd has
nothing to differentiate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.errors import Error
from parablock.frontend.imported import Choices
from parablock.frontend.placeholders import list_input_names
from parablock.model import ModelValue
from parablock.target import Target
from parablock.training.steps import StepChoices
from parablock.training.stops import STOPS
from parablock.training.trained import TrainingStep


class DifferentiatedGraph:
    """A step of a graph, whose parameters are arguments of each call."""

    def __init__(
        self, model: ModelValue, program: ExportedProgram, choices: Choices, target: Target
    ) -> None:
        self._calling = model.calling
        self._step = TrainingStep(model.find_unfused(), StepChoices(), target)
        names = list_input_names(program)
        positions = {names[number]: number for number in choices.weights}
        #: Where each parameter stands among the arguments.
        self._positions = {
            info.name: positions[info.name] for info in self._step.signature.parameters
        }

    def prepare(self, args: Sequence[Any]) -> None:
        """Compiles the step for a call with these arguments, or raises."""
        self._step.prepare(self._collect(args))

    def __call__(self, *args: Any) -> Any:
        return self._calling.unflatten(self._step.run(self._collect(args)))

    def _collect(self, args: Sequence[Any]) -> dict[str, torch.Tensor]:
        parameters = {name: args[i] for name, i in self._positions.items()}
        return self._step.collect(self._calling.flatten(args, {}), parameters)


def wants_gradients(args: Sequence[Any]) -> bool:
    """Returns whether a call's results belong to autograd."""
    return torch.is_grad_enabled() and any(
        isinstance(a, torch.Tensor) and a.requires_grad for a in args
    )


def drop_modes(graph: torch.fx.GraphModule, args: Sequence[Any]) -> torch.fx.GraphModule:
    """Returns the graph without switches of gradients, if none of them detaches one."""
    copy = torch.fx.Graph()
    copy.output(copy.graph_copy(graph.graph, {}))
    wanted: set[torch.fx.Node] = set()
    is_on = True
    given = iter(args)
    for node in list(copy.nodes):
        if node.op == "placeholder":
            argument = next(given)
            if isinstance(argument, torch.Tensor) and argument.requires_grad:
                wanted.add(node)
        elif node.target is torch._C._set_grad_enabled:
            is_on = bool(node.args[0])
            copy.erase_node(node)
        elif wanted.intersection(node.all_input_nodes) and node.op != "output":
            name = str(getattr(node.target, "__name__", node.target))
            if name == "getattr":
                name = str(node.args[1])
            if name in STOPS or (not is_on and _is_float(node)):
                raise Error(f"the graph keeps gradients back by '{name}'")
            if _is_float(node):
                wanted.add(node)
    return torch.fx.GraphModule(graph, copy)


def _is_float(node: torch.fx.Node) -> bool:
    """Returns whether a value may have a gradient."""
    example = node.meta.get("example_value", node.meta.get("val"))
    return not isinstance(example, torch.Tensor) or example.is_floating_point()
