# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From config.json and a checkpoint to a parallel model, as docs/Drift.md writes it."""

import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import tiers

from models import Checks, folder, kl, logits, read_raw, run, write_tensors

FIXTURES = pathlib.Path(sys.argv[1])
MODELS = ("gpt2", "llama-bf16", "gpt2-unscaled-untied", "llama-llama3")
ROWS, LENGTH = 128, 20
SHAPE = ["--batch=?", f"--seq={LENGTH}", "--dtype=f32"]
checks = Checks()


def convert(model, budget):
    """The command line; the report."""
    command = f"""block-gen --config={FIXTURES / model}/config.json {' '.join(SHAPE)} |
        block-drift --weights={FIXTURES / model}/model.safetensors --data=data.safetensors
        --pairing=best --correction=refit --budget-kl={budget} --ir-out=parallel.mlir
        --weights-out=corrected.safetensors --choice=choice.json --json=drift.json"""
    done = subprocess.run(["sh", "-c", command.replace("\n", " ")], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{model}: exit code {done.returncode}: {done.stderr}")
    return json.loads(pathlib.Path("drift.json").read_text())


def read_ir(path):
    """Without where the text came from."""
    return re.sub(r'location = "[^"]*:', 'location = "', pathlib.Path(path).read_text())


def check(model):
    config = json.loads((FIXTURES / model / "config.json").read_text())
    layers = config.get("n_layer") or config["num_hidden_layers"]
    ids = np.random.default_rng(3).integers(0, config["vocab_size"], (ROWS, LENGTH))
    write_tensors("data.safetensors", {"input_ids": ids})
    report = convert(model, 1e9)
    checks.check(f"{model}: pairs", len(report["chosen"]) == layers and report["within_budget"], report["chosen"])
    run("block-gen", f"--config={FIXTURES / model}/config.json", *SHAPE, "-o", "serial.mlir")
    run("block-opt", "serial.mlir", "--block-parallelize=blocks=@choice.json", "-o", "same.mlir")
    parallel = read_ir("parallel.mlir")
    checks.check(f"{model}: the IR is block-parallelize's",
                 parallel == read_ir("same.mlir") and parallel.count("approx = ") == layers, parallel[:300])

    weights = FIXTURES / model / "model.safetensors"
    before, after = read_raw(weights), read_raw("corrected.safetensors")
    added = {bias["name"] for bias in report["added_parameters"]}
    kept = {name: tensor[:2] for name, tensor in after.items() if name not in added}
    checks.check(f"{model}: names, types and shapes of the checkpoint",
                 kept == {name: tensor[:2] for name, tensor in before.items()},
                 sorted(after.keys() ^ before.keys()))
    checks.check(f"{model}: weights are new", weights.read_bytes() != pathlib.Path("corrected.safetensors").read_bytes())
    last = ids[-ROWS // 4:]
    want = kl(logits("serial.mlir", weights, last), logits("parallel.mlir", "corrected.safetensors", last))
    checks.check(f"{model}: the reported KL, but for float32", abs(report["measured_kl"] - want) <= 1e-4 * want,
                 (report["measured_kl"], want))

    # Half of what everything costs buys fewer pairs, nothing buys none.
    less = convert(model, report["selected_kl"] / 2)
    checks.check(f"{model}: under a budget", len(less["chosen"]) < layers
                 and less["selected_kl"] <= report["selected_kl"] / 2, less["chosen"])
    convert(model, 0)
    run("block-opt", "serial.mlir", "-o", "same.mlir")
    checks.check(f"{model}: no budget, no change", read_ir("parallel.mlir") == read_ir("same.mlir"))


with folder():
    for name in MODELS if tiers.FULL else MODELS[:2]:
        check(name)
checks.finish()
