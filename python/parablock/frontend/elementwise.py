# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for operations on single elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from parablock.dtypes import DTYPES, KEYWORDS, get_keyword, is_float
from parablock.frontend.facts import Masked, Narrowed, Scaled, Summands
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand, share_rows
from parablock.frontend.patches import extend_patches
from parablock.frontend.table import Call, aten, wide


#: Overloads of operations with two operands, by those that are tensors.
_FORMS = ("Tensor", "Scalar", "Scalar_Tensor")


@aten(
    *(f"{name}.{form}" for name in ("add", "sub", "subtract", "rsub") for form in _FORMS[:2])
)
def add_or_subtract(e: Emitter, call: Call) -> Value:
    a, b = call["self"], call["other"]
    if ".rsub." in call.op:
        a, b = b, a
    if call.get("alpha", 1) != 1:
        # Rounded with the sum.
        b = e.multiply(b, call["alpha"], wide(call.dtype))
        name = "add" if ".add." in call.op else "sub"
        return e.cast(e.binary(name, a, b, wide(call.dtype)), call.dtype)
    if ".add." not in call.op:
        return e.binary("sub", a, b, call.dtype)
    known = (
        add_nothing(e, a, b, call)
        or extend_patches(e, a, b)
        or add_masked(e, a, b, call)
    )
    if known is not None:
        return known
    # A sum that only another sum reads is not rounded in between: a residual
    # adds its branches at once.
    parts = (*_get_summands(e, a), *_get_summands(e, b))
    if len(parts) == 2 and parts[0] is a and parts[1] is b:
        result = e.binary("add", a, b, call.dtype)
    else:
        result = e.cast(_add_all(e, parts, wide(call.dtype)), call.dtype)
    if call.has_one_user and wide(call.dtype) != call.dtype:
        e.remember(result, Summands(parts))
    return result


def _add_all(e: Emitter, parts: Sequence[Operand], dtype: str) -> Value:
    total = parts[0]
    for part in parts[1:]:
        total = e.add(total, part, dtype)
    return e.value(total, dtype)


def _get_summands(e: Emitter, operand: Operand) -> tuple[Operand, ...]:
    summands = e.recall(operand, Summands)
    return (operand,) if summands is None else summands.parts


def add_nothing(e: Emitter, a: Operand, b: Operand, call: Call) -> Value | None:
    """Returns the data if a mask that hides nothing is added to it."""
    for x, other in ((a, b), (b, a)):
        is_zero = isinstance(other, torch.Tensor) and not bool(other.any())
        if is_zero and isinstance(x, Value):
            return e.expand(e.cast(x, call.dtype), call.shape)
    return None


def add_masked(e: Emitter, a: Operand, b: Operand, call: Call) -> Value | None:
    """Adds a hiding mask, and records data and mask separately for further masks."""
    dtype = wide(call.dtype)
    for x, other in ((a, b), (b, a)):
        masked = e.recall(other, Masked)
        if masked is not None:
            parts = (x, masked.data, masked.mask)
            return e.cast(_add_all(e, parts, dtype), call.dtype)
        if not isinstance(x, Value) or not isinstance(other, torch.Tensor):
            continue
        mask = share_rows(other, x)
        if isinstance(mask, torch.Tensor) and hides(mask):
            data = e.value(x, dtype)
            result = e.cast(e.add(data, mask, dtype), call.dtype)
            return e.remember(result, Masked(data, mask.double()))
    return None


@aten(*(f"{name}.{form}" for name in ("mul", "multiply") for form in _FORMS[:2]))
def multiply(e: Emitter, call: Call) -> Value:
    a, b = call["self"], call["other"]
    if _is_table(a, call.dtype) or _is_table(b, call.dtype):
        return e.cast(e.multiply(a, b, wide(call.dtype)), call.dtype)
    result = e.multiply(a, b, call.dtype)
    for x, number in ((a, b), (b, a)):
        factor = _get_number(number)
        if factor is None or not isinstance(x, Value) or not call.has_one_user:
            continue
        if x.shape == result.shape:
            e.remember(result, Scaled(x, factor))
    return result


def _get_number(operand: Operand) -> float | None:
    """Returns the number that an operand has for every element."""
    if isinstance(operand, torch.Tensor) and operand.numel() == 1:
        return float(operand)
    if isinstance(operand, int | float) and not isinstance(operand, bool):
        return float(operand)
    return None


def _is_table(operand: Operand, dtype: str) -> bool:
    """Returns whether a constant is not rounded to the type of its product."""
    if not isinstance(operand, torch.Tensor) or KEYWORDS[operand.dtype] == dtype:
        return False
    return operand.dim() > 1 and wide(dtype) != dtype


