#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No model is left to the reference engine: the CPU engine has code for all.

usage: fallbacks.py FOLDER

Every family of block-gen and some random models, with open sizes and padding, as
they are drawn, optimised, made parallel, and with passes in another order than that
of the pipeline. Forms take turns, and every other family has its turn, as families.py
runs most; with PARABLOCK_FULL set, each model meets every form and every type, and each
form every type.
"""

import concurrent.futures
import os
import pathlib
import sys

import engine_cases
import tiers

SIZES = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96 --batch=? --seq=? --padding"
FORMS = [
    [],
    ["--block-optimize"],
    ["--block-optimize=parallel=all pairing=best"],
    ["--block-expand", "--block-fuse-input-projections", "--block-share-norm-stats", "--block-fold-norm",
     "--block-fuse-output-projections", "--block-form-kernels"],
]
RANDOM_SEEDS = range(1, 101 if tiers.FULL else 6)


def models():
    dtypes = ["f32", "bf16", "f16"] if tiers.FULL else ["f32"]
    drawn = [[f"--family={family}"] for family in engine_cases.families()[:: 1 if tiers.FULL else 2]]
    drawn += [["--family=random", f"--seed={seed}"] for seed in RANDOM_SEEDS]
    for number, flags in enumerate(drawn):
        for place in range(len(FORMS)) if tiers.FULL else [number % len(FORMS)]:
            dtype = dtypes[(number + place) % len(dtypes)]
            yield [*flags, f"--dtype={dtype}"], FORMS[place]


def check(stem, flags, form):
    """What went wrong, or an empty string."""
    drawn = stem.with_suffix(".mlir")
    for step in (["block-gen", *flags, *SIZES.split(), "-o", drawn],
                 ["block-opt", *form, "--block-to-cpu=cpu=x86-64", drawn, "-o", os.devnull]):
        done = engine_cases.run(*step)
        if done.returncode:
            return f"{' '.join(map(str, flags + form))}: {done.stderr[:400]}"
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(check, folder / str(number), flags, form)
                   for number, (flags, form) in enumerate(tiers.take_shard(models()))]
        faults = [fault for future in futures if (fault := future.result())]
    for fault in faults:
        print(fault)
    print(f"{len(futures) - len(faults)} of {len(futures)} models have code")
    sys.exit(1 if faults or not futures else 0)


if __name__ == "__main__":
    main()
