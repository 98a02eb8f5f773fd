# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T5's encoder: RMS norms, unscaled scores, bucketed bias of block 0, relu."""

from formulas import attend, relu, rms_norm, t5_bias
from small import HEADS, LAYERS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    x = w.table("shared.weight", VOCAB, WIDTH)[inputs.ids]
    table = w.table(
        "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, HEADS
    )
    bias = t5_bias(table, TOKENS, bidirectional=True)
    for layer in range(LAYERS):
        h = f"encoder.block.{layer}."
        n = w.norm(rms_norm, x, h + "layer.0.layer_norm", 1e-6)
        q, k, v = project(w, n, h + "layer.0.SelfAttention.", "qkv", 3 * [WIDTH])
        a = attend(q, k, v, HEADS, HEADS, lambda products: products + bias, inputs.both_ways())
        x = x + w.linear(a, h + "layer.0.SelfAttention.o", WIDTH, bias=False)
        n = w.norm(rms_norm, x, h + "layer.1.layer_norm", 1e-6)
        mlp = h + "layer.1.DenseReluDense."
        x = x + plain_mlp(w, n, mlp + "wi", mlp + "wo", 256, relu, bias=False)
    return {"hidden_states": w.norm(rms_norm, x, "encoder.final_layer_norm", 1e-6)}
