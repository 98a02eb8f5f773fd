#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory that block-weights needs does not grow with the checkpoint.

    streaming.py FOLDER

Packs and restores 16 pairs of bf16 matrices of 8 MiB each, 256 MiB in all, and looks at
the largest resident size of each run. One packed tensor and its sources are 32 MiB.
"""

import json
import os
import resource
import struct
import subprocess
import sys

PAIRS, ROWS, COLUMNS = 16, 2048, 2048
LIMIT_MIB = 160


def write_checkpoint(path):
    size = ROWS * COLUMNS * 2
    names = [f"{kind}.{i:02}" for i in range(PAIRS) for kind in ("a", "b")]
    header = {
        name: {"dtype": "BF16", "shape": [ROWS, COLUMNS], "data_offsets": [k * size, (k + 1) * size]}
        for k, name in enumerate(sorted(names))
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for k in range(len(names)):
            row = struct.pack("<H", 0x3F80 + k) * COLUMNS
            file.write(row * ROWS)


def write_recipe(path):
    one, two = f"tensor<{ROWS}x{COLUMNS}xbf16>", f"tensor<{2 * ROWS}x{COLUMNS}xbf16>"
    named = lambda values, of: ", ".join(f"{value}: {of} {{recipe.tensor = \"{name}\"}}" for value, name in values)
    pairs = [(f"%{kind}{i}", f"{kind}.{i:02}") for i in range(PAIRS) for kind in ("a", "b")]
    packed = [(f"%p{i}", f"p.{i:02}") for i in range(PAIRS)]
    results = lambda values, of: ", ".join(f"{of} {{recipe.tensor = \"{name}\"}}" for _, name in values)
    turn = lambda to, of: (f"%e{to} = tensor.empty() : {one}\n%t{to} = linalg.transpose ins({of} : {one}) "
                           f"outs(%e{to} : {one}) permutation = [1, 0]\n")
    end = lambda values, of: f"return {', '.join(values)} : {', '.join([of] * len(values))}\n}}\n"
    text = f"module attributes {{recipe.schema = 2 : i64}} {{\nfunc.func @prepack({named(pairs, one)}) -> ({results(packed, two)}) {{\n"
    for i in range(PAIRS):
        text += turn(i, f"%b{i}")
        text += f"%p{i} = tensor.concat dim(0) %a{i}, %t{i} : ({one}, {one}) -> {two}\n"
    text += end([value for value, _ in packed], two)
    text += f"func.func @restore({named(packed, two)}) -> ({results(pairs, one)}) {{\n"
    for i in range(PAIRS):
        for kind, row in (("a", 0), ("c", ROWS)):
            text += f"%{kind}{i} = tensor.extract_slice %p{i}[{row}, 0] [{ROWS}, {COLUMNS}] [1, 1] : {two} to {one}\n"
        text += turn(i, f"%c{i}")
    text += end([value for i in range(PAIRS) for value in (f"%a{i}", f"%t{i}")], one)
    with open(path, "w") as file:
        file.write(text + "}\n")


def run(*command):
    subprocess.run(("block-weights",) + command, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    if used > LIMIT_MIB:
        sys.exit(f"{' '.join(command)}: {used:.0f} MiB, expected at most {LIMIT_MIB}")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    at = lambda name: os.path.join(folder, name)
    write_checkpoint(at("in"))
    write_recipe(at("recipe.mlir"))
    run(f"--recipe={at('recipe.mlir')}", at("in"), "-o", at("packed"))
    run(f"--recipe={at('recipe.mlir')}", "--undo", at("packed"), "-o", at("back"))
    for name in ("in", "back"):
        with open(at(name), "rb") as file:
            (size,) = struct.unpack("<Q", file.read(8))
            file.seek(8 + size)
            data = file.read()
        if name == "in":
            want = data
        elif data != want:
            sys.exit("the restored tensors differ")
    for name in ("in", "packed", "back"):
        os.remove(at(name))


main()
