# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shaped attention: values and outputs are W0 + dW; no attention skip."""

from formulas import layer_norm, rms_norm_outside
from simplified import relu_mlp, shaped, stored
from small import LAYERS, POSITIONS, TOKENS, VOCAB, WIDTH


def forward(w, inputs):
    table = w.table("transformer.wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids] + w.table("transformer.wpe.weight", POSITIONS, WIDTH)[:TOKENS]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = rms_norm_outside(x, w.gain(h + "ln_1.scale", WIDTH), 1e-5)
        v = n @ (stored(w, h + "attn.v_attn.id") + stored(w, h + "attn.v_attn.weight"))
        a = shaped(w, n, v, h, inputs)
        x = a @ (stored(w, h + "attn.c_proj.id") + stored(w, h + "attn.c_proj.weight"))
        n = rms_norm_outside(x, w.gain(h + "ln_2.scale", WIDTH), 1e-5)
        x = x + relu_mlp(w, n, h)
    x = w.norm(layer_norm, x, "transformer.ln_f", 1e-5, bias=True)
    return {"logits": x @ table.T}
