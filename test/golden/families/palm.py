# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PaLM: side by side on one norm without bias; one key head; one linear for all inputs."""

import numpy as np

from formulas import attend, layer_norm, rope_half, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH


def forward(w, inputs):
    table = w.table("0.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"{layer + 1}.fn."
        n = layer_norm(x, w.gain(h + "norm.gamma", WIDTH))
        rows = WIDTH + 2 * HEAD + 2 * 256
        q, k, v, up, gate = np.split(
            w.linear(n, h + "fused_attn_ff_proj", rows, bias=False),
            [WIDTH, WIDTH + HEAD, WIDTH + 2 * HEAD, WIDTH + 2 * HEAD + 256],
            axis=-1,
        )
        q, k = rope_half(q, HEADS, HEAD), rope_half(k, 1, HEAD)
        a = attend(q, k, v, HEADS, 1, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "attn_out", WIDTH, bias=False)
        x = x + a + w.linear(silu(gate) * up, h + "ff_out.1", WIDTH, bias=False)
    return {"logits": layer_norm(x, w.gain(f"{LAYERS + 1}.gamma", WIDTH)) @ table.T}
