# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OPT: pre-norm, separate projections, relu, positions from row 2 on."""

from formulas import attend, layer_norm, relu, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    table = w.table("model.decoder.embed_tokens.weight", VOCAB, WIDTH)
    positions = w.table("model.decoder.embed_positions.weight", POSITIONS + 2, WIDTH)
    x = table[inputs.ids] + positions[2 : TOKENS + 2]
    for layer in range(LAYERS):
        h = f"model.decoder.layers.{layer}."
        n = w.norm(layer_norm, x, h + "self_attn_layer_norm", 1e-5, bias=True)
        q, k, v = project(w, n, h + "self_attn.", ("q_proj", "k_proj", "v_proj"), 3 * [WIDTH], True)
        a = attend(q * HEAD**-0.5, k, v, HEADS, HEADS, scaled(1.0), inputs.causal())
        x = x + w.linear(a, h + "self_attn.out_proj", WIDTH)
        n = w.norm(layer_norm, x, h + "final_layer_norm", 1e-5, bias=True)
        x = x + plain_mlp(w, n, h + "fc1", h + "fc2", 256, relu)
    x = w.norm(layer_norm, x, "model.decoder.final_layer_norm", 1e-5, bias=True)
    return {"logits": x @ table.T}
