#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts as tools write them, and functions that look alike: what each becomes, and its numbers.

experts.py FOLDER [--full]

Without --full, each case is written by one tool. A case names the op that it becomes: `moe`, `experts` behind a route
of its own form (`route`), `experts` behind other ops (`plain`), or `none`; and text that its op or a remark has.
"""

import functools
import pathlib
import re
import sys

from hlo_writer import StableHlo
from linalg_writers import Linalg, Mapped
from tools import call as run
from tosa_writers import Tosa

B, T, D, F, E, K = 2, 5, 8, 6, 4, 2
WRITERS = {"stablehlo": StableHlo, "linalg": Linalg, "mapped": Mapped, "tosa": Tosa}


def topk(w, x, k=0):
    """The largest columns, and where they are."""
    from writers import Value

    k = k or K
    values = Value(w.fresh(), (*x.shape[:-1], k), x.element)
    places = Value(w.fresh(), values.shape, "i32" if isinstance(w, StableHlo) else "i64")
    if isinstance(w, StableHlo):
        text = f"chlo.top_k({x.name}, k = {k}) : {x.type} -> ({values.type}, {places.type})"
        w.lines.append(f"{values.name}, {places.name} = {text}")
    else:
        text = f"block.route {x.name} {{form = #block.routing<chosen = {k}, score = logit>}} : ({x.type}) -> ({places.type}, {values.type})"
        w.lines.append(f"{places.name}, {values.name} = {text}")
    return values, places


def softmax(w, x):
    e = w.unary("exp", w.sub(x, w.reduce("max", x, 2, keep=True)))
    return w.div(e, w.reduce("sum", e, 2, keep=True))


def sigmoid(w, x):
    return w.unary("reciprocal", w.add(w.unary("exp", w.unary("neg", x)), 1.0))


def silu(w, x):
    return w.mul(x, sigmoid(w, x))


def normalise(w, x, axis=2):
    return w.div(x, w.reduce("sum", x, axis, keep=True))


class Layer:
    """The arguments of a layer."""

    def __init__(self, w, element="f32"):
        self.w, self.element = w, element
        self.x = w.argument("x", (B, T, D), element, 'block.input = "x"')
        self.logits = self.project(self.weight("router", D, E), "btd,de->bte")

    def weight(self, name, *shape):
        return self.w.argument(name, shape, self.element, f'block.param = "{name}"')

    def project(self, weight, spec, x=None):
        return self.w.einsum(spec, x or self.x, weight)

    def wide(self, x):
        return self.w.cast(x, "f32")

    def narrow(self, x):
        return self.w.cast(x, self.element)

    def one_hot(self, places, count=E, first=0):
        w = self.w
        row = w.reshape(w.iota(count, places.element), (1, 1, 1, count))
        if first:
            row = w.add(row, w.constant([first], (1,), places.element))
        wanted = w.binary("eq", w.reshape(places, (B, T, K, 1)), row)
        return self.narrow(wanted)

    def bounded(self, gate, up, limit=1.5):
        """Hidden values of gate and up with bounds, and up from 1 on, as GPT-OSS has them."""
        w = self.w
        gate = w.binary("min", gate, limit)
        up = w.binary("min", w.binary("max", up, -1.5), 1.5)
        act = w.mul(gate, sigmoid(w, w.mul(gate, 1.702)))
        return w.mul(act, w.add(up, 1.0))

    def paired(self, both, rank):
        """Gate and up side by side."""
        w = self.w
        pairs = w.reshape(both, (*both.shape[:-1], F, 2))
        return [w.reshape(w.part(pairs, rank, k, 1), (*both.shape[:-1], F)) for k in (0, 1)]

    def hidden(self, spec="btd,edf->btef", x=None, swap=False, gate=True, biased=False, fused=False, count=E, limits=()):
        """Of all experts."""
        w = self.w
        if limits:
            both = self.project(self.weight("both", count, D, 2 * F), spec, x)
            both = w.add(both, self.weight("both_bias", count, 2 * F)) if biased else both
            return self.bounded(*self.paired(both, 4), *limits)
        if fused:
            both = self.project(self.weight("both", count, D, 2 * F), spec, x)
            g, u = w.part(both, 3, 0, F), w.part(both, 3, F, F)
        else:
            g = self.project(self.weight("gate", count, D, F), spec, x)
            u = self.project(self.weight("up", count, D, F), spec, x) if gate else None
        if biased:
            g = w.add(g, self.weight("gate_bias", count, F))
            u = w.add(u, self.weight("up_bias", count, F)) if gate else None
        if not gate:
            return w.binary("max", g, 0.0)
        g, u = (u, g) if swap else (g, u)
        return w.mul(silu(w, g), u)

    def down(self, h, spec="btef,efd->bted", weight=None, biased=False):
        y = self.w.einsum(spec, h, weight or self.weight("down", E, F, D))
        return self.w.add(y, self.weight("down_bias", E, D)) if biased else y

    def combine(self, y, c):
        return self.w.add(self.x, self.w.einsum("bted,bte->btd", y, c))


# Routers: the weights of the chosen experts, and which these are


def route_softmax(m, norm=True, axis=2):
    values, places = topk(m.w, softmax(m.w, m.wide(m.logits)))
    return m.narrow(normalise(m.w, values, axis) if norm else values), places


def route_sigmoid(m, floor=False):
    w = m.w
    values, places = topk(w, sigmoid(w, m.wide(m.logits)))
    total = w.reduce("sum", values, 2, keep=True)
    total = w.binary("max", total, 1e-3) if floor else w.add(total, 1e-3)
    return m.narrow(w.mul(w.div(values, total), 2.5)), places


def route_after(m, alone=False):
    values, places = topk(m.w, m.wide(m.logits))
    return m.narrow(sigmoid(m.w, values) if alone else softmax(m.w, values)), places


def pick_elements(w, x, places):
    """Elements of rows of `x` at places, as StableHLO has them."""
    shape, ids = places.shape, w.reshape(places, (*places.shape, 1))
    dims = "collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2]"
    if len(x.shape) == 1:
        dims = "collapsed_slice_dims = [0], start_index_map = [0]"
    sizes = ", ".join("1" for _ in x.shape)
    return w.emit(
        f'"stablehlo.gather"({x.name}, {ids.name}) <{{dimension_numbers = #stablehlo.gather<{dims}, index_vector_dim = 3>, '
        f"slice_sizes = array<i64: {sizes}>}}> : ({x.type}, {ids.type}) -> RESULT", shape, x.element)


def route_groups(m, best=2, hidden=float("-inf"), correction=False, late=False, kept=1):
    """The best of two groups of two experts, scores gathered where a correction is in between."""
    w = m.w
    scores = sigmoid(w, m.wide(m.logits))
    choice = w.add(scores, m.weight("correction", E)) if correction else scores
    parts = w.reshape(choice, (B, T, 2, 2))
    of_groups = w.reduce("sum", parts, 3) if best == 3 else w.reduce("max", parts, 3)
    if best == 2:
        of_groups = w.reduce("sum", topk(w, w.reshape(choice, (B, T * 2, 2)), 2)[0], 2)
    _, groups = topk(w, w.reshape(of_groups, (B, T, 2)), kept)
    row = w.reshape(w.iota(2, groups.element), (1, 1, 1, 2))
    is_kept = w.binary("eq", w.reshape(groups, (B, T, kept, 1)), row)
    mask = w.reduce("max", w.cast(is_kept, "f32"), 2)
    spread = w.reshape(w.broadcast(w.reshape(mask, (B, T, 2, 1)), (B, T, 2, 2)), (B, T, E))
    shown = w.select(w.binary("gt", spread, 0.0), choice, hidden)
    values, places = topk(w, shown)
    if correction or late:
        values = pick_elements(w, scores, places)
    return normalise(w, values), places


def route_scales(m):
    """Weights times a number of each expert, and logits times one."""
    w = m.w
    values, places = topk(w, softmax(w, w.mul(m.logits, 0.5)))
    return w.mul(normalise(w, values), pick_elements(w, m.weight("scales", E), places)), places


def route_unknown(m):
    values, places = topk(m.w, m.w.unary("tanh", m.wide(m.logits)))
    return m.narrow(m.w.unary("abs", values)), places


def route_ties(m):
    """Two pairs of equal logits in each row: of equal ones, the first is chosen."""
    half = m.w.part(m.logits, 2, 0, 2)
    m.logits = m.w.concat([half, half], 2)
    return route_softmax(m)


def route_rounded(m):
    """Scores of 16 bits may be equal where logits are not: they stay."""
    w = m.w
    values, places = topk(w, m.narrow(softmax(w, m.wide(m.logits))))
    return normalise(w, values), places


# Forms: what is computed of them


def one_hot_sum(m, router=route_softmax, **hidden):
    w, (weights, places) = m.w, router(m)
    c = w.reduce("sum", w.mul(m.one_hot(places), w.reshape(weights, (B, T, K, 1))), 2)
    return m.combine(m.down(m.hidden(**hidden), biased=hidden.get("biased")), c)


def one_hot_product(m, router=route_softmax, **hidden):
    weights, places = router(m)
    c = m.w.einsum("btke,btk->bte", m.one_hot(places), weights)
    return m.combine(m.down(m.hidden(**hidden)), c)


def early(m, router=route_softmax):
    weights, places = router(m)
    c = m.w.einsum("btke,btk->bte", m.one_hot(places), weights)
    h = m.w.mul(m.hidden(), m.w.reshape(c, (B, T, E, 1)))
    return m.w.add(m.x, m.down(h, "btef,efd->btd"))


def picked(m, router=route_softmax):
    weights, places = router(m)
    y = m.w.einsum("btke,bted->btkd", m.one_hot(places), m.down(m.hidden()))
    return m.w.add(m.x, m.w.einsum("btkd,btk->btd", y, weights))


def taken(m, router=route_softmax):
    """Results of all experts that a gather picks, as JAX's take_along_axis."""
    w, (weights, places) = m.w, router(m)
    y, ids = m.down(m.hidden()), w.reshape(places, (B, T, K, 1))
    picks = w.emit(
        f'"stablehlo.gather"({y.name}, {ids.name}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [2], '
        "operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, "
        f"slice_sizes = array<i64: 1, 1, 1, {D}>}}> : ({y.type}, {ids.type}) -> RESULT", (B, T, K, D), m.element)
    return w.add(m.x, w.einsum("btkd,btk->btd", picks, weights))


