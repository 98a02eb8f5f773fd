#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of elements compute what their bodies say.

usage: elements.py FOLDER [CHIP...] [--open]

Every case is a body of a block.kernel "elements". Cases of a group are kernels of one
function, which runs on the emulator and is held against the evaluator of upstream ops.
Cases take turns with the chips, which have the same instructions for most of them; with
PARABLOCK_FULL in the environment each has both. With --open, the sizes of the operands
are known at run time only.
"""

import pathlib
import re
import sys

import tiers
import tools

SIZES = {"b": 2, "s": 5, "d": 8, "w": 40}


class Case:
    """One kernel: its operands and results by type, and its body."""

    def __init__(self, name, operands, results, body, plain=None):
        self.name, self.operands, self.results, self.body = name, operands, results, body
        self.plain = plain or body  # In ops that the evaluator knows.


def tensor(sizes, element):
    return "tensor<" + "".join(f"{size}x" for size in sizes) + element + ">"


def affine(inputs, results):
    return f"affine_map<({', '.join(inputs)}) -> ({', '.join(map(str, results))})>"


def generic(name, inputs, output, maps, iterators, body, into):
    """A linalg.generic; `inputs` are (value, type), `into` the value to write."""
    loops = [f"d{i}" for i in range(len(iterators))]
    kinds = ", ".join('"parallel"' if kind == "p" else '"reduction"' for kind in iterators)
    element = [re.sub(r"tensor<(?:[\d?]+x)*|>", "", kind) for _, kind in inputs + [("", output)]]
    arguments = ", ".join(f"%{name}_i{i}: {kind}" for i, kind in enumerate(element[:-1]))
    arguments += (", " if inputs else "") + f"%{name}_o: {element[-1]}"
    ins = f"ins({', '.join(value for value, _ in inputs)} : {', '.join(kind for _, kind in inputs)})" if inputs else ""
    body = body.replace("$", f"%{name}_")
    return f"""%{name} = linalg.generic {{indexing_maps = [{', '.join(affine(loops, map) for map in maps)}], iterator_types = [{kinds}]}} {ins} outs({into} : {output}) {{
^bb0({arguments}):
{body}
}} -> {output}
"""


def same(rank):
    return [f"d{i}" for i in range(rank)]


def pointwise(name, kinds, result, body, sizes=(3, 7, 9)):
    """A case that does `body` to an element of each operand: $i0, $i1, ..., yields $r."""
    operands = [(f"a{i}", tensor(sizes, kind)) for i, kind in enumerate(kinds)]
    output = tensor(sizes, result)
    rank = len(sizes)
    text = f"%e = tensor.empty() : {output}\n"
    text += generic("r", [(f"%{n}", t) for n, t in operands], output, [same(rank)] * (len(kinds) + 1), "p" * rank,
                    body + f"\nlinalg.yield $r : {result}", "%e")
    return Case(name, operands, [("%r", output)], text)


def chain(*ops):
    return "\n".join(ops)


FLOATS = ["f32", "bf16", "f16"]
WIDTH = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


def float_cases():
    for kind in FLOATS + ["f64"]:
        # Operands of f64 come from f32: inputs of models have no other type.
        source = "f32" if kind == "f64" else kind
        lift = "$x = arith.extf $i0 : f32 to f64\n$y = arith.extf $i1 : f32 to f64\n" if kind == "f64" else ""
        x, y = ("$x", "$y") if kind == "f64" else ("$i0", "$i1")
        drop = "$r = arith.truncf $q : f64 to f32" if kind == "f64" else f"$r = arith.negf $q : {kind}"
        for op in ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]:
            yield pointwise(f"{op}_{kind}", [source] * 2, source, f"{lift}$q = arith.{op} {x}, {y} : {kind}\n{drop}")
        for op in ["absf", "ceil", "floor", "round", "roundeven", "trunc"]:
            scale = f"$c = arith.constant 4.0 : {kind}\n$z = arith.mulf {x}, $c : {kind}\n"
            yield pointwise(f"{op}_{kind}", [source] * 2, source, f"{lift}{scale}$q = math.{op} $z : {kind}\n{drop}")
        yield pointwise(f"sqrt_{kind}", [source] * 2, source, f"{lift}$z = math.absf {x} : {kind}\n$q = math.sqrt $z : {kind}\n{drop}")
        yield pointwise(f"copysign_{kind}", [source] * 2, source, f"{lift}$q = math.copysign {x}, {y} : {kind}\n{drop}")
        yield pointwise(f"fma_{kind}", [source] * 2, source, f"{lift}$q = math.fma {x}, {y}, {x} : {kind}\n{drop}")
        yield pointwise(f"select_{kind}", [source] * 2, source,
                        f"{lift}$c = arith.cmpf olt, {x}, {y} : {kind}\n$q = arith.select $c, {x}, {y} : {kind}\n{drop}")
        if kind != "f64":
            for op in ["exp", "exp2", "tanh", "erf", "sin", "cos"]:
                yield pointwise(f"{op}_{kind}", [kind], kind, f"$r = math.{op} $i0 : {kind}")
            for op in ["log", "log2", "rsqrt"]:
                one = f"$a = math.absf $i0 : {kind}\n$c = arith.constant 0.5 : {kind}\n$z = arith.addf $a, $c : {kind}\n"
                yield pointwise(f"{op}_{kind}", [kind], kind, f"{one}$r = math.{op} $z : {kind}")
    for kind in FLOATS:
        for op in ["atan", "cbrt", "cosh", "erfc", "expm1", "sinh", "tan"]:
            yield pointwise(f"{op}_{kind}", [kind], kind, f"$r = math.{op} $i0 : {kind}")
        one = f"$a = math.absf $i0 : {kind}\n$c = arith.constant 0.5 : {kind}\n$z = arith.addf $a, $c : {kind}\n"
        for op in ["log10", "log1p"]:
            yield pointwise(f"{op}_{kind}", [kind], kind, f"{one}$r = math.{op} $z : {kind}")
        yield pointwise(f"powf_{kind}", [kind] * 2, kind, f"{one}$r = math.powf $z, $i1 : {kind}")
        # The sign of an odd power, and infinity, of what is negative or 0.
        yield pointwise(f"fpowi_{kind}", [kind] * 2, kind, chain(
            f"$n = arith.fptosi $i1 : {kind} to i32", f"$r = math.fpowi $i0, $n : {kind}, i32"))
        yield pointwise(f"powf_cube_{kind}", [kind], kind, f"$c = arith.constant 3.0 : {kind}\n$r = math.powf $i0, $c : {kind}")
        yield pointwise(f"atan2_{kind}", [kind] * 2, kind, f"$r = math.atan2 $i0, $i1 : {kind}")
        clamped = pointwise(f"clampf_{kind}", [kind] * 2, kind, chain(
            f"$z = arith.constant -0.5 : {kind}", f"$r = math.clampf $i0 to [$z, $i1] : {kind}"))
        clamped.plain = pointwise("clampf", [kind] * 2, kind, chain(
            f"$z = arith.constant -0.5 : {kind}", f"$m = arith.maximumf $i0, $z : {kind}", f"$r = arith.minimumf $m, $i1 : {kind}")).body
        yield clamped
    for wide in FLOATS + ["f64"]:
        for narrow in ["i1", "i8", "i16", "i32", "i64"]:
            widen = f"$w = arith.extf $i0 : f32 to f64" if wide == "f64" else (
                f"$w = arith.truncf $i0 : f32 to {wide}" if wide != "f32" else "$w = arith.addf $i0, $i0 : f32")
            back = "sitofp" if narrow != "i1" else "uitofp"
            yield pointwise(f"int_{wide}_{narrow}", ["f32"], "f32", chain(
                widen, f"$c = arith.constant 3.0 : {wide}", f"$m = arith.mulf $w, $c : {wide}",
                *([f"$a = math.absf $m : {wide}", f"$one = arith.constant 1.5 : {wide}", f"$m2 = arith.minimumf $a, $one : {wide}"]
                  if narrow == "i1" else [f"$m2 = arith.addf $m, $m : {wide}"]),
                f"$n = arith.{'fptoui' if narrow == 'i1' else 'fptosi'} $m2 : {wide} to {narrow}",
                f"$b = arith.{back} $n : {narrow} to {wide}",
                "$r = arith.truncf $b : f64 to f32" if wide == "f64" else (
                    f"$r = arith.extf $b : {wide} to f32" if wide != "f32" else "$r = arith.negf $b : f32")))


def to_integer(kind, value, name):
    """Numbers from -50 to 50 or so, of f32."""
    return chain(f"${name}c = arith.constant 17.0 : f32", f"${name}m = arith.mulf {value}, ${name}c : f32",
                 f"${name} = arith.fptosi ${name}m : f32 to {kind}")


def integer_cases():
    for kind, width in WIDTH.items():
        begin = chain(to_integer(kind, "$i0", "x"), to_integer(kind, "$i1", "y0"), f"$k1 = arith.constant 1 : {kind}",
                      f"$y1 = math.absi $y0 : {kind}", f"$y = arith.addi $y1, $k1 : {kind}")
        end = f"\n$b = arith.sitofp $q : {kind} to f32\n$r = arith.negf $b : f32"
        for op in ["addi", "subi", "muli", "divsi", "remsi", "floordivsi", "ceildivsi", "maxsi", "minsi", "andi", "ori", "xori"]:
            yield pointwise(f"{op}_{kind}", ["f32"] * 2, "f32", begin + f"\n$q = arith.{op} $x, $y : {kind}" + end)
        for op in ["divui", "remui", "ceildivui", "maxui", "minui"]:
            yield pointwise(f"{op}_{kind}", ["f32"] * 2, "f32",
                            begin + f"\n$ax = math.absi $x : {kind}\n$q = arith.{op} $ax, $y : {kind}" + end)
        for op in ["shli", "shrsi"]:
            yield pointwise(f"{op}_{kind}", ["f32"] * 2, "f32", begin + chain(
                f"\n$k3 = arith.constant 3 : {kind}", f"$s = arith.andi $y, $k3 : {kind}", f"$q = arith.{op} $x, $s : {kind}") + end)
        yield pointwise(f"absi_{kind}", ["f32"] * 2, "f32", begin + f"\n$q = math.absi $x : {kind}" + end)
        for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge"]:
            yield pointwise(f"{predicate}_{kind}", ["f32"] * 2, "f32", begin + chain(
                f"\n$t = arith.cmpi {predicate}, $x, $y : {kind}", f"$q = arith.select $t, $x, $y : {kind}") + end)
        if width < 64:
            yield pointwise(f"ext_{kind}", ["f32"] * 2, "f32", begin + chain(
                f"\n$l = arith.extsi $x : {kind} to i64", "$k = arith.constant 100000 : i64", "$p = arith.muli $l, $k : i64",
                f"$q = arith.trunci $p : i64 to {kind}") + end)
    for op in ["andi", "ori", "xori"]:
        yield pointwise(f"{op}_i1", ["f32"] * 2, "f32", chain(
            "$z = arith.constant 0.0 : f32", "$x = arith.cmpf olt, $i0, $z : f32", "$y = arith.cmpf oge, $i1, $z : f32",
            f"$q = arith.{op} $x, $y : i1", "$r = arith.uitofp $q : i1 to f32"))


def move_cases():
    x = ("x", "tensor<2x5x8xf32>")
    y = ("y", "tensor<2x3x8xf32>")

    def case(name, operands, results, *body):
        return Case(name, operands, results, "\n".join(body) + "\n")

    yield case("slice", [x], [("%r", "tensor<2x3x4xf32>")],
               "%r = tensor.extract_slice %x[0, 1, 1] [2, 3, 4] [1, 1, 2] : tensor<2x5x8xf32> to tensor<2x3x4xf32>")
    yield case("row", [x], [("%r", "tensor<2x8xf32>")],
               "%r = tensor.extract_slice %x[0, 4, 0] [2, 1, 8] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x8xf32>")
    yield case("insert", [x, y], [("%r", "tensor<2x5x8xf32>")],
               "%r = tensor.insert_slice %y into %x[0, 1, 0] [2, 3, 8] [1, 1, 1] : tensor<2x3x8xf32> into tensor<2x5x8xf32>")
    yield case("insert_steps", [x, ("z", "tensor<2x4xf32>")], [("%r", "tensor<2x5x8xf32>")],
               "%r = tensor.insert_slice %z into %x[0, 3, 1] [2, 1, 4] [1, 1, 2] : tensor<2x4xf32> into tensor<2x5x8xf32>")
    yield case("concat", [x, y], [("%r", "tensor<2x13x8xf32>")],
               "%r = tensor.concat dim(1) %y, %x, %x : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x13x8xf32>")
    yield case("reshape", [x], [("%r", "tensor<4x20xf32>")],
               "%c = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x5x8xf32> into tensor<80xf32>",
               "%r = tensor.expand_shape %c [[0, 1]] output_shape [4, 20] : tensor<80xf32> into tensor<4x20xf32>")
    yield case("pad", [x], [("%r", "tensor<3x8x8xf32>")], "%c = arith.constant 1.5 : f32",
               "%r = tensor.pad %x low[0, 2, 0] high[1, 1, 0] {", "^bb0(%i: index, %j: index, %k: index):",
               "tensor.yield %c : f32", "} : tensor<2x5x8xf32> to tensor<3x8x8xf32>")
    yield case("constants", [x], [("%r", "tensor<2x2xf32>"), ("%s", "tensor<3xf32>"), ("%t", "tensor<f32>")],
               "%c = arith.constant dense<[[1.0, -2.0], [3.5, 0.25]]> : tensor<2x2xf32>",
               "%i = arith.constant 1 : index", "%v = tensor.extract %x[%i, %i, %i] : tensor<2x5x8xf32>",
               "%p = tensor.splat %v : tensor<2x2xf32>", "%q = tensor.empty() : tensor<2x2xf32>",
               generic("r", [("%c", "tensor<2x2xf32>"), ("%p", "tensor<2x2xf32>")], "tensor<2x2xf32>", [same(2)] * 3, "pp",
                       "$y = arith.addf $i0, $i1 : f32\nlinalg.yield $y : f32", "%q"),
               "%s = tensor.from_elements %v, %v, %v : tensor<3xf32>", "%t = tensor.from_elements %v : tensor<f32>")
    for kind, values in [("bf16", "[1.5, -2.0, 0.1]"), ("f16", "[1.5, -2.0, 0.1]"), ("f64", "[1.5, -2.0, 0.1]"), ("i1", "[true, false, true]"),
                         ("i8", "[1, -2, 127]"), ("i16", "[1, -2, 30000]"), ("i32", "[1, -2, 70000]"), ("i64", "[1, -2, 70000]")]:
        back = {"bf16": "$y = arith.extf $i0 : bf16 to f32", "f16": "$y = arith.extf $i0 : f16 to f32",
                "f64": "$y = arith.truncf $i0 : f64 to f32", "i1": "$y = arith.uitofp $i0 : i1 to f32"}.get(
                    kind, f"$y = arith.sitofp $i0 : {kind} to f32")
        yield case(f"table_{kind}", [x], [("%r", "tensor<3xf32>")], f"%c = arith.constant dense<{values}> : tensor<3x{kind}>",
                   "%e = tensor.empty() : tensor<3xf32>",
                   generic("r", [("%c", f"tensor<3x{kind}>")], "tensor<3xf32>", [same(1)] * 2, "p", back + "\nlinalg.yield $y : f32", "%e"))
    yield case("transpose", [x], [("%r", "tensor<8x2x5xf32>")], "%e = tensor.empty() : tensor<8x2x5xf32>",
               generic("r", [("%x", x[1])], "tensor<8x2x5xf32>", [["d0", "d1", "d2"], ["d2", "d0", "d1"]], "ppp",
                       "linalg.yield $i0 : f32", "%e"))
    yield case("index", [x], [("%r", x[1])], f"%e = tensor.empty() : {x[1]}",
               generic("r", [("%x", x[1])], x[1], [same(3)] * 2, "ppp", chain(
                   "$j = linalg.index 1 : index", "$k = arith.index_cast $j : index to i64", "$l = arith.sitofp $k : i64 to f32",
                   "$y = arith.addf $i0, $l : f32", "linalg.yield $y : f32"), "%e"))
    yield case("gather", [x, ("n", "tensor<4xf32>")], [("%r", "tensor<2x4x8xf32>")], "%e = tensor.empty() : tensor<2x4x8xf32>",
               generic("r", [("%n", "tensor<4xf32>")], "tensor<2x4x8xf32>", [["d1"], same(3)], "ppp", chain(
                   "$a = math.absf $i0 : f32", "$c = arith.constant 1.9 : f32", "$m = arith.minimumf $a, $c : f32",
                   "$v = arith.fptosi $m : f32 to i64", "$g = arith.index_cast $v : i64 to index",
                   "$b = linalg.index 0 : index", "$d = linalg.index 2 : index",
                   "$y = tensor.extract %x[$b, $g, $d] : tensor<2x5x8xf32>", "linalg.yield $y : f32"), "%e"))
    made = "%r = tensor.generate {\n^bb0(%i: index, %j: index):\n@tensor.yield %y : f32\n} : tensor<4x6xf32>\n"
    plain = "%e = tensor.empty() : tensor<4x6xf32>\n" + generic(
        "r", [], "tensor<4x6xf32>", [same(2)], "pp",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n@linalg.yield %y : f32", "%e")
    numbers = chain("%s = arith.addi %i, %j : index", "%v = arith.index_cast %s : index to i32", "%y = arith.sitofp %v : i32 to f32", "")
    yield Case("generate", [x], [("%r", "tensor<4x6xf32>")], made.replace("@", numbers), plain.replace("@", numbers))


def reduction_cases():
    def reduced(name, kind, sizes, dims, body, init, finish=True):
        """Over `dims` of the operand; $i0 is an element, $o what is carried."""
        rank = len(sizes)
        source = tensor(sizes, kind)
        kept = [i for i in range(rank) if i not in dims]
        output = tensor([sizes[i] for i in kept], kind)
        text = f"%c = arith.constant {init} : {kind}\n%e = tensor.empty() : {output}\n"
        text += f"%f = linalg.fill ins(%c : {kind}) outs(%e : {output}) -> {output}\n"
        text += generic("s", [("%x", source)], output, [same(rank), [f"d{i}" for i in kept]],
                        "".join("p" if i in kept else "r" for i in range(rank)), body + f"\nlinalg.yield $y : {kind}", "%f")
        result = "%s"
        if finish:
            text += generic("r", [("%s", output)], output, [same(len(kept))] * 2, "p" * len(kept),
                            f"$y = arith.addf $i0, $i0 : {kind}\nlinalg.yield $y : {kind}", "%e")
            result = "%r"
        return Case(name, [("x", source)], [(result, output)], text)

    for kind in FLOATS:
        for name, sizes, dims in [("last", (3, 5, 40), [2]), ("first", (40, 5, 8), [0]), ("middle", (2, 33, 70), [1]),
                                  ("all", (3, 40), [0, 1]), ("two", (3, 7, 9), [1, 2]), ("few", (6, 4), [1]), ("large", (2, 700), [1])]:
            if name == "large" and kind != "f32":
                continue  # Sums of 16 bits do not get that far.
            yield reduced(f"sum_{name}_{kind}", kind, sizes, dims, f"$y = arith.addf $i0, $o : {kind}", "0.0")
            low = "0xFF800000" if kind == "f32" else ("0xFF80" if kind == "bf16" else "0xFC00")
            yield reduced(f"max_{name}_{kind}", kind, sizes, dims, f"$y = arith.maximumf $o, $i0 : {kind}", low)
    yield reduced("product", "f32", (5, 8), [1], "$y = arith.mulf $i0, $o : f32", "1.0")
    yield reduced("minimum", "f32", (5, 80), [1], "$y = arith.minimumf $i0, $o : f32", "0x7F800000")
    yield reduced("squares", "f32", (5, 80), [1], "$q = arith.mulf $i0, $i0 : f32\n$y = arith.addf $o, $q : f32", "0.5", finish=False)
    # The place and the value of the largest.
    text = chain("%z = arith.constant 0 : i32", "%l = arith.constant 0xFF800000 : f32", "%e = tensor.empty() : tensor<5xf32>",
                 "%g = tensor.empty() : tensor<5xi32>", "%f = linalg.fill ins(%l : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>",
                 "%h = linalg.fill ins(%z : i32) outs(%g : tensor<5xi32>) -> tensor<5xi32>",
                 "%r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],"
                 ' iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x80xf32>) outs(%f, %h : tensor<5xf32>, tensor<5xi32>) {',
                 "^bb0(%a: f32, %b: f32, %i: i32):", "%j = linalg.index 1 : index", "%k = arith.index_cast %j : index to i32",
                 "%t = arith.cmpf ogt, %a, %b : f32", "%u = arith.select %t, %a, %b : f32", "%v = arith.select %t, %k, %i : i32",
                 "linalg.yield %u, %v : f32, i32", "} -> (tensor<5xf32>, tensor<5xi32>)", "")
    yield Case("argmax", [("x", "tensor<5x80xf32>")], [("%r#0", "tensor<5xf32>"), ("%r#1", "tensor<5xi32>")], text)
    for kind in FLOATS:
        wide = "f32"
        for order, map in [("kn", ["d2", "d1"]), ("nk", ["d1", "d2"])]:
            sizes = (40, 70) if order == "kn" else (70, 40)
            body = "$p = arith.mulf $i0, $i1 : f32" if kind == "f32" else chain(
                f"$u = arith.extf $i0 : {kind} to f32", f"$v = arith.extf $i1 : {kind} to f32", "$p = arith.mulf $u, $v : f32")
            text = f"%c = arith.constant dense<0.0> : tensor<9x70x{wide}>\n" + generic(
                "r", [("%x", f"tensor<9x40x{kind}>"), ("%y", tensor(sizes, kind))], f"tensor<9x70x{wide}>",
                [["d0", "d2"], map, ["d0", "d1"]], "ppr", body + "\n$q = arith.addf $o, $p : f32\nlinalg.yield $q : f32", "%c")
            yield Case(f"product_{order}_{kind}", [("x", f"tensor<9x40x{kind}>"), ("y", tensor(sizes, kind))], [("%r", f"tensor<9x70x{wide}>")], text)
    # A convolution with steps.
    text = "%c = arith.constant dense<0.0> : tensor<2x6x4xf32>\n" + generic(
        "r", [("%x", "tensor<2x14x3xf32>"), ("%y", "tensor<4x3x3xf32>")], "tensor<2x6x4xf32>",
        [["d0", "d1 * 2 + d3", "d4"], ["d2", "d3", "d4"], ["d0", "d1", "d2"]], "ppprr",
        "$p = arith.mulf $i0, $i1 : f32\n$q = arith.addf $o, $p : f32\nlinalg.yield $q : f32", "%c")
    yield Case("convolution", [("x", "tensor<2x14x3xf32>"), ("y", "tensor<4x3x3xf32>")], [("%r", "tensor<2x6x4xf32>")], text)


GROUPS = {"floats": float_cases, "integers": integer_cases, "moves": move_cases, "reductions": reduction_cases}


def rename(text, prefix):
    return re.sub(r"%([A-Za-z0-9_]+)", rf"%{prefix}\1", text)


def module(cases, plain=False):
    """A function with a kernel for each case; operands of a type are shared."""
    inputs, outputs, body, returned = {}, [], "", []
    for number, case in enumerate(cases):
        prefix = f"k{number}_"
        counts = {}
        bound = []
        for name, kind in case.operands:
            key = (kind, counts.setdefault(kind, 0))
            counts[kind] += 1
            inputs.setdefault(key, f"in{len(inputs)}")
            bound.append(f"%{prefix}{name} = %{inputs[key]} : {kind}")
        types = ", ".join(kind for _, kind in case.results)
        yielded = ", ".join(rename(value, prefix) for value, _ in case.results)
        body += f"""%{number}:{len(case.results)} = block.kernel "elements" ({', '.join(bound)}) -> ({types}) {{
{rename(case.plain if plain else case.body, prefix)}block.yield {yielded} : {types}
}}
"""
        for index, (_, kind) in enumerate(case.results):
            outputs.append(f'{kind} {{block.output = "{case.name}{index or ""}"}}')
            returned.append((f"%{number}#{index}", kind))
    arguments = ", ".join(f'%{name}: {kind} {{block.input = "{name}"}}' for (kind, _), name in inputs.items())
    return f"""func.func @main({arguments}) -> ({', '.join(outputs)}) {{
{body}return {', '.join(value for value, _ in returned)} : {', '.join(kind for _, kind in returned)}
}}
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    chips = [word for word in sys.argv[2:] if word.startswith("sm_")] or ["sm_80", "sm_90a"]
    groups = [word for word in sys.argv[2:] if word in GROUPS] or list(GROUPS)
    code = 0
    step = 1 if tiers.FULL else len(chips)
    for group in groups:
        for turn, chip in enumerate(chips):
            cases = list(GROUPS[group]())[turn % step :: step]
            path, baseline = folder / f"{group}.mlir", folder / f"{group}.plain.mlir"
            path.write_text(module(cases))
            baseline.write_text(module(cases, plain=True))
            done = tools.call("block-run", path, "--engine=emulate", f"--chip={chip}", "--seed=7", f"--baseline={baseline}")
            passed = len(re.findall(r"^PASS", done.stdout, re.M))
            print(f"{group} {chip}: {passed} results as expected")
            if done.returncode or not passed:
                code = 1
                print("\n".join(line for line in done.stdout.splitlines() if "FAIL" in line), done.stderr[:2000])
    sys.exit(code)


if __name__ == "__main__":
    main()
