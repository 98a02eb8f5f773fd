# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MPT 7B: serial, no biases at all, q|k|v blocks, ALiBi, exact gelu."""

import numpy as np

from formulas import alibi, attend, gelu_erf, layer_norm
from small import HEAD, HEADS, LAYERS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    table = w.table("transformer.wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    bias = alibi(HEADS, TOKENS)

    def score(products):
        return products * HEAD**-0.5 + bias

    for layer in range(LAYERS):
        h = f"transformer.blocks.{layer}."
        n = w.norm(layer_norm, x, h + "norm_1", 1e-5)
        q, k, v = np.split(w.linear(n, h + "attn.Wqkv", 3 * WIDTH, bias=False), 3, axis=-1)
        a = attend(q, k, v, HEADS, HEADS, score, inputs.causal())
        x = x + w.linear(a, h + "attn.out_proj", WIDTH, bias=False)
        n = w.norm(layer_norm, x, h + "norm_2", 1e-5)
        x = x + plain_mlp(w, n, h + "ffn.up_proj", h + "ffn.down_proj", 256, gelu_erf, bias=False)
    return {"logits": w.norm(layer_norm, x, "transformer.norm_f", 1e-5) @ table.T}
