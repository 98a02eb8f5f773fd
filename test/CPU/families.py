#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models on the CPU engine: families, forms, types, lengths and processors.

usage: families.py FOLDER [--turns=N] [--level=tosa|linalg] [FAMILY...]

Each model is run as it is drawn, optimised, or made parallel with open sizes and
padding, and held against the exact original on the reference engine. Forms, types,
lengths and processors take turns, N per family, so that pairs of them occur; without
families, all are run. With --level, the models are in ops of that dialect, of which no
block is made.
"""

import itertools
import pathlib
import sys

import engine_cases
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


def cases(families, turns):
    every = list(itertools.product(FORMS, DTYPES, LENGTHS, processors()))
    for number, family in enumerate(families):
        for turn in range(number * turns, number * turns + turns):
            # Coprime to the number of settings: all get their turn.
            yield make_case(family, *every[turn * 35 % len(every)])


def main():
    words = sys.argv[2:]
    families = [word for word in words if not word.startswith("--")] or engine_cases.families()
    values = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
    if "level" in values:
        todo = lower_cases(families, values["level"])
    else:
        todo = cases(families, int(values.get("turns", 1)))
    sys.exit(engine_cases.check_all(todo, "cpu", pathlib.Path(sys.argv[1])))


if __name__ == "__main__":
    main()
