#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code of whole steps, with gradients by all parameters, on the emulator.

usage: steps.py FOLDER

Each family's step is optimised for a chip, run, and compared with the step before kernels. The
emulator fails a run with races, missing waits, accesses out of bounds or unwritten results. Chips and
types take turns, and families run on one of 14 days; with PARABLOCK_FULL set, each meets
both chips and all types.
"""

import itertools
import pathlib
import sys

import engine_cases
import pairwise
import tiers
from tools import call as run

CHIPS = ["sm_80", "sm_90a"]
TYPES = ["bf16", "f32", "f16"]
SETTINGS = list(itertools.product(CHIPS, TYPES))
SIZES = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96 --batch=2 --seq=17".split()


def check(stem, family, chip, dtype):
    """What went wrong, or an empty string."""
    model, step, kernels = (stem.with_suffix(suffix) for suffix in (".model.mlir", ".step.mlir", ".kernels.mlir"))
    for command in (
        ["block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", "-o", model],
        ["block-opt", model, "--block-differentiate=wrt=params loss=sum", "-o", step],
        ["block-opt", step, f"--block-optimize=chip={chip}", "-o", kernels],
    ):
        if (done := run(*command)).returncode:
            return f"{family} {chip} {dtype}: {done.stderr[-800:]}"
    done = run("block-run", kernels, "--engine=emulate", f"--chip={chip}", "--function=main_step", "--seed=1",
               f"--baseline={step}")
    found = done.returncode == 0 and "PASS grad." in done.stdout and "FAIL" not in done.stdout
    return "" if found else f"{family} {chip} {dtype}: {done.stdout[-800:]}{done.stderr[-800:]}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    families = engine_cases.families()
    # Five is coprime to the number of settings.
    first = tiers.TURN // 14
    settings = [(family, *SETTINGS[(number * 5 + first) % len(SETTINGS)]) for number, family in enumerate(families)]
    if tiers.FULL:
        settings = pairwise.cover_pairs(families, CHIPS, TYPES)
    cases = [(folder / "-".join(setting), *setting) for setting in settings]
    cases = tiers.take_turn(cases, 14)
    return engine_cases.try_all(check, cases, "steps")


if __name__ == "__main__":
    sys.exit(main())
