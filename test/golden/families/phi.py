# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Phi-2: side by side on one norm; biases everywhere; rotation of a part by halves."""

from formulas import attend, gelu_tanh, layer_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import llama_qkv, plain_mlp


def forward(w, inputs):
    x = w.table("model.embed_tokens.weight", VOCAB, WIDTH)[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5, bias=True)
        q, k, v = llama_qkv(w, n, h, WIDTH, WIDTH, bias=True)
        q, k = rope_half(q, HEADS, 6), rope_half(k, HEADS, 6)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attn.dense", WIDTH)
        x = x + a + plain_mlp(w, n, h + "mlp.fc1", h + "mlp.fc2", 256, gelu_tanh)
    x = w.norm(layer_norm, x, "model.final_layernorm", 1e-5, bias=True)
    return {"logits": w.linear(x, "lm_head", VOCAB)}
