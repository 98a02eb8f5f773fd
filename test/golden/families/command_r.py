# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command R: side by side, layer norms without bias, interleaved rotation, SwiGLU."""

from formulas import attend, layer_norm, rope_interleaved, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_mlp, llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, WIDTH)
        q, k = rope_interleaved(q, HEADS, HEAD, 8e6), rope_interleaved(k, HEADS, HEAD, 8e6)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        x = x + a + llama_mlp(w, n, h, 176, silu)
    return {"logits": 0.0625 * (w.norm(layer_norm, x, "model.norm", 1e-5) @ table.T)}