@aten(*(f"{name}.{form}" for name in ("div", "divide", "true_divide") for form in _FORMS[:2]))
def divide(e: Emitter, call: Call) -> Value:
    return e.cast(e.divide(call["self"], call["other"], wide(call.dtype)), call.dtype)


@aten("floor_divide.default", "div.Tensor_mode", "div.Scalar_mode")
def divide_whole(e: Emitter, call: Call) -> Value:
    """Emits quotients of whole numbers by one above 0, rounded down or towards 0."""
    by = _get_number(call["other"])
    mode = call.get("rounding_mode", "none") if "_mode" in call.op else "floor"
    if mode == "none":
        return e.cast(e.divide(call["self"], call["other"], wide(call.dtype)), call.dtype)
    if is_float(call.dtype) or call.dtype == "i1" or by is None or not 1 <= by < 2**53:
        raise NotImplementedError("rounded quotients, of other than whole numbers by one above 0")
    x = e.value(call["self"], call.dtype)
    divisor = e.expand(e.splat(int(by), call.dtype, x.rank), x.shape)
    if mode == "trunc":
        return e.function.emit("arith.divsi", [x, divisor], x.shape, x.dtype)
    is_below = e.binary("greater", 0, x, call.dtype, "i1")
    # -1 - x of those below 0, and back: no difference is beyond the type.
    first = e.select(is_below, e.subtract(-1, x, call.dtype), x, call.dtype)
    quotient = e.function.emit("arith.divsi", [first, divisor], first.shape, first.dtype)
    return e.select(is_below, e.subtract(-1, quotient, call.dtype), quotient, call.dtype)


@aten("neg.default")
def negate(e: Emitter, call: Call) -> Value:
    return e.negate(call["self"])


@aten("pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar", "square.default")
def power(e: Emitter, call: Call) -> Value:
    exponent = 2 if call.op == "aten.square.default" else call["exponent"]
    x = e.value(call["self"], call.dtype)
    if isinstance(exponent, int | float) and exponent == 2:
        return e.multiply(x, x, call.dtype)
    if not is_float(call.dtype):
        raise NotImplementedError("powers of whole numbers other than squares")
    inner = wide(call.dtype)
    return e.cast(e.binary("pow", x, exponent, inner), call.dtype)


_UNARY = {
    "rsqrt": "rsqrt",
    "exp": "exp",
    "log": "log",
    "tanh": "tanh",
    "sigmoid": "sigmoid",
    "erf": "erf",
    "sin": "sin",
    "cos": "cos",
    "abs": "abs",
    "reciprocal": "reciprocal",
}


@aten(*(f"{name}.default" for name in _UNARY))
def unary(e: Emitter, call: Call) -> Value:
    x = e.cast(call["self"], wide(call.dtype))
    return e.cast(e.unary(_UNARY[call.op.split(".")[1]], x), call.dtype)


@aten("expm1.default")
def exponential_less_one(e: Emitter, call: Call) -> Value:
    x = e.cast(call["self"], wide(call.dtype))
    return e.cast(subtract_one(e, x), call.dtype)


def subtract_one(e: Emitter, x: Value) -> Value:
    """Computes exp(x) - 1 as tanh(x / 2) (exp(x) + 1), which keeps its digits near 0."""
    half = e.unary("tanh", e.multiply(x, 0.5, x.dtype))
    power = e.add(e.unary("exp", x), 1.0, x.dtype)
    return e.multiply(half, power, x.dtype)


@aten("log1p.default")
def logarithm_of_one_more(e: Emitter, call: Call) -> Value:
    x = e.cast(call["self"], wide(call.dtype))
    return e.cast(e.function.emit("math.log1p", [x], x.shape, x.dtype), call.dtype)


@aten("sqrt.default")
def square_root(e: Emitter, call: Call) -> Value:
    x = e.cast(call["self"], wide(call.dtype))
    return e.cast(e.function.emit("math.sqrt", [x], x.shape, x.dtype), call.dtype)


#: Operations that bound from below, above or both: the names of their bounds, or
#: the bounds themselves.
_BOUNDS: dict[str, tuple[str | float | None, str | float | None]] = {
    "relu.default": (0.0, None),
    "relu6.default": (0.0, 6.0),
    "clamp.default": ("min", "max"),
    "clamp.Tensor": ("min", "max"),
    "clip.default": ("min", "max"),
    "clip.Tensor": ("min", "max"),
    "clamp_min.default": ("min", None),
    "clamp_min.Tensor": ("min", None),
    "clamp_max.default": (None, "max"),
    "clamp_max.Tensor": (None, "max"),
    "hardtanh.default": ("min_val", "max_val"),
}


@aten(*_BOUNDS)
def clamp(e: Emitter, call: Call) -> Value:
    x: Value = e.value(call["self"], call.dtype)
    for name, given in zip(
        ("maximum", "minimum"), _BOUNDS[call.op.removeprefix("aten.")], strict=True
    ):
        bound = call.get(given) if isinstance(given, str) else given
        if bound is not None:
            x = e.binary(name, x, bound, x.dtype)
    return x


