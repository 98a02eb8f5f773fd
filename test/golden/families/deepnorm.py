# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DeepNorm: post-norm with the skip scaled up by (2 N)^(1/4)."""

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    x = w.table("embed_tokens.weight", VOCAB, WIDTH)[inputs.ids]
    x = x + w.table("embed_positions.weight", POSITIONS, WIDTH)[:TOKENS]
    alpha = (2 * LAYERS) ** 0.25
    for layer in range(LAYERS):
        h = f"layers.{layer}."
        q, k, v = project(w, x, h + "self_attn.", ("q_proj", "k_proj", "v_proj"), 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = alpha * x + w.linear(a, h + "self_attn.out_proj", WIDTH)
        x = w.norm(layer_norm, x, h + "self_attn_layer_norm", 1e-5, bias=True)
        x = alpha * x + plain_mlp(w, x, h + "fc1", h + "fc2", 256, gelu_erf)
        x = w.norm(layer_norm, x, h + "final_layer_norm", 1e-5, bias=True)
    return {"hidden_states": x}
