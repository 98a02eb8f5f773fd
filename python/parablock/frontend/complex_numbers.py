# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex tensors as pairs of real ones, for rotations of queries and keys.

`split_complex_numbers` rewrites an exported graph, so that constants of open sizes, holes and
imports meet real operations alone. An operation without a rule stays, and its import is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Node
from torch.fx.node import map_arg

_ATEN = torch.ops.aten
_Pair = tuple[Any, Any]
#: Operations that act on the real and the imaginary part alike.
_PARTWISE = (
    *("view", "_unsafe_view", "reshape", "unsqueeze", "squeeze", "expand", "slice", "select"),
    *("transpose", "permute", "t", "cat", "stack", "index", "index_select", "repeat"),
    *("alias", "clone", "contiguous", "detach", "lift_fresh_copy", "neg"),
)
_SUMS = ("add", "sub")
_CASTS = ("_to_copy", "to")
_REAL = {torch.complex64: torch.float32, torch.complex128: torch.float64}


def is_complex(node: Node) -> bool:
    """Returns whether an operation's result is one complex tensor."""
    example = node.meta.get("val")
    return isinstance(example, torch.Tensor) and example.is_complex()


def find_unknown(node: Node) -> Node:
    """Returns the first operation without a rule among a complex tensor's readers, or itself."""
    readers = [node]
    for reader in readers:
        if _find_rule(reader) is None:
            return reader
        if reader is node or is_complex(reader):
            readers += [each for each in reader.users if each not in readers]
    return node


def split_complex_numbers(graph: torch.fx.Graph) -> None:
    """Replaces complex tensors by pairs of real ones, where all operations on them are known."""
    pairs: dict[Node, _Pair] = {}
    first = next(node for node in graph.nodes if node.op != "placeholder")
    for node in list(graph.nodes):
        complex_operands = [each for each in node.all_input_nodes if is_complex(each)]
        if not is_complex(node) and not complex_operands:
            continue
        rule = _find_rule(node)
        if rule is None or any(each not in pairs for each in complex_operands):
            continue
        with graph.inserting_before(first if node.op == "placeholder" else node):
            made = rule(_Builder(graph, node, pairs))
        if isinstance(made, tuple):
            pairs[node] = made
        else:
            node.replace_all_uses_with(made)
    graph.eliminate_dead_code()


class _Builder:
    """Adds real operations where a complex one stands, with its place in the model's code."""

    def __init__(self, graph: torch.fx.Graph, node: Node, pairs: dict[Node, _Pair]) -> None:
        self.graph = graph
        self.node = node
        self.pairs = pairs

    def call(self, target: Any, *args: Any, **kwargs: Any) -> Node:
        made = self.graph.call_function(target, args, kwargs)
        examples = map_arg((made.args, made.kwargs), lambda each: each.meta["val"])
        made.meta = {key: value for key, value in self.node.meta.items() if key != "tensor_meta"}
        made.meta["val"] = target(*examples[0], **examples[1])
        return made

    def get_parts(self, operand: Any) -> _Pair | None:
        """Returns the parts of a complex operand, or None of a real one."""
        if isinstance(operand, complex):
            return operand.real, operand.imag
        return self.pairs.get(operand) if isinstance(operand, Node) else None

    def multiply(self, a: Any, b: Any) -> Node:
        return self.call(_ATEN.mul.Tensor, a, b) if isinstance(a, Node) else self.call(_ATEN.mul.Tensor, b, a)


def _is_complex_operand(operand: Any) -> bool:
    return isinstance(operand, Node) and is_complex(operand)


def _find_rule(node: Node) -> Callable[[_Builder], Any] | None:
    if node.op == "placeholder":
        return _split_placeholder
    name = getattr(node.target, "__name__", "").split(".")[0]
    if name in _PARTWISE:
        return _apply_to_parts
    if name in _CASTS:
        is_cast = node.kwargs.get("dtype", torch.complex64) in _REAL
        return _cast if is_cast and is_complex(node) and is_complex(node.all_input_nodes[0]) else None
    if name in _SUMS:
        return _apply_to_parts if all(map(_is_complex_operand, node.args)) and not node.kwargs else None
    return _RULES.get(name)


def _split_placeholder(b: _Builder) -> _Pair:
    pairs = b.call(_ATEN.view_as_real.default, b.node)
    return b.call(_ATEN.select.int, pairs, -1, 0), b.call(_ATEN.select.int, pairs, -1, 1)


def _apply_to_parts(b: _Builder) -> _Pair:
    def pick(part: int) -> Node:
        args, kwargs = map_arg(
            (b.node.args, b.node.kwargs), lambda each: b.pairs[each][part] if each in b.pairs else each
        )
        return b.call(b.node.target, *args, **kwargs)

    return pick(0), pick(1)


def _cast(b: _Builder) -> _Pair:
    kwargs = dict(b.node.kwargs)
    if "dtype" in kwargs:
        kwargs["dtype"] = _REAL[kwargs["dtype"]]  # type: ignore[index]
    real, imaginary = b.pairs[b.node.args[0]]  # type: ignore[index]
    return b.call(b.node.target, real, **kwargs), b.call(b.node.target, imaginary, **kwargs)


def _begin(b: _Builder) -> _Pair:
    x = b.node.args[0]
    return b.call(_ATEN.select.int, x, -1, 0), b.call(_ATEN.select.int, x, -1, 1)


def _end(b: _Builder) -> Node:
    return b.call(_ATEN.stack.default, list(b.pairs[b.node.args[0]]), -1)  # type: ignore[index]


def _join(b: _Builder) -> _Pair:
    return b.node.args[0], b.node.args[1]


def _turn(b: _Builder) -> _Pair:
    radius, angle = b.node.args
    waves = b.call(_ATEN.cos.default, angle), b.call(_ATEN.sin.default, angle)
    return b.multiply(radius, waves[0]), b.multiply(radius, waves[1])


def _conjugate(b: _Builder) -> _Pair:
    real, imaginary = b.pairs[b.node.args[0]]  # type: ignore[index]
    return real, b.call(_ATEN.neg.default, imaginary)


def _multiply(b: _Builder) -> _Pair:
    first, second = (b.get_parts(each) for each in b.node.args[:2])
    if first is None or second is None:
        real = b.node.args[0] if first is None else b.node.args[1]
        parts = first or second
        assert parts
        return b.multiply(parts[0], real), b.multiply(parts[1], real)
    (a, c), (x, y) = first, second
    real = b.call(_ATEN.sub.Tensor, b.multiply(a, x), b.multiply(c, y))
    return real, b.call(_ATEN.add.Tensor, b.multiply(a, y), b.multiply(c, x))


_RULES: dict[str, Callable[[_Builder], Any]] = {
    "view_as_complex": _begin,
    "view_as_real": _end,
    "complex": _join,
    "polar": _turn,
    "_conj": _conjugate,
    "mul": _multiply,
}
