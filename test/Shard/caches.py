#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""caches.py SCRATCH: ranks keep the caches of their own heads, for every causal family.

Tokens one by one are the tokens of one call, and a call is that of the model that was not split, over caches that hold
something. What each rank appends to is as wide as its key heads.
"""

import re
import sys

import expert_families
from families import fail, tool

SMALL = "--layers=1 --width=32 --heads=4 --vocab=33 --positions=16 --batch=2 --past=?".split()
# Tokens see later ones there.
BIDIRECTIONAL = re.compile("bert|roberta|encoder-.*|t5-encoder|vit.*|deepnorm|layerscale|peri-ln")
APPEND = re.compile(r"block\.cache_append .* : tensor<2x\?x(\d+)xf32>,")


def find_widths(path):
    with open(path, encoding="utf-8") as file:
        return [int(width) for width in APPEND.findall(file.read())]


def count_key_heads(path):
    with open(path, encoding="utf-8") as file:
        attention = re.search(r"block\.sdpa .*?scores", file.read(), re.DOTALL).group()
    return int((re.search(r"kv_heads = (\d+)", attention) or re.search(r"heads = (\d+)", attention)).group(1))


def check(scratch, family, ranks, before):
    name = f"{family} on {ranks} ranks {' '.join(before)}"
    model, split = f"{scratch}.mlir", f"{scratch}.split.mlir"
    for command in (["block-gen", f"--family={family}", *SMALL, "-o", model],
                    ["block-opt", model, *before, f"--block-shard=ranks={ranks}", "-o", split]):
        code, text = tool(*command)
        if code:
            return fail(name, command[0], text)
    heads = count_key_heads(model)
    whole, own = find_widths(model), find_widths(split)
    if len(whole) < 2 or own != [width // min(heads, ranks) for width in whole]:
        fail(name, f"expected each rank to have its part of {heads} key heads, {whole}, got", own)
    run = ["block-run", split, "--engine=reference", f"--ranks={ranks}", "--seed=7"]
    for judged in (["--steps=5", "--step-tokens=2"], ["--dims=seq=3,past=9", f"--baseline={model}"]):
        code, text = tool(*run, *judged)
        if code:
            fail(name, *judged, text)


def main():
    families = [name for name in expert_families.leave_out(tool("block-gen", "--list-families")[1].split()) if not BIDIRECTIONAL.fullmatch(name)]
    assert len(families) > 30, families
    for number, family in enumerate(families):
        check(sys.argv[1], family, (2, 4)[number % 2], ([], ["--block-optimize"])[number // 2 % 2])
    print(f"{len(families)} families, {fail.count} failures")
    return 1 if fail.count else 0


sys.exit(main())
