# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ViT-22B: side by side on one norm without bias, layer norms on q and k heads."""

from formulas import attend, gelu_tanh, layer_norm, per_head, scaled
from small import HEAD, HEADS, LAYERS, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    x = inputs.hidden
    for layer in range(LAYERS):
        h = f"blocks.{layer}."
        n = w.norm(layer_norm, x, h + "norm", 1e-6)
        q, k, v = project(w, n, h + "attn.", "qkv", 3 * [WIDTH])
        q = per_head(lambda y: w.norm(layer_norm, y, h + "attn.q_norm", 1e-6), q, HEADS)
        k = per_head(lambda y: w.norm(layer_norm, y, h + "attn.k_norm", 1e-6), k, HEADS)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        a = w.linear(a, h + "attn.o", WIDTH, bias=False)
        x = x + a + plain_mlp(w, n, h + "mlp.fc1", h + "mlp.fc2", 256, gelu_tanh)
    return {"hidden_states": w.norm(layer_norm, x, "norm", 1e-6)}
