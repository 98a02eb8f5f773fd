# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for means of windows."""

from __future__ import annotations

import functools

import torch

from parablock.frontend.convolutions import Windows, list_seen, mix, spell
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter
from parablock.frontend.table import Call, aten, wide

_RANKS = (1, 2, 3)


@aten(*(f"avg_pool{rank}d.default" for rank in _RANKS))
def average(e: Emitter, call: Call) -> Value:
    rank = int(call.op[len("aten.avg_pool")])
    size = spell(call["kernel_size"], rank)
    stride = spell(call.get("stride") or size, rank)
    around = spell(call.get("padding", 0), rank)
    x = _add_batch(e, call, rank)
    places = call.shape[-rank:]
    counts = torch.ones((), dtype=torch.float64)
    padding = []
    for extent, count, own, by, more in zip(
        x.shape[2:], places, size, stride, around, strict=True
    ):
        starts = torch.arange(count) * by - more
        # Windows at the end may go beyond what is around a value.
        ends = (starts + own).clamp(max=extent + more)
        padding.append((more, max(more, int(starts[-1]) + own - extent)))
        if not call["count_include_pad"]:
            starts, ends = starts.clamp(min=0), ends.clamp(max=extent)
        counts = counts.unsqueeze(-1) * (ends - starts)
    if call.get("divisor_override") is not None:
        counts = torch.full_like(counts, call["divisor_override"])
    seen = list_seen(e, x, Windows(size, stride, [1] * rank, padding), places)
    total = functools.reduce(lambda one, other: e.add(one, other, x.dtype), seen)
    total = e.reshape(total, (*x.shape[:2], *places))
    return e.reshape(e.cast(e.multiply(total, 1 / counts, x.dtype), call.dtype), call.shape)


@aten(*(f"adaptive_avg_pool{rank}d.default" for rank in _RANKS))
def average_to_size(e: Emitter, call: Call) -> Value:
    """Emits means of windows for a given number of results."""
    rank = int(call.op[len("aten.adaptive_avg_pool")])
    x = _add_batch(e, call, rank)
    for dim, count in enumerate(call.shape[-rank:], start=2):
        extent = x.shape[dim]
        if count == 1:
            x = e.mean(x, dim)
        elif count != extent:
            each = torch.eye(extent, dtype=torch.float64).unsqueeze(1)
            means = torch.ops.aten.adaptive_avg_pool1d.default(each, [count])
            x = mix(e, x, dim, means.squeeze(1).T)
    return e.reshape(e.cast(x, call.dtype), call.shape)


def _add_batch(e: Emitter, call: Call, rank: int) -> Value:
    """Returns the value in f32 or wider, with dimensions of batch and channels."""
    x = e.value(call["self"], wide(call.dtype))
    return e.reshape(x, (1,) * (rank + 2 - x.rank) + x.shape)
