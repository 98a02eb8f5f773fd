# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GLM-4.5 Air: a dense first layer, then 8 of 128 experts by corrected sigmoids, beside a shared one."""

import numpy as np

from expert_formulas import choose, gated_experts, mix, router_logits, sigmoid
from formulas import attend, rms_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import gated_mlp, llama_mlp, llama_qkv


def mixture(w, n, h):
    scores = sigmoid(router_logits(w, n, h + "gate", 128))
    correction = w.tensor(h + "gate.e_score_correction_bias", (128,), deviation=0.1)
    indices = choose(scores + correction, 8)
    weights = np.take_along_axis(scores, indices, axis=-1)
    weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-20)
    routed = mix(n, indices, weights, gated_experts(w, h + "experts.", 128, 24, WIDTH))
    names = (h + f"shared_experts.{name}_proj" for name in ("gate", "up", "down"))
    return routed + gated_mlp(w, n, *names, 24, silu)


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD, bias=True)
        q, k = rope_half(q, HEADS, HEAD // 2, 1e6), rope_half(k, 2, HEAD // 2, 1e6)
        a = attend(q, k, v, HEADS, 2, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-5)
        x = x + (mixture(w, n, h + "mlp.") if layer else llama_mlp(w, n, h, 176, silu))
    x = w.norm(rms_norm, x, "model.norm", 1e-5)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
