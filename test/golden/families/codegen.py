# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CodeGen: GPT-J with q, v and k in one matrix of four shards."""

from formulas import attend, gelu_tanh, layer_norm, rope_interleaved, scaled
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import plain_mlp


def forward(w, inputs):
    x = w.table("transformer.wte.weight", VOCAB, WIDTH)[inputs.ids]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = w.norm(layer_norm, x, h + "ln_1", 1e-5, bias=True)
        shards = w.linear(n, h + "attn.qkv_proj", 3 * WIDTH, bias=False).reshape(
            *n.shape[:2], 4, 3, -1
        )
        q, v, k = (shards[..., part, :].reshape(n.shape) for part in range(3))
        q, k = rope_interleaved(q, HEADS, 4), rope_interleaved(k, HEADS, 4)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        a = w.linear(a, h + "attn.out_proj", WIDTH, bias=False)
        x = x + a + plain_mlp(w, n, h + "mlp.fc_in", h + "mlp.fc_out", 256, gelu_tanh)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": w.linear(x, "lm_head", VOCAB)}
