# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OLMo 2 7B: norms after the branches, inside the skip; q and k normalised whole."""

from formulas import attend, rms_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        q, k, v = llama_qkv(w, x, h, WIDTH, WIDTH)
        q = rope_half(w.norm(rms_norm, q, h + "self_attn.q_norm", 1e-6), HEADS, HEAD, 5e5)
        k = rope_half(w.norm(rms_norm, k, h + "self_attn.k_norm", 1e-6), HEADS, HEAD, 5e5)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + w.norm(rms_norm, a, h + "post_attention_layernorm", 1e-6)
        f = llama_mlp(w, x, h, 176, silu)
        x = x + w.norm(rms_norm, f, h + "post_feedforward_layernorm", 1e-6)
    x = w.norm(rms_norm, x, "model.norm", 1e-6)
    return {"logits": x @ w.matrix("lm_head.weight", VOCAB, WIDTH).T}
