#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of every number of rows, held against that of the most, bit by bit.

usage: row_counts.py PROCESSOR...

A model has one input for each number of rows, the first ones of the same matrix, and
one kernel for all, whose sizes are open. Rows are multiplied several at a time, with
smaller and larger groups at the end; the product of the most is held against NumPy's.
One row alone is summed up in another order, and held against NumPy's, too.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

import processor
import safetensors_io
import tools

# Past two of the largest groups, and past a block of rows.
COUNTS = [*range(1, 21), 97, 106]
# More than a slice of the depth, odd and even, and a panel that is cut off.
# bf16 has pairs of an even one.
DEPTHS, OUTS = [("f32", 801), ("bf16", 801), ("bf16", 802)], 67
# Relative to the largest.
LIMITS = {"f32": 2e-6, "bf16": 1e-2}


def spell(count, width, kind):
    return f"tensor<1x{count}x{width}x{kind}>"


def write_model(path, kind, depth):
    weight = f"tensor<{OUTS}x{depth}x{kind}>"
    given, result = spell("?", depth, kind), spell("?", OUTS, kind)
    inputs = [f'%x{n}: {given} {{block.input = "x{n}", block.dims = ["n{n}"]}}' for n in COUNTS]
    inputs.append(f'%w: {weight} {{block.param = "w"}}')
    outputs = [f'{result} {{block.output = "y{n}"}}' for n in COUNTS]
    lines = [f"%y{n} = block.linear %x{n}, %w : ({given}, {weight}) -> {result}" for n in COUNTS]
    names = [f"%y{n}" for n in COUNTS]
    body = "\n  ".join(lines)
    path.write_text(
        f"func.func @main({', '.join(inputs)})\n    -> ({', '.join(outputs)}) {{\n  {body}\n"
        f"  return {', '.join(names)} : {', '.join([result] * len(COUNTS))}\n}}\n",
        encoding="utf-8",
    )


def check(case):
    kind, depth, flags = case
    random = np.random.Generator(np.random.PCG64(11))
    # What every type has.
    rows = random.integers(-8, 9, (1, COUNTS[-1], depth)).astype(np.float32) / 8
    weight = random.integers(-8, 9, (OUTS, depth)).astype(np.float32) / 8 * np.float32(1.0625)
    if kind == "f32":
        rows *= random.random(rows.shape, np.float32)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_model(folder / "m.mlir", kind, depth)
        safetensors_io.write(folder / "x.safetensors", {f"x{n}": rows[:, :n] for n in COUNTS})
        safetensors_io.write(folder / "w.safetensors", {"w": weight})
        tools.run("block-run", folder / "m.mlir", "--engine=cpu", *flags,
                  f"--inputs={folder / 'x.safetensors'}", f"--weights={folder / 'w.safetensors'}",
                  f"--outputs={folder / 'y.safetensors'}")
        found = safetensors_io.read(folder / "y.safetensors")
    exact = rows.astype(np.float64) @ weight.T.astype(np.float64)
    for count in COUNTS:
        product = found[f"y{count}"].astype(np.float32)
        distance = np.abs(product - exact[:, :count]).max() / np.abs(exact).max()
        if product.shape != (1, count, OUTS) or not distance <= LIMITS[kind]:
            raise tools.Failure(f"{count} rows: off by {distance}")
        if count > 1 and not np.array_equal(product, found[f"y{COUNTS[-1]}"][:, :count].astype(np.float32)):
            raise tools.Failure(f"{count} rows: not what they are among more")
    return f"{len(COUNTS)} numbers of rows"


def main():
    processors = processor.choose(sys.argv[1:])
    cases = [
        (f"{kind} {depth} {name}", (kind, depth, [f"--cpu={name}", f"--threads={threads}"]))
        for threads, (name, (kind, depth)) in enumerate(itertools.product(processors, DEPTHS), 1)
    ]
    return tools.report(cases, check)


if __name__ == "__main__":
    sys.exit(main())
