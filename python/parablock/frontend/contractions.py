# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for sums: matrix products, reductions, softmax."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import torch

from parablock.dtypes import DTYPES, is_float
from parablock.frontend.facts import Scaled
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, aten, normalise_dim, wide


@aten("linear.default")
def linear(e: Emitter, call: Call) -> Value:
    x, weight = _read_factors(e, call, call["input"], call["weight"])
    if weight.rank == 1:
        product = e.linear(x, e.reshape(weight, (1, *weight.shape)), call.get("bias"))
        return e.reshape(product, call.shape)
    scaled = e.recall(x, Scaled)
    if scaled is not None:
        return e.linear(scaled.value, weight, call.get("bias"), scaled.factor)
    return e.linear(x, weight, call.get("bias"))


@aten("matmul.default", "mm.default", "bmm.default", "mv.default", "dot.default")
def matmul(e: Emitter, call: Call) -> Value:
    second = next(call[k] for k in ("other", "mat2", "vec", "tensor") if k in call.arguments)
    a, b = _read_factors(e, call, call["self"], second)
    # Vectors are a row on the left, and a column on the right.
    left = e.reshape(a, (1, *a.shape)) if a.rank == 1 else a
    right = e.reshape(b, (*b.shape, 1)) if b.rank == 1 else b
    product = e.reshape(_multiply(e, left, right), call.shape)
    return e.cast(product, call.dtype)


def _read_factors(
    e: Emitter, call: Call, *factors: Operand
) -> tuple[Value, ...]:
    """Factors of sums of products, which have f32 for their sums."""
    if wide(call.dtype) != "f32":
        raise NotImplementedError(f"sums of products in {call.dtype}")
    return tuple(e.value(factor, call.dtype) for factor in factors)


@aten("addmm.default", "baddbmm.default")
def add_product(e: Emitter, call: Call) -> Value:
    first = call.get("mat1", call.get("batch1"))
    second = call.get("mat2", call.get("batch2"))
    product = _multiply(e, *_read_factors(e, call, first, second))
    if call.get("alpha", 1) != 1:
        product = e.multiply(product, call["alpha"], "f32")
    added, factor = call["self"], call.get("beta", 1)
    if factor == 0:
        # Not even what is no number is added.
        return e.cast(product, call.dtype)
    if factor != 1:
        added = e.multiply(added, factor, "f32")
    return e.cast(e.add(product, added, "f32"), call.dtype)


def _multiply(e: Emitter, a: Value, b: Value) -> Value:
    """Emits a product; a matrix shared by all batches is multiplied once."""
    if b.rank == 2 and a.rank > 2:
        flat = e.reshape(a, (count_elements(a.shape[:-1]), a.shape[-1]))
        return e.reshape(e.matmul(flat, b), (*a.shape[:-1], b.shape[-1]))
    return e.matmul(a, b)


_REDUCTIONS = {
    "mean": "sum",
    "sum": "sum",
    "amax": "max",
    "amin": "min",
    "max": "max",
    "min": "min",
    "any": "any",
    "all": "all",
}
_OF_TRUTH = {"max": "any", "min": "all"}


@aten(
    "mean.dim",
    "sum.dim_IntList",
    *(f"{name}.default" for name in _REDUCTIONS),
    *(f"{name}.{form}" for name in ("any", "all") for form in ("dim", "dims")),
)
def reduce(e: Emitter, call: Call) -> Value:
    name = call.op.split(".")[1]
    kind = _REDUCTIONS[name]
    inner = "i1" if kind in ("any", "all") else wide(call.dtype)
    if inner == "i1":
        kind = _OF_TRUTH.get(kind, kind)
    x = _lift(e, e.cast(call["self"], inner))
    dims = _list_dims(call, x)
    count = count_elements([x.shape[d] for d in dims])
    x = _reduce_all(e, kind, x, dims)
    if name == "mean":
        x = e.multiply(x, 1.0 / count, x.dtype)
    return e.reshape(e.cast(x, call.dtype), call.shape)


def _list_dims(call: Call, x: Value) -> list[int]:
    """Returns the dimensions of a sum; all if none is given."""
    given = call.get("dim", ())
    dims = [given] if isinstance(given, int) else list(given)
    return [normalise_dim(d, x.rank) for d in dims or range(x.rank)]


def _reduce_all(e: Emitter, kind: str, x: Value, dims: Sequence[int]) -> Value:
    for dim in dims:
        x = e.reduce(kind, x, dim)
    return x


@aten("argmax.default", "argmin.default")
def find_place(e: Emitter, call: Call) -> Value:
    return find_first(e, call)


def find_first(e: Emitter, call: Call) -> Value:
    """Finds the first place of the largest or least number; NaN comes first."""
    kind = "max" if call.op.split(".")[1] == "argmax" else "min"
    x = call["self"]
    x = _lift(e, e.cast(x, wide(x.dtype)))
    if call.get("dim") is None:
        x = e.reshape(x, (count_elements(x.shape),))
    dim = normalise_dim(call.get("dim") or 0, x.rank)
    best = e.reduce(kind, x, dim)
    is_best = e.binary("equal", x, best, x.dtype, "i1")
    if is_float(x.dtype):
        is_number = e.binary("equal", x, x, x.dtype, "i1")
        none = e.unary("logical_not", is_number)
        is_best = e.binary("logical_or", is_best, none, "i1")
    # Behind every place, whatever the size.
    behind = torch.iinfo(torch.int32).max
    places = e.select(is_best, e.places(x.shape, dim), behind, "i64")
    first = e.reduce("min", places, dim)
    return e.reshape(e.cast(first, call.dtype), call.shape)


