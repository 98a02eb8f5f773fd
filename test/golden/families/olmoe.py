# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OLMoE 1B-7B: q and k normalised whole, 8 of 64 experts, weights as they are."""

from expert_formulas import softmax_mixture
from formulas import attend, rms_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(rms_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, WIDTH)
        q = rope_half(w.norm(rms_norm, q, h + "self_attn.q_norm", 1e-5), HEADS, HEAD)
        k = rope_half(w.norm(rms_norm, k, h + "self_attn.k_norm", 1e-5), HEADS, HEAD)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-5)
        x = x + softmax_mixture(w, n, h + "mlp.", 64, 8, 32, divided=False)
    x = w.norm(rms_norm, x, "model.norm", 1e-5)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
