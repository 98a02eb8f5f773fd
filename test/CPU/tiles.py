#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products on tiles in models: rows that fill no tile, one that does and several blocks of
them, one row, both types, several slices of the depth, two sources, and a depth that tiles
have no use for: a quarter of the cases a day. usage: tiles.py FOLDER"""

import pathlib
import sys

import engine_cases
import tiers


def make_case(dtype, seq, width, parallel=False):
    generate = ["--family=gpt2", "--layers=1", "--heads=2", "--vocab=97", "--positions=160", "--batch=1",
                f"--width={width}", f"--seq={seq}", f"--dtype={dtype}"]
    return engine_cases.Case(generate, ["--cpu=graniterapids", "--emulate-tiles", "--threads=2"], parallel)


def main():
    cases = [make_case(dtype, seq, 64) for dtype in ("bf16", "f16") for seq in (1, 7, 16, 17, 32, 33, 131)]
    cases += [make_case("bf16", 33, 40), make_case("f16", 33, 40), make_case("bf16", 37, 640)]
    cases += [make_case("bf16", 37, 640, parallel=True), make_case("f16", 37, 640, parallel=True)]
    sys.exit(engine_cases.check_all(tiers.take_turn(cases, 4), "cpu", pathlib.Path(sys.argv[1])))


if __name__ == "__main__":
    main()
