# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Falcon 7B: side by side on one norm; all query heads share one key head."""

import numpy as np

from formulas import attend, gelu_erf, layer_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    table = w.table("transformer.word_embeddings.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5, bias=True)
        qkv = w.linear(n, h + "self_attention.query_key_value", WIDTH + 2 * HEAD, bias=False)
        q, k, v = np.split(qkv, [WIDTH, WIDTH + HEAD], axis=-1)
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, 1, HEAD)
        a = attend(q, k, v, HEADS, 1, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "self_attention.dense", WIDTH, bias=False)
        up, down = h + "mlp.dense_h_to_4h", h + "mlp.dense_4h_to_h"
        x = x + a + plain_mlp(w, n, up, down, 256, gelu_erf, bias=False)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
