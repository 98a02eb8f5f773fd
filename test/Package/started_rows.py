#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""started_rows.py BUILD FOLDER: exchanges of rows follow the sums of a ladder that were started.

Two ranks compute what the model does, and an exchange that does not wait for a sum that was started before it is found.
"""

import sys

import rank_runs

case = rank_runs.Case(*sys.argv[1:3])
case.make("--family=mixtral --layers=2 --batch=1 --seq=4".split(), 2, "parallel=all pairing=ladder",
          "sequence-parallel=true expert-parallel=true", ["sm_80"])
case.must("block-opt", "a.mlir", "--block-optimize=chip=sm_80 parallel=all pairing=ladder", "-o", "c.mlir")
case.write_inputs()
steps = case.read("p.pbk/manifest.json")["chips"][0]["plans"][0]["launches"]


def launch(**variables):
    (case.folder / "o.safetensors").unlink(missing_ok=True)
    return case.launch(2, "--inputs=i.safetensors", "--outputs=o.safetensors", PARABLOCK_FAKE_CHIP="sm_80", **variables)


for code, text in launch():
    assert code == 0, text
case.must("block-run", "c.mlir", "--engine=reference", "--weights=w.safetensors", "--inputs=i.safetensors", "--expect=o.safetensors")

# Streams wait for the summand of a started sum, for the sum where it is awaited, and before each other collective in
# between, of which the first would be sent out of order.
events, first_exchanges, started, is_first = 0, [], False, False
for step in steps:
    name = step.get("step", "take")
    if name in ("take", "put") or not (started or "starts" in step):
        continue
    events += 1
    if is_first and name == "rows_to_experts":
        first_exchanges.append(events)
    started, is_first = "awaits" not in step, "starts" in step
assert first_exchanges, [step.get("step", step.get("kernel")) for step in steps]
for event in first_exchanges:
    results = launch(PARABLOCK_FAKE_AWAIT=event)
    assert all(code == 1 and "rows_to_experts" in text for code, text in results), (event, results)
    print("without event", event, results[0][1].strip())
