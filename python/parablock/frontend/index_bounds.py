# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds of the numbers that a node of a graph can hold, from how it is computed.

This file implements interval arithmetic over operations of ATen. Bounds may be sizes
of torch.export, so that what holds for them holds at every size.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from parablock.frontend.computations import list_sources
from parablock.frontend.table import bind

_untyped: Any = torch
_smaller, _larger = _untyped.sym_min, _untyped.sym_max

#: The least and the largest number; sizes are SymInts where they are open.
Bounds = tuple[Any, Any]
Rule = Callable[["BoundFinder", torch.fx.Node], Bounds | None]

#: Operations that move elements, or convert them to a type that keeps whole numbers.
_KEPT = (
    "view _unsafe_view reshape expand unsqueeze squeeze permute transpose slice select "
    "clone contiguous _to_copy to alias flatten repeat t flip detach lift_fresh_copy "
    "unflatten broadcast_to narrow index_select gather index roll copy type_as squeeze_ "
    "lift_fresh detach_ alias_copy movedim swapaxes"
).split()
_TRUTHS = "eq ne lt le gt ge logical_and logical_or logical_not logical_xor isin".split()
#: Operations that number elements of one dimension, or of all of them.
_PLACES = ("argmax", "argmin", "argsort")
#: Operations whose second result are the places of the first along a dimension.
_SOUGHT = ("topk", "max", "min", "sort")


class BoundFinder:
    """Finds bounds; `known` are values of nodes that do not depend on sizes."""

    def __init__(self, known: Mapping[torch.fx.Node, Any]) -> None:
        self._known = known
        self._found: dict[torch.fx.Node, Bounds | None] = {}

    def find(self, operand: Any) -> Bounds | None:
        """Returns bounds of a node, a tensor or a number; None if one is not known."""
        least, most = self.find_ends(operand)
        return None if least is None or most is None else (least, most)

    def find_ends(self, operand: Any) -> Bounds:
        """Returns both bounds, each of which may be None."""
        return self._find(operand) or (None, None)

    def _find(self, operand: Any) -> Bounds | None:
        if not isinstance(operand, torch.fx.Node):
            return _measure(operand)
        if operand not in self._found:
            # In the order of the graph, since a chain may be long.
            for source in list_sources([operand], self._known):
                if source not in self._found:
                    self._found[source] = self._find_one(source)
        return self._found[operand]

    def _find_one(self, node: torch.fx.Node) -> Bounds | None:
        if node in self._known:
            return _measure(self._known[node])
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and value.dtype == torch.bool:
            return 0, 1
        if isinstance(value, int | torch.SymInt):
            return value, value
        if node.op != "call_function":
            return None
        name = str(node.target).removeprefix("aten.").partition(".")[0]
        if name in _KEPT:
            return self._find(node.args[0])
        if name in _TRUTHS:
            return 0, 1
        if name in _PLACES:
            return _number_places(node.args[0], node)
        if node.target is operator.getitem:
            return self._find_part(*node.args)
        rule = _RULES.get(name)
        return rule(self, node) if rule else None


    def _find_part(self, source: Any, part: Any) -> Bounds | None:
        """Returns bounds of a part of several results: elements, or the places that they had."""
        name = str(source.target).removeprefix("aten.").partition(".")[0]
        if name not in _SOUGHT:
            return None
        return _number_places(source.args[0], source) if part == 1 else self._find(source.args[0])


def _measure(value: Any) -> Bounds | None:
    if isinstance(value, int | float | torch.SymInt) and value == value:
        return value, value
    if not isinstance(value, torch.Tensor) or not value.numel() or value.is_complex():
        return None
    if type(value) is not torch.Tensor and not isinstance(value, torch.nn.Parameter):
        return None
    least, most = value.min().item(), value.max().item()
    return (least, most) if least <= most else None


