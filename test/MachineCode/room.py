#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of few rows leave room for more CTAs on the multiprocessor, mostly two.

    room.py [--ctas=N]

Of layers with caches, and of a head, compiled for sm_90a: shared memory and registers
for so many CTAs, no spills, no advice of ptxas, an instruction that multiplies the
weight by as many tokens as there are, the next launch let in before the wait for the
one before, and copies of the weight before both. Of codes, as many instructions in the
loop as are known. Of clusters that join sums, an arrival behind the only fence, reads of
all parts behind it, and another arrival. With --ctas another number than is known, which
has to fail; with --instructions, so many percent of those that are known.
"""

import argparse
import concurrent.futures
import os
import re
import sys
import tempfile

import limits  # noqa: E402  (beside this file)
import ptx_checks
import tools

SHARED, REGISTERS, RESERVED = 228 * 1024, 64 * 1024, 1024
LAYER = "--layers=1 --positions=4096 --dtype=bf16"
# Instructions of the longest loop that multiplies codes, for two times 16 bytes of each row of a lane, and of that
# which also normalises rows (0: none does), which takes reciprocal square roots. Sums of 64 tokens have more products
# by scales.
LOOPS = {
    "llama-4096 int8, one token": (149, 198), "llama-4096 int4-g128, one token": (245, 287),
    "llama-4096 int4-g32, one token": (289, 312), "llama-4096 mxfp4, one token": (321, 347),
    "llama-4096 fp8, one token": (155, 204), "llama-768 int4-g32, 16 tokens": (293, 517),
    "llama-768 fp8, 61 tokens": (155, 617), "llama-768 int4-g128, 16 tokens": (250, 466),
    "llama-768 int4-g128, 61 tokens": (283, 0)}
# Models, the columns of the instructions that multiply, and CTAs side by side: sums of 64 tokens by the 128 columns of
# a partial statistic leave room for one more, as do weights of heads of 256, and several groups of codes in a step.
# How many rows of a head are wanted comes later.
CASES = {
    "llama-4096, one token": ("--family=llama --width=4096 --heads=32 --hidden=11008 --seq=1", {8}, 3),
    "llama-768, 16 tokens": ("--family=llama --width=768 --heads=12 --hidden=2048 --seq=16", {16}, 3),
    "llama-768, 61 tokens": ("--family=llama --width=768 --heads=12 --hidden=2048 --seq=61", {64}, 2),
    "gptj-768, one token": ("--family=gptj --width=768 --heads=12 --seq=1", {8}, 3),
    "gemma2-2304, one token": ("--family=gemma2 --width=2304 --heads=8 --head-dim=256 --seq=1", {8}, 2),
    "gpt2-768, 4 rows of one": ("--family=gpt2 --width=768 --heads=12 --batch=4 --seq=1", {8}, 3),
    "llama-4096 int8, one token": ("--family=llama --width=4096 --heads=32 --hidden=11008 --seq=1", {8}, 3),
    "llama-4096 int4-g128, one token": ("--family=llama --width=4096 --heads=32 --hidden=11008 --seq=1", {8}, 3),
    "llama-4096 int4-g32, one token": ("--family=llama --width=4096 --heads=32 --hidden=11008 --seq=1", {8}, 2),
    "llama-4096 mxfp4, one token": ("--family=llama --width=4096 --heads=32 --hidden=11008 --seq=1", {8}, 2),
    "llama-4096 fp8, one token": ("--family=llama --width=4096 --heads=32 --hidden=11008 --seq=1", {8}, 3),
    "llama-768 int4-g32, 16 tokens": ("--family=llama --width=768 --heads=12 --hidden=2048 --seq=16", {16}, 2),
    "llama-768 fp8, 61 tokens": ("--family=llama --width=768 --heads=12 --hidden=2048 --seq=61", {64}, 2),
    "llama-768 int4-g128, 16 tokens": ("--family=llama --width=768 --heads=12 --hidden=2048 --seq=16", {16}, 3),
    "llama-768 int4-g128, 61 tokens": ("--family=llama --width=768 --heads=12 --hidden=2048 --seq=61", {64}, 1),
    "head of 2048, one token": ("--family=llama --width=2048 --heads=32 --hidden=2048 --vocab=32000 --seq=1", {64}, 3),
}


def compile_products(folder, model, form):
    """Kernels, CTAs of a cluster, threads, bytes of shared memory by name; the advice of ptxas."""
    source, caches, package = (os.path.join(folder, name) for name in ("m.mlir", "c.mlir", "p.pbk"))
    scope = [] if "--vocab" in model else ["--scope=block", "--vocab=97"]
    limits.run("block-gen", *LAYER.split(), *scope, *model.split(), "-o", source)
    codes = [f"--block-quantize=form={form}"] if form else []
    limits.run("block-opt", source, *codes, "--block-add-caches", "-o", caches)
    limits.run("block-translate", "--block-to-package", f"--chip={limits.CHIP}", caches, "-o", package)
    ptx = os.path.join(package, f"{limits.CHIP}.ptx")
    with open(ptx, encoding="utf-8") as file:
        text = file.read()
    launches = {name: [int(number) for number in numbers] for name, *numbers in re.findall(
        r"^// parablock: (\w+) .*\bcluster (\d+) threads (\d+) shared (\d+)\b", text, re.MULTILINE)}
    found, advice = ptx_checks.measure(ptx, limits.CHIP)
    kind = "head_0_few" if "--vocab" in model else "linear"
    return {name: kernel for name, kernel in found.items() if name.startswith(kind)}, launches, advice


def check_codes(kernels, known):
    """The longest loops of products of codes, without and with rows that they normalise, are as long as is known."""
    longest = [("", 0), ("", 0)]
    for kernel in kernels:
        loop = kernel.code.main_loop
        loads = sum(i.name == "LDS" and i.bits == 128 for i in loop.instructions)
        if loads != 2:
            yield f"{kernel.name}: {loads} loads of 16 bytes of codes in its loop, expected 2"
        computes_rows = any(i.opcode.startswith("MUFU.RSQ") for i in loop.instructions)
        longest[computes_rows] = max(longest[computes_rows], (kernel.name, len(loop)), key=lambda each: each[1])
    for (name, found), wanted in zip(longest, known):
        if found != wanted:
            yield f"{name}: {found} instructions for 2 times 16 bytes of codes, expected {wanted}"


def check_join(kernel, cluster):
    """Arrivals in other CTAs behind the only fence, before and after the reads of their sums."""
    words = [i.opcode for i in kernel.code.instructions]
    fences = [place for place, word in enumerate(words) if word.startswith("MEMBAR") and word.endswith("GPU")]
    arrivals = [place for place, word in enumerate(words)
                if word.startswith("SYNCS.ARRIVE") and ".RED" in word and place > min(fences, default=0)]
    reads = [place for place, i in enumerate(kernel.code.instructions) if i.name == "LD" and i.bits == 128]
    if not reads or len(reads) % cluster:
        yield f"{len(reads)} reads of the sums of {cluster} CTAs"
    elif len(arrivals) != 2 or len(fences) != 1 or not arrivals[0] < reads[0] < reads[-1] < arrivals[1]:
        yield f"arrivals at {arrivals}, fences at {fences}, reads from {reads[0]} to {reads[-1]}"


def check_kernel(kernel, cluster, threads, shared, columns, ctas):
    most = SHARED // ctas - RESERVED
    if shared > most:
        yield f"{shared} bytes of shared memory, expected at most {most}"
    # Given out by 8 to each thread.
    registers = -(-kernel.registers // 8) * 8
    if registers * threads * ctas > REGISTERS:
        yield f"{kernel.registers} registers of {threads} threads, expected room for {ctas} CTAs"
    if kernel.spill_stores or kernel.stack:
        yield f"spills {kernel.spill_stores} bytes, with a stack of {kernel.stack}"
    if cluster > 1:
        yield from check_join(kernel, cluster)
    instructions = kernel.code.instructions
    shapes = {int(i.opcode.split(".")[1].split("x")[1]) for i in instructions if i.name == "HGMMA"}
    if shapes != columns:
        yield f"products of {sorted(shapes)} columns, expected {sorted(columns)}"
    names = [i.name for i in instructions]
    signal = names.index("PREEXIT") if "PREEXIT" in names else len(names)
    if "ACQBULK" not in names[signal:]:
        yield "no wait behind what lets the next launch begin"
    copy = names.index("UTMALDG") if "UTMALDG" in names else len(names)
    if "ACQBULK" not in names[copy:] or "ACQBULK" in names[:copy]:
        yield "no copy of the weight before the first wait"


def check(name, ctas, share):
    model, columns, known = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        try:
            form = re.search(r" (int\S+|mxfp4|fp8),", name)
            kernels, launches, advice = compile_products(folder, model, form and form[1])
        except (RuntimeError, tools.Failure) as error:
            return 0, [f"{name}: {error}"]
    found = list(advice)
    for kernel in kernels.values():
        if kernel.name not in launches:
            found.append(f"{kernel.name} has no record")
            continue
        complaints = check_kernel(kernel, *launches[kernel.name], columns, ctas or known)
        found += [f"{kernel.name}: {text}" for text in complaints]
    if form:
        found += check_codes(kernels.values(), [count * share // 100 for count in LOOPS[name]])
    return len(kernels), [f"{name}: {text}" for text in found]


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--ctas", type=int)
    parser.add_argument("--instructions", type=int, default=100)
    parser.add_argument("--only", default="", help="cases with this text in their name")
    options = parser.parse_args()
    cases = [name for name in CASES if options.only in name]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda name: check(name, options.ctas, options.instructions), cases))
    complaints = [line for _, found in results for line in found]
    print("\n".join([*complaints, f"{sum(count for count, _ in results)} kernels, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
