# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of block-drift share: small models, runs, tensors, checks."""

import json
import os
import pathlib
import sys
import tempfile

import numpy as np
from safetensors_io import read as read_tensors
from safetensors_io import read_metadata, read_raw
from safetensors_io import write as write_tensors
from tools import messages as run

SMALL = ["--width=16", "--heads=2", "--vocab=31", "--positions=32"]


def folder():
    """A scratch folder, made the current one."""
    path = tempfile.TemporaryDirectory()
    os.chdir(path.name)
    return path


def generate(family, *flags, name="model", seed=2):
    run("block-gen", f"--family={family}", *SMALL, f"--seed={seed}",
        f"--weights-out={name}.safetensors", "-o", f"{name}.mlir", *flags)


def drift(*flags, name="model", weights=None, json_name="drift.json", engine="reference"):
    """Runs block-drift on a model of generate(), exactly unless told otherwise; the report."""
    run("block-drift", f"{name}.mlir", f"--weights={weights or name + '.safetensors'}",
        f"--json={json_name}", *([f"--engine={engine}"] if engine else []), *flags)
    return json.loads(pathlib.Path(json_name).read_text())


def logits(ir, weights, ids):
    """What a model makes of rows of ids."""
    write_tensors("inputs.safetensors", {"input_ids": ids})
    run("block-run", ir, "--engine=reference", f"--weights={weights}", "--inputs=inputs.safetensors",
        "--outputs=outputs.safetensors", "--exact-arithmetic")
    return read_tensors("outputs.safetensors")["logits"]


def log_softmax(values):
    shifted = values - values.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def kl(serial, parallel):
    """Mean KL divergence a token of two arrays of logits."""
    p, q = log_softmax(serial.astype(np.float64)), log_softmax(parallel.astype(np.float64))
    return float((np.exp(p) * (p - q)).sum(-1).mean())


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, ok, seen=""):
        self.passed += bool(ok)
        self.failed += not ok
        print(f"{name}: {'ok' if ok else f'FAILED ({seen})'}")

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed != 0 or self.passed == 0)
