# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixtures of experts, row by row: each chosen expert is computed by itself."""

import numpy as np

from formulas import silu


def softmax(x):
    y = np.exp(x - x.max(axis=-1, keepdims=True))
    return y / y.sum(axis=-1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def router_logits(w, x, name, experts, bias=False):
    weight = w.tensor(name + ".weight", (experts, x.shape[-1]), deviation=3 * x.shape[-1] ** -0.5)
    return x @ weight.T + (w.bias(name + ".bias", experts) if bias else 0)


def choose(scores, chosen):
    """Places of the largest scores, the largest first."""
    return np.argsort(-scores, axis=-1, kind="stable")[..., :chosen]


def gated_experts(w, prefix, experts, hidden, width):
    """A function of (row, expert): SwiGLU with gate and up in one matrix."""
    gate_up = w.tensor(prefix + "gate_up_proj", (experts, 2 * hidden, width), deviation=width**-0.5)
    down = w.tensor(prefix + "down_proj", (experts, width, hidden), deviation=hidden**-0.5)

    def run(row, expert):
        both = gate_up[expert] @ row
        return down[expert] @ (silu(both[:hidden]) * both[hidden:])

    return run


def bounded_experts(w, prefix, experts, hidden, width, limit=7.0):
    """As gpt-oss has them: [in, out], gate and up by turns, bounded, with biases."""
    gate_up = w.tensor(prefix + "gate_up_proj", (experts, width, 2 * hidden), deviation=4 * width**-0.5)
    gate_up_bias = w.tensor(prefix + "gate_up_proj_bias", (experts, 2 * hidden), deviation=0.5)
    down = w.tensor(prefix + "down_proj", (experts, hidden, width), deviation=0.1 * hidden**-0.5)
    down_bias = w.tensor(prefix + "down_proj_bias", (experts, width), deviation=0.2)

    def run(row, expert):
        both = row @ gate_up[expert] + gate_up_bias[expert]
        gate, up = np.minimum(both[::2], limit), np.clip(both[1::2], -limit, limit)
        return (gate * sigmoid(1.702 * gate) * (up + 1)) @ down[expert] + down_bias[expert]

    return run


def mix(x, indices, weights, run):
    """The weighted sum of the chosen experts of each row."""
    result = np.zeros_like(x)
    for place in np.ndindex(x.shape[:-1]):
        for expert, weight in zip(indices[place], weights[place], strict=True):
            result[place] += weight * run(x[place], expert)
    return result


def softmax_mixture(w, x, prefix, experts, chosen, hidden, divided):
    """Weights are a softmax over all experts, divided by their sum or as they are."""
    scores = softmax(router_logits(w, x, prefix + "gate", experts))
    indices = choose(scores, chosen)
    weights = np.take_along_axis(scores, indices, axis=-1)
    if divided:
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return mix(x, indices, weights, gated_experts(w, prefix + "experts.", experts, hidden, x.shape[-1]))


def logit_mixture(x, logits, chosen, run):
    """Weights are a softmax over the chosen logits."""
    indices = choose(logits, chosen)
    return mix(x, indices, softmax(np.take_along_axis(logits, indices, axis=-1)), run)
