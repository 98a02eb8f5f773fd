#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 3 as linalg or TOSA, lowered and run by the distribution's own tools.

A model becomes kernels, kernels become upstream ops, and these machine code of
mlir-opt and mlir-runner, which know no dialect of ours. Its results are held against
the reference engine's of the model as it was, on the same numbers.

usage: stock.py TOOLS FAMILY linalg|tosa [PASS..]
"""

import math
import pathlib
import random
import re
import struct
import sys
import tempfile

import safetensors_io
from tools import require as run

SMALL = "--layers=2 --width=16 --heads=2 --vocab=31 --positions=16 --batch=1 --seq=5".split()
FROM_TOSA = "builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))"
LOWER = [
    "--convert-elementwise-to-linalg",
    "--one-shot-bufferize=bufferize-function-boundaries",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
]
ARGUMENT = re.compile(r'%arg\d+: tensor<([\dx]+)x(f32|i64)> \{[^}]*block\.(input|param) = "([^"]+)"')
MOST = 1e-5


def draw(seed, kind, shape):
    numbers, count = random.Random(seed), math.prod(shape)
    if kind == "i64":
        return struct.pack(f"<{count}q", *(numbers.randrange(31) for _ in range(count)))
    return struct.pack(f"<{count}f", *(numbers.uniform(-0.5, 0.5) for _ in range(count)))


def write_driver(text, drawn):
    """A function that calls the model with numbers and prints the bits of its result."""
    (result,) = re.findall(r"->\s+\(?(tensor<[^>]*xf32>)", text[text.index("func.func @main") :])[:1]
    bits = result.replace("f32", "i32")
    lines = ["func.func private @printMemrefI32(tensor<*xi32>)", "func.func @driver() {"]
    types = []
    for number, (kind, shape, data) in enumerate(drawn.values()):
        types.append(f"tensor<{'x'.join(map(str, shape))}x{kind.lower()}>")
        lines.append(f'  %{number} = arith.constant dense<"0x{data.hex()}"> : {types[-1]}')
    arguments = ", ".join(f"%{number}" for number in range(len(types)))
    lines += [
        f"  %y = call @main({arguments}) : ({', '.join(types)}) -> {result}",
        f"  %bits = arith.bitcast %y : {result} to {bits}",
        f"  %any = tensor.cast %bits : {bits} to tensor<*xi32>",
        "  call @printMemrefI32(%any) : (tensor<*xi32>) -> ()",
        "  return",
        "}",
    ]
    end = text.rindex("}")
    return text[:end] + "\n".join(lines) + "\n}\n"


def main():
    tools, family, level, *passes = sys.argv[1:]
    tools = pathlib.Path(tools)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model, plain = folder / "model.mlir", folder / "plain.mlir"
        run("block-gen", f"--family={family}", *SMALL, "-o", model)
        run("block-opt", model, *(passes or ["--block-optimize=chip=sm_90a"]), f"--convert-block-to-{level}=plain", "-o", plain)
        text = plain.read_text()
        if "block." in re.sub(r'block\.(input|param|output) = "', "", text):
            sys.exit("FAILED: something of the dialect is left")
        header = text[text.index("func.func @main") :]
        joined = re.sub(r"\n\s+", " ", header[: header.index("->")])
        found = ARGUMENT.findall(joined)
        drawn = {}
        for number, (sizes, kind, _, own) in enumerate(found):
            shape = [int(size) for size in sizes.split("x")]
            drawn[own] = (kind.upper(), shape, draw(number, kind, shape))
        if len(drawn) != len(re.findall(r"%arg\d+:", joined)):
            sys.exit(f"FAILED: arguments are not all known: {joined}")
        for role in ("input", "param"):
            safetensors_io.write_raw(folder / f"{role}.safetensors", {own: drawn[own] for _, _, its, own in found if its == role})
        run("block-run", model, "--engine=reference", f"--inputs={folder}/input.safetensors", f"--weights={folder}/param.safetensors",
            f"--outputs={folder}/out.safetensors")
        (expected,) = (array.flatten().tolist() for array in safetensors_io.read(folder / "out.safetensors").values())
        driven, linalg = folder / "driven.mlir", folder / "linalg.mlir"
        driven.write_text(write_driver(text, drawn))
        if level == "tosa":
            run(tools / "mlir-opt", driven, f"--pass-pipeline={FROM_TOSA}", "-o", linalg)
        run(tools / "mlir-opt", linalg if level == "tosa" else driven, *LOWER, "-o", folder / "llvm.mlir")
        printed = run(tools / "mlir-runner", folder / "llvm.mlir", "-e", "driver", "--entry-point-result=void",
                      f"--shared-libs={tools.parent}/lib/libmlir_runner_utils.so,{tools.parent}/lib/libmlir_c_runner_utils.so")
        bits = [int(number) for number in re.findall(r"-?\d+", printed.split("data =")[1])]
    if len(bits) != len(expected):
        sys.exit(f"FAILED: expected {len(expected)} numbers, got {len(bits)}")
    got = struct.unpack(f"<{len(bits)}f", struct.pack(f"<{len(bits)}i", *bits))
    size = math.sqrt(sum(value * value for value in expected))
    error = math.sqrt(sum((a - b) ** 2 for a, b in zip(got, expected))) / size
    print(f"{'PASS' if error <= MOST and size > 0 else 'FAILED'} {family} {level}: {len(bits)} numbers, rel_l2 {error:.2e}, limit {MOST:.0e}")


if __name__ == "__main__":
    main()
