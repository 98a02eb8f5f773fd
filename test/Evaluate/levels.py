# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families printed in upstream ops against what they were printed from.

    levels.py [--flags="block-gen flags"] FAMILY...   all of them where none is named
"""

import pathlib
import re
import sys
import tempfile

import expert_families
import tools

SMALL = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96 --batch=2 --seq=17".split()
BLOCK_OP = re.compile(r"^ *(%[^=]*= *)?block\.", re.MULTILINE)


def check(family, level, flags, folder):
    original, lowered = folder / "original.mlir", folder / "lowered.mlir"
    tools.generate(original, f"--family={family}", *flags)
    text = tools.generate(lowered, f"--family={family}", f"--level={level}", "--unbroken-lines", *flags)
    if BLOCK_OP.search(text):
        raise tools.Failure("has a block op left")
    if level == "tosa" and re.search(r"= (linalg|tensor|arith|math)\.", text):
        raise tools.Failure("has an op of another dialect than TOSA")
    tools.run(
        "block-run", lowered, "--engine=reference", "--seed=7", f"--baseline={original}", *DIMS
    )

DIMS = []
passed = failed = 0
families = [word for word in sys.argv[1:] if not word.startswith("--")]
extra = [word[8:].split() for word in sys.argv[1:] if word.startswith("--flags=")]
flags = SMALL + [flag for words in extra for flag in words]
named = [("--batch=?", "batch=2"), ("--seq=?", "seq=17")]
open_sizes = [size for flag, size in named if flag in flags]
if open_sizes:
    DIMS.append("--dims=" + ",".join(open_sizes))
levels = ["linalg"] if "--seq=?" in flags else ["linalg", "tosa"]
for family in families or expert_families.leave_out(tools.run("block-gen", "--list-families").split()):
    for level in levels:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(family, level, flags, pathlib.Path(folder))
                passed += 1
            except tools.Failure as failure:
                failed += 1
                print(f"FAILED {family} {level}: {failure}")
print(f"{passed} passed, {failed} failed")
