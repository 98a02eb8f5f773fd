#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters, inputs, constants and casts of every element type: right, or refused by name."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import safetensors_io
import tiers
import tools

FLOATS = ["f64", "f32", "bf16", "f16"]
INTEGERS = ["i64", "i32", "i16", "i8", "i1"]
REFUSED = ["f8E4M3FN", "f8E5M2", "ui8", "ui16", "ui32", "ui64", "i4", "i128", "f80", "complex<f32>"]
BITS = {"f64": 64, "f32": 32, "bf16": 16, "f16": 16}


def function(arguments, result, *lines):
    return f"func.func @main({arguments}) -> {result} {{\n" + "\n".join(lines) + "\n}\n"


def hand_on(element, kind):
    tensor = f"tensor<3x4x{element}>"
    return function(f'%a: {tensor} {{block.{kind} = "a"}}', tensor, f"return %a : {tensor}")


def move(element, kind):
    """Through what is work on weights for a parameter."""
    whole, half, turned = (f"tensor<{shape}x{element}>" for shape in ["6x4", "2x4", "4x2"])
    return function(
        f'%a: tensor<3x4x{element}> {{block.{kind} = "a"}}',
        turned,
        f"%0 = tensor.concat dim(0) %a, %a : (tensor<3x4x{element}>, tensor<3x4x{element}>) -> {whole}",
        f"%1 = tensor.extract_slice %0[2, 0] [2, 4] [1, 1] : {whole} to {half}",
        f"%2 = tensor.empty() : {turned}",
        f"%3 = linalg.transpose ins(%1 : {half}) outs(%2 : {turned}) permutation = [1, 0]",
        f"return %3 : {turned}",
    )


def constant(element, values):
    tensor = f"tensor<3x{element}>"
    if element.startswith(("ui", "i4", "i128", "f8", "complex")) or element == "f80":
        make = f'%0 = "tosa.const"() <{{values = dense<{values}> : {tensor}}}> : () -> {tensor}'
    else:
        make = f"%0 = arith.constant dense<{values}> : {tensor}"
    return function("", tensor, make, f"return %0 : {tensor}")


def cast(source, target, kind):
    from_type, to_type = f"tensor<3x4x{source}>", f"tensor<3x4x{target}>"
    op = "extf" if BITS[source] < BITS[target] else "truncf"
    return function(
        f'%a: {from_type} {{block.{kind} = "a"}}', to_type, f"%0 = arith.{op} %a : {from_type} to {to_type}", f"return %0 : {to_type}"
    )


def project(source):
    """A weight that is rounded before it is multiplied with."""
    return function(
        f'%x: tensor<1x2x4xf32> {{block.input = "x"}}, %w: tensor<4x4x{source}> {{block.param = "w"}}',
        "tensor<1x2x4xf32>",
        f"%0 = arith.truncf %w : tensor<4x4x{source}> to tensor<4x4xf32>",
        "%1 = block.linear %x, %0 : (tensor<1x2x4xf32>, tensor<4x4xf32>) -> tensor<1x2x4xf32>",
        "return %1 : tensor<1x2x4xf32>",
    )


def through_f8(kind):
    """A type that nobody hands over, between two that are."""
    return function(
        f'%a: tensor<3x4xf32> {{block.{kind} = "a"}}',
        "tensor<3x4xf32>",
        "%0 = arith.truncf %a : tensor<3x4xf32> to tensor<3x4xf8E4M3FN>",
        "%1 = arith.extf %0 : tensor<3x4xf8E4M3FN> to tensor<3x4xf32>",
        "return %1 : tensor<3x4xf32>",
    )


def make_cases():
    """Name, function, whether it is right rather than refused, and what it returns if that is known."""
    for element in FLOATS + INTEGERS + REFUSED:
        for kind in ["param", "input"]:
            yield f"{kind} {element}", hand_on(element, kind), element not in REFUSED
            yield f"move {kind} {element}", move(element, kind), element not in REFUSED
    for element in FLOATS:
        yield f"constant {element}", constant(element, "[1.5, -2.0, 3.25]"), True
        yield f"splat {element}", constant(element, "0.1"), True
    for element in INTEGERS:
        yield f"constant {element}", constant(element, "[true, false, true]" if element == "i1" else "[1, -2, 3]"), True
    for element in ["ui8", "ui16", "ui32", "ui64"]:
        yield f"constant {element}", constant(element, "[255, 2, 3]"), False
    for element in ["f8E4M3FN", "f80"]:
        yield f"constant {element}", constant(element, "[1.5, -2.0, 3.0]"), False
    for source in FLOATS:
        for target in FLOATS:
            if BITS[source] != BITS[target]:
                for kind in ["param", "input"]:
                    yield f"cast {kind} {source} {target}", cast(source, target, kind), True
    yield "project f64", project("f64"), True
    for kind in ["param", "input"]:
        yield f"through f8 {kind}", through_f8(kind), False


# Next to the middle between two numbers of 16 bits, closer than f32 can say.
NEAR_TIES = {
    ("truncf", "f64", "bf16"): np.array([1 + 2**-8 + 2**-40, 1 + 3 * 2**-8 - 2**-40, -1 - 2**-8 - 2**-40, 1e39, 2**-134 * (1 + 2**-40)]),
    ("truncf", "f64", "f16"): np.array([1 + 2**-11 + 2**-40, 1 + 3 * 2**-11 - 2**-40, 65520 - 2**-30, 2**-25 * (1 + 2**-40), 1e-320]),
    ("sitofp", "i64", "bf16"): np.array([2**24 + 2**16 + 1, -(2**24) - 2**16 - 1, 2**24 + 3 * 2**16 - 1, 7, 2**40 + 2**32 + 1]),
}


def check_near_ties(folder):
    """One rounding: the bits are those of the reference engine."""
    for (op, source, target), values in NEAR_TIES.items():
        path, inputs = folder / "m.mlir", folder / "i.safetensors"
        path.write_text(
            function(
                f'%a: tensor<5x{source}> {{block.input = "a"}}',
                f"tensor<5x{target}>",
                f"%0 = arith.{op} %a : tensor<5x{source}> to tensor<5x{target}>",
                f"return %0 : tensor<5x{target}>",
            )
        )
        safetensors_io.write(inputs, {"a": values})
        written = []
        for engine in ["cpu", "reference"]:
            outputs = folder / f"{engine}.safetensors"
            subprocess.run(["block-run", path, f"--engine={engine}", f"--inputs={inputs}", f"--outputs={outputs}"], check=True, capture_output=True)
            written.append(list(safetensors_io.read(outputs).values())[0].tolist())
        yield f"{op} {source} {target} near ties", written[0] == written[1], written


def judge(path, is_right):
    flags = ["block-run", path, "--engine=cpu", "--seed=3"]
    done = tools.call(*flags, *(["--check-against=reference"] if is_right else []))
    if is_right:
        return done.returncode == 0 and "PASS" in done.stdout and "FAIL" not in done.stdout, done
    return done.returncode == 1 and "error:" in done.stderr, done


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.mlir"
        for name, text, is_right in tiers.take_turn(make_cases(), 4):
            path.write_text(text)
            fine, done = judge(path, is_right)
            passed += fine
            failed += not fine
            if not fine:
                print(f"FAILED {name}: exit {done.returncode}: {done.stdout[-200:]} {done.stderr[:400]}")
        for name, fine, written in check_near_ties(pathlib.Path(folder)):
            passed += fine
            failed += not fine
            if not fine:
                print(f"FAILED {name}: {written}")
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    sys.exit(main())
