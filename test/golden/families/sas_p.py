# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SAS-P: SAS side by side on one norm, without any skip."""

import numpy as np

from formulas import layer_norm, rms_norm_outside
from simplified import relu_mlp, shaped, stored
from small import LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH


def forward(w, inputs):
    table = w.table("transformer.wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids] + w.table("transformer.wpe.weight", POSITIONS, WIDTH)[:TOKENS]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = rms_norm_outside(x, w.gain(h + "ln_1.scale", WIDTH), 1e-5)
        v = n @ (np.eye(WIDTH) + stored(w, h + "attn.v_attn.weight")) if layer == 0 else n
        x = shaped(w, n, v, h, inputs) + relu_mlp(w, n, h)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
