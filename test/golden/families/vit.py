# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ViT: pre-norm, both ways, tanh gelu, on patches that are embedded already."""

from formulas import attend, gelu_tanh, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    x = inputs.hidden
    for layer in range(LAYERS):
        h = f"encoder.layer.{layer}."
        n = w.norm(layer_norm, x, h + "layernorm_before", 1e-6, bias=True)
        names = ("query", "key", "value")
        q, k, v = project(w, n, h + "attention.attention.", names, 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = x + w.linear(a, h + "attention.output.dense", WIDTH)
        n = w.norm(layer_norm, x, h + "layernorm_after", 1e-6, bias=True)
        x = x + plain_mlp(w, n, h + "intermediate.dense", h + "output.dense", 256, gelu_tanh)
    return {"hidden_states": w.norm(layer_norm, x, "layernorm", 1e-6, bias=True)}
