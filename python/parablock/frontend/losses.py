# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for losses that modules compute from labels."""

from __future__ import annotations

import torch

from parablock.dtypes import DTYPES, is_float
from parablock.frontend.computations import list_sources
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand, get_dtype
from parablock.frontend.table import Call, aten, bind, wide

#: Losses of logits, or their logarithms, beside the numbers of classes.
OF_CLASSES = (
    "aten.cross_entropy_loss.default",
    "aten.nll_loss.default",
    "aten.nll_loss2d.default",
    "aten.nll_loss_nd.default",
)
#: Losses of two values, element by element.
OF_PAIRS = tuple(
    f"aten.{name}.default"
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
    + ("binary_cross_entropy_with_logits",)
)

#: Operations that give the same elements to a loss, as it wants them.
_PREPARING = ("aten._to_copy.default", "aten.to.dtype", "aten.clone.default")

#: Values of `reduction`: no sum, and a sum without a division.
_NONE, _SUM = 0, 2


@aten(*(name.removeprefix("aten.") for name in OF_CLASSES))
def cross_entropy(e: Emitter, call: Call) -> Value:
    dtype = wide(call.dtype)
    x = e.value(call["self"], dtype)
    axis = find_classes(x.rank)
    target, smoothing = call["target"], float(call.get("label_smoothing", 0.0))
    is_plain = "cross_entropy" in call.op and not smoothing and x.shape[axis] > 1
    of_shares = is_float(get_dtype(target))
    has_shares = "cross_entropy" in call.op and (of_shares or not is_plain)
    shares = e.log_softmax(x, axis) if has_shares else x
    if of_shares:
        return _compare_shares(e, call, shares, axis, smoothing)
    kept, own = _find_own(e, call, x, axis)
    weights = call.get("weight")
    weights = None if weights is None else _place(e, weights, dtype, x.rank, axis)
    nothing = 0.0
    picked = e.reduce("sum", e.select(own, shares, nothing, dtype), axis)
    losses = _outdo(e, x, own, picked, axis) if is_plain else e.negate(picked)
    counts = e.value(kept, dtype)
    if weights is not None:
        counts = e.reduce("sum", e.select(own, weights, nothing, dtype), axis)
        counts = e.select(kept, counts, nothing, dtype)
        losses = e.multiply(losses, counts, dtype)
    if smoothing:
        spread = shares if weights is None else e.multiply(shares, weights, dtype)
        spread = e.multiply(e.reduce("sum", spread, axis), -smoothing / x.shape[axis], dtype)
        losses = e.add(e.multiply(losses, 1 - smoothing, dtype), spread, dtype)
    losses = e.select(kept, losses, nothing, dtype)
    return _join(e, call, losses, counts)


def _outdo(e: Emitter, x: Value, own: Value, picked: Value, axis: int) -> Value:
    """Computes log(1 + exp(z)), with z the margin of the other classes over the target's.

    So no share is taken off 1: what is small keeps its digits, and so does its gradient.
    """
    dtype = x.dtype
    others = e.select(own, float("-inf"), x, dtype)
    # Where no other class is possible, nothing outdoes.
    lowest = torch.finfo(DTYPES[dtype]).min
    shift = e.binary("maximum", e.find_shift(others, axis), lowest, dtype)
    powers = e.unary("exp", e.subtract(others, shift, dtype))
    total = e.binary("maximum", e.reduce("sum", powers, axis), 0.5, dtype)
    z = e.add(e.subtract(shift, picked, dtype), e.unary("log", total), dtype)
    return soften(e, z)


def soften(e: Emitter, z: Value) -> Value:
    """Computes log(1 + exp(z)) without overflow."""
    power = e.unary("exp", e.negate(e.unary("abs", z)))
    tail = e.function.emit("math.log1p", [power], power.shape, power.dtype)
    return e.add(e.binary("maximum", z, 0.0, z.dtype), tail, z.dtype)


def find_classes(rank: int) -> int:
    """Returns the dimension of classes among those of logits."""
    return 1 if rank > 1 else 0


def _place(e: Emitter, vector: Operand, dtype: str, rank: int, axis: int) -> Value:
    """Reshapes a vector of classes to the dimension of classes."""
    value = e.value(vector, dtype)
    shape = [1] * rank
    shape[axis] = value.shape[0]
    return e.reshape(value, shape)


def _find_own(e: Emitter, call: Call, shares: Value, axis: int) -> tuple[Value, Value]:
    """Returns which targets count, and the class of each."""
    shape = list(shares.shape)
    shape[axis] = 1
    target = e.reshape(e.value(call["target"], "i64"), shape)
    ignored = e.binary("equal", target, call["ignore_index"], "i64", "i1")
    classes = [1] * shares.rank
    classes[axis] = shares.shape[axis]
    numbers = torch.arange(shares.shape[axis]).reshape(classes)
    own = e.binary("equal", target, numbers, "i64", "i1")
    return e.unary("logical_not", ignored), own


