# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gemma 7B: gains as 1 + w, GeGLU, embeddings times the root of the width."""

from formulas import attend, gelu_tanh, rms_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def norm(w, x, name):
    """The stored gain counts from 1."""
    return rms_norm(x, 1.0 + w.gain(name + ".weight", WIDTH, mean=0.0), 1e-6)


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids] * WIDTH**0.5
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        q, k, v = llama_qkv(w, norm(w, x, h + "input_layernorm"), h, WIDTH, WIDTH)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, HEADS, HEAD)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + llama_mlp(w, norm(w, x, h + "post_attention_layernorm"), h, 512, gelu_tanh)
    return {"logits": norm(w, x, "model.norm") @ table.T}
