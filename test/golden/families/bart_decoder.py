# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BART's decoder: post-norm, three sublayers, positions from row 2 on."""

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    names = ("q_proj", "k_proj", "v_proj")
    table = w.table("model.shared.weight", VOCAB, WIDTH)
    positions = w.table("model.decoder.embed_positions.weight", POSITIONS + 2, WIDTH)
    x = table[inputs.ids] + positions[2 : TOKENS + 2]
    x = w.norm(layer_norm, x, "model.decoder.layernorm_embedding", 1e-5, bias=True)
    for layer in range(LAYERS):
        h = f"model.decoder.layers.{layer}."
        q, k, v = project(w, x, h + "self_attn.", names, 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "self_attn.out_proj", WIDTH)
        x = w.norm(layer_norm, x, h + "self_attn_layer_norm", 1e-5, bias=True)
        (q,) = project(w, x, h + "encoder_attn.", names[:1], [WIDTH], True)
        k, v = project(w, inputs.encoder, h + "encoder_attn.", names[1:], 2 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.cross())
        x = x + w.linear(a, h + "encoder_attn.out_proj", WIDTH)
        x = w.norm(layer_norm, x, h + "encoder_attn_layer_norm", 1e-5, bias=True)
        x = x + plain_mlp(w, x, h + "fc1", h + "fc2", 256, gelu_erf)
        x = w.norm(layer_norm, x, h + "final_layer_norm", 1e-5, bias=True)
    bias = w.tensor("final_logits_bias", (1, VOCAB), mean=0.1, deviation=0.2)
    return {"logits": x @ table.T + bias}
