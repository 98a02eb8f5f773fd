#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank_faults.py BUILD FOLDER [--full]: whatever goes wrong on one rank is an error on all, soon, and leaves no
output."""

import hashlib
import json
import os
import pathlib
import shutil
import sys
import time

import rank_runs

is_full = "--full" in sys.argv
case = rank_runs.Case(*sys.argv[1:3])
case.make(["--family=gptj", "--layers=1", "--batch=?", "--seq=?"], 2,
          chips=["sm_90a", "sm_80"] if is_full else ["sm_80"])
case.write_inputs({"batch": 1, "seq": 4})
output = case.folder / "o.safetensors"
failures = 0
SLOW = 15  # seconds, far more than a fault that is told takes


def check(what, *expected, flags=(), ranks=2, full=False, **how):
    """`expected`: of each rank, its exit code and a part of its text. `full`: not every day."""
    global failures
    if full and not is_full:
        return
    begin = time.monotonic()
    got = case.launch(ranks, "--inputs=i.safetensors", f"--outputs={output.name}", *flags,
                      PARABLOCK_FAKE_CHIP="sm_80", **how)
    took = time.monotonic() - begin
    wrong = [number for number, ((code, text), (wanted, part)) in enumerate(zip(got, expected))
             if code != wanted or part not in text or (code in (1, 4) and text.count("error:") != 1)]
    if wrong or took > SLOW or (output.exists() and got[0][0]):
        failures += 1
        print(f"FAIL {what}: ranks {wrong}, {took:.1f} s, expected {expected}, got {got}")
    output.unlink(missing_ok=True)


def change_manifest(change):
    shutil.copytree(case.folder / "p.pbk", case.folder / "q.pbk", dirs_exist_ok=True)
    path = case.folder / "q.pbk" / "manifest.json"
    manifest = json.loads((case.folder / "p.pbk" / "manifest.json").read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest}  manifest.json\n")


def only(rank, *words, **variables):
    return {rank: (list(words), variables)}


STOPPED = (1, "rank 0 of 2: stopped, as rank 1 failed")


def differ(what):
    return [(1, f"rank {rank} of 2: expected the same {what} on all ranks, but rank 1 has other than rank 0")
            for rank in range(2)]


check("no fault", (0, ""), (0, ""), full=True)

# What one rank has and the other has not.
case.must("block-gen", *rank_runs.SMALL, "--family=gptj", "--layers=1", "--batch=?", "--seq=?", "--seed=8",
          "--weights-out=x.safetensors", "-o", "x.mlir")
case.pack(1, "x.safetensors", "x1.safetensors")
check("other weights", *differ("weights"), own=only(1, "--weights=x1.safetensors"))
check("another rank's weights", STOPPED, (1, "expected weights packed by recipe.rank1.mlir"),
      own=only(1, "--weights=w0.safetensors"), full=True)
change_manifest(lambda manifest: manifest.update(note="other bytes"))
check("another package", *differ("package"), own=only(1, "package=q.pbk"))
check("another chip", *differ("chip"), own=only(1, PARABLOCK_FAKE_CHIP="sm_90a"), full=True)
case.write_inputs({"batch": 1, "seq": 4}, "j.safetensors", step=5)
check("other inputs", *differ("inputs"), own=only(1, "--inputs=j.safetensors"), full=True)
case.write_inputs({"batch": 1, "seq": 5}, "j.safetensors")
check("other sizes", *differ("dimensions"), own=only(1, "--inputs=j.safetensors"))

# Faults of one rank alone.
check("a missing file", STOPPED, (1, "none.safetensors"), own=only(1, "--weights=none.safetensors"))
check("too little memory", STOPPED, (1, "not enough device memory"), own=only(1, PARABLOCK_FAKE_MEMORY=5000),
      full=True)
change_manifest(lambda manifest: [plans["plans"][1].update(launches=[]) for plans in manifest["chips"]])
check("a damaged plan", STOPPED, (1, "q.pbk/manifest.json: "), own=only(1, "package=q.pbk"), full=True)

# A rank that ends or hangs: while they join, in the first run, in a later one.
waited = (1, "rank 0 of 2: waited 1 s for the other ranks in ")
short = ["--rank-timeout=1"]
check("no NCCL", (1, "rank 0 of 2: waited 1 s for rank 1 in meet"), (4, "no NCCL: libnone.so"), flags=short,
      own=only(1, PARABLOCK_NCCL_LIBRARY="libnone.so"))
check("NCCL refuses", waited, (1, "ncclCommInitRankConfig: unhandled system error"), flags=short,
      own=only(1, PARABLOCK_FAKE_NCCL="refuse"), full=True)
check("dies in the first run", waited, (9, ""), flags=short, own=only(1, PARABLOCK_FAKE_NCCL="die:8"))
check("hangs in a later run", waited, (1, "rank 1 of 2: waited 1 s"), flags=[*short, "--repeat=3"],
      own=only(1, PARABLOCK_FAKE_NCCL="hang:11"))

# Ranks that do not fit.
check("three ranks", *[(1, "p.pbk: expected 2 ranks, for which the package was made, got 3")] * 3, ranks=3,
      own=only(2, "--weights=w0.safetensors"), full=True)


def alone(part, *words, code=1, **variables):
    global failures
    process = case.start("block-launch", *words, "--inputs=i.safetensors", "--weights=w0.safetensors", **variables)
    text, _ = process.communicate(timeout=60)
    if process.returncode != code or part not in text:
        failures += 1
        print(f"FAIL {words}: expected {code} and '{part}', got {process.returncode}\n{text}")


def damaged(part, change):
    """Of a package that one process alone can see to be wrong."""
    change_manifest(lambda manifest: [change(manifest, plan) for plan in [manifest["chips"][0]["plans"][1]]])
    alone(part, "q.pbk")


def find(plan, name):
    return next(step for step in plan["launches"] if step.get("step") == name)


damaged("q.pbk/manifest.json: expected 'ranks' to be a whole number from 2", lambda manifest, plan: manifest.update(ranks=1))
damaged("expected plans of 2 ranks, got 1", lambda manifest, plan: manifest["chips"][0]["plans"].pop())
damaged("unknown step 'sum'", lambda manifest, plan: find(plan, "all_reduce").update(step="sum"))
damaged("expected step 'all_gather' of dimension 9 to fit its tensors", lambda manifest, plan:
        find(plan, "all_gather").update(dim=9))
damaged("expected step 'all_gather' of dimension 1 to fit its tensors", lambda manifest, plan:
        find(plan, "all_gather").update(dim=1))
damaged("expected step 'all_reduce' to read one tensor and to write one", lambda manifest, plan:
        find(plan, "all_reduce").update(inputs=[]))
damaged("expected step 'all_reduce' of f32, bf16, f16, i64 or i32, got i16", lambda manifest, plan:
        plan["buffers"][find(plan, "all_reduce")["inputs"][0] - len(manifest["arguments"])].update(dtype="i16"))
damaged("step 'all_reduce' reads", lambda manifest, plan: plan["launches"].insert(0, find(plan, "all_reduce")))
alone("p.pbk: expected 2 ranks, for which the package was made, got 1", "p.pbk")
alone("expected --meet, a folder in which the 2 ranks find each other", "p.pbk", "--rank=0", "--ranks=2")
alone("expected --meet, a folder in which the 4 ranks find each other", "p.pbk", OMPI_COMM_WORLD_SIZE=4)
alone("none: expected a folder in which ranks meet", "p.pbk", "--rank=0", "--ranks=2", "--meet=none", "--device=0")
alone("--rank: expected less than the 2 ranks of --ranks, got 2", "p.pbk", "--rank=2", "--ranks=2")
alone("--rank-timeout: expected a whole number from 1", "p.pbk", "--rank-timeout=0")
process = case.start("block-run", "p.pbk", "--engine=emulate", "--dims=batch=1,seq=4")
text, _ = process.communicate(timeout=60)
if process.returncode != 1 or "ranks" not in text:
    failures += 1
    print("FAIL block-run of a package of ranks", text)

# Ranks that find each other by themselves.
library = [sys.executable, pathlib.Path(__file__).with_name("join_by_id.py"),
           pathlib.Path(sys.argv[1]) / "lib" / "libparablock-launch.so"]
first = case.start(*library, 0, 2)
second = case.start(*library, 1, 2, stdin=first.stdout.readline())
for process, wanted in ((first, "1 rank 0 of 2: stopped, as rank 1 failed"), (second, "1 out of paper")):
    text, _ = process.communicate(timeout=60)
    if process.returncode or text.strip() != wanted:
        failures += 1
        print("FAIL by id: expected", wanted, "got", text)

# A folder that others may write to is none to meet in; runs with names share one; a pipe in it is not waited for.
(case.folder / "open").mkdir(mode=0o755)
alone("open: expected a folder of this user alone (mode 700), got one of mode 755", "p.pbk", "--rank=0", "--ranks=2",
      "--meet=open", "--device=0")
begin = time.monotonic()
os.mkfifo(case.folder / "meet" / "rank.1")
alone("rank 0 of 2: waited 1 s for rank 1 in meet", "p.pbk", "--rank=0", "--ranks=2", "--meet=meet", "--device=0", "--rank-timeout=1")
if time.monotonic() - begin > SLOW:
    failures += 1
    print("FAIL: a pipe is waited for")
(case.folder / "meet" / "rank.1").unlink()
for name in ("PMIX_NAMESPACE", "TORCHELASTIC_RUN_ID"):
    check(f"a run with a name in {name}", (0, ""), (0, ""), as_mpirun=True, full=name[0] == "T", **{name: "prterun-x@1"})
    if not (case.folder / "meet" / "run.prterun_x_1").is_dir():
        failures += 1
        print("FAIL: no folder of its own for a run with a name")

# Nothing of all this is left in the way of ranks without a fault.
check("no fault any more", (0, ""), (0, ""), as_mpirun=True)
sys.exit(1 if failures else 0)
