#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass and pipeline of the project alone, on IR of few dialects.

block-opt loads a dialect when it reads an op of it, and those that a pass names before
the pass runs. A pass that makes ops of any other dialect crashes; here it meets functions
of one upstream dialect each, and models on every level: of one family or the other, in
turn, but for PARABLOCK_FULL in the environment.

One process takes all files, each in a context of its own. Where it refuses some, by an
error that tells which, another takes the others; what is not clear then is run by itself.
"""

import bisect
import tiers
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

UPSTREAM = {
    "arith": """func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xbf16>) -> (tensor<2x4xf16>, tensor<2x4xf32>) {
  %0 = arith.truncf %a : tensor<2x4xf32> to tensor<2x4xf16>
  %1 = arith.extf %b : tensor<2x4xbf16> to tensor<2x4xf32>
  %2 = arith.addf %1, %a : tensor<2x4xf32>
  return %0, %2 : tensor<2x4xf16>, tensor<2x4xf32>
}""",
    "cast": """func.func @main(%a: tensor<1x2x4xf32>) -> tensor<1x2x4xf16> {
  %0 = arith.truncf %a : tensor<1x2x4xf32> to tensor<1x2x4xf16>
  return %0 : tensor<1x2x4xf16>
}""",
    "math": """func.func @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = math.erf %a : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}""",
    "linalg": """func.func @main(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x4xf32>, tensor<4x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}""",
    "tensor": """func.func @main(%a: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
  %0 = tensor.concat dim(0) %a, %a : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.extract_slice %0[1, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [2, 2, 2] : tensor<2x4xf32> into tensor<2x2x2xf32>
  return %2 : tensor<2x2x2xf32>
}""",
    "tosa": """func.func @main(%a: tensor<1x2x4xf32>, %b: tensor<1x4x3xf32>) -> tensor<1x2x3xf32> {
  %0 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.matmul %a, %b, %0, %0 : (tensor<1x2x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3xf32>
  %2 = tosa.tanh %1 : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  return %2 : tensor<1x2x3xf32>
}""",
    "none": "func.func @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> { return %a : tensor<2x4xf32> }",
}
FAMILIES = ["gpt2", "falcon-7b"]
SMALL = "--layers=2 --width=16 --heads=2 --vocab=31 --positions=16 --batch=1 --seq=5".split()
LEVELS = {
    "2": ["--block-expand"],
    "3": ["--block-optimize"],
    "3-gpu": ["--block-optimize=chip=sm_80"],
    "4": ["--block-optimize=chip=sm_90a", "--convert-block-kernels-to-tile"],
}
SPLIT = "// -----"
OPTIONS = {"block-require": "fusions=block-expand", "block-shard": "ranks=2"}


def run(arguments):
    return subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def make_inputs(folder):
    for name, text in UPSTREAM.items():
        (folder / f"{name}.mlir").write_text(text)
    for family in FAMILIES:
        model = folder / f"{family}-1.mlir"
        commands = [["block-gen", f"--family={family}", *SMALL, "-o", model]]
        for level in ["linalg", "tosa"]:
            commands.append(["block-gen", f"--family={family}", *SMALL, f"--level={level}", "-o", folder / f"{family}-{level}.mlir"])
        for level, passes in LEVELS.items():
            commands.append(["block-opt", model, *passes, "-o", folder / f"{family}-{level}.mlir"])
        for command in commands:
            done = run(command)
            if done.returncode != 0:
                sys.exit(f"FAILED {command}: {done.stderr}")
    return sorted(folder.glob("*.mlir"))


def choose_paths(turn, paths):
    """Files for a pass: of each level of models one, unless all are wanted."""
    for path in paths:
        family, _, level = path.stem.rpartition("-")
        # Levels, too, so that a pass meets both families.
        other = FAMILIES[(turn + sum(map(ord, level))) % 2]
        if tiers.FULL or not family.startswith(tuple(FAMILIES)) or family.startswith(other):
            yield path


def run_pass(flag, path, *more):
    given = f"={OPTIONS[flag]}" if flag in OPTIONS else ""
    return run(["block-opt", path, f"--{flag}{given}", *more])


def run_together(flag, paths, joined):
    """The exit code, and the files that an error names."""
    begins, lines = [], []
    for path in paths:
        begins.append(len(lines))
        lines += [*path.read_text().splitlines(), SPLIT]
    joined.write_text("\n".join(lines[:-1]) + "\n")
    done = run_pass(flag, joined, "--split-input-file")
    # A module is at the line before its first one.
    found = re.findall(rf"{re.escape(str(joined))}:(\d+):\d+: error:", done.stderr)
    named = {bisect.bisect(begins, int(line)) - 1 for line in found}
    return done.returncode, [path for number, path in enumerate(paths) if number in named]


def are_clear(flag, paths, folder):
    """Whether each file goes through the pass, or is refused with an error."""
    joined = folder / f"{flag}.joined"
    code, refused = run_together(flag, paths, joined)
    if code == 1 and refused and len(refused) < len(paths):
        code, more = run_together(flag, [path for path in paths if path not in refused], joined)
        return code == 0 and not more
    return code == 0 or (code == 1 and len(refused) == len(paths))


def list_passes():
    text = subprocess.run(["block-opt", "--help"], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"^      --([a-z0-9-]+) ", text, re.MULTILINE)
    return [name for name in names if re.match(r"block-|convert-|cpu-|leftovers-|lower-|tile-", name)]


def main():
    passes = list_passes()
    for name in ["block-form-kernels", "block-raise", "block-to-cpu", "convert-tile-to-nvvm", "tile-allocate-shared"]:
        if name not in passes:
            sys.exit(f"FAILED block-opt does not list {name}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs = make_inputs(folder)

        def judge(case):
            turn, flag = case
            paths = list(choose_paths(turn, inputs))
            if are_clear(flag, paths, folder):
                return len(paths), []
            faults = []
            for path in paths:
                done = run_pass(flag, path)
                # Refused is fine, as long as it is said.
                if done.returncode and (done.returncode != 1 or "error:" not in done.stderr):
                    faults.append(f"FAILED --{flag} on {path.name}: exit {done.returncode}: {done.stderr[-300:]}")
            return len(paths), faults

        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            verdicts = list(workers.map(judge, enumerate(passes)))
    faults = [fault for _, found in verdicts for fault in found]
    print("\n".join(faults))
    print(f"{sum(count for count, _ in verdicts) - len(faults)} passed, {len(faults)} failed")


if __name__ == "__main__":
    main()
