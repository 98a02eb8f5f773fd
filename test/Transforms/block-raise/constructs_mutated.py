#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One thing of one construct is changed: it is raised as what it is then, or not at all.

    constructs_mutated.py FOLDER path/to/block-respell SEEDS [--sample=N] [--only=WORDS]

Every construct, as each tool with ops of upstream writes it, under every kind of change that it has a place for; with a
sample, N of them for each kind. What each kind stands for has to occur.
"""

import pathlib
import random
import re
import sys

import constructs
import respelled
import spelling
import tiers

TOOLS = ("tosa", "tflite", "linalg", "primitive", "mapped")
# What may be wrong with a pattern, by the rules that make it so.
KINDS = {
    "permutation": {"permutation", "concat-order"},
    "scale": {"scale"},
    "softmax axis": {"reduction-axis"},
    "mask axis": {"mask-axis"},
    "mask compare": {"mask-compare"},
    "mask fill": {"mask-fill"},
    "epsilon": {"epsilon", "epsilon-place"},
    "slice offset": {"slice-offset"},
    "rotation sign": {"negation", "sign"},
    "second user": {"second-user"},
    "function": {"function"},
}


def collect(folder, respell, only, samples):
    """Files with one construct each, and the changes that they have places for; of a sample, in one tool each."""
    draw = random.Random(0)
    for construct in dict.fromkeys(s.construct for s in spelling.SPELLINGS):
        for tool in [draw.choice(TOOLS)] if samples else TOOLS:
            chosen = [s for s in spelling.SPELLINGS if s.construct == construct and tool in s.tools]
            if not chosen or not re.search(only, construct):
                continue
            name = re.sub(r"\W+", "-", construct)
            path = folder / f"{name}.{tool}.mlir"
            path.write_text(constructs.write(chosen, tool))
            listed = respelled.run(respell, path, "--list")
            if listed.returncode:
                sys.exit(f"{path}: {listed.stderr}")
            for line in listed.stdout.splitlines():
                kind, rule, _ = line.split()
                if kind == "mutate":
                    yield path, f"{construct} {tool}", rule


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    folder, respell, seeds = pathlib.Path(words[0]), words[1], int(words[2])
    folder.mkdir(parents=True, exist_ok=True)
    judge = respelled.Judge(folder, respell)
    changes = list(collect(folder, respell, options.get("only", ""), "sample" in options))
    for kind, rules in KINDS.items():
        own = [change for change in changes if change[2] in rules]
        if not own and "only" not in options:
            sys.exit(f"no construct has a place for another {kind}")
        draw = random.Random(kind)
        if "sample" in options:
            own = draw.sample(own, min(int(options["sample"]), len(own)))
        for path, label, rule in tiers.take_shard(own):
            judge.original = path
            for _ in range(seeds):
                judge.judge(f"{label} {rule}", [("mutate", rule, draw.randrange(1000))], 0)
    print(f"{len(KINDS)} kinds, {judge.judged} judged, {judge.nowhere} without numbers, {judge.wrong} wrong")
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
