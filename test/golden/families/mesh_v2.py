# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mesh transformer V2: one linear in (q|v|k|ff), one linear out, GeGLU."""

import numpy as np

from formulas import attend, gelu_tanh, layer_norm, rope_interleaved, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH


def forward(w, inputs):
    x = w.table("embed.weight", VOCAB, WIDTH)[inputs.ids]
    for layer in range(LAYERS):
        h = f"layers.{layer}."
        n = w.norm(layer_norm, x, h + "norm", 1e-5, bias=True)
        rows = 3 * WIDTH + 2 * 256
        q, v, k, gate, up = np.split(
            w.linear(n, h + "input_proj", rows, bias=False),
            [WIDTH, 2 * WIDTH, 3 * WIDTH, 3 * WIDTH + 256],
            axis=-1,
        )
        q, k = rope_interleaved(q, HEADS, 4), rope_interleaved(k, HEADS, 4)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        both = np.concatenate([a, gelu_tanh(gate) * up], axis=-1)
        x = x + w.linear(both, h + "output_proj", WIDTH, bias=False)
    x = w.norm(layer_norm, x, "norm", 1e-5, bias=True)
    return {"logits": w.linear(x, "head", VOCAB)}
