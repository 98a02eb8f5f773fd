# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLPs, fused projections, residuals, embedding and head."""

import math

from attention_spellings import SCALED, scaled, softmax
from spelling import B, D, DH, H, T, project, spelling

F = 40
MLP = r"block\.mlp .*"


def silu(c, x):
    return c.w.div(x, c.w.add(1.0, c.w.unary("exp", c.w.unary("neg", x))))


def gelu(c, x):
    return c.w.mul(c.w.mul(x, 0.5), c.w.add(c.w.unary("erf", c.w.mul(x, math.sqrt(0.5))), 1.0))


def relu(c, x):
    return c.w.binary("max", x, 0.0)


@spelling("MLP", "with biases", MLP + "up_bias .*down_bias .*gelu_erf")
def _(c):
    return project(c, gelu(c, project(c, c.x, F, bias=True)), D, bias=True)


@spelling("MLP", "weights [in, out]", MLP + "gelu_erf")
def _(c):
    w = c.w
    hidden = gelu(c, w.einsum("btd,df->btf", c.x, c.weight(D, F)))
    return w.einsum("btf,fd->btd", hidden, c.weight(F, D))


@spelling("MLP", "tokens in one dimension", MLP + "relu")
def _(c):
    w = c.w
    x = w.reshape(c.x, (B * T, D))
    hidden = relu(c, w.add(w.einsum("nd,fd->nf", x, c.weight(F, D)), c.weight(F)))
    return w.reshape(w.einsum("nf,df->nd", hidden, c.weight(D, F)), (B, T, D))


GATED = MLP + "gate .*silu"


@spelling("gated MLP", "the gate first", GATED)
def _(c):
    return project(c, c.w.mul(silu(c, project(c, c.x, F)), project(c, c.x, F)), D)


@spelling("gated MLP", "the gate last", GATED)
def _(c):
    up = project(c, c.x, F)
    return project(c, c.w.mul(up, silu(c, project(c, c.x, F))), D)


@spelling("gated MLP", "the gate within the activation's product", GATED)
def _(c):
    w = c.w
    gate, up = project(c, c.x, F), project(c, c.x, F)
    logistic = w.unary("reciprocal", w.add(w.unary("exp", w.unary("neg", gate)), 1.0))
    return project(c, w.mul(logistic, w.mul(gate, up)), D)


@spelling("gated MLP", "of gelu, halved at the end", MLP + "gate .*gelu_erf")
def _(c):
    w = c.w
    gate, up = project(c, c.x, F), project(c, c.x, F)
    inner = w.mul(w.mul(gate, w.add(w.unary("erf", w.mul(gate, math.sqrt(0.5))), 1.0)), up)
    return project(c, w.mul(inner, 0.5), D)


@spelling("fused gate and up", "two slices of the last dimension", GATED)
def _(c):
    both = project(c, c.x, 2 * F)
    return project(c, c.w.mul(silu(c, c.w.part(both, 2, 0, F)), c.w.part(both, 2, F, F)), D)


@spelling("fused gate and up", "two parts as a dimension", GATED)
def _(c):
    w = c.w
    both = w.einsum("btd,pfd->btpf", c.x, c.weight(2, F, D))
    gate, up = (w.reshape(w.part(both, 2, k, 1), (B, T, F)) for k in (0, 1))
    return project(c, w.mul(silu(c, gate), up), D)


@spelling("fused gate and up", "gate and up beside each other, with a bias", GATED)
def _(c):
    w = c.w
    both = w.reshape(project(c, c.x, 2 * F, bias=True), (B, T, F, 2))
    gate, up = (w.reshape(w.part(both, 3, k, 1), (B, T, F)) for k in (0, 1))
    return project(c, w.mul(silu(c, gate), up), D)


# Fused projections of attention


def core(c, q, k, v, joined=False):
    """Of heads [B, H, T, dh]; with `joined`, without the projection behind."""
    w = c.w
    s = scaled(c, w.einsum("bhtd,bhsd->bhts", q, k))
    y = w.einsum("bhts,bhsd->bhtd", softmax(c, s), v)
    y = w.reshape(w.swap(y, 1, 2), (B, T, D))
    return y if joined else project(c, y, D)


def heads(c, x):
    return c.w.swap(c.w.reshape(x, (B, T, H, DH)), 1, 2)


@spelling("fused q, k, v", "slices of the last dimension", SCALED)
def _(c):
    qkv = project(c, c.x, 3 * D, bias=True)
    return core(c, *(heads(c, c.w.part(qkv, 2, k * D, D)) for k in range(3)))


