#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose weights are codes, on the CPU engine, held against the same on the
reference engine: families, forms, types and lengths take turns.

usage: quantised.py FOLDER
"""

import itertools
import pathlib
import subprocess
import sys

import kept_code

FAMILIES = ["gpt2", "llama", "gptj", "t5-decoder", "falcon-40b", "layerscale"]
FORMS = ["int8", "int4-g128", "int4-g32", "mxfp4", "fp8"]
SIZES = "--layers=2 --width=80 --heads=4 --vocab=97 --positions=96".split()


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        print(" ".join(map(str, command)), done.stdout[-800:], done.stderr[-1200:])
    return done.returncode == 0


def check(family, form, dtype, length, optimize, folder):
    drawn, quantised, final = (folder / f"{family}.{kind}.mlir" for kind in "mqk")
    return (
        run("block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", f"--seq={length}", "-o", drawn)
        and run("block-opt", drawn, f"--block-quantize=form={form}", "-o", quantised)
        and run("block-opt", quantised, *optimize, "-o", final)
        and run("block-run", final, "--engine=cpu", *kept_code.make_flags(), "--seed=3", f"--baseline={quantised}")
    )


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    forms, turns = itertools.cycle(FORMS), itertools.cycle(
        itertools.product(("1", "17", "9"), ("f32", "bf16"), (["--block-optimize"], [])))
    failed = 0
    for family in FAMILIES:
        for _ in range(2):
            length, dtype, optimize = next(turns)
            failed += not check(family, next(forms), dtype, length, optimize, folder)
    print(f"{2 * len(FAMILIES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
