# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ViT: pre-norm, both ways, tanh gelu, on patches that are embedded already."""

import numpy as np

from formulas import attend, gelu_tanh, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    x = inputs.hidden
    for layer in range(LAYERS):
        h = f"blocks.{layer}."
        n = w.norm(layer_norm, x, h + "norm1", 1e-6, bias=True)
        q, k, v = np.split(w.linear(n, h + "attn.qkv", 3 * WIDTH), 3, axis=-1)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = x + w.linear(a, h + "attn.proj", WIDTH)
        n = w.norm(layer_norm, x, h + "norm2", 1e-6, bias=True)
        x = x + plain_mlp(w, n, h + "mlp.fc1", h + "mlp.fc2", 256, gelu_tanh)
    return {"hidden_states": w.norm(layer_norm, x, "norm", 1e-6, bias=True)}
