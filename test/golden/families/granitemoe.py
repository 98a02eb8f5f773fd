# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Granite 3 MoE 3B: Granite with 8 of 40 experts, weighed by a softmax over their logits."""

from expert_formulas import gated_experts, logit_mixture, router_logits
from formulas import attend, rms_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = 12.0 * table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-6)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, 2, HEAD)
        a = attend(q, k, v, HEADS, 2, scaled(0.015625), inputs.causal())
        x = x + 0.22 * w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-6)
        logits = router_logits(w, n, h + "block_sparse_moe.router", 40)
        run = gated_experts(w, h + "block_sparse_moe.experts.", 40, 24, WIDTH)
        x = x + 0.22 * logit_mixture(n, logits, 8, run)
    x = w.norm(rms_norm, x, "model.norm", 1e-6)
    return {"logits": x @ table.T / 8.0}
