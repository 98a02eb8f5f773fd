# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of several processes share."""

import json
import os
import subprocess
import time

# Ranks of a test share cores with other tests: none may wait actively.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]


def run(arguments, timeout=120, environment=None):
    """The exit code and all text."""
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(environment or {})}, check=False)
    return done.returncode, done.stdout + done.stderr


def must(*arguments):
    code, text = run(arguments)
    assert code == 0, f"{' '.join(arguments)}: exit code {code}\n{text}"
    return text


def ranks(count, *arguments):
    """The command that runs block-run as `count` ranks."""
    return [*MPIRUN, "-n", str(count), "block-run", *arguments, "--engine=cpu"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def split(scratch, flags, count, before=("--block-optimize",), shard="", after=()):
    """Writes a model, its weights, the split module and a report of its layers."""
    names = {kind: f"{scratch}.{kind}" for kind in
             ("model.mlir", "weights.safetensors", "split.mlir", "report.json", "run.json", "out.safetensors")}
    must("block-gen", *flags, "--seed=3", f"--weights-out={names['weights.safetensors']}", "-o", names["model.mlir"])
    must("block-opt", names["model.mlir"], *before, f"--block-shard=ranks={count} {shard}".rstrip(),
         f"--block-report=format=json file={names['report.json']}", *after, "-o", names["split.mlir"])
    return names


def find_ranks(launcher):
    """The ids of the processes that `launcher`, an mpirun, started."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with open(f"/proc/{launcher.pid}/task/{launcher.pid}/children", encoding="utf-8") as file:
            found = [int(child) for child in file.read().split()]
        found = [child for child in found if is_rank(child)]
        if len(found) >= 2:
            return sorted(found)
        time.sleep(0.05)
    raise AssertionError("no ranks were started")


def is_rank(process):
    """Whether it is there, and more than a mark that nobody has asked for its exit code."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            name, state = file.read().split("(", 1)[1].rsplit(")", 1)
    except OSError:
        return False
    return name == "block-run" and state.split()[0] != "Z"
