#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects in the device code of a whole layer are found.

usage: mutations.py FOLDER CHIP PLACES [--MODULE] [KIND...]

Every kind of the mutator is applied to the kernels of a GPT-J layer, or of MODULE: a router and its experts, their
gradients, those by weights and of attention (also of whole tiles, of some that are not full or end by lengths, with
dropout, of packed sequences, by a bias of scores, and with past keys and Shaw's tables), those of patches, a loss and
its gradients, a head that normalises some rows, a projection that does, or one of few rows whose depth a cluster
shares, at some of its places. A mutation is found if the run fails: a report of the emulator, unwritten elements,
numbers out of tolerance. A kind that is found nowhere has to stand below, with the reason why it changes nothing, and
the code as it is has to pass. The depth is more than a ring holds, so that its stages are used again. Without kinds,
all are tried.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

from gradient_forms import PAST, Form, Shape, write
from tools import call as run

MODEL = "--family=gptj --layers=1 --width=512 --heads=8 --scope=block --batch=1 --seq=70 --dtype=bf16".split()
# A router and experts with several tiles, of which the last are not full.
EXPERTS = """
func.func @main(%x: tensor<1x70x256xbf16> {block.input = "x"}, %l: tensor<1x70x4xbf16> {block.input = "l"},
                %u: tensor<4x256x256xbf16> {block.param = "u"}, %d: tensor<4x256x128xbf16> {block.param = "d"})
    -> (tensor<1x70x256xbf16> {block.output = "y"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>}
    : (tensor<1x70x4xbf16>) -> (tensor<1x70x2xi64>, tensor<1x70x2xf32>)
  %y = block.experts %x of %i by %w up %u down %d {form = #block.experts<activation = silu>}
    : (tensor<1x70x256xbf16>, tensor<1x70x2xi64>, tensor<1x70x2xf32>, tensor<4x256x256xbf16>, tensor<4x256x128xbf16>)
    -> tensor<1x70x256xbf16>
  return %y : tensor<1x70x256xbf16>
}
"""
# Many rows, so that CTAs share the depth; several tiles of queries and of keys.
GRADIENTS = """
func.func @main(%g: tensor<1x600x64xbf16> {block.input = "g"}, %x: tensor<1x600x40xbf16> {block.input = "x"},
                %dy: tensor<1x150x64xbf16> {block.input = "dy"}, %q: tensor<1x150x64xbf16> {block.input = "q"},
                %k: tensor<1x150x32xbf16> {block.input = "k"}, %v: tensor<1x150x32xbf16> {block.input = "v"})
    -> (tensor<64x40xf32> {block.output = "dw"}, tensor<40xf32> {block.output = "db"},
        tensor<1x150x64xbf16> {block.output = "dq"}, tensor<1x150x32xbf16> {block.output = "dk"},
        tensor<1x150x32xbf16> {block.output = "dv"}) {
  %w = block.weight_grad(%g) of(%x) : tensor<1x600x64xbf16>, tensor<1x600x40xbf16> -> tensor<64x40xf32>
  %b = block.column_sums %x : tensor<1x600x40xbf16> -> tensor<40xf32>
  %r:3 = block.sdpa_grad %dy of %q, %k, %v {wrt = ["query", "key", "value"], heads = 2 : i64, kv_heads = 1 : i64,
      scores = #block.scores<scale = 0.2, causal = true>}
    : (tensor<1x150x64xbf16>, tensor<1x150x64xbf16>, tensor<1x150x32xbf16>, tensor<1x150x32xbf16>)
    -> (tensor<1x150x64xbf16>, tensor<1x150x32xbf16>, tensor<1x150x32xbf16>)
  return %w, %b, %r#0, %r#1, %r#2
    : tensor<64x40xf32>, tensor<40xf32>, tensor<1x150x64xbf16>, tensor<1x150x32xbf16>, tensor<1x150x32xbf16>
}
"""
# The same experts; the last steps of products over places are not full.
EXPERT_GRADIENTS = """
func.func @main(%dy: tensor<1x70x256xbf16> {block.input = "dy"}, %x: tensor<1x70x256xbf16> {block.input = "x"},
                %l: tensor<1x70x4xbf16> {block.input = "l"}, %u: tensor<4x256x256xbf16> {block.param = "u"},
                %d: tensor<4x256x128xbf16> {block.param = "d"})
    -> (tensor<1x70x256xbf16> {block.output = "dx"}, tensor<1x70x4xbf16> {block.output = "dl"},
        tensor<4x256x256xf32> {block.output = "du"}, tensor<4x256x128xf32> {block.output = "dd"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>}
    : (tensor<1x70x4xbf16>) -> (tensor<1x70x2xi64>, tensor<1x70x2xf32>)
  %r:4 = block.experts_grad %dy of %x at %i by %w up %u down %d {form = #block.experts<activation = silu>,
      wrt = ["input", "weights", "up_weight", "down_weight"]}
    : (tensor<1x70x256xbf16>, tensor<1x70x256xbf16>, tensor<1x70x2xi64>, tensor<1x70x2xf32>, tensor<4x256x256xbf16>,
       tensor<4x256x128xbf16>)
    -> (tensor<1x70x256xbf16>, tensor<1x70x2xf32>, tensor<4x256x256xf32>, tensor<4x256x128xf32>)
  %g = block.route_grad %r#1 of %l at %i {form = #block.routing<chosen = 2, score = softmax>, wrt = ["logits"]}
    : (tensor<1x70x2xf32>, tensor<1x70x4xbf16>, tensor<1x70x2xi64>) -> tensor<1x70x4xbf16>
  return %r#0, %g, %r#2, %r#3
    : tensor<1x70x256xbf16>, tensor<1x70x4xbf16>, tensor<4x256x256xf32>, tensor<4x256x128xf32>
}
"""
# A projection normalises its rows: no pass folds the norm.
NORM = """
func.func @main(%x: tensor<2x3x64xbf16> {block.input = "x"}, %v: tensor<5120x64xbf16> {block.param = "v"},
                %g: tensor<5120xbf16> {block.param = "g"}, %b: tensor<5120xbf16> {block.param = "b"},
                %w: tensor<300x5120xbf16> {block.param = "w"}) -> (tensor<2x3x300xbf16> {block.output = "y"}) {
  %h = block.linear %x, %v : tensor<2x3x64xbf16> -> tensor<2x3x5120xbf16>
  %n = block.norm %h gamma %g beta %b {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x3x5120xbf16>
  %y = block.linear %n, %w : tensor<2x3x5120xbf16> -> tensor<2x3x300xbf16>
  return %y : tensor<2x3x300xbf16>
}
"""
# Two of the rows are wanted; the kernel of the head takes and normalises them.
HEAD = """
func.func @main(%x: tensor<2x5x5120xbf16> {block.input = "x"}, %y: tensor<2x5x5120xbf16> {block.input = "y"},
                %k: tensor<2xi64> {block.input = "k"}, %g: tensor<5120xbf16> {block.param = "g"},
                %b: tensor<5120xbf16> {block.param = "b"}, %w: tensor<300x5120xbf16> {block.param = "w"})
    -> (tensor<2x2x300xbf16> {block.output = "l"}) {
  %h = block.residual %x, %y : tensor<2x5x5120xbf16>
  %t = block.take_rows %h at %k : tensor<2x5x5120xbf16>, tensor<2xi64>
  %n = block.norm %t gamma %g beta %b {form = #block.norm<kind = layer, eps = 1.0e-05>} : tensor<2x2x5120xbf16>
  %l = block.head %n, %w : tensor<2x2x5120xbf16> -> tensor<2x2x300xbf16>
  return %l : tensor<2x2x300xbf16>
}
"""
# CTAs share the depth, in clusters; each takes several tiles, so that no sum is staged before the last one was read.
JOINED = """
func.func @main(%x: tensor<1x5x1536xbf16> {block.input = "x"}, %w: tensor<320x1536xbf16> {block.param = "w"})
    -> (tensor<1x5x320xbf16> {block.output = "y"}) {
  %y = block.linear %x, %w : tensor<1x5x1536xbf16> -> tensor<1x5x320xbf16>
  return %y : tensor<1x5x320xbf16>
}
"""
# Patches of two images, whose tokens are more than a warp sums.
PATCHES = """
func.func @main(%dy: tensor<2x36x40xbf16> {block.input = "dy"}, %x: tensor<2x3x20x28xbf16> {block.input = "x"},
                %w: tensor<40x3x4x4xbf16> {block.param = "w"})
    -> (tensor<2x3x20x28xbf16> {block.output = "dx"}, tensor<40x3x4x4xf32> {block.output = "dw"},
        tensor<40xf32> {block.output = "db"}, tensor<40xf32> {block.output = "dc"},
        tensor<36x40xf32> {block.output = "dp"}) {
  %r:5 = block.patch_embedding_grad %dy of %x, %w class
      {wrt = ["pixels", "weight", "bias", "class_token", "position_table"]}
    : tensor<2x36x40xbf16>, tensor<2x3x20x28xbf16>, tensor<40x3x4x4xbf16>
    -> (tensor<2x3x20x28xbf16>, tensor<40x3x4x4xf32>, tensor<40xf32>, tensor<40xf32>, tensor<36x40xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4
    : tensor<2x3x20x28xbf16>, tensor<40x3x4x4xf32>, tensor<40xf32>, tensor<40xf32>, tensor<36x40xf32>
}
"""
# Two chunks of columns.
LOSS = """
func.func @main(%g: tensor<f32> {block.input = "g"}, %x: tensor<1x70x320xbf16> {block.input = "x"},
                %t: tensor<1x70xi64> {block.input = "t"}, %w: tensor<300x320xbf16> {block.param = "w"},
                %b: tensor<300xbf16> {block.param = "b"})
    -> (tensor<f32> {block.output = "y"}, tensor<1x70x320xbf16> {block.output = "dx"},
        tensor<300x320xbf16> {block.output = "dw"}, tensor<300xbf16> {block.output = "db"}) {
  %l = block.cross_entropy %x, %w targets %t bias %b
    : (tensor<1x70x320xbf16>, tensor<300x320xbf16>, tensor<1x70xi64>, tensor<300xbf16>) -> tensor<f32>
  %r:3 = block.cross_entropy_grad %g of %x, %w targets %t bias %b {wrt = ["input", "weight", "bias"]}
    : (tensor<f32>, tensor<1x70x320xbf16>, tensor<300x320xbf16>, tensor<1x70xi64>, tensor<300xbf16>)
    -> (tensor<1x70x320xbf16>, tensor<300x320xbf16>, tensor<300xbf16>)
  return %l, %r#0, %r#1, %r#2 : tensor<f32>, tensor<1x70x320xbf16>, tensor<300x320xbf16>, tensor<300xbf16>
}
"""
# Several tiles of queries and of keys.
TILES = Shape(batch=1, queries=150, keys=150, heads=2, kv_heads=1, size=32, value_size=32, past=70)
DROPPED, PACKED, BIASED, RELATED = (
    write(Form("causal = true", operands, same_length=True, rate=rate), TILES, "bf16")
    for operands, rate in ((("seed",), 0.25), (("cu_seqlens",), 0), (("score_bias_of_heads",), 0),
                           (("shaw_key", "shaw_value", *PAST), 0)))
# Whole tiles, of which products by wgmma take several.
WHOLE = write(Form("causal = true"), Shape(batch=1, queries=256, keys=256, heads=2, kv_heads=1, size=64, value_size=64),
              "bf16")
# Lengths and dropout.
LENGTHS = write(Form("causal = true", ("lengths", "seed"), rate=0.25),
                Shape(batch=2, queries=150, keys=200, heads=2, kv_heads=1, size=64, value_size=64), "bf16")
RAGGED = write(Form("causal = true"), Shape(batch=2, queries=200, keys=200, heads=2, kv_heads=1, size=64, value_size=64),
               "bf16")
MODULES = {"--experts": EXPERTS, "--gradients": GRADIENTS, "--expert-gradients": EXPERT_GRADIENTS, "--head": HEAD,
           "--norm": NORM, "--joined": JOINED, "--patches": PATCHES, "--dropped": DROPPED, "--packed": PACKED,
           "--biased": BIASED, "--related": RELATED, "--whole": WHOLE, "--ragged": RAGGED, "--lengths": LENGTHS,
           "--loss": LOSS}
DIFFERENT = 3
# Seconds; the code as it is takes about one.
PATIENCE = 30

# Kinds that change nothing in these kernels, wherever they are applied.
HARMLESS = {
}


def emulate(fused, original, chip, mutation):
    """A kernel that does not end is found, too: whoever runs it notices."""
    command = ["block-run", fused, "--engine=emulate", f"--chip={chip}", "--seed=7", "--threads=1",
               f"--baseline={original}", *([f"--mutate={mutation}"] if mutation else [])]
    try:
        return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "error: does not end")


