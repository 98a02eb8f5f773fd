# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LayerScale: a pre-norm ViT whose branches have a gain per channel."""

import numpy as np

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    x = inputs.hidden
    for layer in range(LAYERS):
        h = f"blocks.{layer}."
        n = w.norm(layer_norm, x, h + "norm1", 1e-6, bias=True)
        q, k, v = np.split(w.linear(n, h + "attn.qkv", 3 * WIDTH), 3, axis=-1)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = x + w.gain(h + "gamma_1", WIDTH) * w.linear(a, h + "attn.proj", WIDTH)
        n = w.norm(layer_norm, x, h + "norm2", 1e-6, bias=True)
        f = plain_mlp(w, n, h + "mlp.fc1", h + "mlp.fc2", 256, gelu_erf)
        x = x + w.gain(h + "gamma_2", WIDTH) * f
    return {"hidden_states": w.norm(layer_norm, x, "norm", 1e-6, bias=True)}
