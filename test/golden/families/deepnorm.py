# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DeepNorm: a post-norm encoder whose skip is scaled by (2 N)^(1/4)."""

from formulas import attend, layer_norm, relu, scaled, sinusoid_concatenated
from small import HEAD, HEADS, LAYERS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    table = w.table("encoder.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids] * WIDTH**0.5 + sinusoid_concatenated(TOKENS, WIDTH)
    alpha = (2 * LAYERS) ** 0.25
    for layer in range(LAYERS):
        h = f"encoder.layers.{layer}."
        q, k, v = project(w, x, h + "self_attn.", ("q_proj", "k_proj", "v_proj"), 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = alpha * x + w.linear(a, h + "self_attn.out_proj", WIDTH)
        x = w.norm(layer_norm, x, h + "self_attn_layer_norm", 1e-5, bias=True)
        x = alpha * x + plain_mlp(w, x, h + "fc1", h + "fc2", 256, relu)
        x = w.norm(layer_norm, x, h + "final_layer_norm", 1e-5, bias=True)
    return {"hidden_states": x}
