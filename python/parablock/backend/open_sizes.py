# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes that torch.compile leaves open, and their values in calls."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.frontend.export import holds, list_asserted
from parablock.frontend.placeholders import list_inputs
from parablock.frontend.size_symbols import evaluate

#: Operations of nn.Transformer that compare their first operand's width with no weight, and
#: whose results' type under autocast a trace does not show.
FUSED = ("_transformer_encoder_layer_fwd", "_native_multi_head_attention")


def list_open(graph: torch.fx.GraphModule, known: Collection[int]) -> tuple[Any, ...]:
    """Returns the open sizes of a graph's inputs, as `dynamic_shapes` of an export.

    Sizes of the inputs in `known` and first dimensions are fixed.
    """
    found: list[Any] = []
    auto = torch.export.Dim.AUTO
    for number, node in enumerate(graph.graph.find_nodes(op="placeholder")):
        example = node.meta.get("example_value")
        if number in known:
            found.append(None)
        elif isinstance(example, torch.Tensor):
            dims = range(1, example.dim())
            open_dims = [d for d in dims if isinstance(example.shape[d], torch.SymInt)]
            found.append(dict.fromkeys(open_dims, auto) or None)
        else:
            found.append(auto if isinstance(example, torch.SymInt) else None)
    return tuple(found)


@dataclasses.dataclass(frozen=True)
class OpenGraph:
    """A graph that reads open sizes from its tensors, and has no arguments for them."""

    graph: torch.fx.GraphModule
    #: Numbers of the original graph's arguments that this one takes.
    places: tuple[int, ...]
    #: Its open sizes, as `dynamic_shapes` of an export.
    sizes: tuple[Any, ...]

    def choose(self, args: Sequence[Any]) -> list[Any]:
        """Returns the arguments of this graph."""
        return [args[place] for place in self.places]


def open_graph(
    traced: torch.fx.GraphModule, graph: torch.fx.GraphModule, known: Collection[int]
) -> OpenGraph | None:
    """Returns a graph for all sizes that PyTorch left open, or None if there are none.

    `traced` is PyTorch's graph, and `graph` one with the same inputs. Those in `known` have
    no open sizes.
    """
    examples = [n.meta.get("example_value") for n in traced.graph.find_nodes(op="placeholder")]
    copy = torch.fx.Graph()
    copy.output(copy.graph_copy(graph.graph, {}))
    inputs = copy.find_nodes(op="placeholder")
    begin = next(node for node in copy.nodes if node.op != "placeholder")
    sources: dict[str, tuple[torch.fx.Node, int]] = {}
    for number, (node, example) in enumerate(zip(inputs, examples, strict=True)):
        shape = example.shape if isinstance(example, torch.Tensor) else ()
        for dim, size in enumerate(shape if number not in known else ()):
            if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                place = sources.setdefault(str(size.node.expr), (node, dim))
                if place != (node, dim):
                    with copy.inserting_before(begin):
                        copy.call_function(_check_same, (*place, node, dim))
    widths = _list_widths(traced.graph)
    places: list[int] = []
    sizes: list[Any] = []
    for number, (node, example) in enumerate(zip(inputs, examples, strict=True)):
        if isinstance(example, torch.SymInt) and str(example.node.expr) in sources:
            with copy.inserting_before(begin):
                read = copy.call_method("size", sources[str(example.node.expr)])
            node.replace_all_uses_with(read)
            copy.erase_node(node)
            continue
        places.append(number)
        shape = example.shape if isinstance(example, torch.Tensor) else ()
        is_open = [isinstance(s, torch.SymInt) and str(s.node.expr) not in widths for s in shape]
        dims = [d for d, each in enumerate(is_open) if each and number not in known]
        sizes.append(dict.fromkeys(dims, torch.export.Dim.AUTO) or None)
    if not any(sizes):
        return None
    return OpenGraph(torch.fx.GraphModule(graph, copy), tuple(places), tuple(sizes))


def _check_same(one: torch.Tensor, dim: int, two: torch.Tensor, other: int) -> None:
    """Gives exporting one symbol for two sizes, as PyTorch's graph has it."""
    torch._check(one.shape[dim] == two.shape[other])  # type: ignore[no-untyped-call]


def _list_widths(graph: torch.fx.Graph) -> set[str]:
    """Returns symbols of sizes that weights determine, and operations do not compare."""
    widths = [
        node.args[0].meta["example_value"].shape[-1]
        for node in graph.nodes
        if getattr(node.target, "__name__", "") in FUSED
    ]
    return {str(width) for width in widths}


class OpenSizes:
    """The sizes that a program with open ones is for."""

    def __init__(
        self,
        program: ExportedProgram,
        known: Collection[int],
        places: Sequence[int] | None = None,
    ) -> None:
        """Inputs in `known` are tensors of the module.

        Both are numbers of a call's arguments; `places` are those of the program's inputs,
        if these are not all arguments.
        """
        nodes = list_inputs(program)
        given = zip(range(len(nodes)) if places is None else places, nodes, strict=True)
        self._examples = [(i, node.meta.get("val")) for i, node in given if i not in known]
        self._asserted = list_asserted(program)
        self._ranges = {
            str(symbol): (limits.lower, limits.upper)
            for symbol, limits in program.range_constraints.items()
        }

    def fit(self, args: Sequence[Any]) -> bool:
        """Returns whether a call is one for which the program was made."""
        known: dict[str, int] = {}
        if not all(self._fits(val, args[i], known) for i, val in self._examples):
            return False
        for asserted in self._asserted:
            symbols = asserted.free_symbols
            if all(str(s) in known for s in symbols):
                if not holds(asserted, {s: known[str(s)] for s in symbols}):
                    return False
        return True

    def _fits(self, example: Any, given: Any, known: dict[str, int]) -> bool:
        if isinstance(example, torch.Tensor):
            if not isinstance(given, torch.Tensor) or given.dtype != example.dtype:
                return False
            pairs = zip(example.shape, given.shape, strict=False)
            is_like = example.dim() == given.dim()
            return is_like and all(self._fits(*pair, known) for pair in pairs)
        if not isinstance(example, torch.SymInt):
            return type(given) is type(example) and bool(given == example)
        if not isinstance(given, int):
            return False
        expression = example.node.expr
        if expression.is_Symbol:
            lower, upper = self._ranges.get(str(expression), (0, given))
            is_known = known.setdefault(str(expression), given) == given
            return is_known and bool(lower <= given <= upper)
        symbols = expression.free_symbols
        if any(str(symbol) not in known for symbol in symbols):
            return False
        return evaluate(expression, known) == given
