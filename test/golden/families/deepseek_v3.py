# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DeepSeek-V3 without YaRN: latent attention, a dense first layer, then 8 of 256 experts in 4 of 8 groups."""

import numpy as np

from expert_formulas import choose, gated_experts, mix, router_logits, sigmoid
from formulas import merge_heads, rms_norm, rope_interleaved, silu, split_heads
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import gated_mlp, llama_mlp

QUERY_RANK, RANK, ROTATED = 16, 8, HEAD // 2
EXPERTS, GROUPS, KEPT, CHOSEN, HIDDEN = 256, 8, 4, 8, 24


def latent_attention(w, n, prefix, allowed):
    """Queries from one latent, keys and values from another, and one rotated part for the keys of all heads."""
    latent = w.norm(rms_norm, w.linear(n, prefix + "q_a_proj", QUERY_RANK, False), prefix + "q_a_layernorm", 1e-6)
    q = split_heads(w.linear(latent, prefix + "q_b_proj", HEADS * (HEAD + ROTATED), False), HEADS)
    both = w.linear(n, prefix + "kv_a_proj_with_mqa", RANK + ROTATED, False)
    latent = w.norm(rms_norm, both[..., :RANK], prefix + "kv_a_layernorm", 1e-6)
    kv = split_heads(w.linear(latent, prefix + "kv_b_proj", HEADS * 2 * HEAD, False), HEADS)
    k, v = kv[..., :HEAD], kv[..., HEAD:]
    q_rotated = split_heads(rope_interleaved(merge_heads(q[..., HEAD:]), HEADS, ROTATED), HEADS)
    k_rotated = rope_interleaved(both[..., RANK:], 1, ROTATED)[:, None]
    scores = q[..., :HEAD] @ k.swapaxes(-1, -2) + q_rotated @ k_rotated.swapaxes(-1, -2)
    scores = np.where(allowed, scores * (HEAD + ROTATED) ** -0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return merge_heads(weights / weights.sum(axis=-1, keepdims=True) @ v)


def mixture(w, n, h):
    scores = sigmoid(router_logits(w, n, h + "gate", EXPERTS))
    choice = scores + w.tensor(h + "gate.e_score_correction_bias", (EXPERTS,), deviation=0.1)
    groups = choice.reshape(*choice.shape[:-1], GROUPS, EXPERTS // GROUPS)
    best = np.sort(groups, axis=-1)[..., -2:].sum(axis=-1)
    kept = choose(best, KEPT)
    hidden = np.ones(best.shape, dtype=bool)
    np.put_along_axis(hidden, kept, False, axis=-1)
    indices = choose(np.where(hidden[..., None], -np.inf, groups).reshape(choice.shape), CHOSEN)
    weights = np.take_along_axis(scores, indices, axis=-1)
    weights = 2.5 * weights / (weights.sum(axis=-1, keepdims=True) + 1e-20)
    routed = mix(n, indices, weights, gated_experts(w, h + "experts.", EXPERTS, HIDDEN, WIDTH))
    names = (h + f"shared_experts.{name}_proj" for name in ("gate", "up", "down"))
    return routed + gated_mlp(w, n, *names, HIDDEN, silu)


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-6)
        a = latent_attention(w, n, h + "self_attn.", inputs.causal())
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-6)
        x = x + (mixture(w, n, h + "mlp.") if layer else llama_mlp(w, n, h, 168, silu))
    x = w.norm(rms_norm, x, "model.norm", 1e-6)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
