# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is added to the scores of attention by distance."""

import math

from attention_spellings import ATTENTION, BIASED, LOWEST, ROOT, SCALED, attend, causal_by_positions, scaled
from spelling import B, H, T, positions, spelling

ALIBI = SCALED + ".*alibi_max = 8"
# Of six heads: those of eight, every second one first.
EXPONENTS = [2, 4, 6, 8, 1, 3]
SLOPES = [2.0 ** -exponent for exponent in EXPONENTS]


def slopes(c):
    return c.w.constant([[[slope]] for slope in SLOPES], (H, 1, 1))


@spelling("attention: ALiBi", "slopes times key positions", ALIBI.replace("alibi", "causal = true.*alibi"))
def _(c):
    def bias(c, s):
        along = c.w.reshape(c.w.iota(T, "f32"), (1, 1, T))
        return c.w.select(causal_by_positions(c), c.w.add(scaled(c, s), c.w.mul(slopes(c), along)), LOWEST)
    return attend(c, after=bias)


@spelling("attention: ALiBi", "slopes times the distance", ALIBI.replace("alibi", "causal = true.*alibi"))
def _(c):
    def bias(c, s):
        i, j = positions(c, element="f32")
        table = c.w.mul(slopes(c), c.w.sub(j, i))
        return c.w.add(c.w.add(scaled(c, s), table), c.w.select(causal_by_positions(c), c.w.constant([[0.0]], (1, 1)), -math.inf))
    return attend(c, after=bias)


@spelling("attention: ALiBi", "minus the absolute distance, both ways", ALIBI)
def _(c):
    def bias(c, s):
        i, j = positions(c, element="f32")
        return c.w.sub(scaled(c, s), c.w.mul(c.w.unary("abs", c.w.sub(i, j)), slopes(c)))
    return attend(c, after=bias)


@spelling("attention: ALiBi", "slopes as powers, the mask in the same table", ALIBI.replace("alibi", "causal = true.*alibi"))
def _(c):
    def bias(c, s):
        exponents = c.w.constant([[[-1.0 * exponent]] for exponent in EXPONENTS], (H, 1, 1))
        table = c.w.mul(c.w.binary("pow", c.w.constant([[[2.0]]], (1, 1, 1)), exponents), c.w.reshape(c.w.iota(T, "f32"), (1, 1, T)))
        masked = c.w.select(c.w.reshape(causal_by_positions(c), (1, T, T)), table, -math.inf)
        return c.w.add(scaled(c, s), c.w.reshape(masked, (1, H, T, T)))
    return attend(c, after=bias)


def counted_keys(c, mask):
    """Slopes times how many keys a mask shows up to each, less one; 0 where it hides."""
    w = c.w
    shown = w.cast(mask, "f32")
    triangle = w.constant([[float(s <= t) for s in range(T)] for t in range(T)], (T, T))
    count = w.mul(w.sub(w.einsum("bs,ts->bt", shown, triangle), 1.0), shown)
    return w.mul(w.reshape(slopes(c), (1, H, 1, 1)), w.reshape(count, (B, 1, 1, T)))


@spelling("attention: ALiBi", "slopes times keys that a mask counts", BIASED)
def _(c):
    def bias(c, s):
        mask = c.data((B, T), "i1")
        low = c.w.mul(c.w.sub(1.0, c.w.cast(mask, "f32")), LOWEST)
        return c.w.add(c.w.add(scaled(c, s), counted_keys(c, mask)), c.w.reshape(low, (B, 1, 1, T)))
    return attend(c, after=bias)


@spelling("attention: ALiBi", "the same beside the scores, and with the mask in one table", BIASED)
def _(c):
    def bias(c, s):
        w = c.w
        mask = c.data((B, T), "i1")
        table = counted_keys(c, mask)
        both = w.binary("and", w.reshape(mask, (B, 1, 1, T)), w.reshape(causal_by_positions(c), (1, 1, T, T)))
        hidden = w.select(both, w.mul(table, 1 / ROOT), w.constant([[[[LOWEST]]]], (1, 1, 1, 1)))
        return w.add(scaled(c, w.add(s, table)), hidden)
    return attend(c, after=bias)


RELATIVE = ATTENTION + "relative .*block.buckets<"


def bucket(distance, rows, most, both):
    """T5's bucket of a distance from a query back to a key."""
    count = rows // 2 if both else rows
    first = count if both and distance < 0 else 0
    x = abs(distance) if both else max(distance, 0)
    exact = count // 2
    if x < exact:
        return first + x
    return first + min(count - 1, exact + int(math.log(x / exact) / math.log(most / exact) * (count - exact)))


def relative_bias(c, buckets, order):
    """Rows of a table [buckets, heads] over queries and keys."""
    rows = c.w.rows(c.weight(8, H), buckets)
    return c.w.transpose(c.w.reshape(rows, (T, T, H)), order)


def bucket_table(both):
    return [[bucket(i - j, 8, 128, both) for j in range(T)] for i in range(T)]


@spelling("attention: T5's buckets", "a literal table of buckets, causal", RELATIVE.replace("relative", "relative.*causal = true|block.attention .*relative"))
def _(c):
    def bias(c, s):
        table = relative_bias(c, c.w.constant(bucket_table(False), (T, T), "i64"), (2, 0, 1))
        return c.w.select(causal_by_positions(c), c.w.add(s, table), LOWEST)
    return attend(c, after=bias)


@spelling("attention: T5's buckets", "both ways", RELATIVE)
def _(c):
    return attend(c, after=lambda c, s: c.w.add(relative_bias(c, c.w.constant(bucket_table(True), (T, T), "i32"), (2, 0, 1)), s))


@spelling("attention: T5's buckets", "buckets computed from positions", RELATIVE)
def _(c):
    def bias(c, s):
        w = c.w
        i, j = positions(c)
        back = w.binary("max", w.sub(i, j), w.constant([[0]], (1, 1), "i64"))
        far = w.div(w.unary("log", w.binary("max", w.div(w.cast(back, "f32"), 4.0), 1e-6)), math.log(128 / 4))
        steps = w.add(w.cast(w.unary("floor", w.mul(far, 4.0)), "i64"), w.constant([[4]], (1, 1), "i64"))
        steps = w.binary("min", steps, w.constant([[7]], (1, 1), "i64"))
        buckets = w.select(w.binary("lt", back, w.constant([[4]], (1, 1), "i64")), back, steps)
        return w.select(causal_by_positions(c), w.add(s, relative_bias(c, buckets, (2, 0, 1))), LOWEST)
    return attend(c, after=bias)
