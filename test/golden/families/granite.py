# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Granite 2B: Llama with multipliers on embeddings, scores, branches and logits."""

from formulas import attend, rms_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = 12.0 * table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, 2, HEAD)
        a = attend(q, k, v, HEADS, 2, scaled(0.015625), inputs.causal())
        x = x + 0.22 * w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-5)
        x = x + 0.22 * llama_mlp(w, n, h, 256, silu)
    x = w.norm(rms_norm, x, "model.norm", 1e-5)
    return {"logits": x @ table.T / 8.0}
