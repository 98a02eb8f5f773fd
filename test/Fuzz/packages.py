#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged packages in the launcher, in one process and by block-launch.

usage: packages.py BUILD FOLDER [--seed=N] [--count=N] [--tool=N]
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

build, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
flags = dict(word[2:].split("=") for word in sys.argv[3:])
SLOW = 20  # seconds
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
environment = {**os.environ, "PARABLOCK_CUDA_DRIVER": str(build / "lib" / "libparablock-fake-driver.so"),
               "PARABLOCK_FAKE_CHIP": "sm_80", "PARABLOCK_FAKE_MEMORY": str(64 << 20)}


def run(*command, **more):
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment, **more)


def must(*command):
    run(*command, check=True)


must("block-gen", "--family=llama", "--scope=block", "--layers=1", "--width=32", "--heads=2", "--batch=?", "--seq=?", "--seed=7",
     "--weights-out=w.safetensors", "-o", "a.mlir")
must("block-opt", "a.mlir", "--block-optimize=chip=sm_80", "-o", "b.mlir")
must("block-translate", "--block-to-package", "--chip=sm_80", "b.mlir", "-o", "p.pbk")
must("block-weights", "--recipe=p.pbk/recipe.mlir", "w.safetensors", "-o", "packed.safetensors")
done = run(build / "unittests" / "block-fuzz-package", "--package=p.pbk", "--weights=packed.safetensors",
           f"--scratch={folder / 'scratch'}", f"--seed={flags.get('seed', 1)}", f"--count={flags.get('count', 1000)}")
failures = done.returncode

# And one of masks and sizes that follow from others.
root = pathlib.Path(__file__).parents[2]
must("block-translate", "--block-to-package", "--chip=sm_80", root / "test/Package/Inputs/derived.mlir", "-o", "derived.pbk")
(folder / "none.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
done = run(build / "unittests" / "block-fuzz-package", "--package=derived.pbk", "--weights=none.safetensors",
           f"--scratch={folder / 'scratch'}", f"--seed={flags.get('seed', 1)}", f"--count={int(flags.get('count', 1000)) // 4}")
failures += done.returncode

# The tool ends by an error, soon, whatever a file holds.
chance = random.Random(int(flags.get("seed", 1)))
count = int(flags.get("tool", 0))
names = sorted(path.name for path in (folder / "p.pbk").iterdir() if path.suffix != ".bc")
for number in range(count):
    package = folder / "scratch" / "p.pbk"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(folder / "p.pbk", package)
    path = package / chance.choice(names)
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data))
    if chance.random() < 0.3:
        del data[at:]
    else:
        data[at] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    begin = time.monotonic()
    done = run("block-launch", "--verify", "scratch/p.pbk", capture_output=True, text=True, timeout=60)
    took = time.monotonic() - begin
    if done.returncode != 1 or done.stderr.count("error:") != 1 or took > SLOW:
        failures += 1
        print(f"FAIL {number}: {path.name} at {at}: exit {done.returncode} after {took:.1f} s: {done.stdout}{done.stderr}")
if count:
    print(f"tool: {count} cases")
sys.exit(1 if failures else 0)
