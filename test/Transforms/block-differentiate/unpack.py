# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients by packed parameters become those by stored ones.

A model is optimised, packed and differentiated; its gradients by packed parameters, through
@unpack_grads, are what differentiation of the model as it was drawn gives.
"""

import re
import sys

import expert_families
import tools

SIZES = "--layers=2 --width=32 --heads=4 --vocab=37 --positions=24 --batch=2 --seq=7".split()
ENGINE = ["--engine=reference", "--seed=1"]
# A gradient that is 0 but for rounding, such as a key's bias has, is noise against noise; what cancels
# is rounded between three functions here, where the floor is of one rounding.
NOISE, ROUNDINGS = 2e-6, 8


def run(*command, may_differ=False):
    done = tools.call(*command)
    if done.returncode and not (may_differ and done.returncode == 3):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}\n{done.stdout[-3000:]}")
    return done.stdout


def compare(found):
    passed = found.count("PASS grad.")
    for line in re.findall("^FAIL.*", found, re.M):
        error, floor, largest = (float(re.search(rf"{name} ([^\s,]+)", line)[1]) for name in ("rel_l2", "floor", "max_abs"))
        if largest > NOISE and error > ROUNDINGS * floor:
            sys.exit(line)
    return passed


def main(folder, families):
    model, step, packed = f"{folder}.m.mlir", f"{folder}.s.mlir", f"{folder}.p.mlir"
    stored, weights, made = f"{folder}.g.safetensors", f"{folder}.w.safetensors", f"{folder}.d.safetensors"
    differentiate = "--block-differentiate=wrt=params loss=sum"
    listed = [name for name in expert_families.leave_out(run("block-gen", "--list-families").split()) if name != "random"]
    total = 0
    for family in listed if families == ["all"] else families:
        run("block-gen", f"--family={family}", *SIZES, "-o", model)
        run("block-opt", model, differentiate, "-o", step)
        run("block-run", step, "--function=main_step", *ENGINE, f"--outputs={stored}")
        run("block-opt", model, "--block-optimize", "--block-prepack", differentiate, "-o", packed)
        run("block-run", packed, "--function=prepack", *ENGINE, f"--outputs={weights}")
        run("block-run", packed, "--function=main_step", *ENGINE, f"--weights={weights}", f"--outputs={made}")
        unpack = ["block-run", packed, "--function=unpack_grads", *ENGINE, f"--inputs={made}", f"--expect={stored}"]
        passed = compare(run(*unpack, may_differ=True))
        if passed < 3:
            sys.exit(f"{family}: {passed} gradients were compared")
        total += passed
    print(f"{total} gradients")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
