#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions whose numbers depend on open sizes by more than extents: each is raised for all sizes, or refused by name.

    open_sizes_proof.py FOLDER

Half of them run a day. A raised function is compared with the given one at sizes on both sides of every constant.
"""

import math
import pathlib
import sys

import tiers
from tools import call as run

# Sizes ----------------------------------------------------------------------------------------------------------------


def i32(name, number):
    return f"  %{name} = stablehlo.constant dense<{number}> : tensor<i32>\n"


def scaled(lines):
    """A projection, with a number for each token that the lines compute as %r of the size %t."""
    return f"""func.func @main(%x: tensor<1x?x8xf32> {{block.dims = ["t"]}}, %w: tensor<8x8xf32>) -> tensor<1x?x8xf32> {{
  %t = stablehlo.get_dimension_size %x, dim = 1 : (tensor<1x?x8xf32>) -> tensor<i32>
{lines}  %rf = stablehlo.convert %r : (tensor<i32>) -> tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  %t1 = stablehlo.reshape %t : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %one, %t1, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %rf, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<1x?x8xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<1x?x8xf32>, tensor<8x8xf32>) -> tensor<1x?x8xf32>
  %z = stablehlo.add %y, %b : tensor<1x?x8xf32>
  return %z : tensor<1x?x8xf32>
}}
"""


def by(op, number):
    return scaled(i32("c", number) + f"  %r = stablehlo.{op} %t, %c : tensor<i32>\n")


def chosen(direction, number):
    compare = f"  %p = stablehlo.compare {direction}, %t, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    choose = "  %r = stablehlo.select %p, %c, %zero : tensor<i1>, tensor<i32>\n"
    return scaled(i32("c", number) + i32("zero", 0) + compare + choose)


# Masks ----------------------------------------------------------------------------------------------------------------

Q = "tensor<1x2x?x8xf32>"
SCORES = "tensor<1x2x?x?xf32>"
PAIRS = "tensor<?x?xi32>"


def named(kind, name):
    return f'%{name}: {kind} {{block.dims = ["t"], block.input = "{name}"}}'


GIVEN = f"""func.func @main({named(Q, "q")}, {named(Q, "k")}, {named(Q, "v")}) -> {Q} {{
  %t = stablehlo.get_dimension_size %q, dim = 2 : ({Q}) -> tensor<i32>
"""


def attend(lines, queries="q", keys="k", scores="s0", before="", head=GIVEN):
    """An attention of which the lines make scores %s of %s0."""
    shape = "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>"
    reduced = "dims = [0, 1, 2] : (tensor<1x2x?xf32>, tensor<4xi32>) -> " + SCORES
    return f"""{head}  %t1 = stablehlo.reshape %t : (tensor<i32>) -> tensor<1xi32>
  %tt = stablehlo.concatenate %t1, %t1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %c2 = stablehlo.constant dense<2> : tensor<1xi32>
  %full = stablehlo.concatenate %c1, %c2, %t1, %t1, dim = 0 : ({shape}) -> tensor<4xi32>
{before}  %{scores} = stablehlo.dot_general %{queries}, %{keys}, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : ({Q}, {Q}) -> {SCORES}
{lines}  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%s init: %ninf) applies stablehlo.maximum across dimensions = [3] : ({SCORES}, tensor<f32>) -> tensor<1x2x?xf32>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %full, {reduced}
  %d = stablehlo.subtract %s, %mb : {SCORES}
  %e = stablehlo.exponential %d : {SCORES}
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : ({SCORES}, tensor<f32>) -> tensor<1x2x?xf32>
  %sumb = stablehlo.dynamic_broadcast_in_dim %sum, %full, {reduced}
  %p = stablehlo.divide %e, %sumb : {SCORES}
  %y = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : ({SCORES}, {Q}) -> {Q}
  return %y : {Q}
}}
"""


def spread(name, number, element="i32"):
    return (
        f"  %{name}0 = stablehlo.constant dense<{number}> : tensor<{element}>\n"
        f"  %{name} = stablehlo.dynamic_broadcast_in_dim %{name}0, %tt, dims = [] : (tensor<{element}>, tensor<2xi32>) -> tensor<?x?x{element}>\n"
    )


def compare(name, direction, a, b, element="i32"):
    kind = f"tensor<?x?x{element}>"
    signed = ", SIGNED" if element == "i32" else ""
    return f"  %{name} = stablehlo.compare {direction}, %{a}, %{b}{signed} : ({kind}, {kind}) -> tensor<?x?xi1>\n"


def binary(name, op, a, b):
    return f"  %{name} = stablehlo.{op} %{a}, %{b} : {PAIRS}\n"


def masked(lines):
    """A causal attention that sees what the lines give as %near of positions %i and %j."""
    return attend(
        f"""  %i = stablehlo.dynamic_iota %tt, dim = 0 : (tensor<2xi32>) -> {PAIRS}
  %j = stablehlo.dynamic_iota %tt, dim = 1 : (tensor<2xi32>) -> {PAIRS}
{compare("causal", "GE", "i", "j")}{binary("apart", "subtract", "i", "j")}{lines}  %mask = stablehlo.and %causal, %near : tensor<?x?xi1>
  %seen = stablehlo.dynamic_broadcast_in_dim %mask, %full, dims = [2, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<1x2x?x?xi1>
  %low = stablehlo.constant dense<-1.0e30> : tensor<f32>
  %lows = stablehlo.dynamic_broadcast_in_dim %low, %full, dims = [] : (tensor<f32>, tensor<4xi32>) -> {SCORES}
  %s = stablehlo.select %seen, %s0, %lows : tensor<1x2x?x?xi1>, {SCORES}
"""
    )


def of_floats(number):
    convert = "  %apart.f = stablehlo.convert %apart : (tensor<?x?xi32>) -> tensor<?x?xf32>\n"
    return masked(spread("w", number, "f32") + convert + compare("near", "LT", "apart.f", "w", "f32"))


def within(number, *lines):
    return masked(spread("w", number) + "".join(lines) + compare("near", "LT", "apart2" if lines else "apart", "w"))


CHUNKS = binary("ci", "divide", "i", "w") + binary("cj", "divide", "j", "w") + compare("near", "EQ", "ci", "cj")
SIZES = f"  %tb = stablehlo.dynamic_broadcast_in_dim %t, %tt, dims = [] : (tensor<i32>, tensor<2xi32>) -> {PAIRS}\n"

# Tables ---------------------------------------------------------------------------------------------------------------


def table(rows, function, bend):
    """Cosines or sines of positions, which go half as fast from one row on."""
    text = []
    for t in range(rows):
        position = t if t < bend else t / 2
        row = [f"{function(position * 10000 ** (-i / 4)):.9e}" for i in range(4)]
        text.append(f"[{', '.join(row + row)}]")
    return f"[{', '.join(text)}]"


def turn(name):
    half = "tensor<1x2x?x4xf32>"
    slices = "tensor<4xi32>, tensor<4xi32>, tensor<4xi32>"
    return f"""  %{name}.a = stablehlo.multiply %{name}, %cb : {Q}
  %{name}.l = stablehlo.real_dynamic_slice %{name}, %zeros, %lows, %ones : ({Q}, {slices}) -> {half}
  %{name}.h = stablehlo.real_dynamic_slice %{name}, %halves, %highs, %ones : ({Q}, {slices}) -> {half}
  %{name}.n = stablehlo.negate %{name}.h : {half}
  %{name}.r = stablehlo.concatenate %{name}.n, %{name}.l, dim = 3 : ({half}, {half}) -> {Q}
  %{name}.b = stablehlo.multiply %{name}.r, %sb : {Q}
  %{name}.t = stablehlo.add %{name}.a, %{name}.b : {Q}
"""


X = "tensor<1x?x16xf32>"
PROJECTED = f"""func.func @main({named(X, "x")}, %wq: tensor<16x16xf32>, %wk: tensor<16x16xf32>, %wv: tensor<16x16xf32>) -> {Q} {{
  %t = stablehlo.get_dimension_size %x, dim = 1 : ({X}) -> tensor<i32>
"""


def project(name):
    """Heads [1, 2, T, 8] of the input."""
    return f"""  %{name}.p = stablehlo.dot_general %x, %w{name}, contracting_dims = [2] x [0] : ({X}, tensor<16x16xf32>) -> {X}
  %{name}.s = stablehlo.dynamic_reshape %{name}.p, %parts : ({X}, tensor<4xi32>) -> tensor<1x?x2x8xf32>
  %{name} = stablehlo.transpose %{name}.s, dims = [0, 2, 1, 3] : (tensor<1x?x2x8xf32>) -> {Q}
"""


def rotated(rows, bend=1 << 20):
    """Queries and keys, turned by the first rows of two tables."""
    shape = "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>"
    kind = f"tensor<{rows}x8xf32>"
    read = f"({kind}, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>"
    spread_rows = f"%highs, dims = [2, 3] : (tensor<?x8xf32>, tensor<4xi32>) -> {Q}"
    before = f"""  %cos = stablehlo.constant dense<{table(rows, math.cos, bend)}> : {kind}
  %sin = stablehlo.constant dense<{table(rows, math.sin, bend)}> : {kind}
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %c4 = stablehlo.constant dense<4> : tensor<1xi32>
  %c8 = stablehlo.constant dense<8> : tensor<1xi32>
  %z2 = stablehlo.constant dense<0> : tensor<2xi32>
  %one2 = stablehlo.constant dense<1> : tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<4xi32>
  %ones = stablehlo.constant dense<1> : tensor<4xi32>
  %halves = stablehlo.concatenate %c0, %c0, %c0, %c4, dim = 0 : ({shape}) -> tensor<4xi32>
  %lows = stablehlo.concatenate %c1, %c2, %t1, %c4, dim = 0 : ({shape}) -> tensor<4xi32>
  %highs = stablehlo.concatenate %c1, %c2, %t1, %c8, dim = 0 : ({shape}) -> tensor<4xi32>
  %parts = stablehlo.concatenate %c1, %t1, %c2, %c8, dim = 0 : ({shape}) -> tensor<4xi32>
{project("q")}{project("k")}{project("v")}  %rows = stablehlo.concatenate %t1, %c8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %cs = stablehlo.real_dynamic_slice %cos, %z2, %rows, %one2 : {read}
  %ss = stablehlo.real_dynamic_slice %sin, %z2, %rows, %one2 : {read}
  %cb = stablehlo.dynamic_broadcast_in_dim %cs, {spread_rows}
  %sb = stablehlo.dynamic_broadcast_in_dim %ss, {spread_rows}
{turn("q")}{turn("k")}"""
    return attend("", "q.t", "k.t", "s", before, PROJECTED)


# As torch-mlir has it -------------------------------------------------------------------------------------------------


def linalg_sum(element, head=""):
    """A projection, with what `element` computes as %e of indices %b, %i, %d for each element."""
    return f"""{head}func.func @main(%x: tensor<1x?x8xf32> {{block.dims = ["t"]}}, %w: tensor<8x8xf32>) -> tensor<1x?x8xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %far = arith.constant 300 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %t = tensor.dim %x, %c1 : tensor<1x?x8xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x?x8xf32> into tensor<?x8xf32>
  %e0 = tensor.empty(%t) : tensor<?x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = linalg.matmul ins(%flat, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %z = linalg.generic {{indexing_maps = [affine_map<(i, d) -> (i, d)>, affine_map<(i, d) -> (i, d)>], iterator_types = ["parallel", "parallel"]}} ins(%y : tensor<?x8xf32>) outs(%e0 : tensor<?x8xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %d = linalg.index 1 : index
{element}    %sum = arith.addf %in, %e : f32
    linalg.yield %sum : f32
  }} -> tensor<?x8xf32>
  %r = tensor.expand_shape %z [[0, 1], [2]] output_shape [1, %t, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  return %r : tensor<1x?x8xf32>
}}
"""


def chosen_by(condition):
    return linalg_sum(f"    %p = {condition}\n    %e = arith.select %p, %half, %zero : f32\n")


ODD = "    %odd = arith.remui %t, %c2 : index\n    %p = arith.cmpi eq, %odd, %c0 : index\n    %e = arith.select %p, %half, %zero : f32\n"

# --------------------------------------------------------------------------------------------------------------------

#: By name: the module, what the raised one has, and sizes to run it at; or why it is refused.
SMALL = (1, 2, 8, 61, 101)
CASES = {
    "remainder": (by("remainder", 2), "the result of 'arith.remsi' on the open size 't' changes at 3", ()),
    "quotient": (by("divide", 2048), "'arith.divsi' on the open size 't' changes at 2048", ()),
    "minimum": (by("minimum", 37), "'arith.minsi' on the open size 't' changes at 38", ()),
    "maximum": (by("maximum", 37), "'arith.maxsi' on the open size 't' changes at 38", ()),
    "at least 1": (by("maximum", 1), "depends on the size", ()),
    "larger": (chosen("GT", 40), "'arith.cmpi' on the open size 't' changes at 41", ()),
    "never less": (chosen("LT", 1), "block.head", SMALL),
    "causal": (masked(compare("near", "GE", "i", "j")), "causal = true>", SMALL),
    "window": (within(40), "causal = true, window = 40>", (1, 2, 39, 40, 41, 100, 211)),
    "float window": (of_floats("256.5"), "causal = true, window = 257>", (1, 2, 256, 257, 258, 302)),
    "quotient of positions": (within(4, spread("n", 20), binary("apart2", "divide", "apart", "n")), "window = 80>", (1, 79, 80, 81, 302)),
    "limited quotient": (
        within(5, spread("n", 8), spread("most", 5), binary("part", "divide", "apart", "n"), binary("apart2", "minimum", "part", "most")),
        "window = 40>",
        (1, 39, 40, 41, 302),
    ),
    "multiple": (within(600, spread("n", 7), binary("apart2", "multiply", "apart", "n")), "window = 86>", (1, 85, 86, 87, 302)),
    "large window": (within(1500), "window = 1500>", (1, 2, 1600)),
    "sum of numbers": (
        masked(spread("a", 1200) + spread("b", 1200) + binary("w", "add", "a", "b") + compare("near", "LT", "apart", "w")),
        "'arith.cmpi' computes numbers of positions that change at 2401, and sizes up to 2048 are looked at",
        (),
    ),
    "no window": (within(2147483647), "causal = true>", (1, 2, 302)),
    "chunks": (masked(spread("w", 16) + CHUNKS), "'arith.divsi' on positions changes at 16", ()),
    "large chunks": (masked(spread("w", 1100) + CHUNKS), "'arith.divsi' on positions changes at 1100", ()),
    "squares": (
        masked(spread("w", 900) + binary("apart2", "multiply", "apart", "apart") + compare("near", "LT", "apart2", "w")),
        "on positions has no rule",
        (),
    ),
    "positions and sizes": (
        masked(spread("w", 70) + SIZES + binary("a", "add", "j", "tb") + compare("near", "GE", "a", "w")),
        "'arith.cmpi' on positions and open sizes changes at",
        (),
    ),
    "table": (rotated(512), "#block.rope<style = half, dim = 8>", (1, 2, 300, 301, 512)),
    "table that bends": (rotated(512, 300), "reads rows of a table of 512, at the end of which", ()),
    "last row": (rotated(512, 511), "reads rows of a table of 512, at the end of which", ()),
    "long table": (rotated(2304), "reads rows of a table of 2304, as many as 't', and no more than 2048 are looked at", ()),
    "short table": (rotated(64), "reads rows of a table of 64, as many as 't', which is looked at from 61 to 67", ()),
    "linalg parity": (linalg_sum(ODD), "'arith.remui' on the open size 't' changes at 3", ()),
    "linalg bend": (chosen_by("arith.cmpi sge, %i, %far : index"), "block.linear", (1, 299, 300, 301)),
    "linalg last": (chosen_by("arith.cmpi slt, %i, %t : index"), "'value' is 61 : index and 67 : index", ()),
}


def check(folder, name, module, expect, sizes):
    before, after = folder / f"{name.replace(' ', '-')}.mlir", folder / f"{name.replace(' ', '-')}.raised.mlir"
    before.write_text(module)
    raised = run("block-opt", before, "--unbroken-lines", "--block-raise", "--remarks-filter=.*", "--remark-format=emitRemark", "-o", after)
    text = after.read_text() if raised.returncode == 0 else ""
    if expect not in text and expect not in raised.stderr:
        return f"expected {expect}, got {raised.stderr[:600]}{text[:900]}"
    if ("dynamic-shape" in raised.stderr) == ("= block." in text) or ("= block." in text) != bool(sizes):
        return f"expected a raised function or a remark, got {raised.stderr[:400]}{text[:900]}"
    for size in sizes:
        compared = run("block-run", after, "--engine=cpu", "--seed=7", f"--dims=t={size}", f"--baseline={before}")
        if compared.returncode:
            return f"size {size}: {compared.stdout}{compared.stderr}"[:400]
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    cases = tiers.take_turn(CASES.items(), 2)
    for name, case in cases:
        problem = check(folder, name, *case)
        failed += bool(problem)
        print(f"{'FAILED' if problem else 'ok'} {name} {problem}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
