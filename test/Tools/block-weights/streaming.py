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
    shape = [ROWS, COLUMNS]
    sources, packed = [], []
    for i in range(PAIRS):
        pair = [f"a.{i:02}", f"b.{i:02}"]
        turned = {"op": "transpose", "permutation": [1, 0], "of": [pair[1]]}
        packed.append({"name": f"p.{i:02}", "dtype": "bf16", "shape": [2 * ROWS, COLUMNS],
                       "value": {"op": "concat", "dim": 0, "of": [pair[0], turned]}})
        for k, name in enumerate(pair):
            part = {"op": "slice", "offsets": [k * ROWS, 0], "sizes": shape, "strides": [1, 1],
                    "of": [f"p.{i:02}"]}
            if k == 1:
                part = {"op": "transpose", "permutation": [1, 0], "of": [part]}
            sources.append({"name": name, "dtype": "bf16", "shape": shape, "restore": part})
    with open(path, "w") as file:
        json.dump({"schema": 1, "sources": sources, "packed": packed}, file)


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
    write_recipe(at("recipe.json"))
    run(f"--recipe={at('recipe.json')}", at("in"), "-o", at("packed"))
    run(f"--recipe={at('recipe.json')}", "--undo", at("packed"), "-o", at("back"))
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
