# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the blocks without an attention skip share; matrices are [in, out]."""

from formulas import (
    attention_weights,
    merge_heads,
    relu,
    scaled,
    split_heads,
    uniform,
)
from small import HEAD, HEADS, WIDTH


def stored(w, name):
    """A change of the identity or of a start; small, as both add up."""
    return w.tensor(name, (WIDTH, WIDTH), deviation=0.7 * WIDTH**-0.5)


def shaped(w, n, v, h, inputs, centred=True):
    """alpha V + beta softmax V - gamma C V, C uniform over the keys allowed.

    The gains are one per head; queries and keys are one matrix with a bias.
    """

    def gain(name):
        return w.tensor(h + name, (1, HEADS, 1, 1), mean=1.0, deviation=0.2)

    qk = w.conv1d(n, h + "attn.qk_attn", 2 * WIDTH)
    q, k = qk[..., :WIDTH], qk[..., WIDTH:]
    keys, values = inputs.causal(), split_heads(v, HEADS)
    weights = attention_weights(q, k, HEADS, HEADS, scaled(HEAD**-0.5), keys)
    result = gain("attn.attn_mat_skip_gain") * values
    result = result + gain("attn.attn_mat_resid_gain") * (weights @ values)
    if centred:
        result = result - gain("attn.centre_attn_gain") * (uniform(keys) @ values)
    return merge_heads(result)


def relu_mlp(w, n, h):
    """Without biases, times a trained gain of about 0.1."""
    up = w.tensor(h + "mlp.c_fc.weight", (WIDTH, 256), deviation=WIDTH**-0.5)
    down = w.tensor(h + "mlp.c_proj.weight", (256, WIDTH), deviation=256**-0.5)
    gain = w.tensor(h + "mlp_block_resid_gain", (1,), mean=0.1, deviation=0.02)
    return gain * (relu(n @ up) @ down)
