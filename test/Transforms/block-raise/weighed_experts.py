#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts whose weights multiply the rows in front of them, as tools write them, and functions that look alike.

weighed_experts.py FOLDER [--full]

Each case has the numbers of the function before it is read. Without --full, it is written by one tool.
"""

import pathlib
import sys

import experts
import sorted_experts as by_sort
from experts import B, D, E, F, T, of, route_after, route_sigmoid, route_softmax, route_unknown, silu

ROWS = "weigh = input"


def dense(m, router=route_softmax, turned=False):
    """Weights of all experts, 0 where one is not chosen."""
    weights, places = router(m)
    c = m.w.einsum("btke,btk->bte", m.one_hot(places), weights)
    return m.w.transpose(c, (2, 0, 1)) if turned else c


def weigh_all(m, c):
    """A copy of the rows for each expert, times its weights."""
    return m.w.mul(m.w.reshape(m.x, (B, T, 1, D)), m.w.reshape(c, (B, T, experts.E, 1)))


def of_weighed(m, router=route_softmax, form="product", factor=0.0, twice=False, squash=False, **hidden):
    """All experts on rows times their weights; `form` is how these are written."""
    w, (weights, places) = m.w, router(m)
    k = places.shape[2]
    if form == "product":
        c = w.einsum("btke,btk->bte", m.one_hot(places), weights)
    elif form == "sum":
        c = w.reduce("sum", w.mul(m.one_hot(places), w.reshape(weights, (B, T, k, 1))), 2)
    else:
        row = w.reshape(w.iota(E, places.element), (1, 1, 1, E))
        is_own = w.binary("eq", w.reshape(places, (B, T, k, 1)), row)
        c = w.reduce("sum", w.select(is_own, w.reshape(weights, (B, T, k, 1)), 0.0), 2)
    rows, spec = weigh_all(m, c), "bted,edf->btef"
    if squash:
        h = w.unary("log", w.add(w.unary("exp", m.project(m.weight("gate", E, D, F), spec, rows)), 1.0))
    else:
        h = m.hidden(spec, rows, **hidden)
    y = m.down(w.mul(h, factor) if factor else h, biased=hidden.get("biased"))
    return m.combine(y, c) if twice else w.add(m.x, w.reduce("sum", y, 2))


def of_masked(m, router=route_softmax, biased=False, picks=False, other=False, **hidden):
    """Results of the chosen alone."""
    w, (weights, places) = m.w, router(m)
    c = w.einsum("btke,btk->bte", m.one_hot(places), weights)
    y = m.down(m.hidden("bted,edf->btef", weigh_all(m, c), biased=biased, **hidden), biased=biased)
    if other:
        _, places = experts.topk(w, w.unary("neg", m.wide(m.logits)))
    if picks:
        y = w.einsum("btke,bted->btkd", m.one_hot(places), y)
        return w.add(m.x, w.reduce("sum", y, 2))
    return m.combine(y, w.reduce("sum", m.one_hot(places), 2))


def copied(m, router=route_softmax, turned=True):
    """All rows for each expert, one after another, as llama4 has them."""
    w, c = m.w, dense(m, router, turned=turned)
    rows = w.broadcast(w.reshape(m.x, (1, B * T, D)), (experts.E, B * T, D))
    rows = w.mul(rows, w.reshape(c, (experts.E, B * T, 1)))
    g, u = (w.einsum("erd,edf->erf", rows, m.weight(name, E, D, F)) for name in ("gate", "up"))
    y = w.einsum("erf,efd->erd", w.mul(silu(w, g), u), m.weight("down", E, F, D))
    return w.add(m.x, w.reshape(w.reduce("sum", y, 0), (B, T, D)))


def gathered(m, router=route_softmax, gate=True, biased=False, apart=False):
    """Matrices of the chosen."""
    w, (weights, places) = m.w, router(m)
    k = places.shape[2]
    stack = lambda name, a, b: w.reshape(w.rows(m.weight(name, E, a * b), places), (B, T, k, a, b))
    bias = lambda name, a: w.reshape(w.rows(m.weight(name, E, a), places), (B, T, k, a))
    rows = w.mul(w.reshape(m.x, (B, T, 1, D)), w.reshape(weights, (B, T, k, 1)))
    g = w.einsum("btkd,btkdf->btkf", rows, stack("gate", D, F))
    h = silu(w, w.add(g, bias("gate_bias", F)) if biased else g)
    if apart:
        h = w.mul(h, w.einsum("btd,btkdf->btkf", m.x, stack("up", D, F)))
    elif gate:
        h = w.mul(h, w.einsum("btkd,btkdf->btkf", rows, stack("up", D, F)))
    y = w.einsum("btkf,btkfd->btkd", h, stack("down", F, D))
    y = w.add(y, bias("down_bias", D)) if biased else y
    return w.add(m.x, w.reduce("sum", y, 2))


def unrolled(m, router=route_softmax, masked=False, slices=False, numbers=range(E), biased=False):
    """One sum for each expert."""
    w, (weights, places) = m.w, router(m)
    x, total = m.x, None
    whole = w.einsum("btke,btk->bte", m.one_hot(places), weights) if slices else None
    for e in range(E):
        own = w.binary("eq", places, w.constant([numbers[e]], (1,), places.element))
        if slices:
            c = w.part(whole, 2, numbers[e], 1)
        else:
            c = w.reduce("sum", w.select(own, weights, 0.0), 2, keep=True)
        m.x = w.mul(x, c)
        y = experts.expert(m, e, biased=biased)
        if masked:
            y = w.mul(y, w.reduce("sum", m.narrow(own), 2, keep=True))
        total = y if total is None else w.add(total, y)
    return w.add(x, total)


def grouped(m, router=route_softmax, back="put", late=False):
    """Rows sorted by their expert, times their weights."""
    w, (weights, places) = m.w, router(m)
    n = B * T * places.shape[2]
    ids = w.reshape(places, (n,))
    ids_g, perm = by_sort.sort(w, ids)
    counts = by_sort.count(w, ids)
    rows = w.rows(w.reshape(m.x, (B * T, D)), by_sort.divide(w, perm, places.shape[2]))
    share = w.rows(w.reshape(weights, (n, 1)), perm)
    rows = w.mul(rows, share)
    g, u = (by_sort.ragged_dot(w, rows, m.weight(name, E, D, F), counts) for name in ("gate", "up"))
    y = by_sort.ragged_dot(w, w.mul(silu(w, g), u), m.weight("down", E, F, D), counts)
    y = w.mul(y, share) if late else y
    if back == "add":
        zeros = w.spread(0.0, (B * T, D), m.element)
        y = by_sort.scatter(w, zeros, by_sort.divide(w, perm, places.shape[2]), y, adds=True)
        return w.add(m.x, w.reshape(y, (B, T, D)))
    y = by_sort.scatter(w, w.spread(0.0, (n, D), m.element), perm, y)
    return w.add(m.x, w.reduce("sum", w.reshape(y, (B, T, places.shape[2], D)), 2))


def one(form, **words):
    """One expert for each row, weighed by the sigmoid of its logit."""
    return of(experts.chosen_one, of(route_after, alone=True), form=of(form, **words) if words else form)


TWICE = "weights multiply both the rows and the results"
ADDED = "experts that do not give 0 for them are added"
ALONE = f"chosen = 1, .*weight = sigmoid.*{ROWS}|{ROWS}.*chosen = 1, .*weight = sigmoid"
#: Name, element, function, what it becomes, text of the op or of a remark; a writer, where one alone has the ops.
CASES = [
    ("products by one-hot rows", "f32", of_weighed, "moe", ROWS),
    ("a sum of one-hot rows", "f32", of(of_weighed, form="sum"), "moe", ROWS),
    ("chosen by conditions", "f32", of(of_weighed, form="select"), "moe", ROWS),
    ("copied rows", "f32", copied, "moe", ROWS),
    ("gate and up of one product", "f32", of(of_weighed, fused=True), "moe", ROWS),
    ("bounds, gate and up in turn", "f32", of(of_weighed, limits=(1.5,)), "moe", ROWS + ".*limit = 1.5, up_offset = 1.0"),
    ("without a gate", "f32", of(of_weighed, gate=False), "moe", "activation = relu, layout = up.*" + ROWS),
    ("sigmoids", "f32", of(of_weighed, route_sigmoid), "moe", ROWS),
    ("another router", "f32", of(of_weighed, route_unknown), "plain", ROWS),
    ("of 16 bits", "bf16", of_weighed, "moe", "round_weights.*" + ROWS + "|" + ROWS + ".*round_weights"),
    ("one of all", "f32", one(of_weighed), "moe", ALONE),
    ("one of all, copied", "f32", one(copied), "moe", ALONE),
    ("results of the chosen", "f32", of_masked, "moe", ROWS),
    ("results that one-hot rows pick", "f32", of(of_masked, picks=True), "moe", ROWS),
    ("biases of the chosen", "f32", of(of_masked, biased=True), "moe", "up_bias .* down_bias .*" + ROWS),
    ("one of them, biased", "f32", one(of_masked, biased=True), "moe", "up_bias .* down_bias .*" + ROWS),
    ("matrices of the chosen", "f32", gathered, "moe", ROWS),
    ("chosen ones without a gate", "f32", of(gathered, gate=False), "moe", "layout = up.*" + ROWS),
    ("chosen ones with biases", "f32", of(gathered, biased=True), "moe", "up_bias .* down_bias .*" + ROWS),
    ("chosen ones of 16 bits", "bf16", gathered, "moe", ROWS),
    ("one matrix of the chosen", "f32", one(gathered), "moe", ALONE),
    ("one sum for each", "f32", unrolled, "moe", ROWS),
    ("one sum for each, by columns", "f32", of(unrolled, slices=True), "moe", ROWS),
    ("one sum for each, of the chosen", "f32", of(unrolled, masked=True), "moe", ROWS),
    ("one sum for each, biased", "f32", of(unrolled, masked=True, biased=True), "moe", "up_bias .* down_bias .*" + ROWS),
    ("one sum for each, one of them", "f32", one(unrolled), "moe", ALONE),
    ("experts in another order", "f32", of(unrolled, numbers=(1, 2, 3, 0)), "moe", ROWS),
    ("sorted rows", "f32", grouped, "moe", ROWS, "stablehlo"),
    ("sorted rows, added", "f32", of(grouped, back="add"), "moe", ROWS, "stablehlo"),
    ("sorted rows, one each", "f32", one(grouped), "moe", ALONE, "stablehlo"),
    # Functions that look alike
    ("biases of all", "f32", of(of_weighed, biased=True), "none", ADDED),
    ("softplus of 0", "f32", of(of_weighed, squash=True), "none", ADDED, "stablehlo"),
    ("biases of all, one sum for each", "f32", of(unrolled, biased=True), "none", ADDED),
    ("weights of both", "f32", of(of_weighed, twice=True), "none", TWICE),
    ("hidden values times 2", "f32", of(of_weighed, factor=2.0), "none", TWICE),
    ("sorted rows, weights of both", "f32", of(grouped, late=True), "none", TWICE, "stablehlo"),
    ("results of others", "f32", of(of_masked, other=True), "none", ""),
    ("weights of other rows", "f32", of(copied, turned=False), "none", ""),
    ("the gate alone", "f32", of(gathered, apart=True), "none", ""),
    ("an expert twice", "f32", of(unrolled, numbers=(0, 1, 2, 2)), "none", ""),
]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    total = 0
    for number, (name, element, function, kind, said, *writer) in enumerate(CASES):
        names = writer or (list(experts.WRITERS) if element == "f32" else ["stablehlo"])
        for tool in names if "--full" in sys.argv else [names[number % len(names)]]:
            total += 1
            if problem := experts.check(folder, f"{number}.{tool}", tool, element, function, kind, said):
                failed += 1
                print(f"FAILED: {name} ({number}, {tool}): {problem}")
    print(f"{total - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
