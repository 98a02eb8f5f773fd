#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A package, and runs of it on a driver library that the emulator backs: for packages.py."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys

from safetensors_io import write_raw as write_tensors

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2])
COMPILER = sys.argv[3]
DRIVER = BUILD / "lib" / "libparablock-fake-driver.so"
IS_FULL = "--full" in sys.argv


def run(*command, code=0, **variables):
    """Output of a command that ends with `code`, or any if it is None."""
    environment = {**os.environ, "PARABLOCK_CUDA_DRIVER": str(DRIVER), "TMPDIR": str(FOLDER),
                   **{key: str(value) for key, value in variables.items()}}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment, cwd=FOLDER)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{' '.join(map(str, command))}\nexit {done.returncode}, expected {code}\n"
                             f"{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout + done.stderr


def write_ids(path, batch, seq, vocab=61):
    ids = [(7 * index + 3) % vocab for index in range(batch * seq)]
    write_tensors(path, {"input_ids": ("I64", [batch, seq], struct.pack(f"<{len(ids)}q", *ids))})


def make_model():
    """a.mlir, b.mlir, p.pbk, packed.safetensors: a serial and small model whose sizes come later.

    Most of the time goes into compiling kernels for the emulator, less of it for sm_80.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    run("block-gen", "--family=llama", "--layers=1", "--width=64", "--heads=2", "--vocab=61", "--batch=?", "--seq=?",
        "--dtype=bf16", "--seed=7", "--weights-out=w.safetensors", "-o", "a.mlir")
    run("block-opt", "a.mlir", "--block-optimize=chip=sm_90a", "--block-report=format=json file=r.json", "-o", "b.mlir")
    shutil.rmtree(FOLDER / "p.pbk", ignore_errors=True)
    run("block-translate", "--block-to-package", "--chip=sm_90a", "b.mlir", "-o", "p.pbk")
    run("block-weights", "--recipe=p.pbk/recipe.mlir", "w.safetensors", "-o", "packed.safetensors")
    write_ids(FOLDER / "i.safetensors", 2, 17)


def launch(*flags, package="p.pbk", code=0, weights="packed.safetensors", inputs="i.safetensors", chip="sm_80",
           **variables):
    return run("block-launch", package, f"--weights={weights}", f"--inputs={inputs}", *flags, code=code,
               **{"PARABLOCK_FAKE_CHIP": chip, **variables})


def read_log(path):
    return {name: int(count) for name, count in
            (line.rsplit(" ", 1) for line in (FOLDER / path).read_text().splitlines())}
