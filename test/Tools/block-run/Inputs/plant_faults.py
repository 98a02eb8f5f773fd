#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants faults in the gradients of step.mlir, one at a time, and says which of them
block-run finds: the gradients that are off have to be the expected ones, no more and no less."""

import json
import subprocess
import sys

SUM = "ins(%du, %x : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%noWeight"
# What is wrong, as what instead of what, and the gradients that it spoils.
FAULTS = [
    ("a factor dropped", "dense<0.5>", "dense<1.0>", "up.weight up.bias down.weight x"),
    ("a factor off by 1e-5", "dense<0.5>", "dense<0.500005>", "up.weight up.bias down.weight x"),
    ("a weight not transposed", "block.linear %0, %1 ", "block.linear %0, %down ", "up.weight up.bias x"),
    ("the other weight not transposed", "block.linear %4, %5 ", "block.linear %4, %up ", "x"),
    ("the wrong weight", "ins(%up :", "ins(%down :", "x"),
    ("the residual's term missing", "arith.addf %dy, %6", "arith.addf %none, %6", "x"),
    ("the branch's term missing", "arith.addf %dy, %6", "arith.addf %dy, %none", "x"),
    ("a sign", "arith.addf %dy, %6", "arith.subf %dy, %6", "x"),
    ("the activation forgotten", "arith.select %3, %2, %none", "arith.select %3, %2, %2",
     "up.weight up.bias x"),
    ("the activation the wrong way", "cmpf ogt", "cmpf olt", "up.weight up.bias x"),
    ("a weight by what the activation reads", "ins(%dz, %opened", "ins(%dz, %hidden", "down.weight"),
    ("rows and columns of a weight swapped", SUM, SUM.replace("%du, %x", "%x, %du"), "up.weight"),
    ("a bias by the gradient behind the activation", "ins(%du : tensor<2x3x4xf32>) outs(%noVector",
     "ins(%dz : tensor<2x3x4xf32>) outs(%noVector", "up.bias"),
    ("two gradients swapped", "%dup, %dbias, %ddown, %dx", "%ddown, %dbias, %dup, %dx",
     "up.weight down.weight"),
    ("a gradient that is zero", "%dup, %dbias, %ddown, %dx", "%noWeight, %dbias, %ddown, %dx", "up.weight"),
    ("a gradient of the output in its place", "%ddown, %dx", "%ddown, %dy", "x"),
    ("one element", "  return %y",
     "  %one = arith.constant dense<0.125> : tensor<1x1xf32>\n"
     "  %off = tensor.insert_slice %one into %ddown[2, 1] [1, 1] [1, 1]"
     " : tensor<1x1xf32> into tensor<4x4xf32>\n  return %y", "down.weight"),
    ("a value that is none", "dense<0.5>", "dense<0x7FC00000>", "up.weight up.bias down.weight x"),
]


def main():
    path, faulty, report = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, old, new, spoilt in FAULTS:
        assert text.count(old) == 1, f"{name}: '{old}' is there {text.count(old)} times"
        changed = text.replace(old, new)
        if name == "one element":
            changed = changed.replace("%dbias, %ddown,", "%dbias, %off,")
        with open(faulty, "w", encoding="utf-8") as file:
            file.write(changed)
        run = subprocess.run(["block-run", faulty, "--function=main_step", "--check-gradients", "--seed=1",
                              f"--json={report}"], capture_output=True, text=True, check=False)
        assert run.returncode == 3, f"{name}: exit code {run.returncode}\n{run.stderr}"
        with open(report, encoding="utf-8") as file:
            gradients = json.load(file)["gradients"]
        found = " ".join(gradient["name"] for gradient in gradients if not gradient["pass"])
        assert found == spoilt, f"{name}: expected {spoilt} to be off, got {found}"
        first = next(line for line in run.stdout.splitlines() if line.startswith("the first wrong one"))
        print(f"{name}: {found}; {first}")
    print(f"found {len(FAULTS)} of {len(FAULTS)}")


main()
