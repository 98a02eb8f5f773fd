#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models made parallel by block-parallelize with formulas of the parallel form.

    check_parallel.py FAMILY...     one line per family and pairing

A formula has to differ from the family's serial one, or nothing would be compared.
"""

import pathlib
import sys
import tempfile

import numpy as np

import golden
import parallel_formulas
import safetensors_io
import tools
from check_golden import TOLERANCE, distance
from small import FLAGS, Inputs
from weights import Weights


def check(case):
    family, pairing = case
    weights, inputs = Weights(golden.SEED), Inputs(padding=False)
    want = parallel_formulas.forward(family, pairing)(weights, inputs)
    _, _, serial = golden.compute(family, padding=False)
    for name, y in serial.items():
        if np.linalg.norm(y - want[name]) < 100 * TOLERANCE * np.linalg.norm(y):
            raise tools.Failure(f"{name}: the formula is as good as serial")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tools.generate(folder / "serial.mlir", f"--family={family}", *FLAGS)
        option = f"--block-parallelize=blocks=all pairing={pairing}"
        tools.run("block-opt", folder / "serial.mlir", option, "-o", folder / "parallel.mlir")
        ir = (folder / "parallel.mlir").read_text(encoding="utf-8")
        named = inputs.tensors()
        safetensors_io.write(
            folder / "inputs.safetensors",
            {name: named[name] for name in tools.arguments(ir, "input")},
        )
        safetensors_io.write(folder / "weights.safetensors", weights.tensors)
        got = tools.execute(
            folder / "parallel.mlir",
            folder,
            "--exact-arithmetic",
            f"--weights={folder / 'weights.safetensors'}",
            f"--inputs={folder / 'inputs.safetensors'}",
        )
    largest = max(distance(got[name], y) for name, y in want.items())
    return f"off by {largest:.1e} of at most {TOLERANCE:.0e}"


if __name__ == "__main__":
    cases = [
        (f"{family} {pairing}", (family, pairing))
        for family in sys.argv[1:]
        for pairing in parallel_formulas.PAIRINGS
    ]
    sys.exit(tools.report(cases, check))