def batched(m, router=route_softmax):
    """A copy of all rows for each expert, as torch's bmm reads them."""
    w, (weights, places) = m.w, router(m)
    c = w.einsum("btke,btk->bte", m.one_hot(places), weights)
    rows = w.broadcast(w.reshape(m.x, (1, B * T, D)), (E, B * T, D))
    g = w.einsum("erd,edf->erf", rows, m.weight("gate", E, D, F))
    u = w.einsum("erd,edf->erf", rows, m.weight("up", E, D, F))
    h = w.mul(silu(w, g), u)
    y = w.einsum("erf,efd->erd", h, m.weight("down", E, F, D))
    weighed = w.mul(y, w.reshape(w.transpose(w.reshape(c, (B * T, E)), (1, 0)), (E, B * T, 1)))
    return w.add(m.x, w.reshape(w.reduce("sum", weighed, 0), (B, T, D)))


def gathered(m, router=route_softmax, other=False, gate=True):
    w, (weights, places) = m.w, router(m)
    stack = lambda name, a, b, ids: w.reshape(w.rows(m.weight(name, E, a * b), ids), (B, T, K, a, b))
    g = w.einsum("btd,btkdf->btkf", m.x, stack("gate", D, F, places))
    h = silu(w, g)
    if gate:
        h = w.mul(h, w.einsum("btd,btkdf->btkf", m.x, stack("up", D, F, places)))
    if other:
        _, places = topk(w, w.unary("neg", m.wide(m.logits)))
    y = w.einsum("btkf,btkfd->btkd", h, stack("down", F, D, places))
    return w.add(m.x, w.einsum("btkd,btk->btd", y, weights))


