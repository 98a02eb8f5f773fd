# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forwards of some rows at a time have the gradients of all rows together, and no value of all of theirs.

usage: chunks.py FOLDER

Each family runs on one of 16 days, by the reference engine, with all types and a budget in turn.
"""

import itertools
import pathlib
import re
import sys

import engine_cases
import tiers
from tools import call as run

SIZES = "--layers=2 --width=64 --heads=4 --hidden=208 --vocab=97 --positions=96 --batch=2 --seq=17".split()
SETTINGS = list(itertools.product(["f32", "bf16", "f16"], ["min", "100%"]))


def check(stem, family, dtype, budget):
    """What went wrong, or an empty string."""
    model, step, less = (stem.with_suffix(suffix) for suffix in (".model.mlir", ".step.mlir", ".less.mlir"))
    for command in (
        ["block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", "-o", model],
        ["block-opt", model, "--block-differentiate=wrt=params loss=sum", "-o", step],
        ["block-opt", step, f"--block-checkpoint=memory-budget={budget} chunk-rows=10", "-o", less],
        ["block-run", less, "--engine=reference", "--function=main_step", "--seed=1", f"--baseline={step}"],
    ):
        if (done := run(*command)).returncode:
            if "chunk-rows' requires a feed-forward of more than 10 rows, without experts" in done.stderr and (
                "block.experts" in step.read_text()
            ):
                return ""
            return f"{family} {dtype} {budget}: {done.stdout[-800:]}{done.stderr[-800:]}"
    if "PASS grad." not in done.stdout or "FAIL" in done.stdout:
        return f"{family} {dtype} {budget}: {done.stdout[-800:]}"
    # 5 positions of each of the 2 sequences at a time, the last of them 2.
    text = less.read_text().partition("@main_step")[2]
    whole, parts = (len(re.findall(rf"= block.*tensor<2x{rows}x208x", text)) for rows in (17, 5))
    return f"{family} {dtype} {budget}: {whole} whole values, {parts} parts" if whole or not parts else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    for number, family in enumerate(engine_cases.families()):
        # Five is coprime to the number of settings.
        for setting in SETTINGS if tiers.FULL else [SETTINGS[(number * 5 + tiers.TURN // 16) % len(SETTINGS)]]:
            cases.append((folder / f"{family}-{'-'.join(setting)}", family, *setting))
    return engine_cases.try_all(check, tiers.take_turn(cases, 16), "steps")


if __name__ == "__main__":
    sys.exit(main())
