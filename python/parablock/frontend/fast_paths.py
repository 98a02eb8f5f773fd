# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the inference operations of nn.TransformerEncoderLayer."""

from __future__ import annotations

import torch

from parablock.frontend.attention import emit_attention
from parablock.frontend.elementwise import emit_gelu
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.norms import emit_layer_norm
from parablock.frontend.table import Call, aten


@aten("_transformer_encoder_layer_fwd.default")
def encoder_layer(e: Emitter, call: Call) -> Value:
    x: Value = call["src"]
    mask = _read_mask(e, call, "mask_type")

    def norm(value: Value, number: int) -> Value:
        weight, bias = call[f"norm_weight_{number}"], call[f"norm_bias_{number}"]
        return emit_layer_norm(e, value, weight, bias, call["eps"])

    def attend(value: Value) -> Value:
        return _attend(e, value, call, call["num_heads"], mask)

    if call["norm_first"]:
        x = e.add(x, attend(norm(x, 1)), x.dtype)
        return e.add(x, _feed_forward(e, norm(x, 2), call), x.dtype)
    x = norm(e.add(x, attend(x), x.dtype), 1)
    return norm(e.add(x, _feed_forward(e, x, call), x.dtype), 2)


@aten("_native_multi_head_attention.default")
def self_attention(e: Emitter, call: Call) -> tuple[Value, ...]:
    if call["query"] != call["key"] or call["query"] != call["value"]:
        raise NotImplementedError("keys and values of something else")
    if call["need_weights"]:
        raise NotImplementedError("attention weights as a result")
    mask = _read_mask(e, call, "mask_type")
    return (_attend(e, call["query"], call, call["num_head"], mask),)


def _attend(
    e: Emitter, x: Value, call: Call, heads: int, mask: Operand | None
) -> Value:
    batch, tokens, width = x.shape
    if (wanted := call["qkv_weight"].shape[1]) != width:
        raise NotImplementedError(f"rows of {width} numbers for weights of {wanted}")
    projected = e.linear(x, call["qkv_weight"], call.get("qkv_bias"))
    parts = []
    for number in range(3):
        part = e.slice(projected, 2, number * width, (number + 1) * width)
        split = e.reshape(part, (batch, tokens, heads, width // heads))
        parts.append(e.transpose(split, [0, 2, 1, 3]))
    query, key, value = parts
    result = emit_attention(e, query, key, value, mask)
    joined = e.transpose(result, [0, 2, 1, 3])
    flat = e.reshape(joined, x.shape)
    return e.linear(flat, call["proj_weight"], call.get("proj_bias"))


def _feed_forward(e: Emitter, x: Value, call: Call) -> Value:
    hidden = e.linear(x, call["ffn_weight_1"], call["ffn_bias_1"])
    if call["use_gelu"]:
        hidden = emit_gelu(e, hidden, "none")
    else:
        hidden = e.binary("maximum", hidden, 0.0, hidden.dtype)
    return e.linear(hidden, call["ffn_weight_2"], call["ffn_bias_2"])


def _read_mask(e: Emitter, call: Call, kind: str) -> Operand | None:
    """Returns a mask over [batch, head, query, key]: true keeps, numbers are added."""
    mask: Operand | None = call.get("mask")
    if isinstance(mask, Value):
        if call.get(kind) == 1:
            mask = e.reshape(mask, (mask.shape[0], 1, 1, mask.shape[1]))
        return e.unary("logical_not", mask) if mask.dtype == "i1" else mask
    if not isinstance(mask, torch.Tensor):
        return None
    if call.get(kind) == 1:
        mask = mask[:, None, None, :]
    return ~mask if mask.dtype == torch.bool else mask
