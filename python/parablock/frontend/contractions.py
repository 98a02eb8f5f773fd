# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for sums: matrix products, reductions, softmax."""

from __future__ import annotations

from parablock.frontend.embeddings import start_patches
from parablock.frontend.facts import PatchColumns, Scaled
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter
from parablock.frontend.rounding import keep_unrounded, unround
from parablock.frontend.table import Call, aten, normalise_dim, wide


@aten("linear.default")
def linear(e: Emitter, call: Call) -> Value:
    weight = e.value(call["weight"], call.dtype)
    x = e.value(call["input"], call.dtype)
    scaled = e.recall(x, Scaled)
    if scaled is not None:
        return e.linear(scaled.value, weight, call.get("bias"), scaled.factor)
    return e.linear(x, weight, call.get("bias"))


@aten("matmul.default", "mm.default", "bmm.default")
def matmul(e: Emitter, call: Call) -> Value:
    a = e.value(call["self"], call.dtype)
    b = e.value(call.get("other", call.get("mat2")), call.dtype)
    product = _multiply(e, a, b)
    are_scores = b.rank > 2
    return keep_unrounded(e, product, call) if are_scores else e.cast(product, call.dtype)


@aten("addmm.default", "baddbmm.default")
def add_product(e: Emitter, call: Call) -> Value:
    first = call.get("mat1", call.get("batch1"))
    second = call.get("mat2", call.get("batch2"))
    a, b = e.value(first, call.dtype), e.value(second, call.dtype)
    product = _multiply(e, a, b)
    if call.get("alpha", 1) != 1:
        product = e.multiply(product, call["alpha"], "f32")
    added = call["self"]
    if call.get("beta", 1) != 1:
        added = e.multiply(added, call["beta"], "f32")
    return e.cast(e.add(product, added, "f32"), call.dtype)


def _multiply(e: Emitter, a: Value, b: Value) -> Value:
    """A matrix for all batches takes their rows at once."""
    if b.rank == 2 and a.rank > 2:
        flat = e.reshape(a, (count_elements(a.shape[:-1]), a.shape[-1]))
        return e.reshape(e.matmul(flat, b), (*a.shape[:-1], b.shape[-1]))
    return e.matmul(a, b)


@aten("conv2d.default", "conv2d.padding")
def patches(e: Emitter, call: Call) -> Value:
    """A convolution whose windows lie side by side, as patch embeddings are."""
    x, weight = call["input"], call["weight"]
    rows, columns = weight.shape[2:]
    plain = (
        list(call["stride"]) == [rows, columns]
        and call["padding"] in ("valid", [0, 0], (0, 0))
        and list(call["dilation"]) == [1, 1]
        and call["groups"] == 1
    )
    if not plain:
        raise NotImplementedError("a convolution whose windows overlap or have gaps")
    tokens = start_patches(e, x, weight, call.get("bias"))
    if tokens is not None:
        image = e.reshape(e.transpose(tokens, [0, 2, 1]), call.shape)
        return e.remember(image, PatchColumns(tokens))
    batch, channels = x.shape[:2]
    down, across = call.shape[2], call.shape[3]
    x = e.slice(e.slice(x, 2, 0, down * rows), 3, 0, across * columns)
    parts = e.reshape(x, (batch, channels, down, rows, across, columns))
    tokens = e.reshape(
        e.transpose(parts, [0, 2, 4, 1, 3, 5]),
        (batch, down * across, channels * rows * columns),
    )
    matrix = e.reshape(weight, (weight.shape[0], channels * rows * columns))
    result = e.linear(tokens, matrix, call.get("bias"))
    return e.reshape(e.transpose(result, [0, 2, 1]), call.shape)


@aten("mean.dim", "sum.dim_IntList", "amax.default")
def reduce(e: Emitter, call: Call) -> Value:
    x: Value = e.cast(call["self"], wide(call.dtype))
    given = call.get("dim", list(range(x.rank)))
    dims = [
        normalise_dim(d, x.rank) for d in ([given] if isinstance(given, int) else given)
    ]
    for dim in dims:
        x = e.reduce("max" if "amax" in call.op else "sum", x, dim)
    if ".mean." in call.op:
        size = count_elements([call["self"].shape[d] for d in dims])
        x = e.multiply(x, 1.0 / size, x.dtype)
    return e.reshape(e.cast(x, call.dtype), call.shape)


@aten("softmax.int", "_softmax.default")
def softmax(e: Emitter, call: Call) -> Value:
    x = e.cast(unround(e, call["self"]), wide(call.dtype))
    result = e.softmax(x, normalise_dim(call["dim"], x.rank))
    return e.cast(result, call.dtype)


@aten("cumsum.default")
def cumulate(e: Emitter, call: Call) -> Value:
    x = e.value(call["self"], call.dtype)
    if normalise_dim(call["dim"], x.rank) != x.rank - 1:
        raise NotImplementedError("a sum along another dimension than the last")
    return e.cumulate(x)


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
