# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtral 8x7B: Mistral without a window, two of eight experts, weights divided by their sum."""

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
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD)
        q, k = rope_half(q, HEADS, HEAD, 1e6), rope_half(k, 2, HEAD, 1e6)
        a = attend(q, k, v, HEADS, 2, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "post_attention_layernorm", 1e-5)
        x = x + softmax_mixture(w, n, h + "mlp.", 8, 2, 224, divided=True)
    x = w.norm(rms_norm, x, "model.norm", 1e-5)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
