# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a wheel can where it is installed with NumPy alone: inside.py MODEL [--jax=before|after]."""

import pathlib
import sys
import tempfile

import numpy as np


def run_jax():
    """Another MLIR and LLVM, at work."""
    import jax

    product = jax.jit(lambda a: (a @ a).sum())
    assert product(np.ones((8, 8), np.float32)) == 512


def expect_missing(function, words):
    try:
        function()
    except parablock.MissingError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"expected an error with '{words}'")


jax_order = sys.argv[2].removeprefix("--jax=") if len(sys.argv) > 2 else ""
if jax_order == "before":
    run_jax()

import parablock

model = parablock.from_pretrained(sys.argv[1])
tokens = np.random.default_rng(0).integers(0, 64, (1, 33))
expected = model.compile("reference")(tokens)["logits"]
fused = model.optimize()
for target, limit in (("cpu", 1e-4), ("emulate:sm_80", 1e-3)):
    got = fused.compile(target)(tokens)["logits"]
    error = np.linalg.norm(got - expected) / np.linalg.norm(expected)
    assert error < limit, (target, error)
    print(f"{target}: error {error:.1e}")
if jax_order == "after":
    run_jax()
    again = fused.compile("cpu")(tokens)["logits"]
    assert np.linalg.norm(again - expected) / np.linalg.norm(expected) < 1e-4

if not jax_order:
    assert "torch" not in sys.modules
    expect_missing(lambda: parablock.from_torch(None, ()), "PyTorch")
    with tempfile.TemporaryDirectory() as folder:
        model.optimize(chip="sm_80").save(f"{folder}/model.pbk", chips="sm_80")
        expect_missing(lambda: parablock.load(f"{folder}/model.pbk")(tokens), "libcuda")
maps = pathlib.Path("/proc/self/maps").read_text()
assert "libLLVM" not in maps and "libMLIR" not in maps
libraries = {line.split()[-1] for line in maps.splitlines() if "parablock" in line}
assert all("/venv/" in library for library in libraries), libraries
