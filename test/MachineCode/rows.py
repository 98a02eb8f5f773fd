#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of rows and of elements ask memory for much before they wait.

    rows.py [--width=N] [--registers=N]

For rows of some widths and types: 16 bytes an access but for what is left behind the last run of columns; no row is
read twice where the values of a lane have registers; in each loop all is read before anything is stored; so few
registers that four CTAs of 128 threads have room; no spills. With --width, rows have that instead of what they are
known for, and with --registers there are so many: both have to fail.
"""

import argparse
import os
import pathlib
import sys
import tempfile

import limits  # noqa: E402  (beside this file)
import ptx_checks  # noqa: E402
import tools  # noqa: E402

MOST_REGISTERS = 65536 // (4 * 128)
# Three loops over a row of ten runs of 16 bytes, which correct the mean, leave room for three.
FEW_CTAS = {("f16", 2560): 65536 // (3 * 128)}

RMS = ("x gamma", 'block.norm %x gamma %g {{form = #block.norm<kind = rms, eps = 1.0e-6>}} : ({x}, {g}) -> {x}')
LAYER = ("x gamma beta", 'block.norm %x gamma %g beta %b {{form = #block.norm<kind = layer, eps = 1.0e-5>}} : ({x}, {g}, {g}) -> {x}')
ADD = ("x y", 'arith.addf %x, %y : {x}')

# Operands and body, type of an element, width, bytes of accesses, how often a row is read. An operation on whole
# tensors is a kernel of elements, whose width does not matter.
CASES = [
    (RMS, "bf16", 768, {16}, 1),
    (RMS, "bf16", 896, {16, 8}, 1),
    (RMS, "bf16", 1024, {16}, 1),
    (RMS, "bf16", 2048, {16}, 2),
    (RMS, "bf16", 4096, {16}, 2),
    (RMS, "f16", 5120, {16}, 2),
    (RMS, "f32", 768, {16}, 1),
    (RMS, "f32", 4096, {16}, 2),
    (LAYER, "bf16", 768, {16}, 1),
    (LAYER, "bf16", 1600, {16, 4}, 3),
    (LAYER, "f16", 2560, {16}, 3),
    (LAYER, "f32", 1280, {16}, 3),
    (ADD, "bf16", 768, {16}, 1),
    (ADD, "f32", 768, {16}, 1),
]


def write_model(path, form, element, width):
    operands, body = form
    x, g = f"tensor<8x2048x{width}x{element}>", f"tensor<{width}x{element}>"
    names = {"x": ("x", x, "input"), "y": ("y", x, "input"), "gamma": ("g", g, "param"), "beta": ("b", g, "param")}
    arguments = ", ".join(f'%{name}: {type_} {{block.{kind} = "{name}"}}'
                          for name, type_, kind in map(names.get, operands.split()))
    path.write_text(f'func.func @main({arguments}) -> ({x} {{block.output = "o"}}) {{\n'
                    f"  %o = {body.format(x=x, g=g)}\n  return %o : {x}\n}}\n", encoding="utf-8")


def compile_kernels(folder, form, element, width):
    source, kernels, ptx = (os.path.join(folder, name) for name in ("m.mlir", "k.mlir", "k.ptx"))
    write_model(pathlib.Path(source), form, element, width)
    limits.run("block-opt", source, f"--block-optimize=chip={limits.CHIP}", "-o", kernels)
    limits.run("block-translate", "--block-to-ptx", f"--chip={limits.CHIP}", kernels, "-o", ptx)
    kernels, advice = ptx_checks.measure(ptx, limits.CHIP)
    return list(kernels.values()), advice


def check_order(code):
    """Loads of global memory behind a store of the same block, which wait for nothing else."""
    late = 0
    for block in code.blocks:
        stored = False
        for instruction in block:
            late += stored and instruction.name == "LDG"
            stored |= instruction.name == "STG"
    return late


def count_reads(code, width, bits):
    """How often the code reads a row of the first operand, loops over its parts included."""
    inner = [loop for loop in code.loops if any(loop in other for other in code.loops)]
    lane = sum(i.bits for i in code.instructions if i.name == "LDG" and "CONSTANT" not in i.opcode)
    for loop in inner:
        own = sum(i.bits for i in loop.instructions if i.name == "LDG" and "CONSTANT" not in i.opcode)
        runs = round(width * bits / (32 * own)) if own else 1
        lane += (runs - 1) * own
    return lane * 32 / (width * bits)


def check(case, registers):
    form, element, width, accesses, reads = case
    name = f"{form[1].split()[0]} of {form[0]}, {width} x {element}"
    bits = int(element.lstrip("bf"))
    with tempfile.TemporaryDirectory() as folder:
        try:
            kernels, found = compile_kernels(folder, form, element, width)
        except (RuntimeError, tools.Failure) as error:
            return [f"{name}: {error}"]
    if len(kernels) != 1:
        return [f"{name}: {len(kernels)} kernels, expected one"]
    kernel, code = kernels[0], kernels[0].code
    own = {i.bits // 8 for i in code.instructions if i.name in ("LDG", "STG")}
    if form is ADD and own != accesses or form is not ADD and not own <= accesses | {4}:
        found.append(f"accesses of {sorted(own)} bytes, expected {sorted(accesses)}")
    if late := check_order(code):
        found.append(f"{late} loads behind stores")
    if form is not ADD and (often := count_reads(code, width, bits)) > reads * 1.01:
        found.append(f"a row is read {often:.2f} times, expected {reads}")
    registers = max(registers, FEW_CTAS.get((element, width), 0)) if registers == MOST_REGISTERS else registers
    if kernel.registers > registers or kernel.stack or kernel.spill_stores:
        found.append(f"{kernel.registers} registers and {kernel.spill_stores} bytes of spills, "
                     f"expected at most {registers} and none")
    return [f"{name}: {line}" for line in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int)
    parser.add_argument("--registers", type=int, default=MOST_REGISTERS)
    options = parser.parse_args()
    complaints = [line for form, element, width, *expected in CASES
                  for line in check((form, element, options.width or width, *expected), options.registers)]
    print("\n".join(complaints + [f"{len(CASES)} kernels, {len(complaints)} complaints"]))
    return bool(complaints)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
