# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions with their own backward in graphs of torch.compile.

Dynamo writes an autograd.Function as one operation with the graphs of its forward and
its backward. Where backward is the derivative of forward, forward stands for both.
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from parablock.errors import Error
from parablock.training.stops import is_derivative

_APPLY = torch.ops.higher_order.autograd_function_apply


def inline_functions(graph: torch.fx.GraphModule, *, trains: bool) -> torch.fx.GraphModule:
    """Returns the graph with the forward of each such function in its place.

    With `trains` a function whose backward is not known to be the derivative is an error.
    """
    if not any(node.target is _APPLY for node in graph.graph.nodes):
        return graph
    copy = torch.fx.Graph()
    copy.output(copy.graph_copy(graph.graph, {}))
    for node in list(copy.nodes):
        if node.target is _APPLY:
            _inline(graph, copy, node, trains)
    copy.eliminate_dead_code()
    return torch.fx.GraphModule(graph, copy)


def _inline(
    owner: torch.fx.GraphModule, graph: torch.fx.Graph, node: torch.fx.Node, trains: bool
) -> None:
    forward, backward = (owner.get_submodule(str(each.target)) for each in node.all_input_nodes[:2])
    body: torch.fx.Graph = forward.graph  # type: ignore[assignment]
    if trains and not _gives_derivative(forward, backward, node):
        raise Error(
            "the graph has a function with a backward of its own, which is not known to be "
            "the derivative of a function of single elements of one tensor"
        )
    if body.find_nodes(op="get_attr") or body.find_nodes(op="call_module"):
        raise Error("the graph has a function with a backward and tensors of its own")
    values = dict(zip(body.find_nodes(op="placeholder"), node.args[2:], strict=True))
    with graph.inserting_before(node):
        for inner in body.nodes:
            # Modes of gradients in forward are those of the function, not of the graph.
            is_mode = inner.target is torch._C._set_grad_enabled
            if inner.op != "output" and inner not in values and not is_mode:
                values[inner] = graph.node_copy(inner, lambda each: values[each])
    output: Any = body.output_node().args[0]
    results: Any = torch.fx.node.map_arg(output[0], lambda each: values[each])
    for user in list(node.users):
        if isinstance(results, tuple | list) and user.target is operator.getitem:
            number: Any = user.args[1]
            user.replace_all_uses_with(results[number])
            graph.erase_node(user)
    if node.users:
        node.replace_all_uses_with(results)
    graph.erase_node(node)


def _gives_derivative(forward: Any, backward: Any, node: torch.fx.Node) -> bool:
    """Returns whether backward is the derivative of a function of single elements."""
    if len(forward.graph.find_nodes(op="placeholder")) != 1:
        return False

    def apply(x: torch.Tensor) -> Any:
        results = _APPLY(forward, backward, x, **node.kwargs)
        return results[0] if isinstance(results, tuple | list) else results

    def run(x: torch.Tensor) -> Any:
        return torch.fx.Interpreter(forward).run(x)[0]

    traced = make_fx(run)(torch.ones(5, dtype=torch.float64))
    steps = [each for each in traced.graph.nodes if each.op == "call_function"]
    is_pointwise = all(torch.Tag.pointwise in getattr(each.target, "tags", ()) for each in steps)
    return is_pointwise and is_derivative(apply)
