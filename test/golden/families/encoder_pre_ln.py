# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pre-norm encoder, both ways, exact gelu, positions from row 2 on."""

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    x = w.table("encoder.embed_tokens.weight", VOCAB, WIDTH)[inputs.ids]
    positions = w.table("encoder.embed_positions.weight", POSITIONS + 2, WIDTH)
    x = x + positions[2 : TOKENS + 2]
    for layer in range(LAYERS):
        h = f"encoder.layers.{layer}."
        n = w.norm(layer_norm, x, h + "self_attn_layer_norm", 1e-5, bias=True)
        q, k, v = project(w, n, h + "self_attn.", ("q_proj", "k_proj", "v_proj"), 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = x + w.linear(a, h + "self_attn.out_proj", WIDTH)
        n = w.norm(layer_norm, x, h + "final_layer_norm", 1e-5, bias=True)
        x = x + plain_mlp(w, n, h + "fc1", h + "fc2", 256, gelu_erf)
    return {"hidden_states": w.norm(layer_norm, x, "encoder.layer_norm", 1e-5, bias=True)}