def _compare_shares(
    e: Emitter, call: Call, shares: Value, axis: int, smoothing: float
) -> Value:
    """Emits the loss of targets that are shares; each row counts as one."""
    dtype, count = shares.dtype, shares.shape[axis]
    target = e.value(call["target"], dtype)
    if smoothing:
        target = e.multiply(target, 1 - smoothing, dtype)
        target = e.add(target, smoothing / count, dtype)
    products = e.multiply(target, shares, dtype)
    if call.get("weight") is not None:
        weights = _place(e, call["weight"], dtype, shares.rank, axis)
        products = e.multiply(products, weights, dtype)
    return _join(e, call, e.negate(e.reduce("sum", products, axis)))


def _join(e: Emitter, call: Call, losses: Value, counts: Value | None = None) -> Value:
    """Emits all losses, their sum, or their mean over those that count."""
    reduction = call["reduction"]
    if reduction != _NONE:
        total = _sum(e, losses)
        if reduction != _SUM and counts is not None:
            total = e.divide(total, _sum(e, counts), total.dtype)
        elif reduction != _SUM:
            total = e.multiply(total, 1.0 / count_elements(losses.shape), total.dtype)
        losses = total
    return e.reshape(e.cast(losses, call.dtype), call.shape)


def _sum(e: Emitter, x: Value) -> Value:
    return e.reduce("sum", e.reshape(x, (count_elements(x.shape),)), 0)


@aten(*(name.removeprefix("aten.") for name in OF_PAIRS[:4]))
def compare(e: Emitter, call: Call) -> Value:
    dtype = wide(call.dtype)
    apart = e.subtract(e.value(call["self"], dtype), call["target"], dtype)
    return _join(e, call, _lose(e, call, apart))


def _lose(e: Emitter, call: Call, apart: Value) -> Value:
    """Computes the loss of each distance."""
    dtype, name = apart.dtype, call.op.split(".")[1]
    limit = float(call.get("beta" if "smooth" in name else "delta", 1.0))
    far = apart if name == "mse_loss" else e.unary("abs", apart)
    square = e.multiply(apart, apart, dtype)
    if name == "mse_loss":
        return square
    if name == "l1_loss" or limit == 0:
        return far
    scale = limit if name == "huber_loss" else 1.0
    near = e.multiply(square, 0.5 * scale / limit, dtype)
    line = e.multiply(e.subtract(far, 0.5 * limit, dtype), scale, dtype)
    return e.select(e.binary("greater", limit, far, dtype, "i1"), near, line, dtype)


@aten("binary_cross_entropy_with_logits.default")
def binary_cross_entropy(e: Emitter, call: Call) -> Value:
    """Emits x (1 - t) and log(1 + exp(-x)), weighted by `pos_weight` of each target."""
    dtype = wide(call.dtype)
    x, target = e.value(call["self"], dtype), e.value(call["target"], dtype)
    tail = soften(e, e.negate(x))
    if call.get("pos_weight") is not None:
        more = e.subtract(call["pos_weight"], 1.0, dtype)
        more = e.add(e.multiply(target, more, dtype), 1.0, dtype)
        tail = e.multiply(tail, more, dtype)
    losses = e.add(e.multiply(x, e.subtract(1.0, target, dtype), dtype), tail, dtype)
    if call.get("weight") is not None:
        losses = e.multiply(losses, call["weight"], dtype)
    return _join(e, call, losses)


def number_losses(graph: torch.fx.Graph) -> set[int]:
    """Finds operations that compute losses and targets, and uses of losses.

    So do those that pick rows of logits, or of another result, by whole numbers.
    """
    found: set[torch.fx.Node] = set()
    for node in graph.nodes:
        if str(node.target) in (*OF_CLASSES, *OF_PAIRS):
            arguments = bind(node.target, node.args, node.kwargs)
            found.update(list_sources([arguments["target"]]))
            found.add(node)
            found.update(_list_preparing(arguments["self"]))
        elif found.intersection(node.all_input_nodes):
            found.add(node)
        elif node.op == "output":
            for result in node.all_input_nodes:
                ways = _list_preparing(result)
                found.update(ways if any(map(_picks, ways)) else ())
    return {number for number, node in enumerate(graph.nodes) if node in found}


def _list_preparing(node: torch.fx.Node) -> list[torch.fx.Node]:
    """Returns operations that move or pick elements on the way to a node."""
    found: list[torch.fx.Node] = []
    while _prepares(node) or _picks(node):
        found.append(node)
        found += list_sources(node.all_input_nodes[1:])
        node = node.all_input_nodes[0]
    return found


def _prepares(node: torch.fx.Node) -> bool:
    is_move = getattr(node.target, "is_view", False) or "view" in str(node.target)
    return node.op == "call_function" and (is_move or str(node.target) in _PREPARING)


def _picks(node: torch.fx.Node) -> bool:
    """Returns whether integers alone determine the chosen rows."""
    if str(node.target) != "aten.index.Tensor":
        return False
    values = [source.meta.get("val") for source in list_sources(node.all_input_nodes[1:])]
    return not any(isinstance(v, torch.Tensor) and v.is_floating_point() for v in values)
