# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPT-2: pre-norm, one transposed linear for q|k|v, tanh gelu, tied head."""

import numpy as np

from formulas import attend, gelu_tanh, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH


def forward(w, inputs):
    table = w.table("wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids] + w.table("wpe.weight", POSITIONS, WIDTH)[:TOKENS]
    for layer in range(LAYERS):
        h = f"h.{layer}."
        n = w.norm(layer_norm, x, h + "ln_1", 1e-5, bias=True)
        q, k, v = np.split(w.conv1d(n, h + "attn.c_attn", 3 * WIDTH), 3, axis=-1)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.conv1d(a, h + "attn.c_proj", WIDTH)
        n = w.norm(layer_norm, x, h + "ln_2", 1e-5, bias=True)
        x = x + w.conv1d(gelu_tanh(w.conv1d(n, h + "mlp.c_fc", 256)), h + "mlp.c_proj", WIDTH)
    x = w.norm(layer_norm, x, "ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
