# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for norms over the last dimension."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from parablock.frontend.facts import LayerNorm, Part
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, aten


@aten("layer_norm.default")
def layer_norm(e: Emitter, call: Call) -> Value:
    _check_extent(call)
    x = e.value(call["input"], call.dtype)
    return emit_layer_norm(e, x, call.get("weight"), call.get("bias"), call["eps"])


def emit_layer_norm(
    e: Emitter, x: Value, weight: Operand | None, bias: Operand | None, eps: float
) -> Value:
    """In f32, rounded once."""
    wide = e.cast(x, "f32")
    last = x.rank - 1
    centred = e.subtract(wide, e.mean(wide, last), "f32")
    variance = e.mean(e.multiply(centred, centred, "f32"), last)
    scale = e.unary("rsqrt", e.add(variance, eps, "f32"))
    result = e.multiply(centred, scale, "f32")
    if weight is not None:
        result = e.multiply(result, weight, "f32")
    if bias is not None:
        result = e.add(result, bias, "f32")
    return e.remember(e.cast(result, x.dtype), LayerNorm(x, weight, bias, eps))


def join_norms(e: Emitter, parts: Sequence[Operand], dim: int) -> Value | None:
    """Norms of each head of a value, as one norm with a gain for each head."""
    norms = [norm for part in parts if (norm := e.recall(part, LayerNorm))]
    slices = [part for norm in norms if (part := e.recall(norm.value, Part))]
    if not slices or len(slices) != len(parts):
        return None
    whole, epsilon = slices[0].value, norms[0].epsilon
    is_whole = len(parts) == whole.shape[dim] and dim != whole.rank - 1
    if not is_whole or slices != [Part(whole, dim, i) for i in range(len(parts))]:
        return None
    if any(norm.epsilon != epsilon for norm in norms):
        return None
    weights, biases = [n.weight for n in norms], [n.bias for n in norms]
    if not _are_alike(weights) or not _are_alike(biases):
        return None
    gain = _stack(e, weights, whole.rank - dim)
    bias = _stack(e, biases, whole.rank - dim)
    return emit_layer_norm(e, whole, gain, bias, epsilon)


def _are_alike(vectors: list[Operand | None]) -> bool:
    """True where all are weights, or none is there."""
    return all(v is None for v in vectors) or all(isinstance(v, Value) for v in vectors)


def _stack(e: Emitter, vectors: list[Operand | None], rank: int) -> Value | None:
    """Vectors as rows [count, 1, .., width]."""
    rows = [v for v in vectors if isinstance(v, Value)]
    if not rows:
        return None
    line = e.join_weights(rows)
    return e.reshape(line, (len(rows), *(1,) * (rank - 2), rows[0].shape[0]))


@aten("rms_norm.default")
def rms_norm(e: Emitter, call: Call) -> Value:
    _check_extent(call)
    x = e.value(call["input"], "f32")
    eps = call.get("eps", torch.finfo(torch.float32).eps)
    mean = e.mean(e.multiply(x, x, "f32"), x.rank - 1)
    result = e.multiply(x, e.unary("rsqrt", e.add(mean, eps, "f32")), "f32")
    if call.get("weight") is not None:
        result = e.multiply(result, call["weight"], "f32")
    return e.cast(result, call.dtype)


def _check_extent(call: Call) -> None:
    if len(call["normalized_shape"]) != 1:
        raise NotImplementedError("a norm over more than one dimension")
