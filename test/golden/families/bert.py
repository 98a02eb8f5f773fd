# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BERT: post-norm, both ways, exact gelu, tokens of type 0, no pooler."""

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    x = w.table("bert.embeddings.word_embeddings.weight", VOCAB, WIDTH)[inputs.ids]
    x = x + w.table("bert.embeddings.position_embeddings.weight", POSITIONS, WIDTH)[:TOKENS]
    x = x + w.table("bert.embeddings.token_type_embeddings.weight", 2, WIDTH)[0]
    x = w.norm(layer_norm, x, "bert.embeddings.LayerNorm", 1e-12, bias=True)
    for layer in range(LAYERS):
        h = f"bert.encoder.layer.{layer}."
        names = ("query", "key", "value")
        q, k, v = project(w, x, h + "attention.self.", names, 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = x + w.linear(a, h + "attention.output.dense", WIDTH)
        x = w.norm(layer_norm, x, h + "attention.output.LayerNorm", 1e-12, bias=True)
        x = x + plain_mlp(w, x, h + "intermediate.dense", h + "output.dense", 256, gelu_erf)
        x = w.norm(layer_norm, x, h + "output.LayerNorm", 1e-12, bias=True)
    return {"hidden_states": x}
