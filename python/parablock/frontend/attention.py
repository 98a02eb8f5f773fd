# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rule for attention."""

from __future__ import annotations

import math

import torch

from parablock.frontend.facts import Masked, Narrowed
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, aten

#: Operations that are, or end, one attention's weights.
ATTENTIONS = (
    "aten.scaled_dot_product_attention.default",
    "aten.softmax.int",
    "aten._softmax.default",
    "aten._transformer_encoder_layer_fwd.default",
    "aten._native_multi_head_attention.default",
)


@aten("scaled_dot_product_attention.default")
def attention(e: Emitter, call: Call) -> Value:
    query, key, value = call["query"], call["key"], call["value"]
    if call.get("enable_gqa", False):
        times = query.shape[-3] // key.shape[-3]
        key, value = _repeat_heads(e, key, times), _repeat_heads(e, value, times)
    mask = call.get("attn_mask")
    narrowed = e.recall(mask, Narrowed)
    mask = mask if narrowed is None else narrowed.value
    if call.get("is_causal", False):
        mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril()
    scale = call.get("scale")
    rate = call.get("dropout_p", 0.0)
    return emit_attention(e, query, key, value, mask, scale, rate)


def emit_attention(
    e: Emitter,
    query: Value,
    key: Value,
    value: Value,
    mask: Operand | None,
    scale: float | None = None,
    rate: float = 0.0,
) -> Value:
    """Emits attention of heads [.., T, size]; scores and weights are f32, rounded once."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = e.multiply(e.matmul(query, e.swap_last(key)), factor, "f32")
    hidden = _hide(e, scores, mask)
    softmax = e.safe_softmax if _may_hide_rows(mask) else e.softmax
    weights = e.drop(softmax(hidden, scores.rank - 1), rate)
    return e.cast(e.matmul(weights, e.cast(value, "f32")), query.dtype)


def _repeat_heads(e: Emitter, x: Value, times: int) -> Value:
    if times == 1:
        return x
    *batch, heads, rows, size = x.shape
    spread = e.reshape(x, (*batch, heads, 1, rows, size))
    wide_shape = (*batch, heads, times, rows, size)
    return e.reshape(e.expand(spread, wide_shape), (*batch, heads * times, rows, size))


def _may_hide_rows(mask: Operand | None) -> bool:
    """Returns whether a mask may leave a query without keys, whose result is 0."""
    if not isinstance(mask, torch.Tensor):
        return mask is not None
    keeps = mask if mask.dtype == torch.bool else mask != float("-inf")
    return not bool(keeps.any(-1).all())


def _hide(e: Emitter, scores: Value, mask: Operand | None) -> Value:
    """Applies a mask to scores: True keeps, numbers are added."""
    if isinstance(mask, torch.Tensor) and mask.dtype == torch.bool and mask.all():
        return scores
    if mask is None:
        return scores
    masked = e.recall(mask, Masked)
    if masked is not None:
        return _hide(e, e.add(scores, masked.data, "f32"), masked.mask)
    is_bool = (isinstance(mask, Value) and mask.dtype == "i1") or (
        isinstance(mask, torch.Tensor) and mask.dtype == torch.bool
    )
    if is_bool:
        return e.select(mask, scores, float("-inf"), "f32")
    return e.add(scores, mask, "f32")