def gathered_limits(m, router=route_softmax, transposed=False):
    """Matrices of gate and up side by side, read by the choice."""
    w, (weights, places) = m.w, router(m)
    shape, spec = ((2 * F, D), "btd,btkfd->btkf") if transposed else ((D, 2 * F), "btd,btkdf->btkf")
    stack = w.reshape(w.rows(m.weight("both", E, 2 * F * D), places), (B, T, K, *shape))
    both = w.add(w.einsum(spec, m.x, stack), w.reshape(w.rows(m.weight("both_bias", E, 2 * F), places), (B, T, K, 2 * F)))
    down, spec = ((D, F), "btkf,btkdf->btkd") if transposed else ((F, D), "btkf,btkfd->btkd")
    y = w.einsum(spec, m.bounded(*m.paired(both, 4)), w.reshape(w.rows(m.weight("down", E, F * D), places), (B, T, K, *down)))
    y = w.add(y, w.reshape(w.rows(m.weight("down_bias", E, D), places), (B, T, K, D)))
    return w.add(m.x, w.einsum("btkd,btk->btd", y, weights))


def chosen_one(m, router, form):
    """One expert for each row."""
    global K
    before, K = K, 1
    try:
        return form(m, router)
    finally:
        K = before


def expert(m, e, stacks=None, biased=False):
    """One expert of all rows."""
    w = m.w
    if stacks:
        one = lambda name, a, b: w.reshape(w.part(stacks[name], 0, e, 1), (a, b))
    else:
        one = lambda name, a, b: m.weight(f"{name}_{e}", a, b)
    g = w.einsum("btd,df->btf", m.x, one("gate", D, F))
    u = w.einsum("btd,df->btf", m.x, one("up", D, F))
    if biased:
        g = w.add(g, m.weight(f"bias_{e}", F))
    y = w.einsum("btf,fd->btd", w.mul(silu(w, g), u), one("down", F, D))
    return w.add(y, m.weight(f"down_bias_{e}", D)) if biased else y


