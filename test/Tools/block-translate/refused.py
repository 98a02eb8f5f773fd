#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every output of device code says of models that it refuses.

For each file of a folder: PTX, machine code, LLVM IR and the package are refused
with the same words, which block-opt's pipeline says, too, and nothing is written.
"""

import pathlib
import sys

import tools

OUTPUTS = ("ptx", "cubin", "llvm-device", "package")


def run(*command):
    return tools.messages(*command, code=1).splitlines()


def tell(lines):
    """The errors, without what was recognised before and the lines that they point to."""
    return [line for line in lines if "error: " in line]


def check(path, scratch, chip):
    said = {}
    for kind in OUTPUTS:
        output = scratch / f"{path.stem}.{kind}"
        said[kind] = tell(
            run("block-translate", f"--block-to-{kind}", f"--chip={chip}", path, "-o", output)
        )
        if output.exists():
            sys.exit(f"{path.stem}: --block-to-{kind} left a file")
    errors = said["ptx"]
    for kind, others in said.items():
        if others != errors:
            sys.exit(f"{path.stem}: ptx says {errors}, {kind} says {others}")
    piped = tell(run("block-opt", f"--block-to-gpu=chip={chip}", path, "-o", scratch / "none"))
    if piped[0].split("error: ")[1] != errors[0].split("error: ")[1]:
        sys.exit(f"{path.stem}: ptx says {errors}, block-opt says {piped}")
    return errors[0].replace(str(path), path.name)


def main():
    inputs, scratch = map(pathlib.Path, sys.argv[1:])
    for path in sorted(inputs.glob("*.mlir")):
        first = check(path, scratch, "sm_90a")
        if check(path, scratch, "sm_80") != first:
            sys.exit(f"{path.stem}: chips differ")
        print(f"{path.stem}: {first}")


main()
