#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of rows in codes of 8 bits run on FP8 tensor cores, without spills or advice of ptxas.

    encoded.py [--no-rows]

Each product of a layer, compiled for sm_90a, has as many instructions for 32 of the depth as a step of 128 has, for
each 128 columns of its tile, and none on numbers of 16 bits. The attention rounds its rows itself, so that a layer has
two kernels of rows, and spills nothing either. With --no-rows, rows stay numbers, which has to fail.
"""

import argparse
import collections
import os
import re
import sys
import tempfile

import limits  # noqa: E402  (beside this file)
import ptx_checks

MODEL = ("--family=llama --layers=1 --vocab=97 --positions=4096 --scope=block --dtype=bf16 --width=4096 --heads=32 "
         "--hidden=11008 --batch=8 --seq=2048")


def check(kernel):
    shapes = collections.Counter(re.search(r"\d+x\d+x\d+", i.opcode)[0] for i in kernel.code.instructions
                                 if i.name in ("QGMMA", "HGMMA"))
    print(f"{kernel.name}: {kernel.registers} registers, "
          + ", ".join(f"{count} of {shape}" for shape, count in shapes.items()))
    if not shapes or any(not shape.endswith("x32") for shape in shapes):
        yield f"{kernel.name}: expected products of 32 of the depth alone, got {dict(shapes)}"
    if any(count % 4 for count in shapes.values()):
        yield f"{kernel.name}: expected 4 instructions for a step, got {dict(shapes)}"
    if kernel.spill_stores or kernel.stack:
        yield f"{kernel.name}: spills {kernel.spill_stores} bytes, with a stack of {kernel.stack}"


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--no-rows", action="store_true")
    rows = "none" if parser.parse_args().no_rows else "fp8"
    with tempfile.TemporaryDirectory() as folder:
        source, codes, ptx = (os.path.join(folder, name) for name in ("m.mlir", "q.mlir", "k.ptx"))
        limits.run("block-gen", *MODEL.split(), "-o", source)
        limits.run("block-opt", source, f"--block-quantize=form=fp8 activations={rows}", "-o", codes)
        limits.run("block-translate", "--block-to-ptx", f"--chip={limits.CHIP}", codes, "-o", ptx)
        found, advice = ptx_checks.measure(ptx, limits.CHIP)
        products = [kernel for name, kernel in found.items() if name.startswith("linear")]
        complaints = [*advice, *(text for kernel in products for text in check(kernel))]
        spills = {name: kernel.spill_stores for name, kernel in found.items() if kernel.spill_stores or kernel.stack}
        complaints += [f"{name} spills {size} bytes" for name, size in spills.items()]
        rows = sorted(name for name in found if name.startswith("rows"))
        if rows != ["rows_0", "rows_1"]:
            complaints.append(f"expected two kernels of rows, got {rows}")
    print("\n".join([*complaints, f"{len(products)} products, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