def unrolled(m, router=route_softmax, single=False, order=range(E), numbers=range(E), inside=False, biased=False):
    w, (weights, places) = m.w, router(m)
    stacks = None
    if not single:
        stacks = {name: m.weight(name, E, *shape) for name, shape in (("gate", (D, F)), ("up", (D, F)), ("down", (F, D)))}
    total = m.x if inside else None
    for e in order:
        number = w.constant([numbers[e]], (1,), places.element)
        c = w.reduce("sum", w.select(w.binary("eq", places, number), weights, 0.0), 2, keep=True)
        y = w.mul(expert(m, e, stacks, biased), c)
        total = y if total is None else w.add(total, y)
    return total if inside else w.add(m.x, total)


# Functions that look alike


def other_numbers(m):
    """Each choice means the next expert."""
    weights, places = route_softmax(m)
    c = m.w.einsum("btke,btk->bte", m.one_hot(places, first=1), weights)
    return m.combine(m.down(m.hidden()), c)


def fewer_experts(m):
    """A choice among more experts than are computed."""
    weights, places = route_softmax(m)
    c = m.w.einsum("btke,btk->bte", m.one_hot(places, count=E - 1), weights)
    return m.combine(m.down(m.hidden(count=E - 1), weight=m.weight("down", E - 1, F, D)), c)


def given_numbers(m):
    """An argument may have numbers of no expert, whose rows add nothing."""
    weights, _ = route_softmax(m)
    places = m.w.argument("places", (B, T, K), "i64", 'block.input = "places"')
    c = m.w.einsum("btke,btk->bte", m.one_hot(places), weights)
    return m.combine(m.down(m.hidden()), c)


def given_weights(m):
    c = m.w.argument("c", (B, T, E), m.element, 'block.input = "c"')
    return m.w.add(m.x, m.down(m.w.mul(m.hidden(), m.w.reshape(c, (B, T, E, 1))), "btef,efd->btd"))


def permuted(m):
    """Matrices in another order than those of the gates."""
    w, (weights, places) = m.w, route_softmax(m)
    stack = m.weight("down", E, F, D)
    down = w.concat([w.part(stack, 0, e, 1) for e in (2, 0, 3, 1)], 0)
    c = w.einsum("btke,btk->bte", m.one_hot(places), weights)
    return m.combine(m.down(m.hidden(), weight=down), c)


def other_rows(m):
    """The gate reads other rows than up."""
    w, (weights, places) = m.w, route_softmax(m)
    c = w.einsum("btke,btk->bte", m.one_hot(places), weights)
    g = m.project(m.weight("gate", E, D, F), "btd,edf->btef", w.mul(m.x, 2.0))
    u = m.project(m.weight("up", E, D, F), "btd,edf->btef")
    return m.combine(m.down(w.mul(silu(w, g), u)), c)


def other_weights(m):
    """Weights of the experts of the smallest logits."""
    weights, places = route_softmax(m)
    other, _ = topk(m.w, m.w.unary("neg", m.wide(m.logits)))
    c = m.w.einsum("btke,btk->bte", m.one_hot(places), m.narrow(other))
    return m.combine(m.down(m.hidden()), c)


def scaled(m):
    """Rows that are a product themselves."""
    m.x = m.w.mul(m.x, m.weight("gain", D))
    return one_hot_product(m)


def both_active(m):
    w, (weights, places) = m.w, route_softmax(m)
    c = w.einsum("btke,btk->bte", m.one_hot(places), weights)
    g = m.project(m.weight("gate", E, D, F), "btd,edf->btef")
    u = m.project(m.weight("up", E, D, F), "btd,edf->btef")
    return m.combine(m.down(w.mul(silu(w, g), w.unary("tanh", u))), c)


