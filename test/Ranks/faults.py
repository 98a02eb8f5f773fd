#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""faults.py SCRATCH [--full]: whatever goes wrong on one rank is an error on all, soon, and leaves no file."""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time

import mpi
import rows_of_experts

FLAGS = "--family=gptj --layers=1 --width=32 --heads=4 --vocab=33 --positions=16 --batch=2 --seq=8".split()
scratch = sys.argv[1]
names = mpi.split(scratch, FLAGS, 2)
OUTPUT = names["out.safetensors"]
if os.path.exists(OUTPUT):
    os.remove(OUTPUT)
IS_FULL = "--full" in sys.argv
failures = 0


def check(what, code, text, wanted_code, *parts):
    global failures
    wrong = [part for part in parts if part not in text]
    if code == wanted_code and not wrong and not os.path.exists(OUTPUT):
        return
    failures += 1
    print(f"FAIL {what}: expected exit code {wanted_code} and {wrong or 'no output file'}; got {code}\n{text}")
    if os.path.exists(OUTPUT):
        os.remove(OUTPUT)


def differ(first, second, count=2):
    """The command where rank 1 has other arguments than the others."""
    tail = ["--engine=cpu", "--seed=3", f"--outputs={OUTPUT}"]
    return [*mpi.MPIRUN, "-n", "1", "block-run", *first, *tail, ":", "-n", str(count - 1), "block-run", *second, *tail]


weights = f"--weights={names['weights.safetensors']}"
good = [names["split.mlir"], weights]

# Other weights: one bit of one of them.
other = f"{scratch}.other.safetensors"
shutil.copy(names["weights.safetensors"], other)
with open(other, "r+b") as file:
    file.seek(-3, os.SEEK_END)
    byte = file.read(1)
    file.seek(-3, os.SEEK_END)
    file.write(bytes([byte[0] ^ 1]))
code, text = mpi.run(differ(good, [names["split.mlir"], f"--weights={other}"]))
SAME_WEIGHTS = MESSAGE = "expected the same weights on all ranks, but rank 1 has other than rank 0"
check("other weights", code, text, 1, f"rank 0 of 2: {MESSAGE}", f"rank 1 of 2: {MESSAGE}")

# Another module: the same model in another form.
mpi.must("block-opt", names["model.mlir"], "--block-shard=ranks=2", "-o", f"{scratch}.plain.mlir")
code, text = mpi.run(differ(good, [f"{scratch}.plain.mlir", weights]))
MESSAGE = "expected the same module on all ranks, but rank 1 has other than rank 0"
check("another module", code, text, 1, f"rank 0 of 2: {MESSAGE}", f"rank 1 of 2: {MESSAGE}")

# A missing file.
code, text = mpi.run(differ(good, [names["split.mlir"], "--weights=missing.safetensors"]))
check("a missing file", code, text, 1, "missing.safetensors", "rank 0 of 2: stopped, as rank 1 failed")

# As many ranks as the module is for.
code, text = mpi.run(mpi.ranks(4, *good, "--seed=3", f"--outputs={OUTPUT}"))
check("four ranks", code, text, 1, "error: ", "expected mpirun -n 2, for which the module was split, got 4")
code, text = mpi.run(["block-run", *good, "--engine=cpu", f"--outputs={OUTPUT}"])
check("one rank", code, text, 1, "expected 2 ranks, got one", "mpirun -n 2")

# No MPI.
code, text = mpi.run(mpi.ranks(2, *good, f"--outputs={OUTPUT}"), environment={"PARABLOCK_MPI_LIBRARY": "libnone.so"})
check("no MPI", code, text, 4, "no MPI library", "libnone.so")

code, text = mpi.run(mpi.ranks(2, *good, "--rank-timeout=0"))
check("no time", code, text, 1, "--rank-timeout: expected at least 1 second, got 0")


def put_nan(path, name):
    """Replaces the first element of a tensor."""
    with open(path, "r+b") as file:
        length, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        file.seek(8 + length + header[name]["data_offsets"][0])
        file.write(struct.pack("<f", float("nan")))


