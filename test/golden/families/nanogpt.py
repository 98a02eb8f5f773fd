# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nanoGPT with biases: GPT-2 with plain linears and the exact gelu."""

import numpy as np

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    table = w.table("transformer.wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids] + w.table("transformer.wpe.weight", POSITIONS, WIDTH)[:TOKENS]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = w.norm(layer_norm, x, h + "ln_1", 1e-5, bias=True)
        q, k, v = np.split(w.linear(n, h + "attn.c_attn", 3 * WIDTH), 3, axis=-1)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "attn.c_proj", WIDTH)
        n = w.norm(layer_norm, x, h + "ln_2", 1e-5, bias=True)
        x = x + plain_mlp(w, n, h + "mlp.c_fc", h + "mlp.c_proj", 256, gelu_erf)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
