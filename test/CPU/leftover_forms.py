#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops outside of blocks, of each element type: the reference's numbers, or one refusal that names the op.

usage: leftover_forms.py FOLDER [DAYS [CHIP...]]

On the CPU engine, or on the emulator, forms in turn on these chips. One form of so many (7) runs on a day.
"""

import itertools
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tiers
import tools

INTEGERS = ["i1", "i8", "i16", "i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
ALL = [*INTEGERS, *FLOATS]
TOSA = [*INTEGERS, "f16", "bf16", "f32"]
#: What passes of MLIR print for an op that they do not have.
RAW = re.compile(
    r"failed to legalize|not bufferized|explicitly marked illegal|unrealized_conversion_cast|LLVM ERROR|Stack dump"
    r"|Assertion|Traceback"
)
NAMED = re.compile(r"error: .*('(arith|linalg|math|tensor|tosa)\.\w+'|no CPU code for|expected )")


def function(arguments, result, *lines):
    body = "\n  ".join(lines)
    return f"func.func @main({arguments}) -> {result} {{\n  {body} : {result}\n}}\n"


def number(element, value):
    if element == "i1":
        return str(bool(value)).lower()
    return f"{value}.0" if element in FLOATS else str(value)


def elementwise(name, operands, element, result=None, attributes=""):
    """`name` of tensors of one shape; a TOSA op has its types as a function has."""
    tensor, result = f"tensor<4x3x{element}>", f"tensor<4x3x{result or element}>"
    names = ["%x", "%y", "%z"][:operands]
    types = f"({', '.join([tensor] * operands)}) -> {result}" if name.startswith("tosa.") else tensor
    if "cast" in name or name in ("arith.extsi", "arith.extui", "arith.trunci", "arith.extf", "arith.truncf"):
        types = f"({tensor}) -> {result}" if name.startswith("tosa.") else f"{tensor} to {result}"
    given = ", ".join(f"{each}: {tensor}" for each in names)
    return function(given, result, f"%r = {name} {attributes}{', '.join(names)} : {types}", "return %r")


def by_constant(name, element):
    """Divisors and shifts are 3, 1 or true."""
    tensor = f"tensor<4x3x{element}>"
    constant = f"%c = arith.constant dense<{number(element, 1 if element == 'i1' else 3)}> : {tensor}"
    return function(f"%x: {tensor}", tensor, constant, f"%r = {name} %x, %c : {tensor}", "return %r")


def reduce_axis(name, element, result=None):
    source, kept = f"tensor<4x3x{element}>", "tensor<4xi32>" if name == "tosa.argmax" else f"tensor<4x1x{element}>"
    return function(f"%x: {source}", kept, f"%r = {name} %x {{axis = 1 : i32}} : ({source}) -> {kept}", "return %r")


def list_elementwise():
    for name in ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"):
        yield from ((f"arith.{name}", element, elementwise(f"arith.{name}", 2, element)) for element in INTEGERS)
    for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi", "ceildivui", "shli", "shrsi", "shrui"):
        for element in INTEGERS:
            # A shift by all bits has no result.
            if not (name.startswith("sh") and element == "i1"):
                yield f"arith.{name}", element, by_constant(f"arith.{name}", element)
    for name in ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"):
        yield from ((f"arith.{name}", element, elementwise(f"arith.{name}", 2, element)) for element in FLOATS)
    for predicate in ("slt", "ult", "eq"):
        for element in INTEGERS:
            yield "arith.cmpi", element, elementwise("arith.cmpi", 2, element, "i1", f"{predicate}, ")
    for name, elements, result in (
        ("sitofp", INTEGERS, "f32"),
        ("uitofp", INTEGERS, "f32"),
        ("fptosi", FLOATS, "i32"),
        ("fptoui", FLOATS, "i32"),
        ("bitcast", ["f32"], "i32"),
        ("extsi", ["i1", "i8", "i16"], "i32"),
        ("extui", ["i1", "i8", "i16"], "i32"),
        ("trunci", ["i32", "i64"], "i16"),
    ):
        for element in elements:
            tensors = f"tensor<4x3x{element}>", f"tensor<4x3x{result}>"
            # A number below 0 is no unsigned one.
            source, *lines = ["%m", f"%m = math.absf %x : {tensors[0]}"] if name == "fptoui" else ["%x"]
            cast = f"%r = arith.{name} {source} : {tensors[0]} to {tensors[1]}"
            yield f"arith.{name}", element, function(f"%x: {tensors[0]}", tensors[1], *lines, cast, "return %r")
    for name in ("absf", "ceil", "cos", "erf", "exp", "exp2", "expm1", "floor", "log", "log1p", "log2", "round") + (
        *("roundeven", "rsqrt", "sin", "sqrt", "tan", "tanh", "trunc", "cbrt", "sinh", "cosh", "asin", "acos", "atan"),
        *("asinh", "acosh", "atanh"),
    ):
        yield from ((f"math.{name}", element, elementwise(f"math.{name}", 1, element)) for element in FLOATS)
    for name in ("atan2", "powf", "copysign"):
        yield from ((f"math.{name}", element, elementwise(f"math.{name}", 2, element)) for element in FLOATS)
    for name in ("isnan", "isinf", "isfinite"):
        for element in FLOATS:
            source = f"tensor<4x3x{element}>"
            test = f"%r = math.{name} %x : {source}"
            yield f"math.{name}", element, function(f"%x: {source}", "tensor<4x3xi1>", test, "return %r")
    for name in ("absi", "ctlz", "cttz", "ctpop"):
        yield from ((f"math.{name}", element, elementwise(f"math.{name}", 1, element)) for element in INTEGERS)


def list_tosa():
    for name in ("exp", "log", "rsqrt", "tanh", "sigmoid", "erf", "sin", "cos", "ceil", "floor", "reciprocal", "abs"):
        for element in ("i8", "i32", "f16", "bf16", "f32"):
            yield f"tosa.{name}", element, elementwise(f"tosa.{name}", 1, element)
    for name in ("add", "sub", "maximum", "minimum", "pow", "bitwise_and", "bitwise_or", "bitwise_xor") + (
        *("logical_and", "logical_or", "logical_xor", "logical_left_shift", "logical_right_shift", "intdiv"),
    ):
        yield from ((f"tosa.{name}", element, elementwise(f"tosa.{name}", 2, element)) for element in TOSA)
    for name in ("greater", "greater_equal", "equal"):
        yield from ((f"tosa.{name}", element, elementwise(f"tosa.{name}", 2, element, "i1")) for element in TOSA)
    for name in ("sum", "max", "min", "product", "all", "any"):
        yield from ((f"tosa.reduce_{name}", element, reduce_axis(f"tosa.reduce_{name}", element)) for element in TOSA)
    yield from (("tosa.argmax", element, reduce_axis("tosa.argmax", element)) for element in TOSA)
    for source in TOSA:
        for result in TOSA:
            if source != result:
                yield "tosa.cast", source, elementwise("tosa.cast", 1, source, result)


def list_linalg():
    """Named ops, whose bodies MLIR writes for the element type."""
    for element in ALL:
        tensor, square, row = f"tensor<4x3x{element}>", f"tensor<3x3x{element}>", f"tensor<4x{element}>"
        empty = f"%e = tensor.empty() : {tensor}"
        softmax = f"%r = linalg.softmax dimension(1) ins(%x : {tensor}) outs(%e : {tensor}) -> {tensor}"
        yield "linalg.softmax", element, function(f"%x: {tensor}", tensor, empty, softmax, "return %r")
        zero = [f"%z = arith.constant {number(element, 0)} : {element}", empty]
        fill = f"%f = linalg.fill ins(%z : {element}) outs(%e : {tensor}) -> {tensor}"
        yield "linalg.fill", element, function("", tensor, *zero, fill, "return %f")
        product = f"%r = linalg.matmul ins(%x, %y : {tensor}, {square}) outs(%f : {tensor}) -> {tensor}"
        yield "linalg.matmul", element, function(f"%x: {tensor}, %y: {square}", tensor, *zero, fill, product, "return %r")
        for name, operands in (("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("max", 2), ("min", 2), ("exp", 1), ("negf", 1),
                               ("abs", 1), ("square", 1), ("sqrt", 1), ("tanh", 1), ("powf", 2)):
            given = ["%x", "%y"][:operands]
            inputs = f"{', '.join(given)} : {', '.join([tensor] * operands)}"
            named = f"%r = linalg.{name} ins({inputs}) outs(%e : {tensor}) -> {tensor}"
            arguments = ", ".join(f"{each}: {tensor}" for each in given)
            yield f"linalg.{name}", element, function(arguments, tensor, empty, named, "return %r")
        turned = f"tensor<3x4x{element}>"
        transpose = f"%r = linalg.transpose ins(%x : {tensor}) outs(%e : {turned}) permutation = [1, 0]"
        empty_turned = f"%e = tensor.empty() : {turned}"
        yield "linalg.transpose", element, function(f"%x: {tensor}", turned, empty_turned, transpose, "return %r")
        repeat = f"%r = linalg.broadcast ins(%x : {row}) outs(%e : {tensor}) dimensions = [1]"
        yield "linalg.broadcast", element, function(f"%x: {row}", tensor, empty, repeat, "return %r")


def list_moves():
    for element in ALL:
        tensor, other = f"tensor<4x3x{element}>", f"tensor<2x3x{element}>"
        rows = "%i = arith.constant dense<[[2], [0]]> : tensor<2x1xi32>"
        gather = f"%r = tensor.gather %x[%i] gather_dims([0]) : ({tensor}, tensor<2x1xi32>) -> {other}"
        yield "tensor.gather", element, function(f"%x: {tensor}", other, rows, gather, "return %r")
        source = f"tensor<2x1x3x{element}>"
        scatter = f"%r = tensor.scatter %y into %x[%i] scatter_dims([0]) unique : ({source}, {tensor}, tensor<2x1xi32>)"
        scatter += f" -> {tensor}"
        yield "tensor.scatter", element, function(f"%x: {tensor}, %y: {source}", tensor, rows, scatter, "return %r")
        tiles = f"tensor<2x3x2x1x{element}>"
        pack = f"%r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 1] into %e : {tensor} -> {tiles}"
        yield "linalg.pack", element, function(f"%x: {tensor}", tiles, f"%e = tensor.empty() : {tiles}", pack, "return %r")
        for size in ("i32", "i64", "index"):
            wide = f"tensor<6x2x{element}>"
            sizes = f"%s = arith.constant dense<[6, 2]> : tensor<2x{size}>"
            reshape = f"%r = tensor.reshape %x(%s) : ({tensor}, tensor<2x{size}>) -> {wide}"
            yield "tensor.reshape", element, function(f"%x: {tensor}", wide, sizes, reshape, "return %r")
    open_shape = "%r = tensor.reshape %x(%s) : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>"
    yield "tensor.reshape", "open", function("%x: tensor<4x3xf32>, %s: tensor<2xi32>", "tensor<?x?xf32>", open_shape, "return %r")
    cast = "%r = tensor.bitcast %x : tensor<4x3xf32> to tensor<4x3xi32>"
    yield "tensor.bitcast", "f32", function("%x: tensor<4x3xf32>", "tensor<4x3xi32>", cast, "return %r")


def check(case):
    path, engine, (name, element, text) = case
    path.write_text(text)
    result = tools.call("block-run", path, *engine, "--check-against=reference", "--seed=3")
    printed = result.stderr + result.stdout
    if result.returncode == 0:
        return "", True
    is_named = result.returncode == 1 and NAMED.search(printed) and not RAW.search(printed)
    return "" if is_named else f"{name} of {element}: exit code {result.returncode}\n{text}{printed}", False


def main(folder, days="7", *chips):
    forms = [*list_elementwise(), *list_tosa(), *list_linalg(), *list_moves()]
    engines = itertools.cycle([["--engine=emulate", f"--chip={chip}"] for chip in chips] or [["--engine=cpu"]])
    count = len(forms)
    cases = tiers.take_turn(zip((Path(folder) / f"{place}.mlir" for place in range(count)), engines, forms), int(days))
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(check, cases))
    faults = [fault for fault, _ in found if fault]
    print("\n".join(faults))
    right = sum(is_right for _, is_right in found)
    assert right > len(found) / 2, (right, len(found))
    if faults:
        sys.exit(f"{len(faults)} of {len(found)} forms are wrong or have no named refusal")
    print(f"of {count} forms each is right, or refused by name")


if __name__ == "__main__":
    main(*sys.argv[1:])
