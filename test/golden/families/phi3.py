# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Phi-3 mini: q|k|v in one matrix, gate|up in another, sliding window."""

import numpy as np

from formulas import attend, rms_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = np.split(w.linear(n, h + "self_attn.qkv_proj", 3 * WIDTH, bias=False), 3, axis=-1)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, HEADS, HEAD)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal(window=2047))
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-5)
        gate, up = np.split(w.linear(n, h + "mlp.gate_up_proj", 2 * 176, bias=False), 2, axis=-1)
        x = x + w.linear(silu(gate) * up, h + "mlp.down_proj", WIDTH, bias=False)
    x = w.norm(rms_norm, x, "model.norm", 1e-5)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
