# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peri-LN: a layer norm before and after every branch."""

from formulas import attend, layer_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5, bias=True)
        q, k, v = llama_qkv(w, n, h, WIDTH, WIDTH)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, HEADS, HEAD)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + w.norm(layer_norm, a, h + "post_attention_layernorm", 1e-5, bias=True)
        n = w.norm(layer_norm, x, h + "pre_feedforward_layernorm", 1e-5, bias=True)
        f = llama_mlp(w, n, h, 176, silu)
        x = x + w.norm(layer_norm, f, h + "post_feedforward_layernorm", 1e-5, bias=True)
    x = w.norm(layer_norm, x, "model.norm", 1e-5, bias=True)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
