# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for convolutions: products with the elements of each window."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import torch

from parablock.frontend.facts import PatchColumns
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter
from parablock.frontend.patches import start_patches
from parablock.frontend.table import Call, aten, wide


@aten(*(f"conv{rank}d.{form}" for rank in (1, 2, 3) for form in ("default", "padding")))
def convolve(e: Emitter, call: Call) -> Value:
    if wide(call.dtype) != "f32":
        raise NotImplementedError(f"sums of products in {call.dtype}")
    x, weight = e.value(call["input"], call.dtype), e.value(call["weight"], call.dtype)
    kernel = weight.shape[2:]
    stride, dilation = (spell(call[n], len(kernel)) for n in ("stride", "dilation"))
    padding = _read_padding(call["padding"], kernel, dilation)
    patches = _find_patches(e, call, x, weight, stride, dilation, padding)
    if patches is not None:
        return patches
    if x.rank == weight.rank - 1:
        x = e.reshape(x, (1, *x.shape))
    places = call.shape[-len(kernel) :]
    batch, groups, count = x.shape[0], call["groups"], count_elements(places)
    inner = count_elements(weight.shape[1:])
    columns = _join_seen(e, x, Windows(kernel, stride, dilation, padding), places)
    if groups == 1:
        rows = e.transpose(e.reshape(columns, (batch, inner, count)), [0, 2, 1])
        return _project(e, call, rows, weight)
    columns = e.reshape(columns, (batch, groups, inner, count))
    matrices = e.reshape(weight, (groups, weight.shape[0] // groups, inner))
    result = e.reshape(e.matmul(matrices, columns), (batch, weight.shape[0], count))
    if call.get("bias") is not None:
        bias = e.reshape(e.value(call["bias"], "f32"), (weight.shape[0], 1))
        result = e.add(result, bias, "f32")
    return e.reshape(e.cast(result, call.dtype), call.shape)


def _project(e: Emitter, call: Call, windows: Value, weight: Value) -> Value:
    """Emits a convolution of windows [batch, places, elements]."""
    matrix = e.reshape(weight, (weight.shape[0], windows.shape[-1]))
    result = e.transpose(e.linear(windows, matrix, call.get("bias")), [0, 2, 1])
    return e.reshape(result, call.shape)


def spell(given: int | Sequence[int], count: int) -> list[int]:
    """Returns a number for each dimension of places."""
    numbers = [given] if isinstance(given, int) else list(given)
    return numbers * count if len(numbers) == 1 else numbers


def _read_padding(
    given: str | int | Sequence[int], kernel: Sequence[int], dilation: Sequence[int]
) -> list[tuple[int, int]]:
    """Zeros before and after the places of each dimension."""
    if given == "same":
        more = [step * (size - 1) for size, step in zip(kernel, dilation, strict=True)]
        return [(count // 2, count - count // 2) for count in more]
    if isinstance(given, str):
        return [(0, 0)] * len(kernel)
    return [(count, count) for count in spell(given, len(kernel))]


@dataclasses.dataclass(frozen=True)
class Windows:
    """Sizes, steps, gaps and padding of windows, along each dimension."""

    size: Sequence[int]
    stride: Sequence[int]
    dilation: Sequence[int]
    padding: Sequence[tuple[int, int]]


def list_seen(
    e: Emitter, x: Value, windows: Windows, places: Sequence[int]
) -> list[Value]:
    """Returns the values of each element of a window, at all places, with zero padding."""
    for dim, (before, after) in enumerate(windows.padding, start=2):
        x = e.surround(x, dim, before, after, 0)
    # Steps become a dimension of their own, of which a slice takes one.
    shape = list(x.shape[:2])
    for dim, step in enumerate(windows.stride, start=2):
        count = -(-x.shape[dim] // step)
        x = e.surround(x, dim, 0, count * step - x.shape[dim], 0)
        shape += [count, step]
    apart = e.reshape(x, shape)
    seen = []
    for offsets in itertools.product(*(range(size) for size in windows.size)):
        part = apart
        for at, offset in enumerate(offsets):
            first, rest = divmod(offset * windows.dilation[at], windows.stride[at])
            part = e.slice(part, 2 + 2 * at, first, first + places[at])
            part = e.slice(part, 3 + 2 * at, rest, rest + 1)
        seen.append(part)
    return seen


def _join_seen(e: Emitter, x: Value, windows: Windows, places: Sequence[int]) -> Value:
    """Returns [batch, channels, elements of a window, places]."""
    shape = (*x.shape[:2], 1, count_elements(places))
    seen = list_seen(e, x, windows, places)
    return e.concatenate([e.reshape(part, shape) for part in seen], 2)


@aten("im2col.default")
def spread_windows(e: Emitter, call: Call) -> Value:
    """Makes a column of each place's window."""
    x: Value = call["self"]
    x = x if x.rank == 4 else e.reshape(x, (1, *x.shape))
    names = ("kernel_size", "stride", "dilation", "padding")
    size, stride, dilation, around = (spell(call[name], 2) for name in names)
    windows = Windows(size, stride, dilation, [(count, count) for count in around])
    sizes = zip(x.shape[2:], size, stride, dilation, around, strict=True)
    places = [
        (extent + 2 * more - step * (count - 1) - 1) // by + 1
        for extent, count, by, step, more in sizes
    ]
    return e.reshape(_join_seen(e, x, windows, places), call.shape)


def _find_patches(
    e: Emitter,
    call: Call,
    x: Value,
    weight: Value,
    stride: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[tuple[int, int]],
) -> Value | None:
    """Windows of an image that lie side by side, as patch embeddings are."""
    kernel = weight.shape[2:]
    is_plain = list(stride) == list(kernel) and not any(map(any, padding))
    has_steps = any(step > 1 for step in dilation) or call["groups"] > 1
    if len(kernel) != 2 or x.rank != 4 or not is_plain or has_steps:
        return None
    tokens = start_patches(e, x, call["weight"], call.get("bias"))
    if tokens is not None:
        image = e.reshape(e.transpose(tokens, [0, 2, 1]), call.shape)
        return e.remember(image, PatchColumns(tokens))
    batch, channels = x.shape[:2]
    (rows, columns), (down, across) = kernel, call.shape[2:]
    x = e.slice(e.slice(x, 2, 0, down * rows), 3, 0, across * columns)
    parts = e.reshape(x, (batch, channels, down, rows, across, columns))
    tokens = e.reshape(
        e.transpose(parts, [0, 2, 4, 1, 3, 5]),
        (batch, down * across, channels * rows * columns),
    )
    return _project(e, call, tokens, weight)


@aten("_weight_norm.default")
def norm_weight(e: Emitter, call: Call) -> Value:
    """Rows of a weight, each of a length that another weight says."""
    dtype = wide(call.dtype)
    v, g = e.value(call["v"], dtype), e.value(call["g"], dtype)
    kept = [call["dim"] % v.rank] if call["dim"] != -1 else []
    total = e.multiply(v, v, dtype)
    for dim in range(v.rank):
        total = total if dim in kept else e.reduce("sum", total, dim)
    length = e.function.emit("math.sqrt", [total], total.shape, dtype)
    return e.cast(e.multiply(v, e.divide(g, length, dtype), dtype), call.dtype)


_UPSAMPLINGS = ("bicubic2d", "bilinear2d", "linear1d", "nearest1d", "nearest2d")


@aten(*(f"upsample_{name}.vec" for name in _UPSAMPLINGS))
def interpolate(e: Emitter, call: Call) -> Value:
    """Sums of the elements of rows, and of columns, by factors that sizes decide."""
    x = e.cast(call["input"], wide(call.dtype))
    count = x.rank - 2
    target = getattr(torch.ops.aten, call.op.split(".")[1]).vec
    more = [call["align_corners"]] if "align_corners" in call.arguments else []
    scales = call.get("scale_factors")
    for number in range(count):
        dim, size = 2 + number, x.shape[2 + number]
        ones = [1] * count
        ones[number] = size
        each = torch.eye(size).reshape(size, 1, *ones)
        wanted = [1] * count
        wanted[number] = call.shape[dim]
        own = None
        if scales is not None:
            own = [1.0] * count
            own[number] = scales[number]
        factors = target(each, None if own else wanted, *more, own)
        x = mix(e, x, dim, factors.reshape(size, call.shape[dim]).T)
    return e.cast(x, call.dtype)


def mix(e: Emitter, x: Value, dim: int, factors: torch.Tensor) -> Value:
    """Sums of what lies along a dimension, by the factors of each sum."""
    order = [d for d in range(x.rank) if d != dim] + [dim]
    matrix = e.value(factors.contiguous(), x.dtype)
    turned = e.linear(e.transpose(x, order), matrix, None)
    return e.transpose(turned, [order.index(d) for d in range(x.rank)])
