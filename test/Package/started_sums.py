#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""started_sums.py BUILD FOLDER: sums of a ladder run on a second stream, and two ranks compute what the model does.

The stand-in for the driver runs the second stream as late as it may, and can ignore one of the events that streams
wait for: each event must be one whose absence is found.
"""

import hashlib
import json
import shutil
import sys

import rank_runs

case = rank_runs.Case(*sys.argv[1:3])
case.make("--family=llama --layers=2 --batch=1 --seq=4".split(), 2, "parallel=all pairing=ladder", chips=["sm_80"])
case.must("block-opt", "a.mlir", "--block-optimize=chip=sm_80 parallel=all pairing=ladder", "-o", "c.mlir")
case.write_inputs()
failures = 0


def fail(*words):
    global failures
    failures += 1
    print("FAIL", *words)


def launch(*flags, **variables):
    return case.launch(2, "--inputs=i.safetensors", "--outputs=o.safetensors", *flags, PARABLOCK_FAKE_CHIP="sm_80", **variables)


def is_right():
    code = case.start("block-run", "c.mlir", "--engine=reference", "--weights=w.safetensors", "--inputs=i.safetensors",
                      "--expect=o.safetensors").wait(60)
    return code == 0


plan = case.read("p.pbk/manifest.json")["chips"][0]["plans"][0]["launches"]
starts = [i for i, step in enumerate(plan) if "starts" in step]
awaits = [i for i, step in enumerate(plan) if "awaits" in step]
exposed = sum(layer["collectives"]["exposed"] for layer in case.read("r.json")["layers"])
if len(starts) != 4 - exposed or len(awaits) != len(starts):
    fail("expected", 4 - exposed, "started sums, got", starts, awaits)
for start, wait in zip(starts, awaits):
    if not any("linear" in step.get("kernel", "") for step in plan[start:wait]):
        fail("no product between", start, "and", wait)

for graph in ("on", "off"):
    for code, text in launch(f"--graph={graph}", "--repeat=2"):
        if code:
            fail(graph, text)
    if not is_right():
        fail("wrong numbers with graph", graph)
    if case.read_log(0)["objects"]:
        fail("objects that nobody freed:", case.read_log(0))

# A run waits for two events for each started sum.
events = range(1, 2 * len(starts) + 1)
for graph in ("on", "off"):
    found = []
    for event in events:
        # Outputs that are there already are not those of this run.
        (case.folder / "o.safetensors").unlink(missing_ok=True)
        results = launch(f"--graph={graph}", PARABLOCK_FAKE_AWAIT=event)
        failed = [code for code, _ in results]
        if any(failed) and not all(failed):
            fail("event", event, "is an error on one rank only:", results)
        found.append("error" if failed[0] else "right" if is_right() else "wrong")
    # Without a graph, all that is enqueued before the first sum has run by then.
    if "right" in (found if graph == "on" else found[1:]):
        fail("graph", graph, "without an event:", found)
    print("graph", graph, "without one event:", " ".join(found))


def damaged(part, change):
    shutil.copytree(case.folder / "p.pbk", case.folder / "q.pbk", dirs_exist_ok=True)
    manifest = case.read("p.pbk/manifest.json")
    for own in manifest["chips"][0]["plans"]:
        change(own["launches"])
    path = case.folder / "q.pbk" / "manifest.json"
    path.write_text(json.dumps(manifest))
    path.with_suffix(".sha256").write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  manifest.json\n")
    process = case.start("block-launch", "q.pbk", "--inputs=i.safetensors", "--weights=w0.safetensors")
    text, _ = process.communicate(timeout=60)
    if process.returncode != 1 or part not in text:
        fail(f"expected '{part}', got {process.returncode} {text}")


damaged("expected a step that awaits each that was started", lambda launches: launches.pop(awaits[-1]))
damaged("step 'all_reduce' awaits nothing that was started", lambda launches: launches[starts[0]].pop("starts"))
damaged("before the step that awaits it", lambda launches: launches.insert(awaits[0] + 1, launches.pop(awaits[0])))
damaged("expected a collective that starts or awaits", lambda launches: launches[starts[0]].update(awaits=True))
damaged("expected a collective that starts or awaits, got step 'take'", lambda launches:
        next(step for step in launches if step.get("step") == "take").update(starts=True))
sys.exit(1 if failures else 0)
