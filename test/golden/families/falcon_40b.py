# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Falcon 40B: side by side on two norms; per group its queries, a key, a value."""

from formulas import attend, gelu_erf, layer_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    table = w.table("transformer.word_embeddings.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = w.norm(layer_norm, x, h + "ln_attn", 1e-5, bias=True)
        qkv = w.linear(n, h + "self_attention.query_key_value", WIDTH + 4 * HEAD, bias=False)
        groups = qkv.reshape(*n.shape[:2], 2, HEADS // 2 + 2, HEAD)
        q = groups[..., :-2, :].reshape(n.shape)
        k, v = (groups[..., part, :].reshape(*n.shape[:2], 2 * HEAD) for part in (-2, -1))
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, 2, HEAD)
        a = attend(q, k, v, HEADS, 2, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attention.dense", WIDTH, bias=False)
        n = w.norm(layer_norm, x, h + "ln_mlp", 1e-5, bias=True)
        up, down = h + "mlp.dense_h_to_4h", h + "mlp.dense_4h_to_h"
        x = x + a + plain_mlp(w, n, up, down, 256, gelu_erf, bias=False)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
