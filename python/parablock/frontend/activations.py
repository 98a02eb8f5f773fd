# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for activations outside of blocks, which differ below and above 0."""

from __future__ import annotations

from parablock.frontend.elementwise import subtract_one
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.losses import soften
from parablock.frontend.lowering import Emitter
from parablock.frontend.table import Call, aten, normalise_dim, wide


def _is_above(e: Emitter, x: Value) -> Value:
    return e.binary("greater", x, 0.0, x.dtype, "i1")


@aten("leaky_relu.default", "prelu.default")
def lean(e: Emitter, call: Call) -> Value:
    """Applies another slope below 0: a number, or a weight for each channel."""
    x = e.value(call["self"], wide(call.dtype))
    slope = call.get("negative_slope", call.get("weight", 0.01))
    if "prelu" in call.op:
        slope = e.value(slope, x.dtype)
        count = count_elements(slope.shape)
        ones = (1,) * max(0, x.rank - 2)
        slope = e.reshape(slope, (count, *ones) if count > 1 else (1,) * x.rank)
    below = e.multiply(x, slope, x.dtype)
    return e.cast(e.select(_is_above(e, x), x, below, x.dtype), call.dtype)


#: SELU's factor of numbers below 0, and its factor of all numbers.
_SELU = (1.6732632423543772, 1.0507009873554805)


@aten("elu.default", "celu.default", "selu.default")
def bend(e: Emitter, call: Call) -> Value:
    """Computes x above 0 and exp(x) - 1 below, with factors."""
    x = e.value(call["self"], wide(call.dtype))
    factor, inner = float(call.get("alpha", 1.0)), float(call.get("input_scale", 1.0))
    outer = float(call.get("scale", 1.0))
    if "selu" in call.op:
        factor, outer = _SELU
    elif "celu" in call.op:
        inner = 1 / factor
    is_above = _is_above(e, x)
    # Of what is above, exp may be no number.
    below = e.multiply(e.select(is_above, 0.0, x, x.dtype), inner, x.dtype)
    below = e.multiply(subtract_one(e, below), factor * outer, x.dtype)
    above = x if outer == 1 else e.multiply(x, outer, x.dtype)
    return e.cast(e.select(is_above, above, below, x.dtype), call.dtype)


@aten("log_sigmoid.default")
def log_sigmoid(e: Emitter, call: Call) -> Value:
    x = e.value(call["self"], wide(call.dtype))
    return e.cast(e.negate(soften(e, e.negate(x))), call.dtype)


@aten("glu.default")
def gate(e: Emitter, call: Call) -> Value:
    """Multiplies the first half of a dimension by the sigmoid of the second."""
    x = e.value(call["self"], wide(call.dtype))
    dim = normalise_dim(call.get("dim", -1), x.rank)
    half = x.shape[dim] // 2
    value, gates = e.slice(x, dim, 0, half), e.slice(x, dim, half, 2 * half)
    return e.cast(e.multiply(value, e.unary("sigmoid", gates), x.dtype), call.dtype)
