# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command R+: side by side, layer norms without bias, interleaved rotation, SwiGLU."""

from formulas import attend, layer_norm, per_head, rope_interleaved, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def head_norms(w, x, name, heads):
    """A layer norm without bias per head, with gains [heads, size of a head]."""
    gamma = w.tensor(name + ".weight", (heads, HEAD), mean=1.0, deviation=0.2)
    return per_head(lambda y: layer_norm(y, gamma), x, heads)


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD)
        q = head_norms(w, q, h + "self_attn.q_norm", HEADS)
        k = head_norms(w, k, h + "self_attn.k_norm", 2)
        q, k = rope_interleaved(q, HEADS, HEAD, 75e6), rope_interleaved(k, 2, HEAD, 75e6)
        a = attend(q, k, v, HEADS, 2, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + a + llama_mlp(w, n, h, 176, silu)
    return {"logits": 0.0625 * (w.norm(layer_norm, x, "model.norm", 1e-5) @ table.T)}
