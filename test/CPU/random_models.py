#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in sizes, forms and types that nobody chose, on the CPU engine.

usage: random_models.py FOLDER FIRST COUNT [tiles]

Each seed from FIRST on draws a model of --family=random or of a family, with heads of
any size and lengths on both sides of every block of the kernels, and a processor and a
number of threads to run it with. A seed always draws the same. With `tiles`, processors
have tiles (AMX), which functions stand in for, and most models have types and widths
that use them.
"""

import pathlib
import random
import sys

import engine_cases
import processor
import tiers
from families import DTYPES, FORMS

HEAD_SIZES = [2, 4, 6, 8, 10, 12, 14, 16, 18, 24, 32, 34, 40, 64, 66, 80, 128]
LENGTHS = [1, 2, 3, 5, 6, 7, 16, 17, 23, 31, 32, 33, 47, 64, 65, 95, 96, 97, 127, 128, 129, 130]
PROCESSORS = ["native", "x86-64", "x86-64-v3", "x86-64-v4"]
TILES = ["sapphirerapids --emulate-tiles", "graniterapids --emulate-tiles"]


def draw_sizes(dice, family, tiles):
    heads = dice.choice([1, 2, 3, 4, 5, 6, 8])
    size = dice.choice([16, 32, 48, 64] if tiles and dice.random() < 0.8 else HEAD_SIZES)
    if family == "random":
        width = 32 * dice.randint(1, 5) if tiles else dice.randint(2, 150)
        flags = [f"--heads={heads}", f"--width={width}"]
        if width % 2:
            # An embedding may have a sinusoid, which has pairs.
            flags.append("--scope=block")
        if dice.random() < 0.5:
            flags.append(f"--head-dim={size + dice.choice([0, 0, 1])}")
        if dice.random() < 0.5:
            flags.append(f"--kv-heads={dice.choice([n for n in range(1, heads + 1) if heads % n == 0])}")
        if dice.random() < 0.5:
            flags.append(f"--hidden={32 * dice.randint(1, 10) if tiles else dice.randint(1, 300)}")
    else:
        # Some families want groups of heads, and all of them whole ones.
        flags = [f"--heads={2 * heads}", f"--width={2 * heads * size}"]
    return [*flags, f"--layers={dice.randint(1, 2)}", f"--vocab={dice.randint(2, 130)}", "--positions=140"]


def draw_case(seed, families, processors, tiles=False):
    dice = random.Random(seed)
    family = "random" if dice.random() < 0.7 else dice.choice(families)
    form = dice.choice(FORMS)
    batch, length = dice.randint(1, 3), dice.choice(LENGTHS)
    generate = [f"--family={family}", f"--seed={seed}", *draw_sizes(dice, family, tiles),
                f"--dtype={dice.choice(DTYPES[1:] if tiles else DTYPES)}"]
    run = [*f"--cpu={dice.choice(processors)}".split(), f"--threads={dice.randint(1, 4)}"]
    # Keys from elsewhere have no place in a packed row, and random models may have some.
    if dice.random() < 0.3 and family != "random" and not family.endswith("decoder"):
        generate += ["--scope=block", f"--varlen={dice.randint(1, 4)}", f"--seq={length}"]
        return engine_cases.Case(generate, run, form == "parallel", None if form == "plain" else "--block-optimize")
    # A patch embedding's sequence follows from its image.
    if dice.random() < 0.5 and not family.startswith("vit"):
        generate += ["--batch=?", "--seq=?"]
        run.append(f"--dims=batch={batch},seq={length}")
    else:
        generate += [f"--batch={batch}", f"--seq={length}"]
    if dice.random() < 0.4:
        generate.append("--padding")
    return engine_cases.Case(generate, run, form == "parallel", None if form == "plain" else "--block-optimize")


def find_processors(folder):
    """Processors that this machine can stand in for; the others are printed."""
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "probe.mlir"
    engine_cases.run("block-gen", "--family=no-norm", "--layers=1", "--width=4", "--heads=1", "--scope=block",
                     "--seq=1", "-o", model)
    found = []
    for name in PROCESSORS:
        done = engine_cases.run("block-run", model, f"--cpu={name}")
        if done.returncode == 0:
            found.append(name)
        elif done.returncode == 1 and "which this machine lacks" in done.stderr:
            print(f"left out: {done.stderr.strip()}")
        else:
            sys.exit(f"block-run --cpu={name}: exit code {done.returncode}\n{done.stderr}")
    print(f"processors: {', '.join(found)}")
    return found


def main():
    folder, first, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    tiles = sys.argv[4:] == ["tiles"]
    processors = processor.choose(TILES) or ["native"] if tiles else find_processors(folder)
    families = engine_cases.families()
    seeds = tiers.take_shard(range(first, first + count))
    todo = [draw_case(seed, families, processors, tiles) for seed in seeds]
    sys.exit(engine_cases.check_all(todo, "cpu", folder))


if __name__ == "__main__":
    main()
