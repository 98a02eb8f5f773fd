#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rewrite keeps the numbers of every family.

usage: equivalence.py FOLDER [--only=FAMILY] PASS_OPTION...

For each family and some random mixtures of forms, the rewritten model is compared
with the original on the reference engine. Types, lengths and padding take turns,
so that every pair of them occurs; with PARABLOCK_FULL set, each family meets all.
The rewrite has to change something, or nothing would be compared.
"""

import concurrent.futures
import itertools
import os
import pathlib
import re
import sys

import expert_families
import tiers
from tools import call as run

SMALL = "--layers=2 --width=32 --heads=4 --vocab=61 --positions=96 --batch=2".split()
DTYPES = ["f32", "bf16"]
LENGTHS = ["1", "17", "65", "?"]
PADDING = [[], ["--padding"]]
RANDOM_SEEDS = range(1, 501 if tiers.FULL else 16)


def cases(only):
    """Flags of block-gen for each model, and of block-run where a size is open."""
    families = [only] if only else expert_families.leave_out(run("block-gen", "--list-families").stdout.split())
    every = list(itertools.product(DTYPES, LENGTHS, PADDING))
    for number, family in enumerate(families):
        # Seven is coprime to the number of settings: all get their turn.
        turns = range(len(every)) if tiers.FULL else [7 * number]
        for turn in turns:
            dtype, length, padding = every[turn % len(every)]
            sizes = ["--dims=seq=17"] if length == "?" else []
            yield [f"--family={family}", *SMALL, f"--seq={length}", f"--dtype={dtype}", *padding], sizes
    for seed in [] if only else RANDOM_SEEDS:
        yield ["--family=random", f"--seed={seed}", "--batch=2", "--seq=13"], []


def ops(path):
    return re.findall(r"\b[a-z]+\.[a-z_]+\b", path.read_text())


def check(folder, number, passes, flags, sizes):
    original, rewritten = folder / f"{number}.mlir", folder / f"{number}.rewritten.mlir"
    steps = [
        ["block-gen", *flags, "-o", original],
        ["block-opt", original, *passes, "-o", rewritten],
        ["block-run", rewritten, "--engine=reference", "--seed=7", f"--baseline={original}", *sizes],
    ]
    for step in steps:
        done = run(*step)
        if done.returncode:
            return f"{' '.join(flags)}: {step[0]} says {done.returncode}: {done.stdout}{done.stderr}"
    if ops(original) == ops(rewritten):
        return f"{' '.join(flags)}: the rewrite changes nothing"
    return None


def main():
    folder, passes = pathlib.Path(sys.argv[1]), sys.argv[2:]
    only = passes.pop(0).removeprefix("--only=") if passes[0].startswith("--only=") else None
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = [
            pool.submit(check, folder, number, passes, *case) for number, case in enumerate(cases(only))
        ]
    problems = [task.result() for task in done if task.result()]
    print("\n".join(problems) or f"{len(done)} models keep their numbers")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
