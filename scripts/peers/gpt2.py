# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layer of GPT-2 in other frameworks, over norms and matrices by name, for single layers and for training."""


def run_torch_layer(x, heads, norm, linear):
    from torch.nn import functional as F

    batch, tokens, width = x.shape
    parts = linear(norm(x, "ln_1"), "attn.c_attn").split(width, -1)
    q, k, v = (part.view(batch, tokens, heads, -1).transpose(1, 2) for part in parts)
    a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear(a.transpose(1, 2).reshape(x.shape), "attn.c_proj")
    h = F.gelu(linear(norm(x, "ln_2"), "mlp.c_fc"), approximate="tanh")
    return x + linear(h, "mlp.c_proj")


def normalise_in_jax(x, kind):
    """Rows of mean 0 and variance 1, computed in f32."""
    import jax
    import jax.numpy as jnp

    wide = x.astype(jnp.float32)
    centred = wide - wide.mean(-1, keepdims=True)
    return (centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)).astype(kind)


def run_jax_layer(x, heads, norm, linear):
    import jax
    import jax.numpy as jnp

    batch, tokens, _ = x.shape
    parts = jnp.split(linear(norm(x, "ln_1"), "attn.c_attn"), 3, axis=-1)
    q, k, v = (part.reshape(batch, tokens, heads, -1) for part in parts)
    a = jax.nn.dot_product_attention(q, k, v, is_causal=True)
    x = x + linear(a.reshape(x.shape), "attn.c_proj")
    h = jax.nn.gelu(linear(norm(x, "ln_2"), "mlp.c_fc"), approximate=True)
    return x + linear(h, "mlp.c_proj")


def limit_jax(threads):
    """Its pool has as many threads as the process may use cores, which it asks when it starts."""
    import os

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
