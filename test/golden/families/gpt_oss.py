# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpt-oss 20B without YaRN: sinks, windows in even layers, 4 of 32 experts with bounded gates."""

import numpy as np

from expert_formulas import bounded_experts, logit_mixture, router_logits
from formulas import rms_norm, rope_half, split_heads, merge_heads
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_qkv


def attend_with_sinks(q, k, v, sinks, allowed):
    """A logit per head takes its share of the softmax, and has no value."""
    k, v = (np.repeat(split_heads(x, 2), HEADS // 2, axis=1) for x in (k, v))
    scores = np.where(allowed, split_heads(q, HEADS) @ k.swapaxes(-1, -2) * HEAD**-0.5, -np.inf)
    sinks = sinks[None, :, None, None]
    most = np.maximum(scores.max(axis=-1, keepdims=True), sinks)
    powers = np.exp(scores - most)
    weights = powers / (powers.sum(axis=-1, keepdims=True) + np.exp(sinks - most))
    return merge_heads(weights @ v)


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD, bias=True)
        q, k = rope_half(q, HEADS, HEAD, 150000.0), rope_half(k, 2, HEAD, 150000.0)
        sinks = w.tensor(h + "self_attn.sinks", (HEADS,))
        a = attend_with_sinks(q, k, v, sinks, inputs.causal(window=None if layer % 2 else 128))
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-5)
        logits = router_logits(w, n, h + "mlp.router", 32, bias=True)
        x = x + logit_mixture(n, logits, 4, bounded_experts(w, h + "mlp.experts.", 32, 64, WIDTH))
    x = w.norm(rms_norm, x, "model.norm", 1e-5)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
