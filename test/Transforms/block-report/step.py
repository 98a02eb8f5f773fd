# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report of a step adds up what block-checkpoint logged, layer by layer."""

import json
import sys


def main(report, explanation):
    with open(report) as file:
        step = json.load(file)["step"]
    with open(explanation) as file:
        logs = {layer["index"]: layer["fusions"] for layer in json.load(file)["layers"] if layer["backward"]}
    tokens = 2 * 48
    for layer in step["layers"]:
        metrics = [entry["metrics"] for entry in logs[layer["index"]] if entry["pass"] == "block-checkpoint"]
        for field in ("recompute_flops", "recompute_us"):
            again = [metric[field] for metric in metrics if field in metric]
            assert (layer[field] or 0) == sum(again), (field, layer, again)
            assert bool(again) == (layer["index"] == 0), layer
            assert not again or layer[field] > 0, layer
        own = [value for value in step["saved"] if value["layer"] == layer["name"]]
        assert layer["saved_bytes"] == sum(value["bytes"] for value in own) > 0, layer
        for found in [*own, {"bytes": layer["saved_bytes"], "bytes_per_token": layer["saved_bytes_per_token"]}]:
            assert found["bytes_per_token"] * tokens == found["bytes"], found
        kept = {entry["reason"].split()[1] for entry in logs[layer["index"]] if (entry["reason"] or "").startswith("keeps")}
        assert kept <= {value["name"] for value in own}, (kept, own)
        assert bool(kept) == (layer["index"] == 1), layer
    first, second = step["layers"]
    assert first["saved_bytes"] < second["saved_bytes"]
    for field in ("recompute_flops", "recompute_us"):
        assert step[field] == first[field] and not second[field], field
    assert step["saved_bytes"] == sum(value["bytes"] for value in step["saved"])
    print(len(step["layers"]), "layers agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
