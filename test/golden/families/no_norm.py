# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SAS-P without norms, but for a layer norm in layer 0."""

import numpy as np

from formulas import layer_norm
from simplified import relu_mlp, shaped, stored
from small import LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH


def forward(w, inputs):
    table = w.table("transformer.wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids] + w.table("transformer.wpe.weight", POSITIONS, WIDTH)[:TOKENS]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = w.norm(layer_norm, x, h + "ln_1", 1e-5, bias=True) if layer == 0 else x
        v = n @ (np.eye(WIDTH) + stored(w, h + "attn.v_attn.weight")) if layer == 0 else n
        x = shaped(w, n, v, h, inputs) + relu_mlp(w, n, h)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
