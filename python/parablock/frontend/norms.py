# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for norms over the last dimension."""

from __future__ import annotations

import torch

from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, aten


@aten("layer_norm.default")
def layer_norm(e: Emitter, call: Call) -> Value:
    _check_extent(call)
    return emit_layer_norm(
        e, call["input"], call.get("weight"), call.get("bias"), call["eps"]
    )


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
    return e.cast(result, x.dtype)


@aten("rms_norm.default")
def rms_norm(e: Emitter, call: Call) -> Value:
    _check_extent(call)
    x = e.cast(call["input"], "f32")
    eps = call.get("eps", torch.finfo(torch.float32).eps)
    mean = e.mean(e.multiply(x, x, "f32"), x.rank - 1)
    result = e.multiply(x, e.unary("rsqrt", e.add(mean, eps, "f32")), "f32")
    if call.get("weight") is not None:
        result = e.multiply(result, call["weight"], "f32")
    return e.cast(result, call.dtype)


def _check_extent(call: Call) -> None:
    if len(call["normalized_shape"]) != 1:
        raise NotImplementedError("a norm over more than one dimension")
