#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts by sorted rows and ragged products, as JAX writes them, and functions that look alike.

sorted_experts.py FOLDER

Each case has the numbers of the function before it is read; experts also those of all experts on all rows.
"""

import pathlib
import sys

import experts
from experts import B, D, E, F, K, T, Layer, of, route_after, route_sigmoid, route_softmax, silu, topk
from tools import call as run

N = B * T * K


def call(w, name, operands, attributes, region, *results):
    """An op in its generic form."""
    from writers import Value

    made = [Value(w.fresh(), shape, element) for shape, element in results]
    types = ", ".join(value.type for value in made)
    w.lines.append(
        f"{', '.join(value.name for value in made)} = \"{name}\"({', '.join(o.name for o in operands)}) <{{{attributes}}}>"
        + (f" ({{{region}}})" if region else "")
        + f" : ({', '.join(o.type for o in operands)}) -> {types if len(made) == 1 else f'({types})'}")
    return made[0] if len(made) == 1 else made


def sort(w, keys, direction="LT"):
    """Sorted numbers, and where they were."""
    kind = f"tensor<{keys.element}>"
    region = (
        f"^bb0(%p: {kind}, %q: {kind}, %r: {kind}, %s: {kind}): %is = stablehlo.compare {direction}, %p, %q, SIGNED : "
        f"({kind}, {kind}) -> tensor<i1> stablehlo.return %is : tensor<i1>")
    given = [keys, w.iota(keys.shape[0], keys.element)]
    return call(w, "stablehlo.sort", given, "dimension = 0 : i64, is_stable = true", region, *[(keys.shape, keys.element)] * 2)


def scatter(w, x, places, rows, adds=False):
    """Rows put at places of the first dimension, or added there."""
    kind = f"tensor<{x.element}>"
    body = f"%v = stablehlo.add %p, %q : {kind} stablehlo.return %v : {kind}" if adds else f"stablehlo.return %q : {kind}"
    window = list(range(1, len(x.shape)))
    numbers = (
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {window}, inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false")
    given = [x, w.reshape(places, (*places.shape, 1)), rows]
    return call(w, "stablehlo.scatter", given, numbers, f"^bb0(%p: {kind}, %q: {kind}): {body}", (x.shape, x.element))


def ragged_dot(w, rows, stack, sizes):
    numbers = (
        "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], "
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>")
    return call(w, "chlo.ragged_dot", [rows, stack, sizes], numbers, "", ((rows.shape[0], stack.shape[2]), rows.element))


def cumulate(w, x):
    """Sums up to each element."""
    kind, size = f"tensor<{x.element}>", x.shape[0]
    region = f"^bb0(%p: {kind}, %q: {kind}): %v = stablehlo.add %p, %q : {kind} stablehlo.return %v : {kind}"
    window = (
        f"base_dilations = array<i64: 1>, padding = dense<[[{size - 1}, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, "
        f"window_dimensions = array<i64: {size}>, window_strides = array<i64: 1>")
    return call(w, "stablehlo.reduce_window", [x, w.constant(0, (), x.element)], window, region, (x.shape, x.element))


def masked_dot(w, rows, stack, sizes, start=0, shift=0):
    """A copy of the rows for each group, 0 where they are those of another, as JAX has ragged_dot on a CPU."""
    (n, d), groups = rows.shape, sizes.shape[0]
    shape = (groups, n, d)
    copies = w.broadcast(w.reshape(rows, (1, n, d)), shape)
    at = w.broadcast(w.reshape(w.iota(n, sizes.element), (1, n, 1)), shape)
    ends = cumulate(w, sizes)
    starts = w.concat([w.constant([start], (1,), sizes.element), w.part(ends, 0, 0, groups - 1)], 0)
    starts, ends = (w.broadcast(w.reshape(x, (groups, 1, 1)), shape) for x in (starts, ends))
    at = w.add(at, shift) if shift else at
    own = w.binary("and", w.binary("le", starts, at), w.binary("lt", at, ends))
    return w.einsum("gnd,gdf->nf", w.select(own, copies, 0.0), stack)


def count(w, ids, groups=E):
    """How many there are of each number, as bincount adds them up."""
    zeros, ones = (w.constant([n] * size, (size,), ids.element) for n, size in ((0, groups), (1, ids.shape[0])))
    return scatter(w, zeros, ids, ones, adds=True)


def divide(w, x, by):
    return w.binary("div", x, w.constant([by] * x.shape[0], x.shape, x.element))


def grouped(m, router=route_softmax, back="sort", late=True, gate=True, biased=False, sizes=None, keys=None, rows=None, direction="LT", dot=ragged_dot, width=E):
    """Rows sorted by their expert; `back` is how they are put back."""
    w, (weights, places) = m.w, router(m)
    ids = w.reshape(places, (N,))
    ids_g, perm = sort(w, keys(m, ids) if keys else ids, direction)
    x = w.reshape(m.x, (B * T, D))
    chosen = w.rows(x, rows(w, perm) if rows else divide(w, perm, K))
    counts = count(w, sizes(m, ids) if sizes else ids, width)
    stack = lambda name, a, b: m.weight(name, width, a, b)
    bias = lambda name, a: w.rows(m.weight(name, width, a), ids_g)
    g = dot(w, chosen, stack("gate", D, F), counts)
    g = w.add(g, bias("gate_bias", F)) if biased else g
    h = silu(w, g)
    if gate:
        h = w.mul(h, dot(w, chosen, stack("up", D, F), counts))
    y = dot(w, h, stack("down", F, D), counts)
    if not late:
        share = w.rows(w.reshape(weights, (N, 1)), perm)
        y = w.mul(y, share)
    if back == "add":
        zeros = w.spread(0.0, (B * T, D), m.element)
        return w.add(m.x, w.reshape(scatter(w, zeros, divide(w, perm, K), y, adds=True), (B, T, D)))
    if back == "put":
        y = scatter(w, w.spread(0.0, (N, D), m.element), perm, y)
    elif back == "place":
        inverse = scatter(w, w.constant([0] * N, (N,), perm.element), perm, w.iota(N, perm.element))
        y = w.rows(y, inverse)
    elif back == "order":
        y = w.rows(y, perm)
    else:
        y = w.rows(y, sort(w, perm)[1])
    y = w.reshape(y, (B, T, K, D))
    return w.add(m.x, w.einsum("btkd,btk->btd", y, weights) if late else w.reduce("sum", y, 2))


def other_choice(m, ids):
    """Those of the smallest logits."""
    _, places = topk(m.w, m.w.unary("neg", m.wide(m.logits)))
    return m.w.reshape(places, (N,))


def remainder(w, perm):
    return w.sub(perm, w.mul(divide(w, perm, K), w.constant([K] * N, (N,), perm.element)))


def given_numbers(m, ids):
    return m.w.argument("places", (N,), ids.element, 'block.input = "places"')


NORMED = experts.NORMED
CASES = [
    ("put back by a sort", grouped, "moe", NORMED),
    ("put back by places", of(grouped, back="place"), "moe", NORMED),
    ("rows put back", of(grouped, back="put"), "moe", NORMED),
    ("weights of sorted rows", of(grouped, late=False), "moe", NORMED),
    ("weights of sorted rows, put back", of(grouped, late=False, back="put"), "moe", NORMED),
    ("rows added to their tokens", of(grouped, late=False, back="add"), "moe", NORMED),
    ("without a gate", of(grouped, gate=False), "moe", "activation = silu, layout = up"),
    ("biases of sorted rows", of(grouped, gate=False, biased=True), "moe", "up_bias"),
    ("sigmoids", of(grouped, route_sigmoid), "moe", "score = sigmoid, divide_by = added"),
    ("softmax of the chosen", of(grouped, route_after, late=False, back="add"), "moe", "weight = softmax>"),
    ("masked rows", of(grouped, dot=masked_dot), "moe", NORMED),
    ("masked rows, put back by places", of(grouped, dot=masked_dot, back="place"), "moe", NORMED),
    ("masked rows, added to their tokens", of(grouped, dot=masked_dot, late=False, back="add"), "moe", NORMED),
    ("masked rows without a gate", of(grouped, dot=masked_dot, gate=False, biased=True), "moe", "up_bias"),
    ("masked rows, counts of another choice", of(grouped, dot=masked_dot, sizes=other_choice), "none", ""),
    ("masked rows, counts of an argument", of(grouped, dot=masked_dot, sizes=given_numbers), "none", ""),
    ("masked rows, the first left out", of(grouped, dot=of(masked_dot, start=1)), "none", ""),
    ("masked rows, the next ones", of(grouped, dot=of(masked_dot, shift=1)), "none", ""),
    ("masked rows that are not sorted", of(grouped, dot=masked_dot, rows=lambda w, perm: divide(w, w.iota(N, perm.element), K)), "none", ""),
    ("counts of another choice", of(grouped, sizes=other_choice), "none", ""),
    ("counts of an argument", of(grouped, sizes=given_numbers), "none", ""),
    ("counts of more groups", of(grouped, width=E + 1), "none", ""),
    ("the order of another choice", of(grouped, keys=other_choice), "none", ""),
    ("the largest first", of(grouped, direction="GT"), "none", ""),
    ("put back by the order itself", of(grouped, back="order"), "none", ""),
    ("rows of other tokens", of(grouped, rows=remainder), "none", ""),
    ("rows that are not sorted", of(grouped, rows=lambda w, perm: divide(w, w.iota(N, perm.element), K)), "none", ""),
    ("rows that are not sorted, added", of(grouped, late=False, back="add", rows=lambda w, perm: divide(w, w.iota(N, perm.element), K)), "none", ""),
]


def check(folder, number, function, kind, said):
    problem = experts.check(folder, number, "stablehlo", "f32", function, kind, said)
    words = getattr(function, "keywords", {})
    if problem or kind != "moe" or words.get("gate") is False:
        return problem
    w = experts.WRITERS["stablehlo"]()
    whole = folder / f"{number}.whole.mlir"
    whole.write_text(w.module([experts.one_hot_product(Layer(w), words.get("router", route_softmax))]))
    compared = run("block-run", folder / f"{number}.raised.mlir", "--engine=reference", "--seed=7", f"--baseline={whole}")
    return compared.stdout + compared.stderr if compared.returncode else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for number, (name, function, kind, said) in enumerate(CASES):
        if problem := check(folder, number, function, kind, said):
            failed += 1
            print(f"FAILED: {name} ({number}): {problem}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
