# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mesh transformer V2: one linear in, q|v|k|up|gate per shard, one linear out; GeGLU."""

import numpy as np

from formulas import attend, gelu_tanh, layer_norm, rope_interleaved, scaled
from small import BATCH, HEAD, HEADS, LAYERS, TOKENS, VOCAB, WIDTH


SHARDS = 4


def forward(w, inputs):
    x = w.table("embed.weight", VOCAB, WIDTH)[inputs.ids]
    ends = np.cumsum([WIDTH // SHARDS] * 3 + [256 // SHARDS])
    for layer in range(LAYERS):
        h = f"layers.{layer}."
        n = w.norm(layer_norm, x, h + "norm", 1e-5, bias=True)
        shards = w.linear(n, h + "input_proj", 3 * WIDTH + 2 * 256)
        shards = shards.reshape(BATCH, TOKENS, SHARDS, -1)
        parts = np.split(shards, ends, axis=-1)
        q, v, k, up, gate = (part.reshape(BATCH, TOKENS, -1) for part in parts)
        q, k = rope_interleaved(q, HEADS, 4), rope_interleaved(k, HEADS, 4)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        both = (y.reshape(BATCH, TOKENS, SHARDS, -1) for y in (a, gelu_tanh(gate) * up))
        both = np.concatenate(list(both), axis=-1).reshape(BATCH, TOKENS, -1)
        x = x + w.linear(both, h + "output_proj", WIDTH)
    x = w.norm(layer_norm, x, "norm", 1e-5, bias=True)
    return {"logits": w.linear(x, "proj", VOCAB)}
