#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 0 is respelled and mutated by a seeded tool and raised: never other numbers than those of its input.

    respelled.py FOLDER path/to/block-respell SEEDS FAMILY[:LEVEL] ...

A respelling has to be raised as far as the original is; a mutation may be refused or raised as what it is.
"""

import pathlib
import random
import re
import sys

import tiers
import verdicts
from verdicts import run

SMALL = "--layers=1 --width=32 --heads=2 --vocab=17 --positions=32 --batch=2 --seq=7".split()
PIECES = re.compile(r"(?<!#)block\.(?:attention|mlp|norm|residual)\b")


class Judge:
    def __init__(self, folder, respell):
        self.folder, self.respell = folder, respell
        self.judged = self.refused = self.wrong = self.nowhere = 0

    def report(self, label, text):
        self.wrong += 1
        (self.folder / f"wrong.{self.wrong}.mlir").write_text(self.before.read_text())
        print(f"wrong: {label}: {text.strip()[:300]}")

    def respelled(self, source, steps):
        """The file after the steps, or None where one of them has no place left."""
        for number, (kind, rule, seed) in enumerate(steps):
            target = self.folder / f"step.{number}.mlir"
            if run(self.respell, source, f"--{kind}={rule}", f"--seed={seed}", "-o", target).returncode:
                return
            source = target
        return source

    def judge(self, label, steps, pieces):
        self.before = self.respelled(self.original, steps)
        if self.before is None:
            return
        after = self.folder / "after.mlir"
        raised = run("block-opt", self.before, "--block-raise", "-o", after)
        if raised.returncode:
            return self.report(label, f"block-opt exits with {raised.returncode}: {raised.stderr}")
        verdict, said = verdicts.judge(self.before, after)
        self.judged += 1
        self.nowhere += verdict in (verdicts.NO_NUMBERS, verdicts.NOT_RUN)
        if verdict == verdicts.WRONG:
            return self.report(label, said)
        found = len(PIECES.findall(after.read_text()))
        self.refused += found < pieces
        if all(kind == "respell" for kind, *_ in steps) and found < pieces:
            self.report(label, f"{found} pieces of {pieces}")

    def run(self, family, level, seeds):
        self.original = self.folder / f"{family}.{level}.mlir"
        made = run("block-gen", f"--family={family}", *SMALL, f"--level={level}", "-o", self.original)
        after = self.folder / "whole.mlir"
        if made.returncode or run("block-opt", self.original, "--block-raise", "-o", after).returncode:
            sys.exit(f"{family} {level} cannot be made and raised")
        pieces = len(PIECES.findall(after.read_text()))
        rules = [line.split()[:2] for line in run(self.respell, self.original, "--list").stdout.splitlines()]
        spellings = [rule for rule in rules if rule[0] == "respell"]
        for seed in range(seeds):
            draw = random.Random(f"{family} {level} {seed}")
            for kind, rule in rules:
                steps = [(*draw.choice(spellings), draw.randrange(1000)) for _ in range(draw.randrange(3))]
                steps.append((kind, rule, draw.randrange(1000)))
                self.judge(f"{family} {level} {steps}", steps, pieces)


def main():
    folder, respell, seeds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    judge = Judge(folder, respell)
    words = [word.partition(":") for word in sys.argv[4:]]
    levels = [(family, level) for family, _, only in words for level in ([only] if only else ["tosa", "linalg"])]
    for family, level in tiers.take_shard(levels):
        judge.run(family, level, seeds)
    print(f"{judge.judged} judged, {judge.refused} refused, {judge.nowhere} without numbers, {judge.wrong} wrong")
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
