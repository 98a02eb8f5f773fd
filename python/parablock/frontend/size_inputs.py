# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants of open sizes that PyTorch computes before each call.

A table or number that parablock/frontend/size_proof.py cannot prove for all sizes becomes
an input of the imported function. At each call the graph's own operations compute it for
the sizes of that call.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx.node import map_aggregate

from parablock.frontend.computations import list_sources
from parablock.frontend.index_checks import check_range, list_indices, reads_at
from parablock.frontend.placeholders import list_inputs, list_lifted
from parablock.frontend.places import describe_path
from parablock.frontend.size_symbols import (
    Needs,
    evaluate,
    find_places,
    get_expression,
    get_name,
    list_expressions,
)

Node = torch.fx.Node

#: Choices of sizes that tables are kept for.
_MOST_KEPT = 4
#: Operations that read the shape of their first operand alone.
OF_SHAPES = ("new_ones", "new_zeros", "new_full", "new_empty", "empty_like") + (
    *("ones_like", "zeros_like", "full_like", "fill"),
)


class SizeInputs:
    """Inputs of an imported function that follow from the sizes of others."""

    def __init__(
        self,
        program: ExportedProgram,
        nodes: Mapping[str, Node],
        constants: Mapping[int, torch.Tensor],
    ) -> None:
        """`nodes` give the inputs by name; `constants` are those of the module's inputs."""
        self._nodes = dict(nodes)
        self._owner = program.graph_module
        self._known: dict[Node, Any] = {}
        #: Where the sizes that symbols stand for are read.
        self._places = find_places(self._read_placeholders(program, constants))
        self._order = list_sources([*self._nodes.values()], (), _list_operands)
        self._bounds = [
            bound for node in program.graph.nodes for bound in self._list_bounds(node)
        ]
        self._lock = threading.Lock()
        self._kept: dict[tuple[int, ...], dict[str, torch.Tensor]] = {}

    @property
    def names(self) -> list[str]:
        return list(self._nodes)

    def _read_placeholders(
        self, program: ExportedProgram, constants: Mapping[int, torch.Tensor]
    ) -> dict[Node, int]:
        """Reads known values, and returns the places of the module's inputs."""
        self._known = {each.node: each.value for each in list_lifted(program)}
        places = {node: position for position, node in enumerate(list_inputs(program))}
        self._known |= {n: constants[p] for n, p in places.items() if p in constants}
        return places

    def _list_bounds(self, reader: Node) -> list[tuple[str, Node, Any, bool]]:
        """Inputs that an operation on data reads at, and what they are below."""
        if not reads_at(reader):
            return []
        names = {node: name for name, node in self._nodes.items()}
        return [
            (describe_path(reader), node, get_expression(size), counts_from_end)
            for node, size, counts_from_end in list_indices(reader)
            if node in names
        ]

    @torch.no_grad()
    def compute(self, read: Callable[[int], Any]) -> dict[str, torch.Tensor]:
        """Returns the inputs; `read` returns those of the module by their place."""
        sizes = {
            symbol: int(read(position).shape[dim])
            for symbol, (position, dim) in self._places.items()
        }
        key = tuple(sizes.values())
        with self._lock:
            if key not in self._kept:
                while len(self._kept) >= _MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = self._compute(sizes)
            return dict(self._kept[key])

    def _compute(self, sizes: Mapping[str, int]) -> dict[str, torch.Tensor]:
        made: dict[Node, Any] = {}

        def look_up(argument: Any) -> Any:
            return made[argument] if isinstance(argument, Node) else argument

        for node in self._order:
            if node in self._known:
                made[node] = self._known[node]
            elif node.op == "get_attr":
                made[node] = operator.attrgetter(str(node.target))(self._owner)
            elif _is_size(node):
                made[node] = evaluate(node.meta["val"], sizes)
            else:
                args = list(node.args)
                if get_name(node) in OF_SHAPES and args[0] not in made:
                    args[0] = _make_like(args[0], sizes)
                given: Any = map_aggregate((tuple(args), node.kwargs), look_up)
                made[node] = node.target(*given[0], **given[1])  # type: ignore[operator]
        for path, node, size, counts_from_end in self._bounds:
            check_range(path, made[node], evaluate(size, sizes), counts_from_end)
        return {name: _as_input(made[node]) for name, node in self._nodes.items()}


def _is_size(node: Node) -> bool:
    """Returns whether a node is a size of some tensor."""
    return str(node.target) == "aten.sym_size.int"


def _list_operands(node: Node) -> Sequence[Node]:
    """Returns the operands whose elements an operation reads."""
    if _is_size(node):
        return ()
    is_of_shape = get_name(node) in OF_SHAPES
    return [n for n in node.all_input_nodes if not (is_of_shape and n is node.args[0])]


def _make_like(node: Any, sizes: Mapping[str, int]) -> torch.Tensor:
    value = node.meta["val"]
    shape = [evaluate(size, sizes) for size in value.shape]
    return torch.empty((), dtype=value.dtype).expand(shape)


def _as_input(value: Any) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value.detach().contiguous()
    dtype = torch.float32 if isinstance(value, float) else torch.int64
    return torch.tensor([value], dtype=dtype)


def make_example(node: Node) -> torch.Tensor | None:
    """Returns an example of the input that replaces a node; None if no input can."""
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor):
        known = (torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.bool)
        return value if value.dtype in known else None
    if isinstance(value, torch.SymInt | torch.SymFloat):
        return _as_input(1 if isinstance(value, torch.SymInt) else 1.0)
    return None


def describe_sizes(program: ExportedProgram, needs: Needs, names: Sequence[str]) -> str:
    """Returns affine maps of the sizes and offsets of operations on data.

    Their symbols are the open sizes by their `names`, in order.
    """
    maps: dict[str, None] = {}
    for node in program.graph.nodes:
        if node not in needs.data or node.op != "call_function":
            continue
        for expression in list_expressions(node, needs.computed):
            text = _format(expression, {name: f"s{i}" for i, name in enumerate(names)})
            if text is not None and not expression.is_Symbol:
                symbols = ", ".join(f"s{i}" for i in range(len(names)))
                maps[f"affine_map<()[{symbols}] -> ({text})>"] = None
    return ", ".join(maps)


def _format(expression: Any, names: Mapping[str, str]) -> str | None:
    """Returns an expression in MLIR's notation; None if it has no such notation."""
    if expression.is_Integer:
        return str(int(expression))
    if expression.is_Symbol:
        return names.get(str(expression))
    kind = type(expression).__name__
    parts = [_format(part, names) for part in expression.args]
    if any(part is None for part in parts):
        return None
    words = {"Add": "+", "Mul": "*", "FloorDiv": "floordiv", "CleanDiv": "floordiv"} | {
        "Mod": "mod",
        "PythonMod": "mod",
        "CeilDiv": "ceildiv",
    }
    if kind not in words or len(parts) < 2:
        return None
    if kind not in ("Add", "Mul") and not (
        expression.args[1].is_Integer and expression.args[1] > 0
    ):
        return None
    return "(" + f" {words[kind]} ".join(str(part) for part in parts) + ")"
