# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotations of queries and keys, inside of attention."""

from attention_spellings import ATTENTION, attend, scaled
from spelling import B, DH, T, spelling

HALF = ATTENTION + r"block\.rope<style = half, dim = 4"
PAIRS = DH // 2


def angles(c, base=10000.0):
    """[T, dh / 2], computed from positions."""
    w = c.w
    exponents = w.mul(w.reshape(w.iota(PAIRS, "f32"), (1, PAIRS)), -2.0 / DH)
    frequencies = w.binary("pow", w.constant([[base]], (1, 1)), exponents)
    return w.mul(w.reshape(w.iota(T, "f32"), (T, 1)), frequencies)


def tables(c, whole=True):
    """Cosines and sines [1, 1, T, dh or dh / 2]."""
    turned = angles(c)
    if whole:
        turned = c.w.concat([turned, turned], 1)
    return tuple(c.w.reshape(c.w.unary(name, turned), (1, 1, *turned.shape)) for name in ("cos", "sin"))


def rotate(function):
    """Attention whose queries and keys go through `function(c, x, cos, sin)`."""
    def both(make):
        def before(c, q, k):
            cos, sin = make(c)
            return function(c, q, cos, sin), function(c, k, cos, sin)
        return lambda c: attend(c, before=before, after=scaled)
    return both


def negated_half(c, x):
    first, second = c.w.part(x, 3, 0, PAIRS), c.w.part(x, 3, PAIRS, PAIRS)
    return c.w.concat([c.w.unary("neg", second), first], 3)


def by_rotated_half(c, x, cos, sin):
    return c.w.add(c.w.mul(x, cos), c.w.mul(negated_half(c, x), sin))


def by_products(c, x, cos, sin):
    w = c.w
    a, b = w.part(x, 3, 0, PAIRS), w.part(x, 3, PAIRS, PAIRS)
    return w.concat([w.sub(w.mul(a, cos), w.mul(b, sin)), w.add(w.mul(b, cos), w.mul(a, sin))], 3)


def by_swapped_half(c, x, cos, sin):
    """The sign is in the table."""
    w = c.w
    a, b = w.part(x, 3, 0, PAIRS), w.part(x, 3, PAIRS, PAIRS)
    signs = w.constant([[[[-1.0] * PAIRS + [1.0] * PAIRS]]], (1, 1, 1, DH))
    return w.add(w.mul(cos, x), w.mul(w.mul(sin, signs), w.concat([b, a], 3)))


def by_reshape(c, x, cos, sin):
    w = c.w
    shape = x.shape[:3]
    pair = w.reshape(x, (*shape, 2, PAIRS))
    a, b = (w.reshape(w.part(pair, 3, k, 1), (*shape, PAIRS)) for k in (0, 1))
    parts = (w.sub(w.mul(a, cos), w.mul(b, sin)), w.add(w.mul(a, sin), w.mul(b, cos)))
    return w.reshape(w.concat([w.reshape(part, (*shape, 1, PAIRS)) for part in parts], 3), x.shape)


def given(*shape):
    def make(c):
        return c.data(shape), c.data(shape)
    return make


whole, narrow = tables, lambda c: tables(c, whole=False)
spelling("rotation: halves", "the negated half beside the first", HALF)(rotate(by_rotated_half)(whole))
spelling("rotation: halves", "two differences of products", HALF)(rotate(by_products)(narrow))
spelling("rotation: halves", "halves exchanged, the sign in the table", HALF)(rotate(by_swapped_half)(whole))
spelling("rotation: halves", "halves as a dimension", HALF)(rotate(by_reshape)(narrow))
GIVEN = ATTENTION + r"rope_cos .*block\.rope<style = half, dim = 4"
spelling("rotation: tables", "arguments of positions and elements", GIVEN)(rotate(by_rotated_half)(given(1, 1, T, DH)))
spelling("rotation: tables", "arguments of positions and pairs", GIVEN)(rotate(by_products)(given(T, PAIRS)))
spelling("rotation: tables", "arguments of each row of the batch", GIVEN)(rotate(by_rotated_half)(given(B, 1, T, DH)))


@spelling("rotation: tables", "from numbers of positions that are given", GIVEN)
def _(c):
    def make(c):
        w = c.w
        along = w.reshape(w.cast(c.data((B, T), "i64"), "f32"), (B, T, 1))
        turned = w.mul(along, w.constant([[[1.0, 0.01]]], (1, 1, PAIRS)))
        turned = w.concat([turned, turned], 2)
        return tuple(w.reshape(w.unary(name, turned), (B, 1, T, DH)) for name in ("cos", "sin"))
    return rotate(by_rotated_half)(make)(c)


# With one pair, both styles are the same.
PARTIAL = ATTENTION + r"block\.rope<style = (half|interleaved), dim = 2"


@spelling("rotation: a part", "slices, rotated, joined", PARTIAL)
def _(c):
    def before(c, q, k):
        w = c.w
        turned = w.concat([w.reshape(w.iota(T, "f32"), (T, 1))] * 2, 1)
        cos, sin = (w.unary(name, turned) for name in ("cos", "sin"))

        def turn(x):
            a, b, rest = w.part(x, 3, 0, 1), w.part(x, 3, 1, 1), w.part(x, 3, 2, 2)
            moved = w.add(w.mul(w.part(x, 3, 0, 2), cos), w.mul(w.concat([w.unary("neg", b), a], 3), sin))
            return w.concat([moved, rest], 3)
        return turn(q), turn(k)
    return attend(c, before=before, after=scaled)


