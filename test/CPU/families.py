#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models on the CPU engine: families, forms, types, lengths and processors.

usage: families.py FOLDER [--pairs] [--level=tosa|linalg] [FAMILY...]

Each model is run as it is drawn, optimised, or made parallel with open sizes and
padding, and held against the exact original on the reference engine. A family has one
form, type, length and processor, which take turns; with --pairs, each two of family,
form, type, length and processor meet. Without families, all are run. With --level, the
models are in ops of that dialect, of which no block is made.
"""

import itertools
import pathlib
import sys

import engine_cases
import pairwise
import processor

FORMS = ["plain", "optimized", "parallel"]
DTYPES = ["f32", "bf16", "f16"]
LENGTHS = ["1", "17", "65"]
PROCESSORS = ["native", "x86-64", "x86-64-v3", "x86-64-v4", "sapphirerapids --emulate-tiles",
              "graniterapids --emulate-tiles"]
SIZES = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96"


def processors():
    """Other machines run the first ones in place of the last."""
    own = processor.choose(PROCESSORS)
    return own * (len(PROCESSORS) // len(own))


def make_case(family, form, dtype, length, code):
    generate = [f"--family={family}", *SIZES.split(), f"--dtype={dtype}"]
    run = [*f"--cpu={code}".split(), "--threads=2"]
    if form == "parallel":
        generate += ["--batch=?", "--seq=?", "--padding"]
        run.append(f"--dims=batch=2,seq={length}")
    else:
        generate += ["--batch=2", f"--seq={length}"]
    optimize = None if form == "plain" else "--block-optimize"
    return engine_cases.Case(generate, run, form == "parallel", optimize)


def lower_cases(families, level):
    for number, family in enumerate(families):
        generate = [f"--family={family}", *SIZES.split(), f"--level={level}", "--batch=2", "--seq=5"]
        generate.append(f"--dtype={DTYPES[number % 2]}")
        yield engine_cases.Case(generate, ["--cpu=x86-64-v3"], optimize=None)


def cases(families):
    every = list(itertools.product(FORMS, DTYPES, LENGTHS, processors()))
    for number, family in enumerate(families):
        # Coprime to the number of settings: all get their turn.
        yield make_case(family, *every[number * 35 % len(every)])


def main():
    words = sys.argv[2:]
    families = [word for word in words if not word.startswith("--")] or engine_cases.families()
    level = next((word[8:] for word in words if word.startswith("--level=")), None)
    if level:
        todo = list(lower_cases(families, level))
    elif "--pairs" in words:
        todo = [make_case(*case) for case in pairwise.cover_pairs(families, FORMS, DTYPES, LENGTHS, processors())]
    else:
        todo = list(cases(families))
    sys.exit(engine_cases.check_all(todo, "cpu", pathlib.Path(sys.argv[1])))


if __name__ == "__main__":
    main()
