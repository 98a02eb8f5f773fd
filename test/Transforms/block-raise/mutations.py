#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One constant of a level-0 function is changed: what is raised still has the changed function's numbers.

mutations.py FOLDER FAMILY COUNT SEED. Refusing is as good as raising, so only numbers are compared. Results without
numbers are those of functions whose own results are NaN (verdicts.py).
"""

import pathlib
import random
import re
import sys

import verdicts
from verdicts import run

SMALL = "--layers=1 --width=32 --heads=2 --vocab=17 --positions=32 --batch=2 --seq=7".split()
NUMBERS = re.compile(r"dense<(\[?[^<>\"]*\]?)> : tensor<[^>]*x?f32>")
PERMUTATIONS = re.compile(r"perms = array<i32: ([0-9, ]+)>")


def change_number(draw, text):
    """Another value for one element of a float constant."""
    elements = [m for m in re.finditer(r"-?\d+\.\d+E?e?[+-]?\d*", text)]
    if not elements:
        return text
    element = draw.choice(elements)
    value = float(element.group())
    other = draw.choice([value * 1.25 + 0.01, -value, value + 1.0])
    return text[: element.start()] + f"{other:.6e}" + text[element.end():]


def mutate(draw, text):
    places = list(NUMBERS.finditer(text))
    swaps = [m for m in PERMUTATIONS.finditer(text) if m.group(1).count(",") == 3]
    if swaps and draw.random() < 0.2:
        place = draw.choice(swaps)
        # The two middle dimensions of a square transposition stay of one type only by luck: most are refused.
        order = [part.strip() for part in place.group(1).split(",")]
        order[1], order[2] = order[2], order[1]
        return text[: place.start(1)] + ", ".join(order) + text[place.end(1):]
    place = draw.choice(places)
    return text[: place.start(1)] + change_number(draw, place.group(1)) + text[place.end(1):]


def main():
    folder, family = pathlib.Path(sys.argv[1]), sys.argv[2]
    count, draw = int(sys.argv[3]), random.Random(int(sys.argv[4]))
    folder.mkdir(parents=True, exist_ok=True)
    original, before, after = (folder / f"{family}.{name}.mlir" for name in ("original", "before", "after"))
    if run("block-gen", f"--family={family}", *SMALL, "--level=tosa", "-o", original).returncode:
        sys.exit("block-gen fails")
    judged = wrong = invalid = nowhere = 0
    for _ in range(count):
        before.write_text(mutate(draw, original.read_text()))
        raised = run("block-opt", before, "--block-raise", "-o", after)
        if raised.returncode != 0:
            if raised.returncode != 1 or "error: " not in raised.stderr:
                sys.exit(f"block-opt exits with {raised.returncode}: {raised.stderr[:600]}")
            invalid += 1
            continue
        verdict, said = verdicts.judge(before, after)
        judged += 1
        nowhere += verdict in (verdicts.NO_NUMBERS, verdicts.NOT_RUN)
        if verdict == verdicts.WRONG:
            wrong += 1
            (folder / f"{family}.wrong.{wrong}.mlir").write_text(before.read_text())
            print(f"wrong: {said[:600]}")
    print(f"{judged} judged, {invalid} invalid, {nowhere} without numbers, {wrong} wrong")


if __name__ == "__main__":
    main()
