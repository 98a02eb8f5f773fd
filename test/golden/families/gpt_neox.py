# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPT-NeoX: side by side on two norms; q, k, v per head; exact gelu."""

from formulas import attend, gelu_erf, layer_norm, rope_half, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    x = w.table("gpt_neox.embed_in.weight", VOCAB, WIDTH)[inputs.ids]
    for layer in range(LAYERS):
        h = f"gpt_neox.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5, bias=True)
        qkv = w.linear(n, h + "attention.query_key_value", 3 * WIDTH)
        qkv = qkv.reshape(*n.shape[:2], HEADS, 3, HEAD)
        q, k, v = (qkv[..., part, :].reshape(n.shape) for part in range(3))
        q, k = rope_half(q, HEADS, 4), rope_half(k, HEADS, 4)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "attention.dense", WIDTH)
        n = w.norm(layer_norm, x, h + "post_attention_layernorm", 1e-5, bias=True)
        up, down = h + "mlp.dense_h_to_4h", h + "mlp.dense_4h_to_h"
        x = x + a + plain_mlp(w, n, up, down, 256, gelu_erf)
    x = w.norm(layer_norm, x, "gpt_neox.final_layer_norm", 1e-5, bias=True)
    return {"logits": w.linear(x, "embed_out", VOCAB, bias=False)}
