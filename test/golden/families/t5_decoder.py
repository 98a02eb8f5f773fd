# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T5's decoder: causal buckets, cross-attention without bias, scaled tied head."""

from formulas import attend, relu, rms_norm, scaled, t5_bias
from small import HEADS, LAYERS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    shared = w.table("shared.weight", VOCAB, WIDTH)
    x = shared[inputs.ids]
    table = w.table(
        "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, HEADS
    )
    bias = t5_bias(table, TOKENS, bidirectional=False)
    for layer in range(LAYERS):
        h = f"decoder.block.{layer}."
        n = w.norm(rms_norm, x, h + "layer.0.layer_norm", 1e-6)
        q, k, v = project(w, n, h + "layer.0.SelfAttention.", "qkv", 3 * [WIDTH])
        a = attend(q, k, v, HEADS, HEADS, lambda products: products + bias, inputs.causal())
        x = x + w.linear(a, h + "layer.0.SelfAttention.o", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "layer.1.layer_norm", 1e-6)
        (q,) = project(w, n, h + "layer.1.EncDecAttention.", "q", [WIDTH])
        k, v = project(w, inputs.encoder, h + "layer.1.EncDecAttention.", "kv", 2 * [WIDTH])
        a = attend(q, k, v, HEADS, HEADS, scaled(1.0), inputs.cross())
        x = x + w.linear(a, h + "layer.1.EncDecAttention.o", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "layer.2.layer_norm", 1e-6)
        mlp = h + "layer.2.DenseReluDense."
        x = x + plain_mlp(w, n, mlp + "wi", mlp + "wo", 256, relu, bias=False)
    x = w.norm(rms_norm, x, "decoder.final_layer_norm", 1e-6)
    return {"logits": x * WIDTH**-0.5 @ shared.T}
