# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformer blocks as people write them in JAX: by hand, in Flax and in Equinox."""

import equinox
import jax
import jax.numpy as jnp
import numpy as np
from flax import linen, nnx

WIDTH, TOKENS, HEADS, HIDDEN, VOCABULARY = 32, 8, 4, 64, 61
DIM = WIDTH // HEADS


class Draw:
    """Weights in order, from one seed."""

    def __init__(self, seed=0):
        self.random = np.random.default_rng(seed)

    def __call__(self, *shape, mean=0.0):
        spread = 0.5 / np.sqrt(shape[0]) if len(shape) > 1 else 0.1
        return jnp.asarray(self.random.standard_normal(shape) * spread + mean, jnp.float32)


def layer_norm(x, g, b, eps=1e-5):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(x.var(-1, keepdims=True) + eps) * g + b


def rms_norm(x, g, eps=1e-6):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + eps) * g


def rotate(x):
    rates = 1.0 / 10000 ** (jnp.arange(0, DIM, 2) / DIM)
    angles = jnp.arange(x.shape[1])[:, None] * rates
    cos, sin = jnp.cos(angles)[None, :, None], jnp.sin(angles)[None, :, None]
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def attend(q, k, v, mask=None, cap=None):
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(DIM)
    if cap:
        scores = jnp.tanh(scores / cap) * cap
    if mask is not None:
        scores = jnp.where(mask, scores, -1e10)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores, axis=-1), v)


def below(tokens):
    return jnp.tril(jnp.ones((tokens, tokens), bool))


def gpt2_weights(draw):
    return dict(g1=draw(WIDTH, mean=1), b1=draw(WIDTH), qkv=draw(WIDTH, 3 * WIDTH),
                qkv_b=draw(3 * WIDTH), o=draw(WIDTH, WIDTH), o_b=draw(WIDTH),
                g2=draw(WIDTH, mean=1), b2=draw(WIDTH), up=draw(WIDTH, HIDDEN), up_b=draw(HIDDEN),
                down=draw(HIDDEN, WIDTH), down_b=draw(WIDTH))


def gpt2(x, w):
    h = layer_norm(x, w["g1"], w["b1"]) @ w["qkv"] + w["qkv_b"]
    q, k, v = (y.reshape(*x.shape[:2], HEADS, DIM) for y in jnp.split(h, 3, -1))
    x = x + attend(q, k, v, below(x.shape[1])).reshape(x.shape) @ w["o"] + w["o_b"]
    h = jax.nn.gelu(layer_norm(x, w["g2"], w["b2"]) @ w["up"] + w["up_b"])
    return x + h @ w["down"] + w["down_b"]


def stack(x, w):
    return jax.lax.scan(lambda x, w: (gpt2(x, w), None), x, w)[0]


def stacked_weights(draw):
    layers = [gpt2_weights(draw) for _ in range(3)]
    return jax.tree.map(lambda *parts: jnp.stack(parts), *layers)


def llama_weights(draw):
    return dict(g1=draw(WIDTH, mean=1), q=draw(WIDTH, HEADS, DIM), k=draw(WIDTH, 2, DIM),
                v=draw(WIDTH, 2, DIM), o=draw(HEADS, DIM, WIDTH), g2=draw(WIDTH, mean=1),
                gate=draw(WIDTH, HIDDEN), up=draw(WIDTH, HIDDEN), down=draw(HIDDEN, WIDTH))


