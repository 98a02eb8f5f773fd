# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same side by side on one norm, both branches times 0.7071."""

from formulas import attend, per_head, relu_squared, rms_norm, rope_half, scaled, to_bfloat16
from small import HEAD, HEADS, LAYERS, VOCAB, WIDTH
from sublayers import plain_mlp, project


def norm(x):
    """Without gain; the epsilon is what float32 resolves."""
    return rms_norm(x, eps=2.0**-23)


def attention(w, n, h, inputs):
    """Rotated by a table in bf16, then normalised; scores scaled as usual."""
    q, k, v = project(w, n, h + "attn.", ("c_q", "c_k", "c_v"), 3 * [WIDTH])
    q, k = (rope_half(y, HEADS, HEAD, rounded=to_bfloat16) for y in (q, k))
    q, k = (per_head(norm, y, HEADS) for y in (q, k))
    a = attend(q, k, v, HEADS, HEADS, scaled(HEAD**-0.5), inputs.causal())
    return w.linear(a, h + "attn.c_proj", WIDTH, bias=False)


def forward(w, inputs):
    table = w.table("transformer.wte.weight", VOCAB, WIDTH)
    x = table[inputs.ids]
    for layer in range(LAYERS):
        h = f"transformer.h.{layer}."
        n = norm(x)
        f = plain_mlp(w, n, h + "mlp.c_fc", h + "mlp.c_proj", 256, relu_squared, bias=False)
        x = x + 0.7071 * (attention(w, n, h, inputs) + f)
    return {"logits": norm(x) @ table.T}
