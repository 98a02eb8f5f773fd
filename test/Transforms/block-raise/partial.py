#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with one broken piece each: the others become blocks, the function runs as before, and the report says where.

partial.py FOLDER
"""

import json
import pathlib
import re
import subprocess
import sys

SMALL = "--layers=2 --width=16 --heads=2 --vocab=17 --positions=32 --batch=2 --seq=5".split()
# Family, level, the place that is changed (a line's pattern, what it becomes), the pieces that are left to be
# recognised (attention, sdpa, mlp, norm), and what is said of which piece, at a line that matches.
MODELS = [
    ("gpt2", "linalg", r"arith.constant 4.471\d*e-02", "arith.constant 5.0e-02", (2, 0, 0, 5), ("mlp", "unknown-activation"), "matmul|collapse_shape|expand_shape|generic"),
    ("gpt2", "tosa", r"(?<=dense<)-3.40282347E\+38", "-1.0", (0, 0, 2, 5), ("attention", "mask-does-not-absorb"), "matmul"),
    ("gpt2", "linalg", r"arith.constant -3.40282347E\+38", "arith.constant -2.0", (0, 0, 2, 5), ("attention", "mask-does-not-absorb"), "matmul"),
    ("llama", "tosa", r"tosa.cos", "tosa.sin", (0, 2, 2, 5), ("rope", "not-a-rotation"), "concat|add"),
    ("llama", "linalg", r"math.cos", "math.sin", (0, 2, 2, 5), ("rope", "not-a-rotation"), "concat|generic"),
]


def run(*arguments):
    return subprocess.run(list(map(str, arguments)), capture_output=True, text=True)


def check(folder, number, family, level, pattern, changed, pieces, said, line):
    before, after, report = (folder / f"{number}.{name}" for name in ("mlir", "raised.mlir", "json"))
    made = run("block-gen", f"--family={family}", *SMALL, f"--level={level}", "-o", before)
    if made.returncode:
        return made.stderr
    original = before.read_text()
    if not re.search(pattern, original):
        return f"no {pattern}"
    before.write_text(re.sub(pattern, changed, original))
    raised = run("block-opt", before, "--block-raise", f"--block-explain=format=json file={report}", "-o", after)
    if raised.returncode:
        return raised.stderr
    found = json.loads(report.read_text())
    text = after.read_text()
    counts = tuple(len(re.findall(rf"(?<!#)block\.{kind}\b", text)) for kind in ("attention", "sdpa", "mlp", "norm"))
    if counts != pieces:
        return f"expected {pieces}, got {counts}"
    recognised = found["recognised"]
    if (recognised["attention"], recognised["mlp"]) != (counts[0] + counts[1], counts[2]):
        return f"the report says {recognised}, there are {counts}"
    missed = [miss for miss in found["missed"] if (miss["kind"], miss["reason"]) == said]
    if not missed:
        return f"expected {said}, got {found['missed']}"
    lines = before.read_text().splitlines()
    for miss in missed:
        place = re.fullmatch(r"(.*):(\d+):\d+", miss["location"])
        if not place or not re.search(line, lines[int(place.group(2)) - 1]):
            return f"expected a line with {line}, got {miss['location']}"
    compared = run("block-run", after, "--engine=reference", "--seed=7", f"--baseline={before}")
    return compared.stdout + compared.stderr if compared.returncode else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for number, model in enumerate(MODELS):
        problem = check(folder, number, *model)
        failed += bool(problem)
        print(f"{'FAILED' if problem else 'ok'} {model[0]} {model[1]} {model[5][1]} {problem.strip()[:300]}")
    print(f"{len(MODELS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