def llama(x, w, activation=jax.nn.silu, offset=0.0, cap=None):
    h = rms_norm(x, offset + w["g1"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", h, w[n]) for n in "qkv")
    q, k = rotate(q), rotate(k)
    k, v = jnp.repeat(k, 2, axis=2), jnp.repeat(v, 2, axis=2)
    x = x + jnp.einsum("bthe,hed->btd", attend(q, k, v, below(x.shape[1]), cap), w["o"])
    h = rms_norm(x, offset + w["g2"])
    return x + (activation(h @ w["gate"]) * (h @ w["up"])) @ w["down"]


def gptj(x, w):
    h = layer_norm(x, w["g1"], w["b1"])
    q, k, v = (y.reshape(*x.shape[:2], HEADS, DIM) for y in jnp.split(h @ w["qkv"], 3, -1))
    attention = attend(rotate(q), rotate(k), v, below(x.shape[1])).reshape(x.shape) @ w["o"]
    return x + attention + jax.nn.gelu(h @ w["up"] + w["up_b"]) @ w["down"] + w["down_b"]


def bert_weights(draw):
    return dict(words=draw(VOCABULARY, WIDTH), places=draw(TOKENS, WIDTH), ge=draw(WIDTH, mean=1),
                be=draw(WIDTH), pool=draw(WIDTH, WIDTH), pool_b=draw(WIDTH), out=draw(WIDTH, 3),
                **gpt2_weights(draw))


def bert(ids, mask, w):
    x = layer_norm(w["words"][ids] + w["places"], w["ge"], w["be"])
    q, k, v = (y.reshape(*x.shape[:2], HEADS, DIM)
               for y in jnp.split(x @ w["qkv"] + w["qkv_b"], 3, -1))
    a = attend(q, k, v, mask[:, None, None, :] != 0).reshape(x.shape) @ w["o"] + w["o_b"]
    x = layer_norm(x + a, w["g1"], w["b1"])
    h = jax.nn.gelu(x @ w["up"] + w["up_b"], approximate=False) @ w["down"] + w["down_b"]
    x = layer_norm(x + h, w["g2"], w["b2"])
    return jax.nn.softmax(jnp.tanh(x[:, 0] @ w["pool"] + w["pool_b"]) @ w["out"])


def vit_weights(draw):
    return dict(patch=draw(48, WIDTH), patch_b=draw(WIDTH), first=draw(1, 1, WIDTH),
                places=draw(1, 17, WIDTH), gf=draw(WIDTH, mean=1), bf=draw(WIDTH),
                head=draw(WIDTH, 5), **gpt2_weights(draw))


def vit(image, w):
    x = image.reshape(-1, 4, 4, 4, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 16, 48)
    x = x @ w["patch"] + w["patch_b"]
    x = jnp.concatenate([jnp.broadcast_to(w["first"], (x.shape[0], 1, WIDTH)), x], 1) + w["places"]
    h = layer_norm(x, w["g1"], w["b1"]) @ w["qkv"] + w["qkv_b"]
    q, k, v = (y.reshape(*x.shape[:2], HEADS, DIM) for y in jnp.split(h, 3, -1))
    x = x + attend(q, k, v).reshape(x.shape) @ w["o"] + w["o_b"]
    h = jax.nn.gelu(layer_norm(x, w["g2"], w["b2"]) @ w["up"] + w["up_b"])
    x = layer_norm(x + h @ w["down"] + w["down_b"], w["gf"], w["bf"])
    return x[:, 0] @ w["head"]


def language_weights(draw):
    return dict(words=draw(VOCABULARY, WIDTH), places=draw(TOKENS, WIDTH), gf=draw(WIDTH, mean=1),
                bf=draw(WIDTH), **gpt2_weights(draw))


def language(ids, w):
    x = layer_norm(gpt2(w["words"][ids] + w["places"], w), w["gf"], w["bf"])
    return jax.nn.log_softmax(x @ w["words"].T)


def own_attention(x, w):
    """jax.nn's own attention."""
    h = layer_norm(x, w["g1"], w["b1"]) @ w["qkv"] + w["qkv_b"]
    q, k, v = (y.reshape(*x.shape[:2], HEADS, DIM) for y in jnp.split(h, 3, -1))
    x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ w["o"]
    h = jax.nn.relu(layer_norm(x, w["g2"], w["b2"]) @ w["up"] + w["up_b"])
    return x + h @ w["down"] + w["down_b"]


def alibi(x, w):
    h = layer_norm(x, w["g1"], w["b1"]) @ w["qkv"] + w["qkv_b"]
    q, k, v = (y.reshape(*x.shape[:2], HEADS, DIM) for y in jnp.split(h, 3, -1))
    place = jnp.arange(x.shape[1])
    slopes = 2.0 ** (-8.0 * (jnp.arange(HEADS) + 1) / HEADS)
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(DIM)
    scores = scores + slopes[:, None, None] * (place[None, :] - place[:, None])
    scores = jnp.where(below(x.shape[1]), scores, jnp.finfo(scores.dtype).min)
    y = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores, -1), v)
    x = x + y.reshape(x.shape) @ w["o"] + w["o_b"]
    h = jax.nn.gelu(layer_norm(x, w["g2"], w["b2"]) @ w["up"] + w["up_b"])
    return x + h @ w["down"] + w["down_b"]


class LinenBlock(linen.Module):
    causal: bool = False
    activation: object = linen.gelu

    @linen.compact
    def __call__(self, x):
        mask = linen.make_causal_mask(jnp.ones(x.shape[:2])) if self.causal else None
        h = linen.LayerNorm()(x)
        x = x + linen.MultiHeadDotProductAttention(HEADS)(h, h, mask=mask)
        h = self.activation(linen.Dense(HIDDEN)(linen.LayerNorm()(x)))
        return x + linen.Dense(WIDTH)(h)


