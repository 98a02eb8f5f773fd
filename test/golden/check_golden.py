#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the reference engine with the families' formulas and golden vectors.

    check_golden.py FAMILY...     one line per family
    check_golden.py --complete    is there a vector for every family?

The IR of a family has to name exactly the tensors that its formula asks for,
with the same shapes.
"""

import pathlib
import sys
import tempfile

import numpy as np

import golden
import safetensors_io
import tools
from small import FLAGS

TOLERANCE = 1e-9


def distance(got, want):
    got, want = np.asarray(got, dtype=np.float64), np.asarray(want, dtype=np.float64)
    if got.shape != want.shape:
        raise tools.Failure(f"shape {list(got.shape)}, expected {list(want.shape)}")
    largest = np.abs(got - want).max() / np.sqrt((want**2).mean())
    if not largest <= TOLERANCE:
        raise tools.Failure(f"off by {largest:.2e} of the rms, allowed {TOLERANCE:.0e}")
    return float(largest)


def compare_names(got, want):
    for name in sorted(got.keys() | want.keys()):
        if got.get(name) != want.get(name):
            raise tools.Failure(
                f"parameter {name}: IR has {got.get(name)}, checkpoint {want.get(name)}"
            )


def compare_digests(got, want):
    """The formula's digest with the one that was written down."""
    if got.keys() != want.keys():
        raise tools.Failure(f"outputs {list(got)}, vector has {list(want)}")
    for name, entry in want.items():
        for key in ("shape", "l2", "sum"):
            if not np.allclose(got[name][key], entry[key], rtol=TOLERANCE, atol=1e-7):
                raise tools.Failure(f"{name}: {key} {got[name][key]}, vector has {entry[key]}")
        for row, numbers in entry["rows"].items():
            distance(got[name]["rows"][row], numbers)


def check_variant(family, variant, folder):
    weights, inputs, want = golden.compute(family, variant == "padded")
    compare_digests(golden.digest(want), golden.read_vector(family)[variant])

    ir_path = folder / f"{variant}.mlir"
    padding = ["--padding"] if variant == "padded" else []
    ir = tools.generate(ir_path, f"--family={family}", *FLAGS, *padding)
    compare_names(
        tools.arguments(ir, "param"), {name: w.shape for name, w in weights.tensors.items()}
    )
    named = inputs.tensors()
    safetensors_io.write(
        folder / "inputs.safetensors", {name: named[name] for name in tools.arguments(ir, "input")}
    )
    safetensors_io.write(folder / "weights.safetensors", weights.tensors)
    got = tools.execute(
        ir_path,
        folder,
        "--exact-arithmetic",
        f"--weights={folder / 'weights.safetensors'}",
        f"--inputs={folder / 'inputs.safetensors'}",
    )
    if got.keys() != want.keys():
        raise tools.Failure(f"outputs {sorted(got)}, expected {sorted(want)}")
    valid = inputs.valid_rows()
    return max(distance(got[name][valid], y[valid]) for name, y in want.items())


def check_family(family):
    with tempfile.TemporaryDirectory() as folder:
        largest = [check_variant(family, v, pathlib.Path(folder)) for v in ("plain", "padded")]
    return f"off by {max(largest):.1e}"


def check_complete():
    """Families of block-gen, formulas and vectors are the same list."""
    listed = set(tools.run("block-gen", "--list-families").split())
    vectors = {path.stem for path in (golden.FOLDER / "vectors").glob("*.json")}
    tests = (golden.FOLDER.parent / "Interpret").glob("golden-*.test")
    tested = {word for path in tests for word in path.read_text(encoding="utf-8").split()}
    wrong = {
        "without a formula": listed - set(golden.families()),
        "without a vector": listed - vectors,
        "in no test": listed - tested,
        "unknown to block-gen": (set(golden.families()) | vectors) - listed,
    }
    for what, names in wrong.items():
        for name in sorted(names):
            print(f"FAILED {name}: {what}")
    print(f"{len(listed)} families")
    return 1 if any(wrong.values()) or not listed else 0


def main():
    if sys.argv[1:] == ["--complete"]:
        return check_complete()
    return tools.report([(family, family) for family in sys.argv[1:]], check_family)


if __name__ == "__main__":
    sys.exit(main())