@aten("max.dim", "min.dim")
def find_extreme(e: Emitter, call: Call) -> tuple[Value, Value]:
    """Finds the largest or least number of a dimension, and its first place."""
    name = call.op.split(".")[1]
    first = find_first(e, dataclasses.replace(call, op=f"aten.arg{name}.default", dtype="i64"))
    x = call["self"]
    x = _lift(e, e.cast(x, wide(x.dtype)))
    best = e.reduce(name, x, normalise_dim(call["dim"], x.rank))
    return e.reshape(e.cast(best, call.dtype), call.shape), first


def _lift(e: Emitter, x: Value) -> Value:
    """Reshapes a number without dimensions to a row of one element."""
    return x if x.rank else e.reshape(x, (1,))


@aten("softmax.int", "_softmax.default")
def softmax(e: Emitter, call: Call) -> Value:
    x = _lift(e, e.cast(call["self"], wide(call.dtype)))
    dim = normalise_dim(call["dim"], x.rank)
    return e.reshape(e.cast(e.softmax(x, dim), call.dtype), call.shape)


@aten("log_softmax.int", "_log_softmax.default")
def log_softmax(e: Emitter, call: Call) -> Value:
    x = _lift(e, e.cast(call["self"], wide(call.dtype)))
    dim = normalise_dim(call["dim"], x.rank)
    return e.reshape(e.cast(e.log_softmax(x, dim), call.dtype), call.shape)


@aten("logsumexp.default")
def log_sum_exp(e: Emitter, call: Call) -> Value:
    """Computes log(sum(exp(x))); the shift, which is subtracted before exp, is finite."""
    x = _lift(e, e.value(call["self"], wide(call.dtype)))
    most = torch.finfo(DTYPES[x.dtype]).max
    shift = x
    dims = _list_dims(call, x)
    for dim in dims:
        shift = e.find_shift(shift, dim)
    shift = e.binary("minimum", e.binary("maximum", shift, -most, x.dtype), most, x.dtype)
    total = _reduce_all(e, "sum", e.unary("exp", e.subtract(x, shift, x.dtype)), dims)
    total = e.add(e.unary("log", total), shift, x.dtype)
    return e.reshape(e.cast(total, call.dtype), call.shape)


@aten("linalg_vector_norm.default", "norm.Scalar", "norm.ScalarOpt_dim")
def measure(e: Emitter, call: Call) -> Value:
    """Lengths of vectors."""
    order = call.get("ord", call.get("p", 2))
    if order != 2:
        raise NotImplementedError(f"a norm of order {order}, expected 2")
    x = _lift(e, e.value(call["self"], wide(call.dtype)))
    squares = _reduce_all(e, "sum", e.multiply(x, x, x.dtype), _list_dims(call, x))
    return e.reshape(e.cast(_take_root(e, squares), call.dtype), call.shape)


def _take_root(e: Emitter, squares: Value) -> Value:
    """Emits the root of a sum of squares; its gradient at 0 is 0."""
    is_zero = e.binary("equal", squares, 0.0, squares.dtype, "i1")
    inside = e.select(is_zero, 1.0, squares, squares.dtype)
    root = e.function.emit("math.sqrt", [inside], inside.shape, inside.dtype)
    return e.select(is_zero, 0.0, root, root.dtype)


@aten(*(f"{name}.{form}" for name in ("var", "std") for form in ("default", "dim", "correction")))
def vary(e: Emitter, call: Call) -> Value:
    """Squares of distances from the mean, divided by their number less a correction."""
    x = _lift(e, e.value(call["self"], wide(call.dtype)))
    dims = _list_dims(call, x)
    count = count_elements([x.shape[d] for d in dims])
    less = float(call.get("correction", 1 if call.get("unbiased", True) else 0))
    if count <= less:
        raise NotImplementedError(f"the variance of {count} numbers, divided by {count - less:g}")
    mean = x
    for dim in dims:
        mean = e.mean(mean, dim)
    apart = e.subtract(x, mean, x.dtype)
    total = _reduce_all(e, "sum", e.multiply(apart, apart, x.dtype), dims)
    total = e.multiply(total, 1.0 / (count - less), x.dtype)
    if ".std." in call.op:
        total = _take_root(e, total)
    return e.reshape(e.cast(total, call.dtype), call.shape)


@aten("cumsum.default")
def cumulate(e: Emitter, call: Call) -> Value:
    x = _lift(e, e.value(call["self"], call.dtype))
    dim, last = normalise_dim(call["dim"], x.rank), x.rank - 1
    order = list(range(x.rank))
    order[dim], order[last] = last, dim
    sums = e.transpose(e.cumulate(e.transpose(x, order)), order)
    return e.reshape(sums, call.shape)


@aten("diff.default")
def differences(e: Emitter, call: Call) -> Value:
    x = e.value(call["self"], call.dtype)
    dim = normalise_dim(call.get("dim", -1), x.rank)
    if call.get("n", 1) != 1 or call.get("append") is not None:
        raise NotImplementedError("differences of differences, or with an end")
    if call.get("prepend") is not None:
        x = e.concatenate([e.value(call["prepend"], call.dtype), x], dim)
    count = x.shape[dim]
    later, earlier = e.slice(x, dim, 1, count), e.slice(x, dim, 0, count - 1)
    return e.subtract(later, earlier, call.dtype)