@spelling("fused q, k, v", "three as a dimension, before heads", SCALED)
def _(c):
    w = c.w
    qkv = w.transpose(w.reshape(project(c, c.x, 3 * D), (B, T, 3, H, DH)), (2, 0, 3, 1, 4))
    return core(c, *(w.reshape(w.part(qkv, 0, k, 1), (B, H, T, DH)) for k in range(3)))


@spelling("fused q, k, v", "each head's three together", SCALED)
def _(c):
    w = c.w
    qkv = w.swap(w.reshape(project(c, c.x, 3 * D, bias=True), (B, T, H, 3 * DH)), 1, 2)
    return core(c, *(w.part(qkv, 3, k * DH, DH) for k in range(3)))


@spelling("fused q, k, v", "elements of heads before the three", SCALED)
def _(c):
    w = c.w
    qkv = w.reshape(project(c, c.x, 3 * D), (B, T, H, DH, 3))
    return core(c, *(w.swap(w.reshape(w.part(qkv, 4, k, 1), (B, T, H, DH)), 1, 2) for k in range(3)))


@spelling("fused q, k, v", "a group's queries with its key and value", SCALED.replace("scale", "kv_heads = 2.*scale"))
def _(c):
    w, n = c.w, H // 2
    qkv = w.reshape(project(c, c.x, (H + 4) * DH), (B, T, 2, n + 2, DH))
    q = w.reshape(w.part(qkv, 3, 0, n), (B, T, H, DH))
    k, v = (w.part(qkv, 3, n + i, 1) for i in (0, 1))
    k, v = (w.reshape(w.broadcast(x, (B, T, 2, n, DH)), (B, T, H, DH)) for x in (k, v))
    return core(c, *(w.swap(x, 1, 2) for x in (q, k, v)))


# Residuals

RESIDUAL = r"^block\.layer .*block\.mlp .*block\.residual "


def branch(c):
    return project(c, relu(c, project(c, c.x, F)), D)


@spelling("residual", "the branch first", RESIDUAL)
def _(c):
    return c.w.add(branch(c), c.x)


@spelling("residual", "the bias behind the sum", RESIDUAL)
def _(c):
    return c.w.add(c.w.add(c.x, branch(c)), c.weight(D))


@spelling("residual", "two branches, added to each other first", RESIDUAL)
def _(c):
    return c.w.add(c.x, c.w.add(branch(c), branch(c)))


@spelling("residual", "two branches, a factor of their sum", RESIDUAL)
def _(c):
    return c.w.add(c.x, c.w.mul(c.w.add(branch(c), branch(c)), 0.7071))


@spelling("residual", "two branches, the stream in the middle, a late bias", RESIDUAL)
def _(c):
    return c.w.add(c.w.add(branch(c), c.x), c.w.add(c.weight(D), branch(c)))


@spelling("residual", "with factors", RESIDUAL)
def _(c):
    return c.w.add(c.w.mul(c.x, 0.75), c.w.mul(branch(c), 0.5))


@spelling("residual", "with a gain for each channel", RESIDUAL)
def _(c):
    return c.w.add(c.x, c.w.mul(c.weight(D), branch(c)))


# Both branches as one product

JOINED = r"^block\.layer (?=.*block\.attention )(?=.*block\.mlp ).*block\.residual "


def attended(c):
    return core(c, *(heads(c, project(c, c.x, D)) for _ in range(3)), joined=True)


@spelling("attention and MLP, one product", "heads first", JOINED)
def _(c):
    return c.w.add(c.x, project(c, c.w.concat([attended(c), relu(c, project(c, c.x, F))], 2), D))


@spelling("attention and MLP, one product", "the MLP first, a bias", JOINED)
def _(c):
    hidden = gelu(c, project(c, c.x, F, bias=True))
    return c.w.add(project(c, c.w.concat([hidden, attended(c)], 2), D, bias=True), c.x)


@spelling("attention and MLP, one product", "of one product for all that is read, with a gate", JOINED)
def _(c):
    y = project(c, c.x, 3 * D + 2 * F)
    q, k, v = (heads(c, c.w.part(y, 2, n * D, D)) for n in range(3))
    gate, up = (c.w.part(y, 2, 3 * D + n * F, F) for n in range(2))
    hidden = c.w.mul(silu(c, gate), up)
    return c.w.add(c.x, project(c, c.w.concat([core(c, q, k, v, joined=True), hidden], 2), D))


# Ends: token numbers instead of the stream

EMBEDDING = r"block\.embedding "


def tokens(c):
    return c.w.rows(c.weight(11, D), c.data((B, T), "i64", f'block.input = "tokens_{c.prefix}"'))