@aten("maximum.default", "minimum.default", "min.other", "max.other")
def extreme(e: Emitter, call: Call) -> Value:
    a, b = call["self"], call["other"]
    return e.binary("maximum" if "max" in call.op else "minimum", a, b, call.dtype)


@aten("gelu.default")
def gelu(e: Emitter, call: Call) -> Value:
    return emit_gelu(e, call["self"], call.get("approximate", "none"))


def emit_gelu(e: Emitter, value: Value, approximate: str) -> Value:
    """Computes x Phi(x), with Phi by erf or by tanh, rounded once."""
    x = e.cast(value, wide(value.dtype))
    if approximate == "tanh":
        cube = e.multiply(e.multiply(x, x, x.dtype), x, x.dtype)
        inner = e.add(x, e.multiply(cube, 0.044715, x.dtype), x.dtype)
        bent = e.unary("tanh", e.multiply(inner, math.sqrt(2 / math.pi), x.dtype))
    else:
        bent = e.unary("erf", e.multiply(x, math.sqrt(0.5), x.dtype))
    half = e.multiply(x, 0.5, x.dtype)
    return e.cast(e.multiply(half, e.add(bent, 1.0, x.dtype), x.dtype), value.dtype)


@aten("silu.default")
def silu(e: Emitter, call: Call) -> Value:
    x = e.cast(call["self"], wide(call.dtype))
    return e.cast(e.multiply(x, e.unary("sigmoid", x), x.dtype), call.dtype)


@aten("hardsigmoid.default", "hardswish.default")
def hard_sigmoid(e: Emitter, call: Call) -> Value:
    """Computes relu6(x + 3) / 6, or x times that."""
    x = e.cast(call["self"], wide(call.dtype))
    ramp = e.binary("maximum", e.add(x, 3.0, x.dtype), 0.0, x.dtype)
    share = e.multiply(e.binary("minimum", ramp, 6.0, x.dtype), 1 / 6, x.dtype)
    if "swish" in call.op:
        share = e.multiply(x, share, x.dtype)
    return e.cast(share, call.dtype)


@aten("softplus.default", "mish.default")
def softplus(e: Emitter, call: Call) -> Value:
    """Computes log(1 + exp(x)) up to a threshold and x beyond, or x times the tanh of that."""
    x = e.cast(call["self"], wide(call.dtype))
    beta = float(call.get("beta", 1.0))
    scaled = x if beta == 1 else e.multiply(x, beta, x.dtype)
    power = e.unary("exp", scaled)
    result = e.function.emit("math.log1p", [power], power.shape, power.dtype)
    if beta != 1:
        result = e.multiply(result, 1 / beta, x.dtype)
    beyond = e.binary("greater", scaled, call.get("threshold", 20.0), x.dtype, "i1")
    result = e.select(beyond, x, result, x.dtype)
    if "mish" in call.op:
        result = e.multiply(x, e.unary("tanh", result), x.dtype)
    return e.cast(result, call.dtype)


_COMPARISONS = {
    "eq": ("equal", False),
    "ge": ("greater_equal", False),
    "gt": ("greater", False),
    "le": ("greater_equal", True),
    "lt": ("greater", True),
}


@aten(*(f"{name}.{form}" for name in _COMPARISONS for form in ("Tensor", "Scalar")))
def compare(e: Emitter, call: Call) -> Value:
    name, swapped = _COMPARISONS[call.op.split(".")[1]]
    a, b, dtype = _get_compared(e, call)
    return (
        e.binary(name, b, a, dtype, "i1")
        if swapped
        else e.binary(name, a, b, dtype, "i1")
    )


@aten("ne.Tensor", "ne.Scalar")
def differ(e: Emitter, call: Call) -> Value:
    a, b, dtype = _get_compared(e, call)
    return e.unary("logical_not", e.binary("equal", a, b, dtype, "i1"))


@aten("logical_not.default")
def invert(e: Emitter, call: Call) -> Value:
    return e.unary("logical_not", e.cast(call["self"], "i1"))


@aten(*(f"logical_{name}.default" for name in ("and", "or", "xor")))
def combine(e: Emitter, call: Call) -> Value:
    name = call.op.removeprefix("aten.").removesuffix(".default")
    return e.binary(name, call["self"], call["other"], "i1")


@aten("bitwise_not.default")
def invert_bits(e: Emitter, call: Call) -> Value:
    if call.dtype == "i1":
        return e.unary("logical_not", call["self"])
    return e.binary("bitwise_xor", call["self"], -1, call.dtype)


