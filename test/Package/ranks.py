#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ranks.py BUILD FOLDER [--full]: a package of several ranks computes what the model does.

Sums and gathers are counted in the report, in the manifest and by NCCL itself.
"""

import sys

import expert_families
import rank_runs
import tiers

SUMS = {"parallel": 1, "three-sublayer": 3, "three-sublayer-post-norm": 3}
# Norms behind each branch need the whole of each.
BRANCH_NORMS = ("gemma2", "olmo2", "peri-ln")

EXCHANGED = "sequence-parallel=true expert-parallel=true"

# Flags, ranks, options of block-optimize and of block-shard, chip, flags of the launcher.
EVERYDAY = [
    ("--family=gptj --layers=2 --batch=2 --seq=8", 2, "", "", "sm_90a", ["--repeat=2"]),
    ("--family=bloom --layers=1 --batch=1 --seq=2", 4, "", "", "sm_80", ["--graph=off"]),
    ("--family=gpt2 --layers=1 --batch=1 --seq=4", 2, "", "", "sm_80", []),
    ("--family=llama --layers=1 --batch=? --seq=?", 2, "parallel=all", "sequence-parallel=true", "sm_80", []),
    ("--family=llama --layers=1 --batch=2 --past=?", 2, "", "", "sm_80", []),
    ("--family=llama --layers=2 --batch=2 --seq=8", 2, "parallel=all pairing=ladder", "", "sm_90a", ["--repeat=2"]),
    ("--family=mixtral --layers=2 --batch=2 --seq=8", 2, "", EXCHANGED, "sm_80", ["--repeat=2"]),
]


def list_everything(families):
    skipped = {"vit", "vit-22b"}  # inputs that are no ids
    for number, family in enumerate(families):
        if family in skipped:
            continue
        chip = ["sm_90a", "sm_80"][number % 2]
        yield f"--family={family} --layers=1 --batch=2 --seq=8", 2, "", "", chip, []
        yield f"--family={family} --layers=1 --batch=2 --seq=8", 4, "", "", chip, []
        yield f"--family={family} --layers=1 --batch=? --seq=?", 2, "", "sequence-parallel=true", chip, []
    # Heads, hidden values and ids that three ranks do not divide.
    yield "--family=mpt --layers=1 --batch=1 --seq=5", 3, "", "", "sm_90a", []
    for number, family in enumerate(sorted(expert_families.NAMES)):
        yield f"--family={family} --layers=2 --batch=2 --seq=8", 2, "", EXCHANGED, ["sm_90a", "sm_80"][number % 2], []
    for family in ("gpt2", "llama", "gemma", "qwen3", "opt"):
        yield f"--family={family} --layers=1 --batch=2 --seq=8", 4, "parallel=all", "", "sm_90a", []
        for shard in ("", "sequence-parallel=true"):
            yield f"--family={family} --layers=2 --batch=? --seq=?", 2, "parallel=all pairing=ladder", shard, "sm_80", []


def count(counts, name):
    return counts.get(f"nccl {name}", 0)


def check_caches(case, ranks):
    """Caches, and what is made of them, have the width of a rank's heads."""
    manifest = case.read("p.pbk/manifest.json")
    caches = [port for port in manifest["arguments"] + manifest["results"]
              if port["name"].removeprefix("past_").startswith(("key.", "value."))]
    assert len(caches) == 4 * len(manifest["layers"]), caches
    assert all(port["shape"] == [2, "past", 64 // ranks] for port in caches), caches


def check(case, flags, ranks, before, shard, chip, launcher):
    case.make(flags.split(), ranks, before, shard, [chip])
    original = "a.mlir"
    if before:
        # A converted layer is compared with what it was converted to.
        original = "c.mlir"
        case.must("block-opt", "a.mlir", f"--block-optimize=chip={chip} {before}", "-o", original)
    case.write_inputs({"batch": 2, "seq": 8, "past": 24})
    case.split_inputs()
    own = {rank: ([f"--inputs=i{rank}.safetensors"], {}) for rank in range(ranks)}
    for code, text in case.launch(ranks, "--outputs=o.safetensors", "--json=l.json", *launcher, own=own,
                                  PARABLOCK_FAKE_CHIP=chip):
        assert code == 0, text
    exact = ["block-run", original, "--engine=reference", "--weights=w.safetensors", "--inputs=i.safetensors"]
    if "--past" in flags:
        check_caches(case, ranks)
        case.must(*exact, "--outputs=e.safetensors")
        case.complete_outputs("e.safetensors")
    case.must(*exact, "--expect=o.safetensors")

    repeat = 2 if "--repeat=2" in launcher else 1
    layers = case.read("r.json")["layers"]
    code = case.read("p.pbk/manifest.json")["chips"][0]
    kind = "reduce_scatter" if shard else "all_reduce"
    has_branch_norms = any(f"--family={family} " in flags for family in BRANCH_NORMS)
    wanted = [2 if has_branch_norms or "ladder" in before else SUMS.get(layer["form"], 2) for layer in layers]
    if shard == EXCHANGED:
        # Experts end in no sum.
        wanted = [sums - 1 for sums in wanted]
        assert all(layer["collectives"]["all_to_all"] == 2 for layer in layers), layers
    counted = [layer["collectives"][kind] for layer in layers]
    assert counted == wanted, f"expected {wanted} {kind} per layer, got {counted}"
    together = [sum(layer["collectives"].values()) - layer["collectives"]["exposed"] for layer in layers]
    assert code["collectives_per_layer"] == together, (code["collectives_per_layer"], together)
    # The launch that finds the slots of a rank's experts is a leftover, which the report counts apart.
    launches = [layer["launches"] + (shard == EXCHANGED) for layer in layers]
    assert code["launches_per_layer"] == launches, (code["launches_per_layer"], launches)
    for rank, plan in enumerate(code["plans"]):
        steps = [step["step"] for step in plan["launches"] if "step" in step and "awaits" not in step]
        started = [step["step"] for step in plan["launches"] if "starts" in step]
        assert started == [kind] * sum(layer["collectives"][kind] - layer["collectives"]["exposed"] for layer in layers)
        log = case.read_log(rank)
        # One more behind an embedding, of whose vocabulary each rank has a part; gathers of meetings beside.
        assert steps.count(kind) - sum(wanted) in (0, 1), steps
        assert count(log, kind) == repeat * steps.count(kind), (log, steps)
        assert count(log, "all_gather") >= repeat * steps.count("all_gather"), (log, steps)
        assert log["used"] == 0, log
        # Two ranks have one embedding each, one kernel for the slots of their experts, and all others together.
        kernels = {step["kernel"] for step in plan["launches"] if "kernel" in step}
        others = {step["kernel"] for step in code["plans"][0]["launches"] if "kernel" in step}
        assert len(kernels - others) <= 1 + (shard == EXCHANGED), kernels - others


def main():
    build, folder = sys.argv[1:3]
    cases = EVERYDAY
    if "--full" in sys.argv:
        families = expert_families.leave_out(rank_runs.Case(build, folder).must("block-gen", "--list-families").split())
        assert len(families) > 40, families
        cases = tiers.take_shard(list_everything(families))
    failures = 0
    for own in cases:
        try:
            check(rank_runs.Case(build, folder), *own)
        except AssertionError as fault:
            failures += 1
            print("FAIL", *own, fault)
    print(f"{len(cases)} cases, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
