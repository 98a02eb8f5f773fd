#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families printed at level 0 and raised again: the layers and the numbers of level 1.

families.py FOLDER [--flags=FLAGS-OF-BLOCK-GEN] [FAMILY ...]; without families, all of them.
"""

import collections
import pathlib
import re
import sys

import expert_families
from tools import call as run

SMALL = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96 --batch=2 --seq=17".split()
PIECES = re.compile(r"block\.(?:layer|attention|mlp|norm|residual|head|embedding)\b|\b(?:lengths|cu_seqlens|types) %|\b(?:pad_id|sinusoid) =")


def count(path, skip):
    return collections.Counter(piece for piece in PIECES.findall(path.read_text()) if piece not in skip)


def check(folder, family, level, flags):
    names = {part: folder / f"{family}.{level}.{part}.mlir" for part in ("model", "before", "after")}
    steps = [
        ["block-gen", f"--family={family}", *SMALL, *flags, "-o", names["model"]],
        ["block-gen", f"--family={family}", *SMALL, *flags, f"--level={level}", "-o", names["before"]],
        ["block-opt", names["before"], "--block-raise", "-o", names["after"]],
        ["block-run", names["after"], "--engine=reference", "--seed=7", f"--baseline={names['before']}"],
    ]
    for step in steps:
        result = run(*map(str, step))
        if result.returncode != 0:
            return f"{step[0]} exits with {result.returncode}: {result.stderr.strip()[-300:]}{result.stdout[-300:]}"
    # A stream times zero is gone from level 0, and with it a residual of one branch.
    skip = ["block.residual"] if "input_scale = 0.0" in names["model"].read_text() else []
    expected, got = count(names["model"], skip), count(names["after"], skip)
    return "" if expected == got else f"expected {dict(expected)}, got {dict(got)}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    flags = [flag for word in sys.argv[2:] if word.startswith("--flags=") for flag in word[8:].split()]
    families = [word for word in sys.argv[2:] if not word.startswith("--")] or expert_families.leave_out(
        run("block-gen", "--list-families").stdout.split()
    )
    failures = 0
    for family in families:
        for level in ("tosa", "linalg"):
            problem = check(folder, family, level, flags)
            failures += bool(problem)
            print(f"{'FAILED' if problem else 'ok'} {family} {level} {problem}")
    print(f"{2 * len(families) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
