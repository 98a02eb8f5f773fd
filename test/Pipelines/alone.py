#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass and pipeline of the project alone, on IR of few dialects.

block-opt loads a dialect when it reads an op of it, and those that a pass names before
the pass runs. A pass that makes ops of any other dialect crashes; here it meets functions
of one upstream dialect each, and models on every level: half of the passes a day, and for
them one family or the other in turn, but for PARABLOCK_FULL in the environment. Ops of
dialects that are not registered and ops with regions stand among them: a pass leaves the
first where they are, or refuses them.

One process takes all files, each in a context of its own. An error tells which files it
refuses, and the others come out; if that is not clear, each file is run by itself.
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
    "scf": """func.func @main(%a: tensor<2x4xf32>, %c: i1) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %from = arith.constant 0 : index
  %to = arith.constant 3 : index
  %by = arith.constant 1 : index
  %0 = scf.if %c -> tensor<2x4xf32> {
    %2 = math.tanh %a : tensor<2x4xf32>
    scf.yield %2 : tensor<2x4xf32>
  } else {
    scf.yield %a : tensor<2x4xf32>
  }
  %1 = scf.for %i = %from to %to step %by iter_args(%x = %0) -> tensor<2x4xf32> {
    %3 = arith.addf %x, %a : tensor<2x4xf32>
    scf.yield %3 : tensor<2x4xf32>
  }
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}""",
    "mycorp": """func.func @main(%a: tensor<2x8x32xf32>, %c: i1) -> (tensor<2x8x32xf32>, tensor<2x8x32xf32>) {
  %0 = "mycorp.op"(%a) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  "mycorp.note"(%0) : (tensor<2x8x32xf32>) -> ()
  %1:2 = "mycorp.two"() : () -> (tensor<32x32xf32>, index)
  %2 = "mycorp.region"(%0) ({
  ^bb0(%x: tensor<2x8x32xf32>):
    %4 = math.tanh %x : tensor<2x8x32xf32>
    %5 = "mycorp.inner"(%4, %a, %1#0) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<32x32xf32>) -> tensor<2x8x32xf32>
    "mycorp.yield"(%5) : (tensor<2x8x32xf32>) -> ()
  }, {
  }) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %3 = scf.if %c -> tensor<2x8x32xf32> {
    %6 = "mycorp.op"(%2) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    scf.yield %6 : tensor<2x8x32xf32>
  } else {
    scf.yield %2 : tensor<2x8x32xf32>
  }
  return %2, %3 : tensor<2x8x32xf32>, tensor<2x8x32xf32>
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
# What stands behind the first layer: an op of a dialect that is not registered, one with a region, and a branch.
AMONG = """%corp = "mycorp.op"({0}) : ({1}) -> {1}
%region = "mycorp.region"(%corp) ({{
  %inner = "mycorp.inner"(%corp) : ({1}) -> {1}
  "mycorp.yield"(%inner) : ({1}) -> ()
}}) : ({1}) -> {1}
%true = "mycorp.flag"() : () -> i1
%branch = scf.if %true -> {1} {{
  scf.yield %region : {1}
}} else {{
  scf.yield {0} : {1}
}}
"""
SPLIT = "// -----"
ANY = "--allow-unregistered-dialect"
OPTIONS = {"block-require": "fusions=block-expand", "block-shard": "ranks=2"}


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def run_well(*command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"FAILED {command}: {done.stderr}")


def put_among(text):
    """Puts other ops between the first layer and what reads it."""
    layer = re.search(r"^    (%\w+) = block\.layer .*-> (tensor<\S+>) \{\n(.*\n)*?    \}\n", text, re.MULTILINE)
    value, type = layer.groups()[:2]
    rest = re.sub(rf"{value}\b", "%branch", text[layer.end():])
    return text[:layer.end()] + AMONG.format(value, type) + rest


def make_inputs(folder):
    for name, text in UPSTREAM.items():
        (folder / f"{name}.mlir").write_text(text)
    for family in FAMILIES:
        models = {name: folder / f"{family}-{name}.mlir" for name in ["1", "mycorp1"]}
        run_well("block-gen", f"--family={family}", *SMALL, "-o", models["1"])
        models["mycorp1"].write_text(put_among(models["1"].read_text()))
        for level in ["linalg", "tosa"]:
            run_well("block-gen", f"--family={family}", *SMALL, f"--level={level}", "-o", folder / f"{family}-{level}.mlir")
        for level, passes in LEVELS.items():
            run_well("block-opt", models["1"], *passes, "-o", folder / f"{family}-{level}.mlir")
        for level in ["2", "3"]:
            run_well("block-opt", ANY, models["mycorp1"], *LEVELS[level], "-o", folder / f"{family}-mycorp{level}.mlir")
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
    return run(["block-opt", ANY, path, f"--{flag}{given}", *more])


def run_together(flag, paths, joined):
    """The exit code, the files that an error names, and what came out for each file."""
    begins, lines = [], []
    for path in paths:
        begins.append(len(lines))
        lines += [*path.read_text().splitlines(), SPLIT]
    joined.write_text("\n".join(lines[:-1]) + "\n")
    done = run_pass(flag, joined, "--split-input-file")
    # A module is at the line before its first one.
    found = re.findall(rf"{re.escape(str(joined))}:(\d+):\d+: error:", done.stderr)
    named = {bisect.bisect(begins, int(line)) - 1 for line in found}
    refused = {path for number, path in enumerate(paths) if number in named}
    return done.returncode, refused, done.stdout.split(SPLIT + "\n")


def count_others(text):
    return len(re.findall(r'"mycorp\.\w+"\(', text))


def loses_others(path, made):
    """Whether ops of dialects that are not registered do not stay, where the pass takes the file."""
    return made is not None and "mycorp" in path.name and count_others(made) != count_others(path.read_text())


def judge(flag, paths, folder):
    """What is wrong with a pass, file by file."""
    code, refused, made = run_together(flag, paths, folder / f"{flag}.joined")
    is_clear = code == (1 if refused else 0) and len(made) == len(paths) and all(
        (path in refused) != bool(text.strip()) for path, text in zip(paths, made))
    if is_clear:
        results = {path: None if path in refused else text for path, text in zip(paths, made)}
    else:
        results = {}
        for path in paths:
            done = run_pass(flag, path)
            # Refused is fine, as long as it is said.
            if done.returncode and (done.returncode != 1 or "error:" not in done.stderr):
                yield f"FAILED --{flag} on {path.name}: exit {done.returncode}: {done.stderr[-300:]}"
            results[path] = None if done.returncode else done.stdout
    for path, text in results.items():
        if loses_others(path, text):
            yield f"FAILED --{flag} on {path.name}: ops of other dialects do not stay"


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

        def check(case):
            turn, flag = case
            paths = list(choose_paths(turn, inputs))
            return len(paths), list(judge(flag, paths, folder))

        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            verdicts = list(workers.map(check, tiers.take_turn(enumerate(passes), 2)))
    faults = [fault for _, found in verdicts for fault in found]
    print("\n".join(faults))
    counts = sorted({count for count, _ in verdicts})
    print(f"{len(verdicts)} passes, each on {' or '.join(map(str, counts))} files, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