@spelling("embedding", "rows of a table", EMBEDDING)
def _(c):
    return c.w.reshape(tokens(c), (B, T, D))


@spelling("embedding", "times a factor", EMBEDDING + r".*scale = 4")
def _(c):
    return c.w.mul(c.w.reshape(tokens(c), (B, T, D)), 4.0)


@spelling("embedding", "with rows of positions", EMBEDDING + ".*positions ")
def _(c):
    table = c.w.part(c.weight(9, D), 0, 0, T)
    return c.w.add(c.w.reshape(tokens(c), (B, T, D)), table)


@spelling("embedding", "positions first, looked up, at an offset", EMBEDDING + ".*positions .*offset = 2|offset = 2.*positions")
def _(c):
    rows = c.w.rows(c.weight(12, D), c.w.constant(list(range(2, T + 2)), (T,), "i64"))
    return c.w.add(c.w.reshape(rows, (1, T, D)), c.w.reshape(tokens(c), (B, T, D)))


def ids(c, element="i64"):
    return c.data((B, T), element, f'block.input = "ids_{c.prefix}_{c.count}"')


def count_up_to(c, real):
    """How many tokens are real up to each one, by a product with a triangle."""
    triangle = c.w.constant([[float(s <= t) for s in range(T)] for t in range(T)], (T, T))
    return c.w.einsum("bs,ts->bt", c.w.cast(real, "f32"), triangle)


def look_up(c, rows, numbers):
    return c.w.reshape(c.w.rows(c.weight(rows, D), numbers), (B, T, D))


@spelling("embedding: types", "of an input, before positions", EMBEDDING + ".*positions .*types .*type_table ")
def _(c):
    table = c.w.part(c.weight(9, D), 0, 0, T)
    return c.w.add(c.w.add(c.w.reshape(tokens(c), (B, T, D)), look_up(c, 2, ids(c))), table)


@spelling("embedding: types", "of an input in i32", EMBEDDING + ".*types .*type_table ")
def _(c):
    return c.w.add(look_up(c, 2, ids(c, "i32")), c.w.reshape(tokens(c), (B, T, D)))


@spelling("embedding: types", "all of type 0", EMBEDDING + ".*type_table ")
def _(c):
    zeros = c.w.rows(c.weight(2, D), c.w.constant([[0] * T], (1, T), "i64"))
    return c.w.add(c.w.reshape(tokens(c), (B, T, D)), c.w.reshape(zeros, (1, T, D)))


def with_counted_positions(c, numbers):
    """`numbers` gives positions from token numbers."""
    given = ids(c)
    words = c.w.reshape(c.w.rows(c.weight(11, D), given), (B, T, D))
    return c.w.add(words, look_up(c, 12, numbers(c, given)))


def from_padding(c, given):
    """The number of padding, 1, and from there on."""
    real = c.w.binary("ne", given, c.w.constant([[1]], (1, 1), "i64"))
    count = c.w.mul(count_up_to(c, real), c.w.cast(real, "f32"))
    return c.w.cast(c.w.add(count, 1.0), "i64")


def from_mask(c, given):
    """From 0 on, and 1 where the mask hides."""
    mask = c.data((B, T), "i1")
    count = c.w.cast(c.w.sub(count_up_to(c, mask), 1.0), "i64")
    return c.w.select(mask, count, c.w.constant([[1]], (1, 1), "i64"))


def from_mask_with_floor(c, given):
    mask = c.data((B, T), "i1")
    return c.w.cast(c.w.binary("max", c.w.sub(count_up_to(c, mask), 1.0), 0.0), "i32")


for how, numbers, expect in (
    ("tokens that are no padding, from its number on", from_padding, ".*positions .*pad_id = 1"),
    ("tokens that a mask shows", from_mask, ".*types .*type_table "),
    ("the same, not below 0", from_mask_with_floor, ".*types .*type_table "),
):
    spelling("embedding: positions that count", how, EMBEDDING + expect)(lambda c, numbers=numbers: with_counted_positions(c, numbers))


HEAD = r"block\.head "


@spelling("head", "a projection", HEAD)
def _(c):
    return project(c, c.x, 11)


@spelling("head", "times a factor, with a bias before", HEAD + ".*scale = 0\\.25")
def _(c):
    return c.w.mul(project(c, c.x, 11, bias=True), 0.25)


@spelling("head", "capped", HEAD + ".*softcap = 3")
def _(c):
    return c.w.mul(c.w.unary("tanh", c.w.div(project(c, c.x, 11), 30.0)), 30.0)


@spelling("head", "weights [in, out]", HEAD)
def _(c):
    return c.w.einsum("btd,dv->btv", c.x, c.weight(D, 11))
