#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what block-weights says about damaged recipes.

    damage.py RECIPE WEIGHTS

Each is written to RECIPE, refused, and described by the message behind the file's name and place.
"""

import os
import subprocess
import sys

W = '%w: tensor<2x3xf32> {recipe.tensor = "w"}'
P = 'tensor<2x3xf32> {recipe.tensor = "p"}'
RETURN = "return %w : tensor<2x3xf32>"
RESTORE = "func.func @restore() { return }"


def recipe(body=RETURN, arguments=W, results=P, attributes="recipe.schema = 2 : i64", restore=RESTORE):
    return (f"module attributes {{{attributes}}} {{\nfunc.func @prepack({arguments}) -> ({results}) {{\n{body}\n}}\n"
            f"{restore}\n}}\n")


def made(line, result="tensor<2x3xf32>"):
    return recipe(f"%p = {line}\nreturn %p : {result}", results=f'{result} {{recipe.tensor = "p"}}')


CONSTANT = W + ', %c: tensor<3xf32> {recipe.constant = "c"}'
FILE = 'recipe.schema = 2 : i64, recipe.constants = "a/b", recipe.constants_sha256 = "0"'


TURN = ("%e = tensor.empty() : tensor<3x2xf32>\n%p = linalg.transpose ins(%w : tensor<2x3xf32>) "
        "outs(%e : tensor<3x2xf32>) permutation = [{}]\nreturn %p : tensor<3x2xf32>")


def damaged():
    yield '{"schema": 1}'
    yield "ML\xEFR"
    yield "no recipe"
    yield "(" * 1000
    yield recipe(attributes="")
    yield recipe(attributes="recipe.schema = 3 : i64")
    yield recipe(restore="")
    yield recipe(restore="func.func private @restore()")
    yield recipe().replace("@prepack", "@other")
    yield recipe(arguments="%w: tensor<2x3xf32>")
    yield recipe(arguments=f"{W}, {W.replace('%w', '%v')}")
    yield recipe(results="tensor<2x3xf32>")
    yield recipe(arguments=W.replace("2x3", "?x3"), results=P.replace("2x3", "?x3"), body=RETURN.replace("2x3", "?x3"))
    yield recipe(arguments=W.replace("f32", "i4"), results=P.replace("f32", "i4"), body=RETURN.replace("f32", "i4"))
    yield made('"some.op"(%w) : (tensor<2x3xf32>) -> tensor<2x3xf32>')
    yield made("math.clampf %w to [%w, %w] : tensor<2x3xf32>")
    yield recipe(results=P.replace("2x3", "3x2"))
    yield made("tensor.extract_slice %w[0, 2] [2, 2] [1, 1] : tensor<2x3xf32> to tensor<2x2xf32>", "tensor<2x2xf32>")
    yield made("tensor.concat dim(2) %w, %w : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>", "tensor<4x3xf32>")
    yield made("tensor.collapse_shape %w [[0, 1]] : tensor<2x3xf32> into tensor<7xf32>", "tensor<7xf32>")
    yield recipe(TURN.format("0, 0"), results=P.replace("2x3", "3x2"))
    yield made("arith.constant dense<1.0> : tensor<1099511627776xf32>", "tensor<1099511627776xf32>")
    yield recipe(arguments=CONSTANT)
    yield recipe(arguments=CONSTANT, attributes=FILE)
    yield recipe("\n".join([f"%{i} = arith.negf %{i - 1 if i else 'w'} : tensor<2x3xf32>" for i in range(1001)]) +
                 "\nreturn %1000 : tensor<2x3xf32>")


def main():
    path = sys.argv[1]
    for document in damaged():
        with open(path, "w", encoding="latin-1") as file:
            file.write(document)
        command = ["block-weights", f"--recipe={path}", sys.argv[2], "-o", os.devnull]
        child = subprocess.run(command, capture_output=True, text=True)
        if child.returncode != 1:
            sys.exit(f"exit {child.returncode} for {document}: {child.stderr}")
        lines = child.stderr.strip().splitlines()
        if len(lines) != 1 or not lines[0].startswith(f"error: {path}:"):
            sys.exit(f"expected one message for {document}: {child.stderr}")
        print(lines[0].removeprefix(f"error: {path}:").strip())


main()
