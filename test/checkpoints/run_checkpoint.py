#!/usr/bin/env python3
#===- run_checkpoint.py - an unconverted checkpoint against its truth ---===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs block-gen and block-run on checkpoints and compares with the truth.

  run_checkpoint.py BIN DIR... [--jobs N] [--tolerance X] [--rounded]

Each DIR holds config.json, model.safetensors and io.safetensors (inputs and
the float64 truth, as make_checkpoints.py writes them); a DIR without
config.json stands for its subdirectories. Prints `PASS name rel_l2` or
`FAIL name why`, one line each, and exits with 1 if any failed.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

import numpy as np
import safetensors_io


class Failure(Exception):
    pass


def shape_flags(io):
    """The static sizes that block-gen needs for these inputs."""
    if "pixel_values" in io:
        return [f"--batch={io['pixel_values'].shape[0]}"]
    batch, source = io["input_ids"].shape
    seq = io.get("decoder_input_ids", io["input_ids"]).shape[1]
    flags = [f"--batch={batch}", f"--seq={seq}"]
    if source != seq:
        flags.append(f"--encoder-seq={source}")
    return flags


def run_tool(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = [l for l in done.stderr.splitlines() if "error" in l]
        lines = lines or done.stderr.splitlines()[-1:] or ["no message"]
        tool = os.path.basename(command[0])
        raise Failure(f"{tool} exited {done.returncode}: {lines[0]}")


def relative_l2(got, want):
    if got.shape != want.shape:
        raise Failure(f"output shape {got.shape}, expected {want.shape}")
    if not np.isfinite(got).all():
        raise Failure("output is not finite")
    got, want = got.astype(np.float64), want.astype(np.float64)
    return float(np.linalg.norm(got - want) / np.linalg.norm(want))


def compare(bin_dir, directory, tolerance, rounded):
    io_path = os.path.join(directory, "io.safetensors")
    io = safetensors_io.read(io_path)
    truth = io["logits"] if "logits" in io else io["last_hidden_state"]
    with tempfile.TemporaryDirectory() as scratch:
        ir = os.path.join(scratch, "m.mlir")
        result = os.path.join(scratch, "o.safetensors")
        run_tool([os.path.join(bin_dir, "block-gen"),
                  f"--config={directory}/config.json", *shape_flags(io),
                  "-o", ir])
        run_tool([os.path.join(bin_dir, "block-run"), ir,
                  "--engine=reference",
                  f"--weights={directory}/model.safetensors",
                  f"--inputs={io_path}", f"--outputs={result}",
                  *([] if rounded else ["--exact-arithmetic"])])
        outputs = safetensors_io.read(result)
    for name in ("logits", "hidden_states", *outputs):
        if name in outputs:
            error = relative_l2(outputs[name], truth)
            break
    else:
        raise Failure("block-run wrote no output")
    if not error <= tolerance:
        raise Failure(f"relative L2 {error:.3e}, expected at most {tolerance}")
    return error


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin_dir")
    parser.add_argument("directories", nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tolerance", type=float, default=1e-5)
    parser.add_argument("--rounded", action="store_true",
                        help="round results to f32 as the IR says")
    args = parser.parse_args()
    directories = []
    for top in args.directories:
        top = os.path.abspath(top)
        if os.path.exists(os.path.join(top, "config.json")):
            directories.append(top)
        else:
            directories += [os.path.join(top, d)
                            for d in sorted(os.listdir(top))]

    def attempt(directory):
        name = os.path.basename(directory)
        try:
            error = compare(args.bin_dir, directory, args.tolerance,
                            args.rounded)
            return True, f"PASS {name} {error:.3e}"
        except (Failure, OSError, KeyError, ValueError) as e:
            return False, f"FAIL {name} {e}"

    passed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for good, line in pool.map(attempt, directories):
            print(line, flush=True)
            passed += good
    print(f"{passed} passed, {len(directories) - passed} failed")
    return 0 if directories and passed == len(directories) else 1


if __name__ == "__main__":
    sys.exit(main())
