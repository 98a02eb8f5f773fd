# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drift of rows in codes, by block-drift --activations=fp8, is that of the model of block-quantize."""

import subprocess

import numpy as np
import tiers
from models import Checks, drift, folder, kl, logits, run, write_tensors

ROWS, TOKENS = 8, 24
SIZES = ["--layers=2", "--width=128", "--heads=2", "--hidden=256", "--vocab=61", "--positions=32"]
#: Rows of experts keep numbers.
FAMILIES = ["llama", "gpt2", "mixtral", "gptj"]
checks = Checks()


def compare(family):
    run("block-gen", f"--family={family}", *SIZES, f"--seq={TOKENS}", f"--batch={ROWS}", "--seed=4",
        "--weights-out=model.safetensors", "-o", "model.mlir")
    ids = np.random.default_rng(5).integers(0, 61, (ROWS, TOKENS)).astype(np.int64)
    write_tensors("data.safetensors", {"input_ids": ids})
    flags = ["--data=data.safetensors", "--quantize=fp8"]
    report = drift(*flags, "--activations=fp8")
    checks.check(f"{family}: no rows unless asked", "activations" not in drift(*flags))
    models = {"model": ""}
    for name, options in (("nearest", "form=fp8"), ("rows", "form=fp8 activations=fp8")):
        run("block-opt", "model.mlir", f"--block-quantize={options}", "-o", f"{name}.mlir")
        models[name] = options
    # The last quarter is reported.
    found = {name: logits(f"{name}.mlir", "model.safetensors", ids)[-ROWS // 4:] for name in models}
    top = {name: values.argmax(-1) for name, values in found.items()}
    seen = report["activations"]
    checks.check(f"{family}: form", seen["form"] == "fp8", seen)
    for name, before in (("all", "model"), ("alone", "nearest")):
        wanted = kl(found[before], found["rows"])
        checks.check(f"{family}: kl {name}", 1e-4 < wanted and abs(seen["kl"][name] - wanted) < 1e-4 * wanted,
                     (seen, wanted))
        agreement = float((top[before] == top["rows"]).mean())
        checks.check(f"{family}: top1 {name}", abs(seen["top1"][name] - agreement) < 1e-6, (seen, agreement))


def refuse(want, *flags):
    said = run("block-drift", "model.mlir", "--weights=model.safetensors", "--data=data.safetensors", *flags, code=1)
    checks.check(want, want in said, said)


def main():
    with folder():
        for family in tiers.take_turn(FAMILIES, 4):
            compare(family)
        refuse("--activations: expected --quantize=fp8 beside it", "--quantize=int8", "--activations=fp8")
        for name in ("int8", ""):
            refuse(f"--activations: expected fp8, got '{name}'", "--quantize=fp8", f"--activations={name}")
        run("block-gen", "--family=llama", *SIZES, "--seq=9", "--scope=block", "--batch=4", "-o", "layers.mlir")
        command = ["block-drift", "layers.mlir", "--engine=reference", "--quantize=fp8", "--activations=fp8"]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        checks.check("a model without logits", "--activations: expected a model with logits" in said, said)
    checks.finish()


if __name__ == "__main__":
    main()
