# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RoBERTa: BERT with positions that count the ids other than the pad, 1."""

import numpy as np

from formulas import attend, gelu_erf, layer_norm, scaled
from small import HEAD, HEADS, LAYERS, POSITIONS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def forward(w, inputs):
    counted = inputs.ids != 1
    rows = 1 + counted * np.cumsum(counted, axis=1)
    x = w.table("roberta.embeddings.word_embeddings.weight", VOCAB, WIDTH)[inputs.ids]
    x = x + w.table("roberta.embeddings.position_embeddings.weight", POSITIONS + 2, WIDTH)[rows]
    x = x + w.table("roberta.embeddings.token_type_embeddings.weight", 1, WIDTH)[0]
    x = w.norm(layer_norm, x, "roberta.embeddings.LayerNorm", 1e-5, bias=True)
    for layer in range(LAYERS):
        h = f"roberta.encoder.layer.{layer}."
        names = ("query", "key", "value")
        q, k, v = project(w, x, h + "attention.self.", names, 3 * [WIDTH], True)
        a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.both_ways())
        x = x + w.linear(a, h + "attention.output.dense", WIDTH)
        x = w.norm(layer_norm, x, h + "attention.output.LayerNorm", 1e-5, bias=True)
        x = x + plain_mlp(w, x, h + "intermediate.dense", h + "output.dense", 256, gelu_erf)
        x = w.norm(layer_norm, x, h + "output.LayerNorm", 1e-5, bias=True)
    return {"hidden_states": x}
