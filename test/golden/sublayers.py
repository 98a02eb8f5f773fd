# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Projections and MLPs that several families store alike."""


def project(w, x, prefix, names, widths, bias=False):
    """One linear per name, out of x."""
    return [
        w.linear(x, prefix + name, width, bias) for name, width in zip(names, widths, strict=True)
    ]


def plain_mlp(w, x, up, down, hidden, activation, bias=True):
    return w.linear(activation(w.linear(x, up, hidden, bias)), down, x.shape[-1], bias)


def gated_mlp(w, x, gate, up, down, hidden, activation):
    """down(activation(gate x) * up x), without biases."""
    product = activation(w.linear(x, gate, hidden, False)) * w.linear(x, up, hidden, False)
    return w.linear(product, down, x.shape[-1], False)


def llama_qkv(w, x, prefix, heads_width, kv_width, bias=False):
    names = ("q_proj", "k_proj", "v_proj")
    return project(w, x, prefix + "self_attn.", names, (heads_width, kv_width, kv_width), bias)


def llama_mlp(w, x, prefix, hidden, activation):
    names = (prefix + f"mlp.{name}_proj" for name in ("gate", "up", "down"))
    return gated_mlp(w, x, *names, hidden, activation)
