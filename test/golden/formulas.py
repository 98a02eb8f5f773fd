# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas of transformer blocks in NumPy float64, as their papers write them.

Written from the models' own definitions, not from Parablock's code: activations
are [batch, tokens, width], heads lie side by side in the last dimension.
"""

import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])


# Activations ------------------------------------------------------------------


def relu(x):
    return np.maximum(x, 0.0)


def relu_squared(x):
    return relu(x) ** 2


def gelu_erf(x):
    return 0.5 * x * (1.0 + erf(x / math.sqrt(2.0)))


def gelu_tanh(x):
    return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def silu(x):
    return x / (1.0 + np.exp(-x))


# Norms ------------------------------------------------------------------------


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    centred = x - x.mean(-1, keepdims=True)
    y = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps)
    y = y if gamma is None else y * gamma
    return y if beta is None else y + beta


def rms_norm(x, gamma=None, eps=1e-6):
    y = x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)
    return y if gamma is None else y * gamma


def rms_norm_outside(x, gamma, eps):
    """x / (rms + eps): the epsilon is added to the root, not under it."""
    return x / (np.sqrt((x**2).mean(-1, keepdims=True)) + eps) * gamma


# Positions --------------------------------------------------------------------


def rotary_table(tokens, dim, base=10000.0):
    """Cosines and sines [tokens, dim / 2]."""
    angles = np.arange(tokens)[:, None] * base ** (-2.0 * np.arange(dim // 2) / dim)[None, :]
    return np.cos(angles), np.sin(angles)


def to_bfloat16(x):
    """The nearest bf16 numbers, ties to even."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return (rounded << np.uint32(16)).view(np.float32).astype(np.float64)


def _rotate(x, heads, dim, base, first, second, rounded):
    """Rotates the pairs (first[i], second[i]) of every head by angle i."""
    batch, tokens, width = x.shape
    y = x.reshape(batch, tokens, heads, width // heads).copy()
    cos, sin = (rounded(t)[None, :, None, :] for t in rotary_table(tokens, dim, base))
    a, b = y[..., first].copy(), y[..., second].copy()
    y[..., first] = a * cos - b * sin
    y[..., second] = b * cos + a * sin
    return y.reshape(x.shape)


def rope_half(x, heads, dim, base=10000.0, rounded=np.asarray):
    """Component i goes with i + dim/2; `rounded` is done to the table."""
    half = np.arange(dim // 2)
    return _rotate(x, heads, dim, base, half, half + dim // 2, rounded)


def rope_interleaved(x, heads, dim, base=10000.0):
    """Component 2i goes with 2i + 1."""
    even = 2 * np.arange(dim // 2)
    return _rotate(x, heads, dim, base, even, even + 1, np.asarray)


def sinusoid_concatenated(tokens, width):
    """All sines, then all cosines, of 10000^(-2i/width) t."""
    cos, sin = rotary_table(tokens, width)
    return np.concatenate([sin, cos], axis=-1)


def sinusoid_pairs(tokens, width):
    """Sine and cosine side by side, as in the first Transformer paper."""
    cos, sin = rotary_table(tokens, width)
    return np.stack([sin, cos], axis=-1).reshape(tokens, width)


def alibi(heads, tokens, largest=8.0):
    """-slope_h |i - j| for a number of heads that is a power of two."""
    slopes = 2.0 ** (-largest * np.arange(1, heads + 1) / heads)
    i = np.arange(tokens)
    return -slopes[:, None, None] * np.abs(i[:, None] - i[None, :])


def t5_bias(table, tokens, bidirectional, max_distance=128):
    """Rows of table [buckets, heads] by relative position, as [heads, T, T]."""
    buckets = table.shape[0] // 2 if bidirectional else table.shape[0]
    exact = buckets // 2
    rows = np.empty((tokens, tokens), dtype=int)
    for i in range(tokens):
        for j in range(tokens):
            distance = abs(i - j) if bidirectional else max(i - j, 0)
            if distance < exact:
                bucket = distance
            else:
                share = np.log(np.float32(distance / exact)) / np.float32(
                    math.log(max_distance / exact)
                )
                bucket = min(buckets - 1, exact + int(share * np.float32(buckets - exact)))
            rows[i, j] = bucket + (buckets if bidirectional and j > i else 0)
    return table[rows].transpose(2, 0, 1)


# Attention --------------------------------------------------------------------


def split_heads(x, heads):
    """[batch, heads, tokens, size of a head]"""
    batch, tokens, width = x.shape
    return x.reshape(batch, tokens, heads, width // heads).transpose(0, 2, 1, 3)


def merge_heads(x):
    batch, heads, tokens, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, tokens, heads * size)


def per_head(norm, x, heads):
    """Applies norm to every head on its own."""
    batch, tokens, width = x.shape
    return norm(x.reshape(batch, tokens, heads, width // heads)).reshape(x.shape)


def allowed_keys(batch, queries, keys, causal=False, window=None, lengths=None):
    """Which keys a query may see, [batch, 1, queries, keys]."""
    i, j = np.arange(queries)[:, None], np.arange(keys)[None, :]
    mask = np.ones((batch, 1, queries, keys), dtype=bool)
    if causal:
        mask &= j <= i
    if window is not None:
        mask &= i - j < window
    if lengths is not None:
        mask &= j < np.asarray(lengths)[:, None, None, None]
    return mask


def softmax(scores, allowed):
    """Over the allowed keys; a row without any is zero."""
    hidden = np.where(allowed, scores, -np.inf)
    top = hidden.max(-1, keepdims=True)
    powers = np.exp(hidden - np.where(np.isfinite(top), top, 0.0))
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total > 0.0, total, 1.0)


def uniform(allowed):
    """1 / n for each of the n allowed keys: softmax at zero logits."""
    return softmax(np.zeros(allowed.shape), allowed)


def attention_weights(q, k, heads, kv_heads, score, allowed):
    """softmax(score(q k^T)); query head h reads key head h / (heads / kv_heads)."""
    k = np.repeat(split_heads(k, kv_heads), heads // kv_heads, axis=1)
    products = split_heads(q, heads) @ k.transpose(0, 1, 3, 2)
    return softmax(score(products), allowed)


def attend(q, k, v, heads, kv_heads, score, allowed):
    """The heads' weighted sums of values, side by side."""
    weights = attention_weights(q, k, heads, kv_heads, score, allowed)
    return merge_heads(weights @ np.repeat(split_heads(v, kv_heads), heads // kv_heads, axis=1))


def scaled(factor):
    """A score that is only scaled."""
    return lambda products: products * factor
