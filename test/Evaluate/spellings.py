# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""block-respell: respellings keep the numbers of a model, most mutations do not.

    spellings.py path/to/block-respell FAMILY LEVEL [--seeds=N]
"""

import pathlib
import subprocess
import sys
import tempfile

import tools

DIFFERENT = 3
SMALL = "--layers=1 --width=32 --heads=2 --vocab=31 --positions=32 --batch=2 --seq=9".split()


def differs(changed, original):
    """Whether block-run finds other numbers; a crash or bad input is a failure."""
    words = ["block-run", changed, "--engine=reference", "--seed=7", f"--baseline={original}"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, DIFFERENT):
        raise tools.Failure(f"block-run ended with {done.returncode}: {done.stderr.strip()[:300]}")
    return done.returncode == DIFFERENT


def main():
    respell, family, level = sys.argv[1:4]
    seeds = range(int(sys.argv[4][8:]) if len(sys.argv) > 4 else 1)
    kept = changed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        original, other = pathlib.Path(name) / "a.mlir", pathlib.Path(name) / "b.mlir"
        tools.generate(original, f"--family={family}", f"--level={level}", *SMALL)
        for line in tools.run(respell, original, "--list").splitlines():
            kind, rule, _ = line.split()
            for seed in seeds:
                try:
                    tools.run(respell, original, f"--{kind}={rule}", f"--seed={seed}", "-o", other)
                    # A second user is one more result: only the rest can be compared.
                    other_numbers = rule != "second-user" and differs(other, original)
                    if kind == "respell" and other_numbers:
                        raise tools.Failure("has other numbers")
                    kept, changed = kept + (not other_numbers), changed + other_numbers
                except tools.Failure as failure:
                    failed += 1
                    print(f"FAILED {kind} {rule} seed {seed}: {failure}")
    print(f"{kept} kept, {changed} changed, {failed} failed")


main()
