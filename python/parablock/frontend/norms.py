# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for norms over the last dimension."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from parablock.dtypes import DTYPES
from parablock.frontend.facts import LayerNorm, Part
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, aten, wide


@aten("layer_norm.default")
def layer_norm(e: Emitter, call: Call) -> Value:
    x = _join_last(e, e.value(call["input"], call.dtype), call)
    weight, bias = (_flatten(e, call.get(name)) for name in ("weight", "bias"))
    return e.reshape(emit_layer_norm(e, x, weight, bias, call["eps"]), call.shape)


def _join_last(e: Emitter, x: Value, call: Call) -> Value:
    """Joins the dimensions of a norm."""
    count = len(call["normalized_shape"])
    lead = x.shape[: x.rank - count]
    return e.reshape(x, (*lead, count_elements(x.shape[x.rank - count :])))


def _flatten(e: Emitter, vector: Operand | None) -> Operand | None:
    if isinstance(vector, Value):
        return e.reshape(vector, (count_elements(vector.shape),))
    return None if vector is None else torch.as_tensor(vector).reshape(-1)


def emit_layer_norm(
    e: Emitter, x: Value, weight: Operand | None, bias: Operand | None, eps: float
) -> Value:
    """Emits a layer norm in f32 or wider, rounded once."""
    inner = wide(x.dtype)
    result = _normalise(e, e.cast(x, inner), eps)
    if weight is not None:
        result = e.multiply(result, weight, inner)
    if bias is not None:
        result = e.add(result, bias, inner)
    return e.remember(e.cast(result, x.dtype), LayerNorm(x, weight, bias, eps))


def _normalise(e: Emitter, x: Value, eps: float) -> Value:
    last = x.rank - 1
    centred = e.subtract(x, e.mean(x, last), x.dtype)
    variance = e.mean(e.multiply(centred, centred, x.dtype), last)
    scale = e.unary("rsqrt", e.add(variance, eps, x.dtype))
    return e.multiply(centred, scale, x.dtype)


@aten("group_norm.default")
def group_norm(e: Emitter, call: Call) -> Value:
    """Emits a norm over groups of channels, the second dimension."""
    x = e.cast(call["input"], wide(call.dtype))
    groups = call["num_groups"]
    rows = e.reshape(x, (x.shape[0], groups, count_elements(x.shape[1:]) // groups))
    result = e.reshape(_normalise(e, rows, call["eps"]), x.shape)
    return e.cast(_adapt(e, call, result), call.dtype)


def _adapt(e: Emitter, call: Call, x: Value) -> Value:
    """Applies a gain and a bias for each channel, if there are some."""
    for name, combine in (("weight", e.multiply), ("bias", e.add)):
        vector = call.get(name)
        if vector is not None:
            x = combine(x, _along_channels(e, vector, x), x.dtype)
    return x


def _along_channels(e: Emitter, vector: Operand, x: Value) -> Value:
    """Reshapes a vector of channels to the second dimension."""
    return e.reshape(e.value(vector, x.dtype), (x.shape[1], *(1,) * (x.rank - 2)))


@aten("_native_batch_norm_legit_no_training.default")
def batch_norm(e: Emitter, call: Call) -> tuple[Value]:
    """Emits a batch norm by stored means and variances."""
    x = e.cast(call["input"], wide(call.dtype))
    mean = _along_channels(e, call["running_mean"], x)
    variance = _along_channels(e, call["running_var"], x)
    scale = e.unary("rsqrt", e.add(variance, call["eps"], x.dtype))
    result = e.multiply(e.subtract(x, mean, x.dtype), scale, x.dtype)
    return (e.cast(_adapt(e, call, result), call.dtype),)


@aten(
    "_native_batch_norm_legit.default",
    "_native_batch_norm_legit.no_stats",
    "_native_batch_norm_legit_functional.default",
)
def refuse_batch_norm(e: Emitter, call: Call) -> Value:
    raise NotImplementedError(
        "a norm by the mean and variance of the batch (BatchNorm in training mode; "
        "after its .eval() it has those that were counted before)"
    )


def join_norms(e: Emitter, parts: Sequence[Operand], dim: int) -> Value | None:
    """Joins norms of single heads into one norm with a gain for each head."""
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
    """Returns whether all are weights, or all are missing."""
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
    inner = wide(call.dtype)
    x = _join_last(e, e.value(call["input"], inner), call)
    eps = call.get("eps", torch.finfo(DTYPES[inner]).eps)
    mean = e.mean(e.multiply(x, x, inner), x.rank - 1)
    result = e.multiply(x, e.unary("rsqrt", e.add(mean, eps, inner)), inner)
    weight = _flatten(e, call.get("weight"))
    if weight is not None:
        result = e.multiply(result, weight, inner)
    return e.reshape(e.cast(result, call.dtype), call.shape)