@aten(
    *(f"bitwise_{name}.{form}" for name in ("and", "or", "xor") for form in _FORMS),
    *(f"__{name}__.{form}" for name in ("and", "or", "xor") for form in _FORMS[:2]),
)
def combine_bits(e: Emitter, call: Call) -> Value:
    name = call.op.split(".")[1].strip("_").removeprefix("bitwise_")
    return e.binary(f"bitwise_{name}", call["self"], call["other"], call.dtype)


@aten(
    *(f"bitwise_{side}_shift.{form}" for side in ("left", "right") for form in _FORMS[:2]),
    *(f"bitwise_{side}_shift.Tensor_Scalar" for side in ("left", "right")),
    *(f"__{side}shift__.{form}" for side in "lr" for form in _FORMS[:2]),
)
def shift_bits(e: Emitter, call: Call) -> Value:
    """Emits a shift; beyond the width, or below 0, only the sign remains."""
    width = DTYPES[call.dtype].itemsize * 8
    x = e.expand(e.value(call["self"], call.dtype), call.shape)
    by = e.expand(e.value(call["other"], call.dtype), call.shape)
    inside = e.binary(
        "logical_and",
        e.binary("greater_equal", by, 0, call.dtype, "i1"),
        e.binary("greater", width, by, call.dtype, "i1"),
        "i1",
    )
    by = e.select(inside, by, width - 1, call.dtype)
    if "right" in call.op or "rshift" in call.op:
        return e.function.emit("arith.shrsi", [x, by], x.shape, x.dtype)
    moved = e.function.emit("arith.shli", [x, by], x.shape, x.dtype)
    return e.select(inside, moved, 0, call.dtype)


#: Scores that are at most this number count as hidden, in any float type.
_LOWEST = -60000.0
#: Number so low that adding a score does not change it.
_ABSORBING = -1e30


def hides(mask: torch.Tensor) -> bool:
    """Returns whether a mask has only zeros and the lowest number."""
    if not mask.is_floating_point() or mask.numel() == 0:
        return False
    lowest = mask <= _LOWEST
    return bool(lowest.any()) and bool((lowest | (mask == 0)).all())


@aten("where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def where(e: Emitter, call: Call) -> Value:
    condition, chosen, other = call["condition"], call["self"], call["other"]
    if isinstance(condition, torch.Tensor) and isinstance(chosen, Value):
        lowest = torch.as_tensor(other)
        if lowest.numel() == 1 and float(lowest) <= _ABSORBING:
            hidden = torch.where(condition, 0.0, lowest.double())
            result = e.select(condition, chosen, other, call.dtype)
            return e.remember(result, Masked(chosen, hidden))
    return e.select(condition, chosen, other, call.dtype)


@aten("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(e: Emitter, call: Call) -> Value:
    return e.select(call["mask"], call["value"], call["self"], call.dtype)


@aten("_to_copy.default", "type_as.default", "to.dtype")
def convert(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    if not is_float(call.dtype):
        # The truncated number depends on the rounding before it.
        return e.cast(x, call.dtype)
    result = e.cast(x, call.dtype)
    if not e.autocast or result == x or wide(call.dtype) != x.dtype:
        return result
    scaled = e.recall(x, Scaled)
    if scaled is not None and call.has_one_user:
        value = e.cast(scaled.value, call.dtype)
        e.remember(result, Scaled(value, scaled.factor))
    return e.remember(result, Narrowed(x))


@aten(
    "alias.default",
    "clone.default",
    "contiguous.default",
    "detach.default",
    "lift_fresh_copy.default",
)
def keep(e: Emitter, call: Call) -> Value:
    value: Value = call.get("self", call.get("input"))
    return value


@aten("dropout.default")
def drop(e: Emitter, call: Call) -> Value:
    x: Value = call["input"]
    return e.drop(x, call["p"]) if call["train"] else x


@aten("native_dropout.default")
def drop_and_say(e: Emitter, call: Call) -> tuple[Value]:
    """Emits dropout; the mask of dropped elements is not supported as a result."""
    x: Value = call["input"]
    return (e.drop(x, call["p"]) if call["train"] else x,)


def _get_compared(e: Emitter, call: Call) -> tuple[Operand, Operand, str]:
    """Returns two operands in the type of their comparison, which rounds numbers."""
    a, b = call["self"], call["other"]
    dtype = _get_common_type(a, b)

    def read(operand: Operand) -> Operand:
        if isinstance(operand, Value):
            return operand
        return torch.as_tensor(operand).to(DTYPES[dtype])

    return read(a), read(b), dtype


def _get_common_type(a: Operand, b: Operand) -> str:
    """Returns PyTorch's promoted type of two operands, at least one of them a value."""

    def stand_in(operand: Operand) -> Any:
        if isinstance(operand, Value):
            return torch.empty((1,) * operand.rank, dtype=DTYPES[operand.dtype])
        return operand

    return get_keyword(torch.result_type(stand_in(a), stand_in(b)))
