#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ladder.py SCRATCH [--full]: ladders on ranks compute what one process does, and products run beside their sums.

A started sum must be awaited behind a product that does not read it, by the plan and by the times of the ranks. The
sums of other forms are awaited at once.
"""

import re
import sys

import mpi
import pairwise

SMALL = "--layers=3 --width=64 --heads=4 --vocab=33 --positions=48".split()
PRODUCTS = ("linear", "sdpa", "experts", "fused")
LADDER = ["--block-parallelize=pairing=ladder"]
# Family, ranks, conversion, later passes, options of block-shard, flags of block-gen, and how many of the six sums of
# layers are hidden: those that block-report does not count as exposed.
EVERYDAY = [
    ("llama", 2, LADDER, [], "", [], 5),
    ("llama", 2, LADDER, ["--block-optimize"], "", ["--dtype=bf16"], 5),
    ("mixtral", 2, LADDER, ["--block-optimize"], "", [], 5),
    ("gpt2", 2, LADDER, ["--block-optimize"], "", [], 5),
    ("llama", 2, [], ["--block-optimize"], "", [], 0),
]
FULL = EVERYDAY + [
    (family, ranks, LADDER, passes, shard, [*flags, f"--dtype={dtype}"], None)
    for family, ranks, passes, shard, dtype, flags in pairwise.cover_pairs(
        ("llama", "gpt2", "qwen3", "opt", "gpt-neox"), (2, 4), ([], ["--block-optimize", "--block-prepack"]),
        ("", "sequence-parallel=true"), ("f32", "bf16"), ([], ["--batch=?", "--seq=?"]))
]


def check_plan(path):
    """Launches between a start and its await, by the plan: one of a product each time."""
    text = mpi.must("block-opt", path, "--block-to-cpu")
    names = re.findall(r'plan\.launch\s+@kernels::@"?([\w.]+)"?\(', text)
    assert names, text
    starts, waits = ([i for i, name in enumerate(names) if name.endswith(end)] for end in (".start", ".await"))
    return [[name for name in names[begin:end] if name.startswith(PRODUCTS)]
            for begin, end in zip(starts, waits, strict=True)]


def check_times(path, ranks):
    """The number of started sums on each rank during which a product began; of serial models, none is started."""
    events = mpi.read(path)["traceEvents"]
    found = []
    for rank in range(ranks):
        own = [event for event in events if event["pid"] == rank]
        kernels = [event for event in own if event["tid"] == "kernels"]
        sums = [event for event in own if event["tid"] == "sums"]
        starts = [event for event in kernels if event["name"].endswith(".start")]
        waits = [event for event in kernels if event["name"].endswith(".await")]
        assert len(sums) == len(starts) == len(waits)
        beside = 0
        for begin, sent, end in zip(starts, sums, waits):
            assert begin["ts"] <= sent["ts"] and sent["ts"] + sent["dur"] <= end["ts"] + end["dur"], (begin, sent, end)
            beside += any(begin["ts"] <= kernel["ts"] < sent["ts"] + sent["dur"]
                          for kernel in kernels if kernel["name"].startswith(PRODUCTS))
        found.append((len(sums), beside))
    # On one clock, no rank has a sum before each other rank has begun it.
    for same in zip(*([event for event in events if event["pid"] == rank and event["tid"] == "sums"]
                      for rank in range(ranks)), strict=True):
        assert max(sent["ts"] for sent in same) <= min(sent["ts"] + sent["dur"] for sent in same) + 0.01, same
    return found


def check(scratch, family, count, convert, passes, shard, flags, started):
    sizes = flags if "--seq=?" in flags else ["--batch=2", "--seq=32", *flags]
    dims = ["--dims=batch=2,seq=32"] if "--seq=?" in flags else []
    names = mpi.split(scratch, [f"--family={family}", *SMALL, *sizes], count, [*convert, *passes], shard)
    converted = f"{scratch}.converted.mlir"
    mpi.must("block-opt", names["model.mlir"], *convert, "-o", converted)
    timeline = f"{scratch}.timeline.json"
    code, text = mpi.run(mpi.ranks(count, names["split.mlir"], f"--weights={names['weights.safetensors']}", "--seed=3",
                                   *dims, f"--baseline={converted}", f"--json={names['run.json']}",
                                   f"--timeline={timeline}", "--repeat=3"))
    if code:
        return f"exit code {code}: {text}"
    layers = [layer["collectives"] for layer in mpi.read(names["report.json"])["layers"]]
    kind = "reduce_scatter" if shard else "all_reduce"
    hidden = sum(layer[kind] - layer["exposed"] for layer in layers)
    if started is None:
        started = hidden
    elif hidden != started:
        return f"expected {started} hidden sums in the report, got {hidden}"
    ran = {step["name"]: step["count"] for step in mpi.read(names["run.json"])["kernels"]}
    if ran.get("MPI_Iallreduce", 0) != started:
        return f"expected {started} started sums, got {ran}"
    if started and "sequence" not in shard:
        beside = check_plan(names["split.mlir"])
        if len(beside) != started or not all(beside):
            return f"expected a product beside each sum, got {beside}"
    times = check_times(timeline, count)
    # Threads of ranks share cores, so that a sum may be over before the product begins, but not each one.
    if any(sums != started or (started and not hidden) for sums, hidden in times):
        return f"expected products beside {started} sums, got {times}"
    print(family, count, *convert, f"sums {started}, with a product beside them on each rank:",
          " ".join(str(hidden) for _, hidden in times))
    return None


def main():
    cases = FULL if "--full" in sys.argv else EVERYDAY
    failures = 0
    for case in cases:
        wrong = check(sys.argv[1], *case)
        if wrong:
            print("FAIL", *case, wrong)
            failures += 1
    print(f"{len(cases)} cases, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
