#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens one by one are the tokens of one call, for every causal family.

    steps.py ENGINE DTYPE[,DTYPE] [FAMILY ...]

Batch rows have padding in front of different lengths, and caches are full of what nobody
may see. On the reference engine each batch row is also held against the model without
caches on the tokens that are no padding. What says where tokens are is broken once, as a
control. The emulator has fewer tokens and layers, on both chips in turn, and a family has another type there each
week. The CPU has families that differ in what attention does with caches, but for PARABLOCK_FULL in the environment.
"""

import pathlib
import re
import sys
import tempfile

import numpy as np

import kept_code
import safetensors_io
import tiers
import tools

TOKENS = 13
STARTS = (0, 3, 7)
# Of the emulator, whose every call compiles anew.
FEW_TOKENS = 4
SMALL = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96".split()
# Tokens see later ones there.
BIDIRECTIONAL = re.compile(
    "bert|roberta|encoder-.*|t5-encoder|vit.*|deepnorm|layerscale|peri-ln"
)
# Learned positions, other sequences' keys, buckets, windows, caps, slopes, rotations, groups, one head of keys.
CPU_FAMILIES = "gpt2 bart-decoder t5-decoder mistral gemma2 bloom gptj falcon-40b palm shaped".split()
# (what is broken, family, what is replaced, by what)
FAULTS = (
    ("rotations that begin at 0", "llama", r"(block.rope %\w+) offset %\w+ (.*?) : \((.*?), .*?\) -> .*", r"\1 \2 : \3"),
    ("positions that do not begin behind padding", "gpt2", r"= arith.subi (%\w+), %\w+", r"= arith.subi \1, \1"),
    ("padding that is seen", "llama", r"(past_lengths %\w+) starts %\w+", r"\1"),
    ("values of the keys' cache", "llama", r"(block.sdpa %\w+, (%\w+)), %\w+", r"\1, \2"),
    ("new rows in the wrong place", "opt", r"(block.cache_append %\w+, %\w+ at) (%\w+)", None),
)


def check(case):
    family, engine, dtype, fault = case
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "model.mlir"
        flags = [f"--family={family}", *SMALL, f"--seq={TOKENS}", f"--dtype={dtype}"]
        if engine == "emulate":
            flags.append("--layers=1")
        text = tools.generate(path, *flags, "--past=?", f"--batch={len(STARTS)}")
        if fault:
            broken = break_text(text, *fault)
            if broken == text:
                raise tools.Failure("found nothing to break")
            path.write_text(broken, encoding="utf-8")
        told = compare_steps(path, family, engine)
        if engine == "emulate":
            told += compare_one(folder, flags)
        if engine == "reference" and dtype == "f32":
            tools.generate(folder / "plain.mlir", *flags[:-2], "--seq=?")
            told += compare_rows(text, path, folder)
        return told


def break_text(text, pattern, replacement):
    if replacement is not None:
        return re.sub(pattern, replacement, text)
    # Where padding begins instead of where the past ends.
    starts = re.search(r"starts (%\w+)", text).group(1)
    return re.sub(pattern, rf"\1 {starts}", text)


def compare_steps(path, family, engine):
    """One token after the other for half of the families, several at a time for the others."""
    is_first = family < "l"
    tokens, together = (FEW_TOKENS, 2) if engine == "emulate" else (TOKENS, 4)
    chip = [f"--chip={'sm_80' if is_first else 'sm_90a'}"] if engine == "emulate" else []
    kept = kept_code.make_flags() if engine == "cpu" else []
    told = tools.run("block-run", path, f"--engine={engine}", *chip, *kept, "--seed=3",
                     f"--steps={tokens}", f"--step-tokens={together if is_first else 1}")
    lines = [line for line in told.splitlines() if "rel_l2" in line]
    errors = [float(line.split("rel_l2 ")[1].split()[0]) for line in lines]
    return f"{len(errors)} results, off by {max(errors):.1e}"


def compare_one(folder, flags):
    """One token alone, after any number of others: a function of one has kernels of its own."""
    tools.generate(folder / "one.mlir", *flags, "--seq=1", f"--batch={len(STARTS)}")
    tools.run("block-opt", folder / "one.mlir", "--block-add-caches=wanted-rows=false", "-o", folder / "step.mlir")
    for chip in ("sm_80", "sm_90a"):
        tools.run("block-run", folder / "step.mlir", "--engine=emulate", f"--chip={chip}", "--seed=5",
                  "--dims=past=37", f"--baseline={folder / 'step.mlir'}")
    return ", one alone on both chips"


def compare_rows(text, path, folder):
    """Each batch row on the model without caches."""
    random = np.random.default_rng(5)
    given = {}
    for name, shape in tools.arguments(text, "input").items():
        shape = [TOKENS if size == "?" else size for size in shape]
        if name.endswith("input_ids"):
            given[name] = random.integers(0, 97, shape)
        elif name == "starts":
            given[name] = np.array(STARTS)
        elif name == "past_lengths":
            given[name] = np.zeros(shape, np.int64)
        else:
            given[name] = random.normal(size=shape).astype(np.float32)
    safetensors_io.write(folder / "inputs.safetensors", given)
    exact = ["--seed=3", "--exact-arithmetic"]
    found = tools.execute(path, folder, *exact, f"--inputs={folder / 'inputs.safetensors'}")
    worst = 0
    for row, start in enumerate(STARTS):
        own = {}
        for name, value in given.items():
            if name.endswith("input_ids"):
                own[name] = value[row:row + 1, start:]
            elif name.startswith("encoder"):
                own[name] = value[row:row + 1]
        safetensors_io.write(folder / "row.safetensors", own)
        wanted = tools.execute(folder / "plain.mlir", folder, *exact,
                               f"--inputs={folder / 'row.safetensors'}")
        for name, value in wanted.items():
            worst = max(worst, np.abs(found[name][row, start:] - value[0]).max())
    if not worst < 1e-9:
        raise tools.Different(f"rows without padding are off by {worst:.1e}")
    return f"; rows alone, off by {worst:.1e}"


def main():
    engine, dtypes, *families = sys.argv[1:]
    scope = ""
    if not families and engine == "cpu" and not tiers.FULL:
        families = CPU_FAMILIES
    elif not families:
        known = tools.run("block-gen", "--list-families").split()
        families = [name for name in known if not BIDIRECTIONAL.fullmatch(name)]
        scope = " of all causal families"
    types = dtypes.split(",")
    cases = [(f"{family} {dtype}", (family, engine, dtype, None))
             for number, family in enumerate(families)
             for dtype in (types if engine != "emulate" else [types[(number + tiers.TURN // 7) % len(types)]])]
    if engine == "reference":
        cases += [(f"broken: {name}", (family, engine, "f32", (pattern, replacement)))
                  for name, family, pattern, replacement in FAULTS]
    return tools.report(tiers.take_shard(cases),
                        lambda case: tools.check_broken(check, case) if case[-1] else check(case), scope)


if __name__ == "__main__":
    sys.exit(main())