def _number_places(source: Any, node: torch.fx.Node) -> Bounds | None:
    value = source.meta.get("val") if isinstance(source, torch.fx.Node) else source
    if not isinstance(value, torch.Tensor):
        return None
    dim: Any = bind(node.target, node.args, node.kwargs)["dim"]
    size = value.numel() if dim is None else value.shape[dim] if value.dim() else 1
    return 0, size - 1


def _join(first: Bounds | None, second: Bounds | None) -> Bounds | None:
    if first is None or second is None:
        return None
    return _smaller(first[0], second[0]), _larger(first[1], second[1])


def _find_operands(finder: BoundFinder, node: torch.fx.Node) -> list[Bounds | None]:
    return [finder.find(argument) for argument in node.args[:2]]


def _add(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    a, b = _find_operands(finder, node)
    if a is None or b is None or node.kwargs.get("alpha", 1) != 1:
        return None
    is_sum = str(node.target).startswith("aten.add")
    return (a[0] + b[0], a[1] + b[1]) if is_sum else (a[0] - b[1], a[1] - b[0])


def _multiply(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    a, b = _find_operands(finder, node)
    if a is None or b is None:
        return None
    products = [x * y for x in a for y in b]
    least = most = products[0]
    for product in products[1:]:
        least, most = _smaller(least, product), _larger(most, product)
    return least, most


def _divide_down(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    bounds, by = finder.find(node.args[0]), node.args[1]
    mode = node.kwargs.get("rounding_mode") if str(node.target).startswith("aten.div.") else "floor"
    if bounds is None or not isinstance(by, int) or by < 1 or mode is None:
        return None
    if mode == "trunc" and not statically_known_true(bounds[0] >= 0):
        return None
    return bounds[0] // by, bounds[1] // by


def _put(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    if len(node.args) > 3 or node.kwargs.get("accumulate", False):
        return None
    return _join(finder.find(node.args[0]), finder.find(node.args[2]))


def _clamp(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    name = str(node.target)
    named = dict(zip(("self", "min", "max"), node.args, strict=False)) | dict(node.kwargs)
    if "clamp_max" in name or "minimum" in name:
        named = {"self": node.args[0], "max": node.args[1]}
    if "clamp_min" in name or "maximum" in name:
        named = {"self": node.args[0], "min": node.args[1]}
    least, most = finder.find_ends(named["self"])
    low, high = (finder.find(named.get(key)) for key in ("min", "max"))
    if low is not None:
        least = low[0] if least is None else _larger(least, low[0])
        most = None if most is None else _larger(most, low[1])
    if high is not None:
        most = high[1] if most is None else _smaller(most, high[1])
        least = None if least is None else _smaller(least, high[0])
    return least, most


def _choose(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    return _join(finder.find(node.args[1]), finder.find(node.args[2]))


def _join_parts(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    parts: Any = node.args[0]
    bounds = finder.find(parts[0])
    for part in parts[1:]:
        bounds = _join(bounds, finder.find(part))
    return bounds


def _count(finder: BoundFinder, node: torch.fx.Node) -> Bounds | None:
    """Returns bounds of aten.arange with steps of 1."""
    value = node.meta.get("val")
    name = str(node.target)
    is_range = name in ("aten.arange.default", "aten.arange.start")
    if not isinstance(value, torch.Tensor) or not is_range:
        return None
    first = node.args[0] if name.endswith("start") else 0
    start = finder.find(first)
    return None if start is None else (start[0], start[0] + value.shape[0] - 1)


_RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "sub"), _add),
    "mul": _multiply,
    **dict.fromkeys(("floor_divide", "div"), _divide_down),
    "index_put": _put,
    # Memory that nothing was written to is imported as zeros.
    **dict.fromkeys(("zeros_like", "empty_like"), lambda finder, node: (0, 0)),
    **dict.fromkeys(("clamp", "clamp_min", "clamp_max", "minimum", "maximum"), _clamp),
    "where": _choose,
    **dict.fromkeys(("cat", "stack", "concat"), _join_parts),
    "arange": _count,
    "abs": lambda finder, node: (0, None),
}