class LinenGated(linen.Module):
    @linen.compact
    def __call__(self, x):
        h = linen.RMSNorm()(x)
        x = x + linen.MultiHeadDotProductAttention(HEADS, use_bias=False, normalize_qk=True)(h, h)
        h = linen.RMSNorm()(x)
        up = linen.Dense(HIDDEN, use_bias=False)
        return x + linen.Dense(WIDTH, use_bias=False)(
            linen.silu(linen.Dense(HIDDEN, use_bias=False)(h)) * up(h))


class NnxBlock(nnx.Module):
    def __init__(self, rngs):
        self.norm1, self.norm2 = nnx.LayerNorm(WIDTH, rngs=rngs), nnx.LayerNorm(WIDTH, rngs=rngs)
        self.attn = nnx.MultiHeadAttention(HEADS, WIDTH, decode=False, rngs=rngs)
        self.up, self.down = nnx.Linear(WIDTH, HIDDEN, rngs=rngs), nnx.Linear(HIDDEN, WIDTH, rngs=rngs)

    def __call__(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.down(nnx.relu(self.up(self.norm2(x))))


class EquinoxBlock(equinox.Module):
    norm1: equinox.nn.LayerNorm
    norm2: equinox.nn.LayerNorm
    attn: equinox.nn.MultiheadAttention
    up: equinox.nn.Linear
    down: equinox.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 3)
        self.norm1, self.norm2 = equinox.nn.LayerNorm(WIDTH), equinox.nn.LayerNorm(WIDTH)
        self.attn = equinox.nn.MultiheadAttention(HEADS, WIDTH, key=keys[0])
        self.up = equinox.nn.Linear(WIDTH, HIDDEN, key=keys[1])
        self.down = equinox.nn.Linear(HIDDEN, WIDTH, key=keys[2])

    def __call__(self, x):
        h = jax.vmap(self.norm1)(x)
        x = x + self.attn(h, h, h)
        h = jax.vmap(self.norm2)(x)
        return x + jax.vmap(lambda row: self.down(jax.nn.gelu(self.up(row))))(h)


def stream():
    return jnp.asarray(np.random.default_rng(1).standard_normal((2, TOKENS, WIDTH)), jnp.float32)


def ids():
    return jnp.asarray(np.random.default_rng(2).integers(1, VOCABULARY, (2, TOKENS)), jnp.int32)


def linen_case(block):
    return lambda x, w: block.apply(w, x), (stream(),), block.init(jax.random.key(0), stream())


def nnx_case():
    graph, state = nnx.split(NnxBlock(nnx.Rngs(0)))
    return lambda x, w: nnx.merge(graph, w)(x), (stream(),), state


def equinox_case():
    weights, fixed = equinox.partition(EquinoxBlock(jax.random.key(0)), equinox.is_array)
    return lambda x, w: jax.vmap(equinox.combine(w, fixed))(x), (stream(),), weights


def gemma(x, w):
    return llama(x, w, lambda y: jax.nn.gelu(y, approximate=True), offset=1.0, cap=30.0)


IMAGE = jnp.asarray(np.random.default_rng(3).standard_normal((2, 16, 16, 3)), jnp.float32)
MASK = jnp.asarray(np.arange(TOKENS)[None] < np.array([[TOKENS], [TOKENS - 3]]), jnp.int32)

# name -> what returns (function of inputs and weights, inputs, weights)
MODELS = {
    "gpt2": lambda: (gpt2, (stream(),), gpt2_weights(Draw())),
    "scan": lambda: (stack, (stream(),), stacked_weights(Draw())),
    "llama": lambda: (llama, (stream(),), llama_weights(Draw())),
    "gemma": lambda: (gemma, (stream(),), llama_weights(Draw())),
    "gptj": lambda: (gptj, (stream(),), gpt2_weights(Draw())),
    "bert": lambda: (bert, (ids(), MASK), bert_weights(Draw())),
    "vit": lambda: (vit, (IMAGE,), vit_weights(Draw())),
    "language": lambda: (language, (ids(),), language_weights(Draw())),
    "own_attention": lambda: (own_attention, (stream(),), gpt2_weights(Draw())),
    "alibi": lambda: (alibi, (stream(),), gpt2_weights(Draw())),
    "linen": lambda: linen_case(LinenBlock()),
    "linen_causal": lambda: linen_case(LinenBlock(causal=True, activation=linen.relu)),
    "linen_gated": lambda: linen_case(LinenGated()),
    "nnx": nnx_case,
    "equinox": equinox_case,
}
NARROW = ("gpt2", "llama", "bert", "linen", "gemma")
