#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches in pages are the caches that lie in one piece, bit for bit.

    pages.py ENGINE DTYPE[,DTYPE] [FAMILY ...]

Batch rows hold different numbers of keys, behind padding; pages are in no order, entries that
nobody needs are none, and what nobody may see is no number. A table with two entries exchanged is
the control. Of families with windows, caches are rings that have been written over.
"""

import pathlib
import sys
import tempfile

import numpy as np

import safetensors_io
import tiers
import tools

FAMILIES = "llama", "mistral", "bloom", "shaped", "gpt2", "bart-decoder"
SMALL = "--layers=1 --width=32 --heads=4 --vocab=31 --positions=32 --encoder-seq=5".split()
WINDOW = 5
PAGE, POOL = 4, 17
STARTS = 2, 0, 3
BATCH = len(STARTS)


class Sizes:
    """What a case has room for, and what it holds before."""

    def __init__(self, has_window, tokens):
        self.window = WINDOW if has_window else None
        self.tokens = tokens
        self.capacity = 8 if has_window else 16
        self.past = (5, 0, 11) if has_window else (5, 0, 9)

    def needed(self, row):
        """Positions that are read or written."""
        past = self.past[row]
        first = max(STARTS[row], past - self.window + 1) if self.window else STARTS[row]
        return range(min(first, past), past + self.tokens)

    def place(self, table, row, position):
        slot = position % self.capacity
        return table[row, slot // PAGE], slot % PAGE


def check(case):
    family, engine, dtype, tokens, is_broken = case
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = tools.generate(folder / "plain.mlir", f"--family={family}", *SMALL, f"--seq={tokens}",
                              f"--batch={BATCH}", f"--dtype={dtype}")
        has_window = "window = 4096" in text
        (folder / "plain.mlir").write_text(text.replace("window = 4096", f"window = {WINDOW}"))
        sizes = Sizes(has_window, tokens)
        random = np.random.default_rng(7)
        table = make_table(sizes, random)
        inputs = {"past_lengths": np.array(sizes.past), "starts": np.array(STARTS)}
        whole = add_caches(folder, "whole")
        add_caches(folder, "paged", f" page-rows={PAGE}")
        caches, pools = dict(inputs), dict(inputs)
        for name, shape in tools.arguments(whole, "input").items():
            if name.startswith("past_") and name != "past_lengths":
                caches[name], pools[name] = draw(shape[2], sizes, table, random)
        pools["pages"] = table
        if is_broken:
            pools["pages"] = table.copy()
            pools["pages"][0, :2] = table[0, 1::-1]
        wanted = run(folder, "whole", engine, caches, f"past={sizes.capacity}")
        found = run(folder, "paged", engine, pools, None)
        return compare(sizes, table, pools, wanted, found)


def make_table(sizes, random):
    pages, table = list(random.permutation(POOL)), np.full((BATCH, sizes.capacity // PAGE), -1)
    for row in range(BATCH):
        for position in sizes.needed(row):
            entry = position % sizes.capacity // PAGE
            if table[row, entry] < 0:
                table[row, entry] = pages.pop()
    return table


def add_caches(folder, name, more=""):
    path = folder / f"{name}.mlir"
    tools.run("block-opt", folder / "plain.mlir", f"--block-add-caches=wanted-rows=false{more}", "-o", path)
    return path.read_text(encoding="utf-8")


def draw(width, sizes, table, random):
    """A cache in one piece, and the same in pages."""
    cache = np.full((BATCH, sizes.capacity, width), np.nan, np.float32)
    pool = np.full((POOL, PAGE, width), np.nan, np.float32)
    for row in range(BATCH):
        for position in sizes.needed(row)[:-sizes.tokens]:
            values = random.normal(size=width).astype(np.float32)
            # What bf16 and f16 have, too.
            values = (values.view(np.uint32) & 0xFFFF0000).view(np.float32).astype(np.float16).astype(np.float32)
            cache[row, position % sizes.capacity] = values
            pool[sizes.place(table, row, position)] = values
    return cache, pool


def run(folder, name, engine, inputs, dims):
    safetensors_io.write(folder / "in.safetensors", inputs)
    chip, _, kind = engine.partition(":")
    flags = [f"--engine={chip}", *([f"--chip={kind}"] if kind else []), "--seed=3", "--threads=2",
             f"--inputs={folder / 'in.safetensors'}", f"--outputs={folder / 'out.safetensors'}"]
    tools.run("block-run", folder / f"{name}.mlir", *flags, *([f"--dims={dims}"] if dims else []))
    return safetensors_io.read(folder / "out.safetensors")


def compare(sizes, table, given, wanted, found):
    for row in range(BATCH):
        first = max(0, STARTS[row] - sizes.past[row])
        if not np.array_equal(wanted["logits"][row, first:], found["logits"][row, first:]):
            raise tools.Different(f"logits of row {row} are others")
    held = 0
    for name in found:
        if name == "logits":
            continue
        kept = given[f"past_{name}"].copy()
        for row in range(BATCH):
            for position in sizes.needed(row):
                kept[sizes.place(table, row, position)] = wanted[name][row, position % sizes.capacity]
                held += 1
        if not np.array_equal(kept, found[name], equal_nan=True):
            raise tools.Different(f"{name} is another")
    if not held or not np.isfinite(wanted["logits"][1]).all():
        raise tools.Failure("nothing is held, or is no number")
    return f"{held} rows of caches"


def main():
    engine, dtypes, *families = sys.argv[1:]
    cases = [(f"{family} {dtype} {tokens}", (family, engine, dtype, tokens, False))
             for family in families or FAMILIES for dtype in dtypes.split(",") for tokens in (1, 3)]
    broken = "broken: a table", (*cases[-1][1][:-1], True)
    cases = [*tiers.take_shard(cases), broken]
    return tools.report(cases, lambda case: tools.check_broken(check, case) if case[-1] else check(case))


if __name__ == "__main__":
    sys.exit(main())
