#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention's kernels in every form of scores, at every size of a head, for many queries and for one; and of models
whose batch and number of tokens come later, with caches in one piece or in pages, for both.

    spills.py              a short list
    PARABLOCK_FULL=1       each form at each size, for many queries and for one in turn of weeks, or those of
                           PARABLOCK_SHARD; 19 minutes of one core a week
    --only=TEXT            those with this in their name, as "128 one"
    --cache=FOLDER         keeps what ptxas made of a kernel, by the hash of its PTX (ptx_checks.py)

Each is compiled for sm_90a, and has neither a stack nor advice of ptxas, and as many
bytes of spills as cases.ATTENTION_SPILLS says, which are none for most. A form that
is refused says that it is no GPU code for the chip. Run again with the same cache, it
goes on where it was stopped.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile

TEST = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TEST / "Emulate"))

import attention  # noqa: E402  (of the emulator's tests)
import cases as known_cases  # noqa: E402  (beside this file)
import ptx_checks  # noqa: E402
import tiers
import tools

CHIP = "sm_90a"
SIZES = (16, 64, 80, 96, 128, 192, 256)
# Heads that share keys, as models that decode have them.
PHASES = {"many": (1, 4096, 8, 8), "one": (1, 1, 32, 8)}
# What is seen, what is added, size of a head, phase.
SHORT = [
    ("causal", "alibi", 128, "many"), ("past", "nothing", 128, "one"), ("packed", "shaw", 64, "many"),
    ("all", "buckets", 128, "many"), ("all", "both-buckets", 256, "many"), ("past", "alibi", 64, "one"),
    ("window", "biased", 80, "many"), ("pages", "nothing", 96, "many"), ("pages", "nothing", 192, "one"),
]
PAGE_ROWS = 16
OPEN_CACHES = {"cache-open": "", "pages-open": f"page-rows={PAGE_ROWS}"}
OPEN_SHORT = [("cache-open", 256), ("pages-open", 128)]


def make_cases(everything):
    """Cases by name."""
    # Of caches, scores that nothing is added to.
    forms = {case.name: case for case in attention.forms()
             if not case.name.startswith("cache-") or case.name == "cache-nothing"}
    for name, scores in (("pages-nothing", "causal = true"), ("pages-window", "causal = true, window = 4096")):
        forms[name] = dataclasses.replace(forms["cache-nothing"], scores=scores, page_rows=PAGE_ROWS)
    # No bias of their own for every score, which is a tensor of its own size.
    chosen = [(f"{seen}-{added}", size, phase) for seen, added, size, phase in SHORT]
    if everything:
        first, names = tiers.TURN // 7, list(PHASES)
        chosen = [(name, size, names[(i + j + first) % 2])
                  for i, name in enumerate(forms) for j, size in enumerate(SIZES)]
    for name, size, phase in chosen:
        batch, tokens, heads, key_heads = PHASES[phase]
        case = forms[name]
        past = 4096 if phase == "one" else 128
        bias = case.bias and (1, heads, tokens, tokens + past if "past_key" in case.extra else tokens)
        yield f"{name} {size} {phase}", dataclasses.replace(
            case, dtype="bf16", shape=(batch, tokens, heads, key_heads, size), bias=bias, past=past)


    for name, size in [(name, size) for name in OPEN_CACHES for size in SIZES] if everything else OPEN_SHORT:
        yield f"{name} {size}", (OPEN_CACHES[name], size)


def write_open_model(path, caches, size):
    """A layer of LLaMA's form, whose attention is that of the phase of few queries."""
    heads, key_heads = PHASES["one"][2:]
    model = path.with_suffix(".model.mlir")
    for command in (["block-gen", "--family=llama", "--layers=1", "--vocab=61", "--dtype=bf16", f"--width={heads * size}",
                     f"--heads={heads}", f"--kv-heads={key_heads}", "--batch=?", "--seq=?", "-o", str(model)],
                    ["block-opt", str(model), f"--block-add-caches={caches}", "-o", str(path)]):
        tools.require(*command)


def check(named):
    name, case = named
    with tempfile.TemporaryDirectory() as folder:
        source, ptx = pathlib.Path(folder) / "m.mlir", os.path.join(folder, "k.ptx")
        if isinstance(case, tuple):
            write_open_model(source, *case)
        else:
            source.write_text(attention.model(case), encoding="utf-8")
        done = subprocess.run(["block-translate", "--block-to-ptx", f"--chip={CHIP}", str(source), "-o", ptx],
                              capture_output=True, text=True)
        if done.returncode:
            return "" if f"no GPU code for chip {CHIP}" in done.stderr else f"{name}: {done.stderr.strip()[:500]}\n"
        kernels, advice = ptx_checks.measure(ptx, CHIP)
    found = "".join(f"{name}: {line}\n" for line in advice)
    for kernel in kernels.values():
        if isinstance(case, tuple) and not kernel.name.startswith("sdpa_"):
            continue
        label = f"{name} few" if kernel.name.endswith("_few") else name
        known = known_cases.ATTENTION_SPILLS.get(label, 0)
        if kernel.spill_stores != known or (kernel.spill_loads or kernel.stack) and not known:
            found += (f"{label}: {kernel.spill_stores} bytes of spills, {kernel.spill_loads} bytes loaded, "
                      f"a stack of {kernel.stack}, expected {known}\n")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.cache:
        os.environ["PARABLOCK_PTX_CACHE"] = str(options.cache)
    cases = tiers.take_shard(case for case in make_cases(tiers.FULL) if options.only in case[0])
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = []
        for text in filter(None, pool.map(check, cases)):
            print(text, end="", flush=True)
            found.append(text)
    print(f"{len(cases)} kernels, {len(found)} complaints")
    sys.exit(1 if found or not cases else 0)


if __name__ == "__main__":
    main()
