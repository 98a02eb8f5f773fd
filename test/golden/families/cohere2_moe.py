# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cohere2 MoE: side by side, interleaved rotation with a window, half of routed and shared experts."""

from expert_formulas import gated_experts, logit_mixture, router_logits
from formulas import attend, layer_norm, rope_interleaved, scaled, silu
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import gated_mlp, llama_qkv


def forward(w, inputs):
    table = w.table("model.embed_tokens.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        n = w.norm(layer_norm, x, h + "input_layernorm", 1e-5)
        q, k, v = llama_qkv(w, n, h, WIDTH, 2 * HEAD)
        # Every fourth layer has neither, and there are two layers.
        q, k = rope_interleaved(q, HEADS, HEAD), rope_interleaved(k, 2, HEAD)
        a = attend(q, k, v, HEADS, 2, scaled(HEAD**-0.5), inputs.causal(window=4096))
        a = w.linear(a, h + "self_attn.o_proj", WIDTH, bias=False)
        logits = router_logits(w, n, h + "mlp.gate", 8)
        routed = logit_mixture(n, logits, 2, gated_experts(w, h + "mlp.experts.", 8, 176, WIDTH))
        names = (h + f"mlp.shared_experts.{name}_proj" for name in ("gate", "up", "down"))
        shared = gated_mlp(w, n, *names, 176, silu)
        x = x + a + (routed + shared) / 2
    return {"logits": 0.0625 * (w.norm(layer_norm, x, "model.norm", 1e-5) @ table.T)}
