#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts of every number of rows, held against formulas in NumPy.

usage: expert_row_counts.py PROCESSOR...

A model has one input for each number of rows, and all of them choose the second of two experts. An expert's rows are
divided into blocks of nearly equal sizes. Each number below is the last or the first of a number of blocks, where a
block is 24, 32 or 96 rows, or lies between, where sizes that are rounded up would exceed a block. One number of hidden
values a day.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

import processor
import safetensors_io
import tiers
import tools

COUNTS = [1, 2, 23, 25, 31, 32, 33, 47, 48, 61, 62, 64, 65, 93, 96, 97, 127, 128, 130, 160, 190, 192, 193]
WIDTH = 64
# The hidden values of an expert: gate and up have one tile of columns, or several; the second is no multiple of 32.
HIDDENS = [32, 24, 96]
LIMITS = {"f32": 1e-5, "bf16": 1e-2, "f16": 2e-3}


def write_model(path, hidden, kind):
    def spell(*shape, kind=kind):
        return f"tensor<{'x'.join(map(str, shape))}x{kind}>"

    up, down = spell(2, 2 * hidden, WIDTH), spell(2, WIDTH, hidden)
    arguments = [f'%u: {up} {{block.param = "u"}}, %d: {down} {{block.param = "d"}}']
    lines = []
    for n in COUNTS:
        rows, index, weight = spell(1, n, WIDTH), spell(1, n, 1, kind="i64"), spell(1, n, 1, kind="f32")
        arguments.append(f'%x{n}: {rows} {{block.input = "x{n}"}}, %i{n}: {index} {{block.input = "i{n}"}}, '
                         f'%w{n}: {weight} {{block.input = "w{n}"}}')
        lines.append(f"%y{n} = block.experts %x{n} of %i{n} by %w{n} up %u down %d {{form = #block.experts<activation = "
                     f"silu>}} : ({rows}, {index}, {weight}, {up}, {down}) -> {rows}")
    types = [spell(1, n, WIDTH) for n in COUNTS]
    outputs = ", ".join(f'{type} {{block.output = "y{n}"}}' for type, n in zip(types, COUNTS))
    body, names = "\n  ".join(lines), ", ".join(f"%y{n}" for n in COUNTS)
    path.write_text(f"func.func @main({', '.join(arguments)})\n    -> ({outputs}) {{\n  {body}\n"
                    f"  return {names} : {', '.join(types)}\n}}\n", encoding="utf-8")


def check(case):
    hidden, kind, flags = case
    random = np.random.Generator(np.random.PCG64(hidden))

    def draw(*shape):
        # Numbers that every type has.
        return random.integers(-8, 9, shape).astype(np.float32) / 16

    rows, up, down = draw(1, COUNTS[-1], WIDTH), draw(2, 2 * hidden, WIDTH), draw(2, WIDTH, hidden)
    weights = random.integers(1, 9, (1, COUNTS[-1], 1)).astype(np.float32) / 4
    inputs = {}
    for n in COUNTS:
        inputs |= {f"x{n}": rows[:, :n], f"i{n}": np.ones((1, n, 1), np.int64), f"w{n}": weights[:, :n]}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_model(folder / "m.mlir", hidden, kind)
        safetensors_io.write(folder / "x.safetensors", inputs)
        safetensors_io.write(folder / "w.safetensors", {"u": up, "d": down})
        tools.run("block-run", folder / "m.mlir", "--engine=cpu", *flags, f"--inputs={folder / 'x.safetensors'}",
                  f"--weights={folder / 'w.safetensors'}", f"--outputs={folder / 'y.safetensors'}")
        found = safetensors_io.read(folder / "y.safetensors")
    gate, value = np.split(rows.astype(np.float64) @ up[1].T.astype(np.float64), 2, axis=-1)
    exact = weights * (gate / (1 + np.exp(-gate)) * value @ down[1].T.astype(np.float64))
    for n in COUNTS:
        # Row by row: one that is wrong is little of 193.
        sizes = np.linalg.norm(exact[:, :n], axis=-1)
        errors = np.linalg.norm(found[f"y{n}"].astype(np.float64) - exact[:, :n], axis=-1) / sizes
        if not (errors <= LIMITS[kind]).all():
            raise tools.Failure(f"{n} rows: row {np.argmax(~(errors <= LIMITS[kind]))} is off by {np.nanmax(errors)}")
    return f"{len(COUNTS)} numbers of rows"


def main():
    processors = processor.choose(sys.argv[1:])
    cases = [
        (f"{name}, {kind}, {hidden} hidden values", (hidden, kind, [*f"--cpu={name}".split(), "--threads=2"]))
        for name, kind, hidden in itertools.product(processors, LIMITS, HIDDENS)
    ]
    return tools.report(tiers.take_turn(cases, len(HIDDENS)), check)


if __name__ == "__main__":
    sys.exit(main())