@spelling("rotation: a part", "both halves and the rest joined at once", PARTIAL)
def _(c):
    def before(c, q, k):
        w = c.w
        cos, sin = (w.unary(name, w.reshape(w.iota(T, "f32"), (T, 1))) for name in ("cos", "sin"))

        def turn(x):
            a, b, rest = w.part(x, 3, 0, 1), w.part(x, 3, 1, 1), w.part(x, 3, 2, 2)
            return w.concat([w.sub(w.mul(a, cos), w.mul(b, sin)), w.add(w.mul(b, cos), w.mul(a, sin)), rest], 3)
        return turn(q), turn(k)
    return attend(c, before=before, after=scaled)


@spelling("rotation: a part", "tables of 1 and 0 behind the part", ATTENTION + r"block\.rope<style = half, dim = (2|4)")
def _(c):
    def before(c, q, k):
        w = c.w
        frequencies = w.constant([[1.0, 0.0]], (1, 2))
        turned = w.mul(w.reshape(w.iota(T, "f32"), (T, 1)), frequencies)
        turned = w.concat([turned, turned], 1)
        cos, sin = (w.unary(name, turned) for name in ("cos", "sin"))
        return by_rotated_half(c, q, cos, sin), by_rotated_half(c, k, cos, sin)
    return attend(c, before=before, after=scaled)


NEIGHBOURS = ATTENTION + r"block\.rope<style = interleaved, dim = 4"


def stack(c, parts):
    shape = parts[0].shape
    joined = c.w.concat([c.w.reshape(part, (*shape, 1)) for part in parts], len(shape))
    return c.w.reshape(joined, (*shape[:-1], 2 * shape[-1]))


def neighbours(c, x, strided):
    w = c.w
    if strided:
        return w.part(x, 3, 0, PAIRS, 2), w.part(x, 3, 1, PAIRS, 2)
    pair = w.reshape(x, (*x.shape[:3], PAIRS, 2))
    return tuple(w.reshape(w.part(pair, 4, k, 1), (*x.shape[:3], PAIRS)) for k in (0, 1))


def turn_pairs(strided):
    def function(c, x, cos, sin):
        w = c.w
        a, b = neighbours(c, x, strided)
        return stack(c, [w.sub(w.mul(a, cos), w.mul(b, sin)), w.add(w.mul(a, sin), w.mul(b, cos))])
    return function


def every_two(c, x, cos, sin):
    w = c.w
    a, b = neighbours(c, x, strided=True)
    return w.add(w.mul(x, cos), w.mul(stack(c, [w.unary("neg", b), a]), sin))


def doubled(c):
    turned = angles(c)
    wide = c.w.broadcast(c.w.reshape(turned, (T, PAIRS, 1)), (T, PAIRS, 2))
    wide = c.w.reshape(wide, (1, 1, T, DH))
    return c.w.unary("cos", wide), c.w.unary("sin", wide)


def complex_table(c):
    """Cosine and sine of a pair beside each other."""
    table = c.data((T, PAIRS, 2))
    return tuple(c.w.reshape(c.w.part(table, 2, k, 1), (T, PAIRS)) for k in (0, 1))


spelling("rotation: neighbours", "slices with a stride, stacked", NEIGHBOURS)(rotate(turn_pairs(True))(narrow))
spelling("rotation: neighbours", "pairs as a dimension", NEIGHBOURS)(rotate(turn_pairs(False))(narrow))
spelling("rotation: neighbours", "every two, with the negated one first", NEIGHBOURS)(rotate(every_two)(doubled))
spelling("rotation: neighbours", "complex numbers of an argument", NEIGHBOURS)(rotate(turn_pairs(False))(complex_table))


@spelling("rotation: place", "before heads and tokens change places", HALF)
def _(c):
    def before(c, q, k):
        w = c.w
        cos, sin = (w.reshape(table, (1, T, 1, DH)) for table in tables(c))

        def turn(x):
            x = w.swap(x, 1, 2)
            return w.swap(by_rotated_half(c, x, cos, sin), 1, 2)
        return turn(q), turn(k)
    return attend(c, before=before, after=scaled)


@spelling("rotation: place", "of queries that are scaled before", HALF)
def _(c):
    def before(c, q, k):
        cos, sin = tables(c)
        return by_rotated_half(c, c.w.mul(q, 0.5), cos, sin), by_rotated_half(c, k, cos, sin)
    return attend(c, before=before)


@spelling("rotation: place", "in f64 and back", HALF, "linalg primitive mapped stablehlo")
def _(c):
    def before(c, q, k):
        cos, sin = tables(c)
        return tuple(c.w.cast(by_rotated_half(c, c.w.cast(x, "f64"), c.w.cast(cos, "f64"), c.w.cast(sin, "f64")), "f32") for x in (q, k))
    return attend(c, before=before, after=scaled)
