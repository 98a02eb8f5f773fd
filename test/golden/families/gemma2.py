# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gemma 2 2B: norms on both sides of each branch, soft caps, every other layer windowed."""

import numpy as np

from formulas import attend, gelu_tanh, rms_norm, rope_half
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def norm(w, x, name):
    """The stored gain counts from 1."""
    return rms_norm(x, 1.0 + w.gain(name + ".weight", WIDTH, mean=0.0), 1e-6)


def capped(products):
    """The scale is that of the published heads, 256 wide."""
    return 50.0 * np.tanh(products * 256**-0.5 / 50.0)


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids] * WIDTH**0.5
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        q, k, v = llama_qkv(w, norm(w, x, h + "input_layernorm"), h, WIDTH, 2 * HEAD)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, 2, HEAD)
        keys = inputs.causal(window=4096 if layer % 2 == 0 else None)
        a = attend(q, k, v, HEADS, 2, capped, keys)
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + norm(w, a, h + "post_attention_layernorm")
        f = llama_mlp(w, norm(w, x, h + "pre_feedforward_layernorm"), h, 256, gelu_tanh)
        x = x + norm(w, f, h + "post_feedforward_layernorm")
    logits = norm(w, x, "model.norm") @ table.T
    return {"logits": 30.0 * np.tanh(logits / 30.0)}
