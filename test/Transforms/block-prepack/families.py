#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A packed model gives the numbers of the model, and block-weights what @prepack gives.

    families.py FOLDER [FAMILY:DTYPE[:WIDTH] ...]

For each: outputs of the optimised function, of the packed one from original weights
and of the packed one from packed weights are the same bytes, and so are the file that
block-weights writes and what @prepack returns.
"""

import filecmp
import os
import sys

from tools import require as run

SIZES = "--layers=2 --heads=4 --vocab=61 --positions=32 --batch=2 --seq=7".split()


def compare(case, got, want):
    if not filecmp.cmp(got, want, shallow=False):
        sys.exit(f"{case}: {os.path.basename(got)} differs from {os.path.basename(want)}")


def check(case, folder):
    family, dtype, width = (case + ":48").split(":")[:3]
    at = lambda name: os.path.join(folder, name)
    weights, packed = at("weights.safetensors"), at("packed.safetensors")
    run("block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", f"--width={width}", "--seed=11",
        f"--weights-out={weights}", "-o", at("model.mlir"))
    run("block-opt", at("model.mlir"), "--block-optimize", "-o", at("fused.mlir"))
    run("block-opt", at("fused.mlir"), f"--block-prepack=recipe={at('recipe.mlir')}",
        "-o", at("packed.mlir"))
    run("block-weights", f"--recipe={at('recipe.mlir')}", weights, "-o", packed)

    runs = [("want", "fused.mlir", weights), ("from-original", "packed.mlir", weights),
            ("from-packed", "packed.mlir", packed)]
    for name, module, values in runs:
        run("block-run", at(module), "--engine=reference", "--seed=5", f"--weights={values}",
            f"--outputs={at(name)}")
        compare(case, at(name), at("want"))
    run("block-run", at("packed.mlir"), "--engine=reference", "--function=prepack",
        f"--weights={weights}", f"--outputs={at('prepacked')}")
    compare(case, packed, at("prepacked"))


def main():
    folder, *cases = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for case in cases:
        check(case, folder)
    print(f"{len(cases)} models agree")


main()
