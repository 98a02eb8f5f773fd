#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models made parallel by block-parallelize with formulas of the parallel form.

    check_parallel.py FAMILY...                     one line per family and pairing
    check_parallel.py --pairing=NAME FAMILY...      one line per family

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
from small import FLAGS, LAYERS, Inputs
from weights import Weights


def check(case):
    family, pairing = case
    # The last mixture has no attention behind it, and a first layer may be dense.
    layers = 3 if pairing == "shortcut" else LAYERS
    weights, inputs = Weights(golden.SEED), Inputs(padding=False)
    want, serial = (
        parallel_formulas.forward(family, form, layers)(weights, inputs) for form in (pairing, None)
    )
    for name, y in serial.items():
        if np.linalg.norm(y - want[name]) < 100 * TOLERANCE * np.linalg.norm(y):
            raise tools.Failure(f"{name}: the formula is as good as serial")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flags = [flag for flag in FLAGS if not flag.startswith("--layers=")]
        tools.generate(
            folder / "serial.mlir", f"--family={family}", *flags, f"--layers={layers}"
        )
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
    pairings = parallel_formulas.PAIRINGS
    families = sys.argv[1:]
    if families[0].startswith("--pairing="):
        pairings = [families.pop(0).removeprefix("--pairing=")]
    cases = [
        (f"{family} {pairing}", (family, pairing)) for family in families for pairing in pairings
    ]
    sys.exit(tools.report(cases, check))
