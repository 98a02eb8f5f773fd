#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code of whole models computes what the model says.

usage: emulate.py FOLDER [FAMILY...] [--sizes=FLAGS] [--parallel] [--lengths=N,...] [--turns=N]

Each model is optimised, lowered and run on the emulator, and held against the exact
original on the reference engine. The emulator fails a run with races, missing waits,
accesses out of bounds or unwritten results. Chips, types and lengths take turns, so
that every pair of them occurs; with PARABLOCK_FULL set, families that are named meet all.
Without families, every other one is run; with PARABLOCK_FULL all, each with every chip
and type, and with every length.
"""

import itertools
import pathlib
import sys

import engine_cases
import pairwise
import tiers

CHIPS = ["sm_80", "sm_90a"]
DTYPES = ["bf16", "f16", "f32"]
LENGTHS = ["1", "17", "65", "256"]
SIZES = "--layers=2 --width=64 --heads=4 --vocab=61 --positions=256"


def choose(families, lengths, count, is_named):
    """Families with chips, types and lengths."""
    every = list(itertools.product(CHIPS, DTYPES, lengths))
    if tiers.FULL and is_named:
        return [(family, *setting) for family in families for setting in every]
    if tiers.FULL:
        return pairwise.cover_pairs(families, CHIPS, DTYPES, lengths)
    # Seven is coprime to the number of settings: all get their turn.
    return [(family, *every[turn * 7 % len(every)])
            for number, family in enumerate(families) for turn in range(count * number, count * number + count)]


def cases(families, sizes, lengths, count, parallel, is_named):
    for family, chip, dtype, length in choose(families, lengths, count, is_named):
        yield engine_cases.Case(
            [f"--family={family}", *sizes.split(), f"--seq={length}", f"--dtype={dtype}"],
            [f"--chip={chip}", "--threads=1"], parallel, f"--block-optimize=chip={chip}")


def main():
    words = sys.argv[2:]
    named = [word for word in words if not word.startswith("--")]
    families = named or tiers.take_shard(engine_cases.families()[:: 1 if tiers.FULL else 2])
    values = dict(word[2:].split("=", 1) for word in words if "=" in word)
    lengths = values["lengths"].split(",") if "lengths" in values else LENGTHS
    todo = cases(families, values.get("sizes", SIZES), lengths, int(values.get("turns", 4)), "--parallel" in words,
                 bool(named))
    sys.exit(engine_cases.check_all(todo, "emulate", pathlib.Path(sys.argv[1])))


if __name__ == "__main__":
    main()
