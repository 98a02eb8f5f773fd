# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of block-drift share: small models, runs, tensors, checks."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TYPES = {"F32": np.float32, "F64": np.float64, "I64": np.int64, "I32": np.int32}
SMALL = ["--width=16", "--heads=2", "--vocab=31", "--positions=32"]


def folder():
    """A scratch folder, made the current one."""
    path = tempfile.TemporaryDirectory()
    os.chdir(path.name)
    return path


def run(*command, code=0):
    """Runs a tool; its standard error. Another exit code than `code` ends the test."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}, expected {code}\n"
                 + done.stdout[-2000:] + done.stderr[-2000:])
    return done.stderr


def generate(family, *flags, name="model", seed=2):
    run("block-gen", f"--family={family}", *SMALL, f"--seed={seed}",
        f"--weights-out={name}.safetensors", "-o", f"{name}.mlir", *flags)


def drift(*flags, name="model", weights=None, json_name="drift.json", engine="reference"):
    """Runs block-drift on a model of generate(), exactly unless told otherwise; the report."""
    run("block-drift", f"{name}.mlir", f"--weights={weights or name + '.safetensors'}",
        f"--json={json_name}", *([f"--engine={engine}"] if engine else []), *flags)
    return json.loads(pathlib.Path(json_name).read_text())


def read_header(path):
    """Types, shapes and places of a file's tensors."""
    data = pathlib.Path(path).read_bytes()
    header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
    header.pop("__metadata__", None)
    return header


def read_metadata(path):
    data = pathlib.Path(path).read_bytes()
    return json.loads(data[8:8 + int.from_bytes(data[:8], "little")])["__metadata__"]


def read_tensors(path):
    data = pathlib.Path(path).read_bytes()
    size = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in read_header(path).items():
        begin, end = entry["data_offsets"]
        raw = data[8 + size + begin:8 + size + end]
        tensors[name] = np.frombuffer(raw, TYPES[entry["dtype"]]).reshape(entry["shape"]).copy()
    return tensors


def write_tensors(path, tensors):
    header, blobs, offset = {}, [], 0
    names = {np.dtype(value): key for key, value in TYPES.items()}
    for name, array in tensors.items():
        raw = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + len(raw)]}
        blobs.append(raw)
        offset += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(len(text).to_bytes(8, "little") + text + b"".join(blobs))


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
