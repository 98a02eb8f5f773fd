#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""families.py SCRATCH [--full]: processes that share a model compute what one does.

The number of sums and gathers is counted in the report and in the run.
"""

import sys

import expert_families
import mpi
import tiers

SMALL = "--layers=2 --width=32 --heads=4 --vocab=33 --positions=16".split()
SUMS = {"parallel": 1, "three-sublayer": 3, "three-sublayer-post-norm": 3}

# Family, ranks, type, how it was rewritten before, options of block-shard, further flags.
OPTIMIZED = ["--block-optimize"]
CONVERTED = ["--block-optimize=parallel=all"]
EXCHANGED = "sequence-parallel=true expert-parallel=true"
EVERYDAY = [
    ("gpt2", 4, "f32", OPTIMIZED, "", []),
    ("llama", 2, "bf16", CONVERTED, "", []),
    ("olmo2", 2, "f32", [], "", []),
    ("bloom", 2, "f32", OPTIMIZED + ["--block-prepack"], "", []),
    ("sas", 2, "bf16", OPTIMIZED, "", []),
    ("mixtral", 2, "f32", CONVERTED, "", []),
    ("mixtral", 4, "bf16", OPTIMIZED, EXCHANGED, []),
    ("gpt-neox", 2, "bf16", OPTIMIZED, "sequence-parallel=true", ["--batch=?", "--seq=?", "--padding"]),
    ("transformer-decoder", 2, "f32", OPTIMIZED, "", []),
]


def list_everything():
    families = expert_families.leave_out(mpi.must("block-gen", "--list-families").split())
    assert len(families) > 40, families
    for number, family in enumerate(families):
        # On two ranks in one type and on four in the other one, which change places each week.
        first, second = [("f32", "bf16"), ("bf16", "f32")][(number // 2 + tiers.TURN // 7) % 2]
        yield family, 2, first, OPTIMIZED, "", []
        yield family, 4, second, [[], OPTIMIZED + ["--block-prepack"]][number % 2], "", []
        yield family, 2, "f32", OPTIMIZED, "sequence-parallel=true", ["--batch=?", "--seq=?"]
    for family in ("mixtral", "qwen3-moe"):
        yield family, 2, "f32", OPTIMIZED, EXCHANGED, ["--batch=?", "--seq=?"]
        yield family, 4, "f32", [], EXCHANGED, []
    for family in ("gpt2", "llama", "gemma", "qwen3", "opt"):
        for dtype in ("f32", "bf16"):
            yield family, 4, dtype, CONVERTED, "", []


def count_steps(steps, name):
    return sum(step["count"] for step in steps if step["name"] == name)


def check(scratch, family, count, dtype, before, shard, flags):
    sizes = flags if "--seq=?" in flags else ["--batch=2", "--seq=8"]
    dims = ["--dims=batch=2,seq=8"] if "--seq=?" in flags else []
    names = mpi.split(scratch, [f"--family={family}", *SMALL, *sizes, f"--dtype={dtype}"], count, before, shard)
    # A converted layer is compared with what it was converted to.
    baseline = names["model.mlir"]
    if before == CONVERTED:
        baseline = f"{scratch}.converted.mlir"
        mpi.must("block-opt", names["model.mlir"], *before, "-o", baseline)
    drawn = [f"--weights={names['weights.safetensors']}", "--seed=3", *dims]
    compared = f"--baseline={baseline}"
    if dtype == "f32":
        # From the seed alone, all ranks draw the inputs that the original draws.
        compared = f"--expect={names['out.safetensors']}"
        mpi.must("block-run", baseline, "--engine=reference", "--exact-arithmetic", *drawn,
                 f"--outputs={names['out.safetensors']}")
    code, text = mpi.run(mpi.ranks(count, names["split.mlir"], *drawn, compared, f"--json={names['run.json']}"))
    if code:
        return f"exit code {code}: {text}"
    ran = mpi.read(names["run.json"])
    if ran["engine"] != "cpu":
        return f"engine {ran['engine']}"
    kind = "reduce_scatter" if shard else "all_reduce"
    layers = mpi.read(names["report.json"])["layers"]
    wanted = sum(SUMS.get(layer["form"], 2) for layer in layers)
    exchanges = count_steps(ran["kernels"], "MPI_Alltoallv")
    if exchanges != (2 * len(layers) if shard == EXCHANGED else 0):
        return f"expected two exchanges of rows a layer with experts, got {exchanges}"
    # Experts then end in no sum.
    wanted -= exchanges // 2
    # Sums that other work hides are started: in decoders, products of the encoder's rows do not wait for them.
    hidden = sum(layer["collectives"][kind] - layer["collectives"]["exposed"] for layer in layers)
    started = count_steps(ran["kernels"], "MPI_Iallreduce")
    # One more behind an embedding, of whose vocabulary each rank has a part.
    if started - hidden not in (0, 1):
        return f"expected {hidden} started sums in layers, as in the report, got {started}"
    met = count_steps(ran["kernels"], f"shard.{kind}") + started
    if met - wanted not in (0, 1):
        return f"expected {wanted} {kind} in layers, ran {met} in all"
    everything = sum(count_steps(ran["kernels"], f"shard.{step}") for step in ("all_reduce", "all_gather", "reduce_scatter"))
    calls = count_steps(ran["kernels"], "MPI_Allreduce")
    if calls != everything:
        return f"expected {everything} calls of MPI, got {calls}"
    return None


def main():
    cases = tiers.take_shard(list_everything()) if "--full" in sys.argv else EVERYDAY
    failures = 0
    for case in cases:
        wrong = check(sys.argv[1], *case)
        if wrong:
            print("FAIL", *case, wrong)
            failures += 1
    print(f"{len(cases)} cases, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
