# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peri-LN: an RMS norm before and after every branch."""

from formulas import attend, rms_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-6)
        q, k, v = llama_qkv(w, n, h, WIDTH, WIDTH)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, HEADS, HEAD)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + w.norm(rms_norm, a, h + "post_attention_layernorm", 1e-6)
        n = w.norm(rms_norm, x, h + "pre_feedforward_layernorm", 1e-6)
        f = llama_mlp(w, n, h, 176, silu)
        x = x + w.norm(rms_norm, f, h + "post_feedforward_layernorm", 1e-6)
    x = w.norm(rms_norm, x, "model.norm", 1e-6)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
