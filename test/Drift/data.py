# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Little data is measured, wrong data refused with one clear message, and nothing is written then."""

import json
import pathlib

import numpy as np

from models import Checks, folder, generate, read_tensors, run, write_tensors

IDS = np.random.default_rng(3).integers(0, 31, (8, 12))
checks = Checks()


def measure(tensors, *flags, model="model", code=0):
    """Standard error of a run on these inputs."""
    pathlib.Path("drift.json").unlink(missing_ok=True)
    write_tensors("data.safetensors", tensors)
    said = run("block-drift", f"{model}.mlir", "--weights=weights.safetensors", "--data=data.safetensors",
               "--json=drift.json", *flags, code=code)
    assert pathlib.Path("drift.json").exists() == (code == 0)
    return said


def little():
    for rows, tokens in ((1, 12), (8, 1), (1, 1), (3, 5)):
        measure({"input_ids": IDS[:rows, :tokens]})
        report = json.loads(pathlib.Path("drift.json").read_text())
        counted = sum(split["tokens"] for split in report["split"].values())
        checks.check(f"{rows} rows of {tokens}", counted == rows * tokens and report["measured_kl"] > 0, report["split"])
    measure({"input_ids": IDS.astype(np.int32)})
    checks.check("another integer type", json.loads(pathlib.Path("drift.json").read_text())["measured_kl"] > 0)
    said = measure({"input_ids": IDS, "labels": IDS})
    checks.check("more than the model reads", said == "remark: data.safetensors: 1 tensor not used, first 'labels'\n", said)


def wrong():
    def refused(name, tensors, message, *flags):
        said = measure(tensors, *flags, code=1)
        checks.check(name, said.count("error:") == 1 and message in said, said)

    for bad in (31, -1, 2**62):
        ids = IDS.copy()
        ids[6, 3] = bad
        for engine in ("cpu", "reference"):
            refused(f"id {bad} on {engine}", {"input_ids": ids}, f"input 'input_ids': expected 0 to 30, got {bad}",
                    f"--engine={engine}")
    refused("floats", {"input_ids": IDS.astype(np.float32)}, "expected integers (i64), got f32")
    refused("one dimension", {"input_ids": IDS[0]}, "expected shape [?, ?], got [12]")
    refused("no rows", {"input_ids": IDS[:0]}, "the data has no tokens")
    refused("no columns", {"input_ids": IDS[:, :0]}, "the data has no tokens")
    refused("another number of rows", {"input_ids": IDS}, "expected", "--dims=batch=3")
    refused("more positions than there are, once", {"input_ids": np.tile(IDS, (100, 3))},
            "expected at most 32 tokens, for which there are positions, got 36")


def weights():
    """A number that is none is not measured as if it were."""
    tensors = read_tensors("weights.safetensors")
    name = next(name for name in tensors if "mlp.c_proj.weight" in name)
    for value in (np.nan, np.inf):
        tensors[name][0, 0] = value
        write_tensors("weights.safetensors", tensors)
        said = measure({"input_ids": IDS}, code=1)
        checks.check(f"a weight of {value}", said.startswith("error: layer 0: the original model makes a stream that is not finite"),
                     said)
    tensors[name][0, 0] = 0
    # The embedding is the head's weight too: an id that no row has is NaN in logits alone.
    name = next(name for name in tensors if "wte" in name)
    tensors[name][30, 0] = np.nan
    write_tensors("weights.safetensors", tensors)
    said = measure({"input_ids": np.minimum(IDS, 29)}, code=1)
    checks.check("a logit of NaN", said.startswith("error: the original model makes logits without a distribution"), said)


with folder():
    generate("gpt2", "--layers=2", "--batch=4", "--seq=12")
    pathlib.Path("model.safetensors").rename("weights.safetensors")
    little()
    wrong()
    weights()
checks.finish()
