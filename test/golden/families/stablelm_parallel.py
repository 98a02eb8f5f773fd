# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableLM 2 12B: both branches on one norm; every q and k head has a norm of its own."""

import numpy as np

from formulas import attend, layer_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def head_norms(w, x, name, heads):
    """A layer norm without bias per head, each with its own gain."""
    parts = np.split(x, heads, axis=-1)
    norms = (w.norm(layer_norm, part, f"{name}.norms.{h}", 1e-5) for h, part in enumerate(parts))
    return np.concatenate(list(norms), axis=-1)


def forward(w, inputs):
    x = w.table("model.embed_tokens.weight", VOCAB, WIDTH)[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5, bias=True)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD)
        q = head_norms(w, q, h + "self_attn.q_layernorm", HEADS)
        k = head_norms(w, k, h + "self_attn.k_layernorm", 2)
        q, k = rope_half(q, HEADS, 4), rope_half(k, 2, 4)
        a = attend(q, k, v, HEADS, 2, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + a + llama_mlp(w, n, h, 176, silu)
    x = w.norm(layer_norm, x, "model.norm", 1e-5, bias=True)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