def of(function, router=None, **words):
    """A form behind a router, or either one with words of its own."""
    return functools.partial(function, **({"router": router} if router else {}), **words)


LIMITS = "activation = quick_gelu, layout = interleaved, transposed = true, limit = 1.5, up_offset = 1.0"
NORMED = "score = softmax, divide_by = added>"
#: Name, element, function, what it becomes, text of the op or of a remark.
CASES = [
    ("a sum of one-hot rows", "f32", one_hot_sum, "moe", NORMED),
    ("a product by one-hot rows", "f32", one_hot_product, "moe", NORMED),
    ("weights before down", "f32", early, "moe", NORMED),
    ("results picked by one-hot rows", "f32", picked, "moe", NORMED),
    ("results that a gather picks", "f32", taken, "moe", NORMED),
    ("a copy of the rows for each expert", "f32", batched, "moe", NORMED),
    ("matrices of the chosen", "f32", gathered, "moe", NORMED),
    ("one sum for each expert", "f32", unrolled, "moe", NORMED),
    ("matrices of their own", "f32", of(unrolled, single=True), "moe", NORMED),
    ("experts in any order", "f32", of(unrolled, order=(2, 0, 3, 1)), "moe", NORMED),
    ("sums that begin with the stream", "f32", of(unrolled, inside=True), "moe", NORMED),
    ("biases of each", "f32", of(one_hot_sum, biased=True), "moe", "up_bias .* down_bias"),
    ("biases of single ones", "f32", of(unrolled, single=True, biased=True), "moe", "up_bias .* down_bias"),
    ("without a gate", "f32", of(one_hot_product, gate=False), "moe", "activation = relu, layout = up"),
    ("chosen ones without a gate", "f32", of(gathered, gate=False), "moe", "activation = silu, layout = up"),
    ("gate and up of one product", "f32", of(one_hot_product, fused=True), "moe", "activation = silu, transposed"),
    ("rows that are scaled", "f32", scaled, "route", NORMED),
    ("all of 16 bits", "bf16", one_hot_product, "moe", "round_weights .*" + NORMED),
    ("chosen ones of 16 bits", "bf16", gathered, "moe", "round_weights .*" + NORMED),
    ("single ones of 16 bits", "bf16", unrolled, "moe", "round_weights .*" + NORMED),
    ("weights that are not divided", "f32", of(one_hot_product, of(route_softmax, norm=False)), "moe", "score = softmax>"),
    ("sigmoids, scaled", "f32", of(one_hot_product, route_sigmoid), "moe", "score = sigmoid, divide_by = added, eps = 0.001, weight_scale = 2.5"),
    ("sigmoids, a floor of the sum", "f32", of(gathered, of(route_sigmoid, floor=True)), "moe", "score = sigmoid, divide_by = floored, eps"),
    ("softmax of the chosen", "f32", of(unrolled, route_after), "moe", "score = logit, weight = softmax>"),
    ("sigmoid of the chosen", "f32", of(one_hot_product, of(route_after, alone=True)), "moe", "score = logit, weight = sigmoid>"),
    ("equal logits", "f32", of(one_hot_product, route_ties), "route", "score = logit, divide_by = added>"),
    ("the best groups by two experts", "f32", of(gathered, route_groups), "moe", "groups = 2, group_score = best_two"),
    ("the best groups by one", "f32", of(one_hot_sum, of(route_groups, best=1)), "moe", "divide_by = added, groups = 2"),
    ("hidden scores of 0", "f32", of(one_hot_sum, of(route_groups, hidden=0.0)), "moe", "groups = 2, group_score = best_two"),
    ("hidden scores of 0, gathered", "f32", of(gathered, of(route_groups, hidden=0.0, late=True)), "moe", "hidden = zero"),
    ("groups with a correction", "f32", of(gathered, of(route_groups, correction=True)), "moe", "correction .* groups = 2"),
    ("groups by a sum of all", "f32", of(gathered, of(route_groups, best=3)), "route", "score = logit, divide_by = added"),
    ("hidden scores of another number", "f32", of(gathered, of(route_groups, hidden=-1.0)), "route", "score = logit, divide_by = added"),
    ("scales of experts and logits", "f32", of(gathered, route_scales), "moe", "expert_scale .* logit_scale = 0.5"),
    ("bounds, gate and up in turn", "f32", of(one_hot_sum, limits=(1.5,)), "moe", LIMITS),
    ("bounds and biases", "f32", of(one_hot_sum, limits=(1.5,), biased=True), "moe", "up_bias .*" + LIMITS),
    ("other bounds of gate and up", "f32", of(one_hot_sum, limits=(2.0,)), "none", "a choice among 4 columns is compared with numbers"),
    ("bounds of the chosen", "f32", gathered_limits, "moe", LIMITS),
    ("bounds of the chosen, columns first", "f32", of(gathered_limits, transposed=True), "moe", LIMITS.replace("transposed = true, ", "")),
    ("one of them, divided by itself", "f32", of(chosen_one, route_softmax, form=gathered), "moe", "chosen = 1, score = softmax, divide_by"),
    ("one of them", "f32", of(chosen_one, of(route_softmax, norm=False), form=gathered), "moe", "chosen = 1, score = softmax>"),
    ("one of all", "f32", of(chosen_one, of(route_softmax, norm=False), form=one_hot_sum), "moe", "chosen = 1, score = softmax>"),
    ("one of all, by products", "f32", of(chosen_one, of(route_after, alone=True), form=one_hot_product), "moe", "chosen = 1, .*sigmoid>"),
    ("one sum for each, one of them", "f32", of(chosen_one, route_softmax, form=unrolled), "moe", "chosen = 1, score = softmax"),
    ("one picked result", "f32", of(chosen_one, route_sigmoid, form=picked), "moe", "chosen = 1, score = sigmoid"),
    ("another router", "f32", of(gathered, route_unknown), "plain", ""),
    ("weights divided over tokens", "f32", of(one_hot_product, of(route_softmax, axis=1)), "plain", ""),
    ("scores of 16 bits", "bf16", of(one_hot_product, route_rounded), "route", "score = logit, divide_by = added"),
    ("activation of the other half", "f32", of(one_hot_product, swap=True), "moe", NORMED),
    ("matrices in another order", "f32", permuted, "moe", NORMED),
    ("weights of other experts", "f32", other_weights, "plain", ""),
    ("numbers of other experts", "f32", other_numbers, "none", ""),
    ("numbers of other single experts", "f32", of(unrolled, numbers=(1, 2, 3, 0)), "moe", NORMED),
    ("an expert twice", "f32", of(unrolled, numbers=(0, 1, 2, 2)), "none", ""),
    ("matrices of two choices", "f32", of(gathered, other=True), "none", "a choice among 4 columns reads rows of weights"),
    ("fewer experts than are chosen among", "f32", fewer_experts, "none", "unknown-choice: experts are compared"),
    ("numbers of an argument", "f32", given_numbers, "none", "unknown-choice: experts are compared"),
    ("weights of an argument", "f32", given_weights, "none", "unknown-choice: the weights of experts"),
    ("gate and up of other rows", "f32", other_rows, "none", ""),
    ("two activations", "f32", both_active, "none", ""),
]

