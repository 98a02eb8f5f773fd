# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ANDREA: GPT-2's block with biases in the MLP only."""

from formulas import attend, gelu_tanh, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    table = w.table("wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids] + w.table("wpe.weight", POSITIONS, WIDTH)[:TOKENS]
    for layer in range(LAYERS):
        h = f"blocks.{layer}."
        n = w.norm(layer_norm, x, h + "ln1", 1e-5, bias=True)
        q, k, v = project(w, n, h + "attn.", ("q", "k", "v"), 3 * [WIDTH])
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
        x = x + w.linear(a, h + "attn.o", WIDTH, bias=False)
        n = w.norm(layer_norm, x, h + "ln2", 1e-5, bias=True)
        x = x + plain_mlp(w, n, h + "mlp.fc1", h + "mlp.fc2", 256, gelu_tanh)
    x = w.norm(layer_norm, x, "ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
