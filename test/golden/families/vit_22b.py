# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ViT-22B: side by side on one RMS norm, layer norms on q and k heads, no bias on q, k, v."""

import numpy as np

from formulas import attend, gelu_tanh, layer_norm, rms_norm, scaled
from small import HEAD, HEADS, LAYERS, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    x = inputs.hidden
    for layer in range(LAYERS):
        h = f"blocks.{layer}."
        n = w.norm(rms_norm, x, h + "norm", 1e-6)
        q, k, v = np.split(w.linear(n, h + "attn.qkv", 3 * WIDTH, bias=False), 3, axis=-1)
        q = w.norm(layer_norm, q, h + "attn.q_norm", 1e-6, heads=HEADS)
        k = w.norm(layer_norm, k, h + "attn.k_norm", 1e-6, heads=HEADS)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        a = w.linear(a, h + "attn.proj", WIDTH)
        x = x + a + plain_mlp(w, n, h + "mlp.fc1", h + "mlp.fc2", 256, gelu_tanh)
    return {"hidden_states": w.norm(rms_norm, x, "norm", 1e-6)}