def is_found(done):
    """Whether a run reports the defect, by numbers out of tolerance or one error; a tool that ends otherwise is a
    fault."""
    if done.returncode not in (0, 1, DIFFERENT) or (done.returncode == 1 and "error: " not in done.stderr):
        sys.exit(f"{' '.join(map(str, done.args))}: exit code {done.returncode}\n{done.stdout[-400:]}{done.stderr[-800:]}")
    return done.returncode != 0


def rounds(program, chip):
    """Makes the kernels tile programs of two clusters each, which take all tiles in turns."""
    if (done := run("block-opt", program, f"--convert-block-kernels-to-tile=chip={chip}")).returncode:
        sys.exit(done.stderr)
    text = done.stdout
    for grid, cluster in set(re.findall(r"grid = (\d+), cluster = (\d+)", text)):
        text = text.replace(f"grid = {grid}, cluster = {cluster}", f"grid = {2 * int(cluster)}, cluster = {cluster}")
    if text == done.stdout:
        sys.exit("expected a kernel of several clusters")
    program.write_text(text, encoding="utf-8")


def main():
    folder, chip = pathlib.Path(sys.argv[1]), sys.argv[2]
    places, wanted = int(sys.argv[3]), [kind for kind in sys.argv[4:] if kind not in MODULES]
    text = next((text for flag, text in MODULES.items() if flag in sys.argv[4:]), "")
    folder.mkdir(parents=True, exist_ok=True)
    original, fused = folder / "layer.mlir", folder / "fused.mlir"
    if text:
        original.write_text(text, encoding="utf-8")
    passes = ["--block-expand", f"--block-form-kernels=chip={chip}"] if "--norm" in sys.argv else \
             [f"--block-optimize=chip={chip}"]
    for step in [*([] if text else [["block-gen", *MODEL, "-o", original]]),
                 ["block-opt", original, *passes, "-o", fused]]:
        if (done := run(*step)).returncode:
            sys.exit(done.stderr)
    if "--joined" in sys.argv:
        rounds(fused, chip)
    if (done := emulate(fused, original, chip, "")).returncode:
        sys.exit(f"a false alarm:\n{done.stdout}{done.stderr}")
    listed = emulate(fused, original, chip, "?").stderr
    kinds = listed.split("expected one of ", 1)[1].strip().split(", ") if "expected one of " in listed else []
    if len(kinds) < 20:
        sys.exit(f"expected at least 20 kinds of mutations, got {listed}")
    kinds = wanted or kinds

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Seeds far apart, so that they pick different kernels.
        runs = {kind: [pool.submit(emulate, fused, original, chip, f"{kind}:{place * 7919}")
                       for place in range(places)] for kind in kinds}
        faults, applied, tried, found_in_all = [], 0, 0, 0
        for kind, futures in runs.items():
            done = [one for one in (future.result() for future in futures) if "applies to nothing" not in one.stderr]
            if not done:
                continue
            applied += 1
            tried += len(done)
            found = sum(map(is_found, done))
            found_in_all += found
            if (found == 0) != (kind in HARMLESS):
                expected = "nowhere" if kind in HARMLESS else "somewhere"
                faults.append(f"{kind}: expected to be found {expected}, was found at {found} of {len(done)} places")
    for fault in faults:
        print(fault)
    print(f"{applied} kinds apply; found {found_in_all} of {tried} mutations")
    sys.exit(1 if faults or applied < (len(wanted) or 20) else 0)


if __name__ == "__main__":
    main()
