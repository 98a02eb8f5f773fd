#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention's plans, each made a tile kernel that has to pass the checks of tiles and of shared memory.

    attention-plans.py     few queries of wide heads in every form, for which a thread has the fewest registers, and
                           some of all the others
    PARABLOCK_FULL=1       all of them

A case is a form of scores, with and without a soft cap, the size of a head, a number of queries that is static or
dynamic, a type and a chip. Nothing is compiled, so that thousands of kernels take seconds. A mean of values
(`gamma`) counts as something that is added to scores.
"""

import bisect
import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Emulate"))

import attention  # noqa: E402  (of the emulator's tests)
import tiers

SIZES = (16, 80, 128, 192, 256, 512)
# Batch, queries, heads, heads that share keys: heads that share fill one tile of one warp, or two, or are tiles of
# their own.
PHASES = {"one": (1, 1, 32, 8), "few": (1, 5, 8, 2), "alone": (1, 3, 4, 4), "many": (1, 4096, 8, 8)}
PAST = 128
BATCH = 500  # plans that one process makes
DAYS = 400  # in which all other cases had their turn
PIPELINE = """builtin.module(convert-block-kernels-to-tile{chip=CHIP},gpu.module(tile.kernel(tile-defer-buffers,
tile-check-tiles{chip=CHIP},tile-share-copies,tile-specialize-warps,tile-allocate-shared)))"""


def make_forms():
    """Forms of scores by name, each without and with a soft cap."""
    forms = {case.name: case for case in attention.forms()}
    for seen in attention.VISIBLE:
        forms[f"{seen}-mean"] = dataclasses.replace(
            forms[f"{seen}-nothing"], extra=forms[f"{seen}-nothing"].extra + ("alpha", "beta", "gamma"))
    forms.update({name.replace("cache", "pages"): dataclasses.replace(case, page_rows=16)
                  for name, case in forms.items() if name.startswith("cache-")})
    for name, case in forms.items():
        scores = [part for part in case.scores.split(", ") if part and "softcap" not in part]
        yield name, dataclasses.replace(case, scores=", ".join(scores))
        yield f"{name}-cap", dataclasses.replace(case, scores=", ".join([*scores, "softcap = 2.5"]))


@dataclasses.dataclass
class Plan:
    """One kernel that is planned."""

    chip: str
    dtype: str
    size: int
    phase: str
    form: str
    scores: attention.Case
    is_open: bool

    @property
    def name(self):
        return f"{self.form} {self.dtype} {self.size} {self.phase}{' open' if self.is_open else ''} {self.chip}"

    def is_everyday(self):
        return (self.chip, self.dtype, self.size, self.phase) == ("sm_90a", "bf16", 256, "one")

    def write(self):
        """Returns the function."""
        batch, tokens, heads, key_heads = PHASES[self.phase]
        past = PAST if "past_key" in self.scores.extra else 0
        case = dataclasses.replace(self.scores, dtype=self.dtype, shape=(batch, tokens, heads, key_heads, self.size),
                                   bias=self.scores.bias and (1, heads, tokens, tokens + past), past=PAST)
        query = attention.operands(case)["q"]
        is_static = f"<{batch}x{tokens}x"
        return attention.model(case).replace(query, query.replace(is_static, f"<{batch}x?x") if self.is_open else query)


def make_plans():
    """Returns all plans."""
    chips, types = ("sm_80", "sm_90a"), ("bf16", "f16", "f32")
    return [Plan(chip, dtype, size, phase, *form, is_open) for chip, dtype, size, phase, form, is_open in itertools.product(
        chips, types, SIZES, PHASES, list(make_forms()), (False, True))]


def check(plans):
    """Returns complaints about plans of one chip, by their names."""
    chip, text, lines, last = plans[0].chip, [], [], 0
    for plan in plans:
        text.append(plan.write())
        last += text[-1].count("\n") + 2
        lines.append(last)
    command = ["block-opt", "--split-input-file", f"--pass-pipeline={''.join(PIPELINE.split()).replace('CHIP', chip)}",
               "-", "-o", "/dev/null"]
    done = subprocess.run(command, input="\n// -----\n".join(text), capture_output=True, text=True)
    found = re.findall(r"^<stdin>:(\d+):\d+: error: (.*)", done.stderr, re.MULTILINE)
    if done.returncode and not found:
        return [f"block-opt for {chip}: {done.stderr[-500:]}"]
    return [f"{plans[bisect.bisect_left(lines, int(line))].name}: {message}" for line, message in found]


def main():
    plans = make_plans()
    others = [plan for plan in plans if not plan.is_everyday()]
    chosen = [plan for plan in plans if plan.is_everyday()] + tiers.take_turn(others, DAYS)
    batches = []
    for _, of_chip in itertools.groupby(sorted(chosen, key=lambda plan: plan.chip), lambda plan: plan.chip):
        plans = list(of_chip)
        batches += [plans[first : first + BATCH] for first in range(0, len(plans), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = list(itertools.chain.from_iterable(pool.map(check, batches)))
    print("\n".join([*complaints, f"{len(chosen)} plans, {len(complaints)} complaints"]))
    sys.exit(1 if complaints or not chosen else 0)


if __name__ == "__main__":
    main()
