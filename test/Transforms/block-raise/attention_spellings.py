# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention, with a function for each thing that is spelled differently."""

import math

from spelling import B, D, DH, H, S, T, positions, project, spelling

LOWEST = -3.4028234663852886e38



def split(c, x, heads):
    """[B, heads, T, dh]."""
    return c.w.swap(c.w.reshape(x, (*x.shape[:2], heads, x.shape[2] // heads)), 1, 2)


def softmax(c, s, reciprocal=False, subtract=True):
    w, axis = c.w, len(s.shape) - 1
    e = w.unary("exp", w.sub(s, w.reduce("max", s, axis, keep=True)) if subtract else s)
    total = w.reduce("sum", e, axis, keep=True)
    return w.mul(e, w.unary("reciprocal", total)) if reciprocal else w.div(e, total)


def repeat(c, x, times):
    """Every head of [B, G, T, dh] `times` times."""
    b, g, t, d = x.shape
    wide = c.w.broadcast(c.w.reshape(x, (b, g, 1, t, d)), (b, g, times, t, d))
    return c.w.reshape(wide, (b, g * times, t, d))


def plain(c, q, k):
    return c.w.einsum("bhtd,bhsd->bhts", q, k)


def attend(c, before=None, scores=plain, after=None, weigh=softmax, groups=H, memory=None, widen=repeat, value_product=None):
    """`before(c, q, k)` and `after(c, s)` are steps on heads and on scores."""
    w, source = c.w, memory or c.x
    q = split(c, project(c, c.x, D), H)
    k = split(c, project(c, source, groups * DH), groups)
    v = split(c, project(c, source, groups * DH), groups)
    if before:
        q, k = before(c, q, k)
    if groups != H and widen:
        k, v = widen(c, k, H // groups), widen(c, v, H // groups)
    s = scores(c, q, k)
    p = weigh(c, after(c, s) if after else s)
    y = value_product(c, p, v) if value_product else w.einsum("bhts,bhsd->bhtd", p, v)
    y = w.reshape(w.swap(y, 1, 2), (B, T, D)) if len(y.shape) == 4 else y
    return project(c, y, D)


ROOT = math.sqrt(DH)
ATTENTION = r"block\.attention .*"
HALF = r"scale = 0\.(5|49999\d*)\b"
SCALED = ATTENTION + HALF
scaled = lambda c, s: c.w.mul(s, 1 / ROOT)


@spelling("attention: scale", "scores times a number", SCALED)
def _(c):
    return attend(c, after=scaled)


@spelling("attention: scale", "scores divided by a number", SCALED)
def _(c):
    return attend(c, after=lambda c, s: c.w.div(s, ROOT))


@spelling("attention: scale", "on queries before they are split", SCALED)
def _(c):
    return attend(c, before=lambda c, q, k: (c.w.mul(q, 1 / ROOT), k))


@spelling("attention: scale", "on keys", SCALED)
def _(c):
    return attend(c, before=lambda c, q, k: (q, c.w.div(k, ROOT)))


@spelling("attention: scale", "its root on queries and on keys", SCALED)
def _(c):
    return attend(c, before=lambda c, q, k: (c.w.mul(q, DH ** -0.25), c.w.mul(k, DH ** -0.25)))


@spelling("attention: scale", "behind the mask", SCALED + ".*causal = true")
def _(c):
    return attend(c, after=lambda c, s: scaled(c, c.w.select(causal_by_positions(c), s, LOWEST)))


@spelling("attention: scale", "a tensor of the root of the size", SCALED)
def _(c):
    return attend(c, after=lambda c, s: c.w.div(s, c.w.unary("sqrt", c.w.constant([float(DH)], (1,)))))


# Masks: truth values [T, T] where a key is seen.


def causal_by_positions(c):
    i, j = positions(c)
    return c.w.binary("ge", i, j)


def causal_by_difference(c):
    i, j = positions(c, element="i32")
    return c.w.binary("le", c.w.sub(j, i), c.w.constant([[0]], (1, 1), "i32"))


def causal_literal(c):
    return c.w.constant([[int(j <= i) for j in range(T)] for i in range(T)], (T, T), "i1")


def causal_from_floats(c):
    ones = c.w.constant([[float(j <= i) for j in range(T)] for i in range(T)], (T, T))
    return c.w.binary("ne", ones, c.w.constant([[0.0]], (1, 1)))


def selected(allowed, fill, negated=False):
    def mask(c, s):
        s, seen = scaled(c, s), c.w.reshape(allowed(c), (1, 1, T, T))
        if negated:
            return c.w.select(c.w.unary("not", seen), c.w.constant([[[[fill]]]], (1, 1, 1, 1)), s)
        return c.w.select(seen, s, fill)
    return mask


def added(allowed, fill):
    def mask(c, s):
        zero, low = (c.w.constant([[number]], (1, 1)) for number in (0.0, fill))
        return c.w.add(scaled(c, s), c.w.select(allowed(c), zero, low))
    return mask


CAUSAL = SCALED + ".*causal = true"
for how, mask in {
    "positions compared, select of the lowest number": selected(causal_by_positions, LOWEST),
    "the difference of positions, select of -1e10": selected(causal_by_difference, -1e10),
    "floats that are not 0, select of -inf": selected(causal_from_floats, -math.inf),
    "negated, the other way round": selected(causal_by_positions, -1e9, negated=True),
}.items():
    spelling("attention: select masks", how, CAUSAL)(lambda c, mask=mask: attend(c, after=mask))
for how, mask in {
    "select of 0 and -inf, added": added(causal_by_positions, -math.inf),
    "a literal table of truth values": added(causal_literal, LOWEST),
    "s m - c (1 - m)": lambda c, s: multiplied(c, scaled(c, s)),
    "1 - m times the lowest number": lambda c, s: c.w.add(scaled(c, s), one_minus(c)),
    "a literal table of numbers": lambda c, s: c.w.add(scaled(c, s), c.w.constant([[0.0 if j <= i else -1e4 for j in range(T)] for i in range(T)], (T, T))),
}.items():
    spelling("attention: additive masks", how, CAUSAL)(lambda c, mask=mask: attend(c, after=mask))


def triangle(c):
    return c.w.cast(causal_by_positions(c), "f32")


def multiplied(c, s):
    m = triangle(c)
    return c.w.sub(c.w.mul(s, m), c.w.mul(c.w.sub(1.0, m), 1e10))


def one_minus(c):
    return c.w.mul(c.w.sub(1.0, triangle(c)), LOWEST)


for how, mask in {
    "rows at least columns, i64": causal_by_positions,
    "difference at most 0, i32": causal_by_difference,
    "columns below rows + 1": lambda c: (lambda i, j: c.w.binary("lt", j, c.w.add(i, c.w.constant([[1]], (1, 1), "i64"))))(*positions(c)),
    "in f32": lambda c: (lambda i, j: c.w.binary("gt", c.w.add(i, c.w.constant([[0.5]], (1, 1))), j))(*positions(c, element="f32")),
}.items():
    spelling("attention: causal by positions", how, CAUSAL)(lambda c, mask=mask: attend(c, after=selected(mask, LOWEST)))


def window(reach):
    def allowed(c):
        i, j = positions(c)
        near = c.w.binary("gt", j, c.w.sub(i, c.w.constant([[reach]], (1, 1), "i64")))
        return c.w.binary("and", causal_by_positions(c), near)
    return allowed


def window_of_difference(c):
    i, j = positions(c)
    away = c.w.sub(i, j)
    return c.w.binary("and", c.w.binary("ge", away, c.w.constant([[0]], (1, 1), "i64")), c.w.binary("lt", away, c.w.constant([[3]], (1, 1), "i64")))


def outside_window(c):
    i, j = positions(c)
    late = c.w.binary("gt", j, i)
    early = c.w.binary("le", j, c.w.sub(i, c.w.constant([[3]], (1, 1), "i64")))
    return c.w.unary("not", c.w.binary("or", late, early))


WINDOW = SCALED + ".*causal = true, window = 3"
for how, mask in {
    "two comparisons, and": selected(window(3), LOWEST),
    "one difference, two comparisons": selected(window_of_difference, -math.inf),
    "what is outside, or, negated": selected(outside_window, -1e9),
    "two masks, one behind the other": lambda c, s: c.w.add(added(causal_by_positions, LOWEST)(c, s), c.w.select(window(3)(c), c.w.constant([[0.0]], (1, 1)), -1e4)),
    "a literal table": lambda c, s: selected(lambda c: c.w.constant([[int(i - 3 < j <= i) for j in range(T)] for i in range(T)], (T, T), "i1"), LOWEST)(c, s),
}.items():
    spelling("attention: window", how, WINDOW)(lambda c, mask=mask: attend(c, after=mask))

BIASED = ATTENTION + "score_bias .*" + HALF


def hidden_by_numbers(c, s):
    """(1 - m) times the lowest number, m of i64."""
    m = c.w.cast(c.data((B, T), "i64"), "f32")
    low = c.w.mul(c.w.sub(1.0, m), LOWEST)
    return c.w.add(scaled(c, s), c.w.reshape(low, (B, 1, 1, T)))


def hidden_by_truth(c, s):
    m = c.w.reshape(c.data((B, T), "i1"), (B, 1, 1, T))
    return c.w.select(m, scaled(c, s), -1e9)


def hidden_with_causal(c, s):
    m = c.w.reshape(c.data((B, T), "i1"), (B, 1, 1, T))
    both = c.w.binary("and", m, c.w.reshape(causal_by_positions(c), (1, 1, T, T)))
    return c.w.select(both, scaled(c, s), LOWEST)


def hidden_before_causal(c, s):
    return c.w.select(causal_by_positions(c), hidden_by_numbers(c, s), LOWEST)


def hidden_by_segments(c, s):
    """Packed sequences, which have numbers."""
    numbers = c.data((B, T), "i32")
    same = c.w.binary("eq", c.w.reshape(numbers, (B, 1, T, 1)), c.w.reshape(numbers, (B, 1, 1, T)))
    return c.w.select(c.w.binary("and", same, c.w.reshape(causal_by_positions(c), (1, 1, T, T))), scaled(c, s), LOWEST)


def hidden_by_length(c, s):
    lengths = c.w.reshape(c.data((B,), "i64"), (B, 1, 1, 1))
    seen = c.w.binary("gt", lengths, c.w.reshape(c.w.iota(T), (1, 1, 1, T)))
    return c.w.select(seen, scaled(c, s), LOWEST)


for how, mask in {
    "(1 - m) times the lowest number, m in i64": hidden_by_numbers,
    "truth values select": hidden_by_truth,
    "and with the causal mask": hidden_with_causal,
    "positions against lengths": hidden_by_length,
    "numbers first, a causal select behind": hidden_before_causal,
    "numbers of sequences compared": hidden_by_segments,
    "truth values for each query": lambda c, s: c.w.select(c.data((B, 1, T, T), "i1"), scaled(c, s), LOWEST),
}.items():
    spelling("attention: padding", how, BIASED)(lambda c, mask=mask: attend(c, after=mask))


LENGTHS = ATTENTION + "lengths .*" + HALF


def lengths(c):
    return c.w.reshape(c.data((B,), "i64"), (B, 1, 1, 1))


def keys(c):
    return c.w.reshape(c.w.iota(T), (1, 1, 1, T))


def shown_by_length_and_causal(c, s):
    real = c.w.binary("gt", lengths(c), keys(c))
    both = c.w.binary("and", real, c.w.reshape(causal_by_positions(c), (1, 1, T, T)))
    return c.w.select(both, scaled(c, s), -math.inf)


def added_from_length_on(c, s):
    zero, low = (c.w.constant([[[[number]]]], (1, 1, 1, 1)) for number in (0.0, -math.inf))
    return c.w.add(scaled(c, s), c.w.select(c.w.binary("ge", keys(c), lengths(c)), low, zero))


for how, mask, expect in (
    ("select of -inf", lambda c, s: c.w.select(c.w.binary("lt", keys(c), lengths(c)), scaled(c, s), -math.inf), LENGTHS),
    ("from the length on, -inf added", added_from_length_on, LENGTHS),
    ("and causal, one select of -inf", shown_by_length_and_causal, LENGTHS + ".*causal = true"),
):
    spelling("attention: lengths", how, expect)(lambda c, mask=mask: attend(c, after=mask))

# Tables without a name become a tensor that is added to the scores.

TENSOR = ATTENTION + "score_bias .*" + HALF


def chunks(c):
    """Keys of the same three tokens, and not later."""
    i, j = positions(c)
    three = c.w.constant([[3]], (1, 1), "i64")
    return c.w.binary("and", c.w.binary("eq", c.w.div(i, three), c.w.div(j, three)), c.w.binary("ge", i, j))


def prefix(c):
    """The first three keys are seen by all."""
    i, j = positions(c)
    return c.w.binary("or", c.w.binary("lt", j, c.w.constant([[3]], (1, 1), "i64")), c.w.binary("ge", i, j))


def windows_of_distance(c, s):
    """Numbers for each distance, learned once and written down."""
    numbers = [0.1 * ((5 * d) % 7) - 0.2 for d in range(2 * T - 1)]
    table = c.w.constant([[numbers[i - j + T - 1] for j in range(T)] for i in range(T)], (T, T))
    return selected(causal_by_positions, LOWEST)(c, c.w.div(c.w.add(scaled(c, s), table), 0.5))


for how, mask in {
    "chunks of tokens, select": selected(chunks, LOWEST),
    "chunks of tokens, -inf added": added(chunks, -math.inf),
    "a prefix that all see": added(prefix, -1e30),
}.items():
    spelling("attention: other tables", how, TENSOR)(lambda c, mask=mask: attend(c, after=mask))
spelling("attention: other tables", "parameters for each head, and numbers of an input", TENSOR)(
    lambda c: attend(c, after=lambda c, s: c.w.add(c.w.add(scaled(c, s), c.weight(1, H, T, T)), c.data((B, 1, T, T)))))
spelling("attention: other tables", "literal numbers behind a causal mask", ATTENTION + "score_bias .*causal = true")(
    lambda c: attend(c, after=windows_of_distance))


# Grouped heads, cross-attention


@spelling("attention: query and key norms", "of heads, before the rotation's place", ATTENTION + "qk_norm")
def _(c):
    def before(c, q, k):
        def norm(x):
            w = c.w
            squares = w.mul(w.reduce("sum", w.mul(x, x), 3, keep=True), 1 / DH)
            return w.mul(w.mul(x, w.unary("rsqrt", w.add(squares, 1e-6))), c.weight(DH))
        return norm(q), norm(k)
    return attend(c, before=before, after=scaled)


def whole_norm(c, x, bias):
    w = c.w
    mean = lambda x: w.mul(w.reduce("sum", x, 2, keep=True), 1 / D)
    y = w.sub(x, mean(x))
    y = w.mul(w.mul(y, w.unary("rsqrt", w.add(mean(w.mul(y, y)), 1e-5))), c.weight(D))
    return w.add(y, c.weight(D)) if bias else y


for how, bias in {"of all heads, with biases": True, "of all heads, without": False}.items():
    @spelling("attention: query and key norms", how, ATTENTION + "qk_norm.*whole")
    def _(c, bias=bias):
        w = c.w
        q, k = (split(c, whole_norm(c, project(c, c.x, D), bias), H) for _ in range(2))
        p = softmax(c, scaled(c, plain(c, q, k)))
        y = w.einsum("bhts,bhsd->bhtd", p, split(c, project(c, c.x, D), H))
        return project(c, w.reshape(w.swap(y, 1, 2), (B, T, D)), D)


GROUPED = SCALED.replace("scale", r"kv_heads = 2.*scale")


@spelling("attention: grouped heads", "repeated by a broadcast", GROUPED)
def _(c):
    return attend(c, after=scaled, groups=2)


@spelling("attention: grouped heads", "a group dimension in the products", GROUPED)
def _(c):
    def scores(c, q, k):
        return c.w.einsum("bgrtd,bgsd->bgrts", c.w.reshape(q, (B, 2, H // 2, T, DH)), k)

    def values(c, p, v):
        y = c.w.einsum("bgrts,bgsd->btgrd", p, v)
        return c.w.reshape(y, (B, T, D))
    return attend(c, after=scaled, groups=2, widen=None, scores=scores, value_product=values)


@spelling("attention: grouped heads", "queries of a group as rows of one product", GROUPED)
def _(c):
    def scores(c, q, k):
        s = c.w.einsum("bgrd,bgsd->bgrs", c.w.reshape(q, (B, 2, H // 2 * T, DH)), k)
        return c.w.reshape(s, (B, H, T, T))

    def values(c, p, v):
        y = c.w.einsum("bgrs,bgsd->bgrd", c.w.reshape(p, (B, 2, H // 2 * T, T)), v)
        return c.w.reshape(y, (B, H, T, DH))
    return attend(c, after=scaled, groups=2, widen=None, scores=scores, value_product=values)


@spelling("attention: grouped heads", "each head twice, joined", GROUPED)
def _(c):
    def widen(c, x, times):
        b, g, t, d = x.shape
        one = c.w.reshape(x, (b, g, 1, t, d))
        return c.w.reshape(c.w.concat([one] * times, 2), (b, g * times, t, d))
    return attend(c, after=scaled, groups=2, widen=widen)


@spelling("attention: grouped heads", "one key head, without a dimension", GROUPED.replace("= 2", "= 1"))
def _(c):
    def scores(c, q, k):
        return c.w.einsum("bhtd,bsd->bhts", q, c.w.reshape(k, (B, T, DH)))

    def values(c, p, v):
        return c.w.einsum("bhts,bsd->bhtd", p, c.w.reshape(v, (B, T, DH)))
    return attend(c, after=scaled, groups=1, widen=None, scores=scores, value_product=values)


CROSS = ATTENTION + "memory .*" + HALF


@spelling("attention: cross", "keys and values of another stream", CROSS)
def _(c):
    return attend(c, after=scaled, memory=c.data((B, S, 16)))


@spelling("attention: cross", "keys first in the product", CROSS)
def _(c):
    return attend(c, after=scaled, memory=c.data((B, S, D)), scores=lambda c, q, k: c.w.einsum("bhsd,bhtd->bhts", k, q))


@spelling("attention: cross", "scores transposed, softmax over the third dimension", CROSS)
def _(c):
    def weigh(c, s):
        w = c.w
        t = w.swap(s, 2, 3)
        e = w.unary("exp", w.sub(t, w.reduce("max", t, 2, keep=True)))
        return w.div(e, w.reduce("sum", e, 2, keep=True))
    return attend(c, after=scaled, memory=c.data((B, S, D)), weigh=weigh, value_product=lambda c, p, v: c.w.einsum("bhst,bhsd->bhtd", p, v))


@spelling("attention: cross", "with padding of the other stream", ATTENTION + "memory .*score_bias")
def _(c):
    def mask(c, s):
        m = c.w.cast(c.data((B, S), "i64"), "f32")
        return c.w.add(scaled(c, s), c.w.reshape(c.w.mul(c.w.sub(1.0, m), -1e4), (B, 1, 1, S)))
    return attend(c, after=mask, memory=c.data((B, S, D)))


# Scores


CAPPED = SCALED + ".*softcap = 50\\.0"


@spelling("attention: soft cap", "divide, tanh, multiply", CAPPED)
def _(c):
    return attend(c, after=lambda c, s: c.w.mul(c.w.unary("tanh", c.w.div(scaled(c, s), 50.0)), 50.0))


@spelling("attention: soft cap", "scale and cap as one factor", CAPPED)
def _(c):
    return attend(c, after=lambda c, s: c.w.mul(c.w.unary("tanh", c.w.mul(s, 1 / ROOT / 50)), 50.0))


@spelling("attention: soft cap", "scale on queries, a causal mask behind", CAPPED.replace("soft", "causal = true.*soft"))
def _(c):
    def mask(c, s):
        return c.w.select(causal_by_positions(c), c.w.mul(50.0, c.w.unary("tanh", c.w.mul(0.02, s))), LOWEST)
    return attend(c, before=lambda c, q, k: (c.w.mul(q, 1 / ROOT), k), after=mask)


# Softmax and the order of dimensions


def safe(c, s):
    """Rows of -inf become 0."""
    w = c.w
    hidden = w.reduce("and", w.binary("eq", s, -math.inf), 3, keep=True)
    return w.select(hidden, 0.0, softmax(c, s))


def by_logarithm(c, s):
    """exp(s - (max + log(sum)))."""
    w = c.w
    top = w.reduce("max", s, 3, keep=True)
    total = w.reduce("sum", w.unary("exp", w.sub(s, top)), 3, keep=True)
    return w.unary("exp", w.sub(s, w.add(w.unary("log", total), top)))


for how, weigh in {
    "reciprocal of the sum": lambda c, s: softmax(c, s, reciprocal=True),
    "without the maximum": lambda c, s: softmax(c, s, subtract=False),
    "by the logarithm of the sum": by_logarithm,
}.items():
    spelling("attention: softmax", how, SCALED)(lambda c, weigh=weigh: attend(c, after=scaled, weigh=weigh))


@spelling("attention: softmax", "rows of nothing but -inf made 0", BIASED)
def _(c):
    def mask(c, s):
        m = c.w.reshape(c.data((B, T), "i1"), (B, 1, 1, T))
        return c.w.select(m, scaled(c, s), -math.inf)
    return attend(c, after=mask, weigh=safe)


# Sinks: logits of heads that join the softmax

SUNK = r"block\.attention .* sinks %\w+ .*" + HALF


def column(c, rows=T):
    """A sink for each head, [B, H, rows, 1]."""
    return c.w.broadcast(c.w.reshape(c.weight(H), (1, H, 1, 1)), (B, H, rows, 1))


def behind(c, s):
    w = c.w
    joined = w.concat([s, column(c)], 3)
    joined = w.sub(joined, w.reduce("max", joined, 3, keep=True))
    return w.part(softmax(c, joined), 3, 0, T)


def in_front(c, s):
    return c.w.part(softmax(c, c.w.concat([column(c), s], 3)), 3, 1, T)


def beside_the_sum(c, s):
    w, sink = c.w, column(c)
    top = w.binary("max", w.reduce("max", s, 3, keep=True), sink)
    e = w.unary("exp", w.sub(s, top))
    return w.div(e, w.add(w.reduce("sum", e, 3, keep=True), w.unary("exp", w.sub(sink, top))))


for how, weigh in {
    "a column behind the scores, less their maximum": behind,
    "a column in front of the scores": in_front,
    "an exponential beside their sum": beside_the_sum,
}.items():
    spelling("attention: sinks", how, SUNK)(lambda c, weigh=weigh: attend(c, after=scaled, weigh=weigh))


@spelling("attention: sinks", "the result times a sigmoid of the logarithm of the sum", SUNK)
def _(c):
    w, shares = c.w, []

    def weigh(c, s):
        top = w.reduce("max", s, 3, keep=True)
        total = w.reduce("sum", w.unary("exp", w.sub(s, top)), 3, keep=True)
        below = w.sub(column(c), w.add(w.unary("log", total), top))
        shares.append(w.div(1.0, w.add(w.unary("exp", below), 1.0)))
        return softmax(c, s)

    def values(c, p, v):
        return w.mul(w.einsum("bhts,bhsd->bhtd", p, v), shares[0])

    return attend(c, after=scaled, weigh=weigh, value_product=values)


@spelling("attention: order of dimensions", "heads folded into the batch", SCALED)
def _(c):
    def scores(c, q, k):
        w = c.w
        q, k = w.reshape(q, (B * H, T, DH)), w.swap(w.reshape(k, (B * H, T, DH)), 1, 2)
        return w.reshape(w.matmul(q, k), (B, H, T, T))

    def values(c, p, v):
        w = c.w
        return w.reshape(w.matmul(w.reshape(p, (B * H, T, T)), w.reshape(v, (B * H, T, DH))), (B, H, T, DH))
    return attend(c, after=scaled, scores=scores, value_product=values)


@spelling("attention: order of dimensions", "heads as a dimension of the weights", SCALED)
def _(c):
    w = c.w
    q, k, v = (w.einsum("btd,dhe->bthe", c.x, c.weight(D, H, DH)) for _ in range(3))
    s = w.div(w.einsum("bthe,bshe->bhts", q, k), 2.0)
    y = w.einsum("bhts,bshe->bthe", softmax(c, s), v)
    return w.einsum("bthe,hed->btd", y, c.weight(H, DH, D))


@spelling("attention: order of dimensions", "values first, output transposed", SCALED)
def _(c):
    def values(c, p, v):
        return c.w.swap(c.w.einsum("bhsd,bhts->bhdt", v, p), 2, 3)
    return attend(c, after=scaled, value_product=values)


@spelling("attention: order of dimensions", "scores with queries last", SCALED)
def _(c):
    return attend(c, after=scaled, scores=lambda c, q, k: c.w.swap(c.w.einsum("bhsd,bhtd->bhst", k, q), 2, 3))
