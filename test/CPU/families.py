#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs families of block-gen on the CPU engine, each against the original model
on the reference engine: as it is, made parallel where that can be, with sizes
left open, on two processors.

    families.py [--all] [FAMILY ...]
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

SMALL = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96".split()
PROCESSORS = ["native", "x86-64"]


def run(*command):
    """The output; the end of the test where the command fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(original, optimized, dims, processor):
    run("block-run", optimized, "--engine=cpu", f"--cpu={processor}", f"--dims={dims}", "--seed=7",
        f"--baseline={original}")


def check_family(folder, family, dtypes, tokens):
    for dtype in dtypes:
        model, fused, wide = (folder / f"{name}.mlir" for name in ("model", "fused", "wide"))
        run("block-gen", f"--family={family}", *SMALL, "--batch=?", "--seq=?", "--padding",
            f"--dtype={dtype}", "-o", model)
        run("block-opt", "--block-optimize", model, "-o", fused)
        for processor, size in itertools.product(PROCESSORS, tokens):
            check(model, fused, f"batch=2,seq={size}", processor)
        run("block-opt", "--block-parallelize=blocks=all", model, "-o", wide)
        run("block-opt", "--block-optimize", wide, "-o", fused)
        check(wide, fused, f"batch=2,seq={tokens[-1]}", "native")


def main():
    families = sys.argv[1:]
    everything = "--all" in families
    if everything:
        families = run("block-gen", "--list-families").split()
    dtypes = ["f32", "bf16", "f16"] if everything else ["f32"]
    tokens = [1, 17, 65] if everything else [17]
    with tempfile.TemporaryDirectory() as folder:
        for family in families:
            check_family(pathlib.Path(folder), family, dtypes, tokens)
    print(f"{len(families)} families agree")


if __name__ == "__main__":
    main()
