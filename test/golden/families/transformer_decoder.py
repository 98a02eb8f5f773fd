# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first Transformer's decoder: post-norm, three sublayers, sinusoids, relu."""

from formulas import attend, layer_norm, relu, scaled, sinusoid_pairs
from small import HEAD, HEADS, LAYERS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    names = ("q_proj", "k_proj", "v_proj")
    table = w.table("decoder.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids] * WIDTH**0.5 + sinusoid_pairs(TOKENS, WIDTH)
    for layer in range(LAYERS):
        h = f"decoder.layers.{layer}."
        q, k, v = project(w, x, h + "self_attn.", names, 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "self_attn.out_proj", WIDTH)
        x = w.norm(layer_norm, x, h + "self_attn_layer_norm", 1e-5, bias=True)
        (q,) = project(w, x, h + "encoder_attn.", names[:1], [WIDTH], True)
        k, v = project(w, inputs.encoder, h + "encoder_attn.", names[1:], 2 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.cross())
        x = x + w.linear(a, h + "encoder_attn.out_proj", WIDTH)
        x = w.norm(layer_norm, x, h + "encoder_attn_layer_norm", 1e-5, bias=True)
        x = x + plain_mlp(w, x, h + "fc1", h + "fc2", 256, relu)
        x = w.norm(layer_norm, x, h + "final_layer_norm", 1e-5, bias=True)
    return {"logits": x @ table.T}