PICKED = ("hidden scores of 0, gathered", "groups with a correction", "scales of experts and logits")


def classify(text):
    if re.search(r"(?<!#)block\.moe\b", text):
        return "moe"
    if not re.search(r"(?<!#)block\.experts\b", text):
        return "none"
    places, weights = re.search(r"block\.experts \S+ of (\S+) by (\S+)", text).groups()
    return "route" if f"{places}, {weights} = block.route" in text else "plain"


def check(folder, number, writer, element, function, kind, said):
    w = WRITERS[writer]()
    before, after = folder / f"{number}.mlir", folder / f"{number}.raised.mlir"
    before.write_text(w.module([function(Layer(w, element))]))
    raised = run("block-opt", before, "--block-raise", "-o", after, "--remarks-filter=block-raise", "--remark-format=emitRemark")
    if raised.returncode:
        return raised.stderr
    text = after.read_text()
    if (found := classify(text)) != kind:
        return f"expected {kind}, got {found}"
    if not re.search(said, re.sub(r"\n\s+", " ", text) + raised.stderr):
        return f"expected '{said}'"
    compared = run("block-run", after, "--engine=reference", "--seed=7", f"--baseline={before}")
    return compared.stdout + compared.stderr if compared.returncode else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for number, (name, element, function, kind, said) in enumerate(CASES):
        # Elements at places are StableHLO's gather.
        picks = function is taken or name in PICKED
        names = list(WRITERS) if element == "f32" and not picks else ["stablehlo"]
        for writer in names if "--full" in sys.argv else [names[number % len(names)]]:
            problem = check(folder, f"{number}.{writer}", writer, element, function, kind, said)
            passed, failed = passed + (not problem), failed + bool(problem)
            if problem:
                print(f"FAILED: {name} ({number}, {writer}): {problem}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
