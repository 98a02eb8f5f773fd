# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Falcon-RW: serial, per head q, k, v; ALiBi is scaled together with the products."""

from formulas import alibi, attend, gelu_erf, layer_norm
from small import HEAD, HEADS, LAYERS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    table = w.table("transformer.word_embeddings.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    bias = alibi(HEADS, TOKENS)

    def score(products):
        return (products + bias) * HEAD**-0.5

    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5, bias=True)
        qkv = w.linear(n, h + "self_attention.query_key_value", 3 * WIDTH)
        qkv = qkv.reshape(*n.shape[:2], HEADS, 3, HEAD)
        q, k, v = (qkv[..., part, :].reshape(n.shape) for part in range(3))
        a = attend(q, k, v, HEADS, HEADS, score, inputs.causal())
        x = x + w.linear(a, h + "self_attention.dense", WIDTH)
        n = w.norm(layer_norm, x, h + "post_attention_layernorm", 1e-5, bias=True)
        up, down = h + "mlp.dense_h_to_4h", h + "mlp.dense_4h_to_h"
        x = x + plain_mlp(w, n, up, down, 256, gelu_erf)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