# A run that ends where a router has a NaN, behind sums that were started: large ones, which take their time.
LADDER = "--family=mixtral --layers=3 --width=64 --heads=4 --vocab=33 --positions=512 --batch=8 --seq=256".split()
nan = mpi.split(f"{scratch}.nan", LADDER, 2, ["--block-parallelize=pairing=ladder", "--block-optimize"])
put_nan(nan["weights.safetensors"], "model.layers.1.mlp.gate.weight")
code, text = mpi.run(mpi.ranks(2, nan["split.mlir"], f"--weights={nan['weights.safetensors']}", "--seed=3",
                               f"--outputs={OUTPUT}"))
check("a NaN in a router", code, text, 1, "error: ", "expected logits without NaN, got one for expert 0")
check("a NaN in a router ends by a signal", "exited on signal" in text, text, False)


if IS_FULL:
    # Weights of another type.
    mpi.must("block-gen", *FLAGS, "--dtype=bf16", "--seed=3", f"--weights-out={other}", "-o", f"{scratch}.bf16.mlir")
    code, text = mpi.run(differ(good, [names["split.mlir"], f"--weights={other}"]))
    check("weights of another type", code, text, 1, f"rank 0 of 2: {SAME_WEIGHTS}", f"rank 1 of 2: {SAME_WEIGHTS}")

    code, text = mpi.run(mpi.ranks(2, names["model.mlir"], weights, f"--outputs={OUTPUT}"))
    check("a whole model", code, text, 1, "expected a module of 2 ranks, got one that block-shard has not split")

    # Engines that are no rank of several.
    code, text = mpi.run([*mpi.ranks(2, *good, f"--outputs={OUTPUT}")[:-1], "--engine=reference"])
    check("another engine", code, text, 1, "expected --engine=cpu for a run of 2 ranks")

    # Rows that ranks cannot divide among them.
    rows = mpi.split(f"{scratch}.rows", [*FLAGS[:-1], "--seq=?"], 2, shard="sequence-parallel=true")
    code, text = mpi.run(mpi.ranks(2, rows["split.mlir"], f"--weights={rows['weights.safetensors']}", "--dims=seq=5",
                                   f"--outputs={OUTPUT}"))
    check("odd rows", code, text, 1, "expected dimension 'seq' to be a multiple of the 2 ranks, got 5")


def end_rank(what, how, limit, *parts, run=good):
    """Ranks run until one of them is ended or stopped."""
    launcher = subprocess.Popen(
        mpi.ranks(2, *run, "--seed=3", "--repeat=100000000", f"--rank-timeout={limit}", f"--outputs={OUTPUT}"),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    processes = mpi.find_ranks(launcher)
    time.sleep(1)
    os.kill(processes[-1], how)
    begin = time.monotonic()
    text, _ = launcher.communicate(timeout=100)
    check(what, launcher.returncode != 0, text, True, *parts)
    # mpirun itself waits for a while before it kills what does not end.
    check(what + " takes long", time.monotonic() - begin < limit + 30, text, True)
    left = [process for process in processes if mpi.is_rank(process)]
    check(what + " leaves processes", left, text, [])


# A rank that is killed, and one that does not go on. Limits are far above what ranks take to meet when all is well,
# also where other tests share their cores.
end_rank("a killed rank", signal.SIGKILL, 60, "error: rank ", "stopped, as another rank failed")
end_rank("a rank that hangs", signal.SIGSTOP, 5, "of 2: waited 5 s for the other ranks in ")
if IS_FULL:
    rows_of_experts.write_exchange(f"{scratch}.rows.mlir", 2, (2, 8, 2), 4096, 8, "f32")
    end_rank("a killed rank of an exchange", signal.SIGKILL, 60, "error: rank ", "stopped, as another rank failed",
             run=[f"{scratch}.rows.mlir"])
    end_rank("a rank of an exchange that hangs", signal.SIGSTOP, 5, "of 2: waited 5 s for the other ranks in ",
             run=[f"{scratch}.rows.mlir"])

# The same ranks without a fault.
code, text = mpi.run(mpi.ranks(2, *good, "--seed=3", f"--outputs={OUTPUT}"))
if code or not os.path.exists(OUTPUT):
    print("FAIL no fault:", code, text)
    failures += 1
sys.exit(1 if failures else 0)
