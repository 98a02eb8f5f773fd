#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects in products of few rows, of numbers and of each form of codes, are found.

usage: planted_products.py FOLDER

A product whose depth CTAs share, behind another launch: a join that one CTA too few has arrived at, a wait for the
launch before that comes behind the first read, and the defects of codes.py in the codes: scales of the neighbouring
group or row, exchanged halves of bytes, a code that is no number. Without a defect, there is none.
"""

import pathlib
import re
import sys

import codes
import safetensors_io
import tiers

COLUMNS, DEPTH = 64, 2048
#: Forms, and columns of a scale.
FORMS = {"bf16": None, "int8": 0, "int4 128": 128, "int4 32": 32, "fp8": 0, "mxfp4": 32}
# Of groups, wgmma has one tile of more rows.
CASES = [(form, chip, rows) for form in FORMS for chip in codes.CHIPS for rows in (1, 3)
         if rows == 1 or form in ("bf16", "int8", "fp8") or chip == "sm_80"]


def write(folder, form, rows):
    model, weights = folder / "m.mlir", folder / "w.safetensors"
    if FORMS[form] is None:
        sizes = (f"1x{rows}x{DEPTH}", f"{COLUMNS}x{DEPTH}", f"1x{rows}x{COLUMNS}")
        x, w, y = (f"tensor<{size}xbf16>" for size in sizes)
        model.write_text(f"""
func.func @main(%x0: {x} {{block.input = "x0"}}, %w0: {w} {{block.param = "w"}}) -> ({y} {{block.output = "y"}}) {{
  %y = block.linear %x0, %w0 : ({x}, {w}) -> {y}
  return %y : {y}
}}
""", encoding="utf-8")
        return []
    name, group = form.split()[0], FORMS[form]
    codes.write_model(model, name, group, False, "bf16", rows, COLUMNS, [DEPTH])
    safetensors_io.write_raw(weights, codes.Weight(COLUMNS, DEPTH, name, group, False, seed=0).write("w0"))
    return [f"--weights={weights}"]


def find_early_join(folder, chip, weights):
    """What is wrong with a join that one CTA too few has arrived at, or with the join as it is."""
    tiles, planted = folder / "t.mlir", folder / "p.mlir"
    # Sums of the clusters of sm_90a meet elsewhere: test/Emulate/mutations.py --joined.
    lowered = codes.run("block-opt", "--unbroken-lines", folder / "m.mlir", f"--block-optimize=chip={chip}",
                        f"--convert-block-kernels-to-tile=chip={chip} joins-in-memory=true", "-o", tiles)
    text = tiles.read_text(encoding="utf-8") if tiles.exists() else ""
    join = re.search(r"tile\.join %\w+\[%\w+\] of (%c(\d+)\w*) ", text)
    if not join or int(join[2]) < 2:
        yield f"expected CTAs that join: {lowered.stderr[-300:]}"
        return
    fewer = f"%fewer = arith.constant {int(join[2]) - 1} : index\n{join[0].replace(join[1], '%fewer')}"
    planted.write_text(text.replace(join[0], fewer), encoding="utf-8")
    run = ["--engine=emulate", f"--chip={chip}", "--seed=5", *weights, f"--baseline={folder / 'm.mlir'}"]
    done = codes.run("block-run", tiles, *run)
    if done.returncode or "PASS y" not in done.stdout:
        yield f"expected PASS, got {done.stdout[-300:]} {done.stderr[-300:]}"
    early = codes.run("block-run", planted, *run)
    if early.returncode not in (1, codes.DIFFERENT):
        yield f"an early join is not found: {early.returncode} {early.stdout[-300:]} {early.stderr[-300:]}"


def find_late_wait(folder, weights):
    """What is wrong with a wait behind the first read, or with the wait as it is."""
    model, device, planted = folder / "l.mlir", folder / "d.mlir", folder / "p.mlir"
    text = (folder / "m.mlir").read_text(encoding="utf-8")
    # A launch before it makes the rows.
    rows = re.search(r"%x0: (tensor<\S+>)", text)[1]
    before = f"  %r = block.residual %x0, %x0 : ({rows}, {rows}) -> {rows}\n"
    model.write_text(re.sub(r"(  %y = block\.linear) %x0", rf"{before}\1 %r", text), encoding="utf-8")
    lower = "--block-to-gpu=chip=sm_90a programmatic-launch=true"
    codes.run("block-opt", "--unbroken-lines", model, lower, "-o", device)
    run = ["--engine=emulate", "--chip=sm_90a", "--seed=5", *weights, f"--baseline={model}"]
    done = codes.run("block-run", device, *run)
    if done.returncode or "PASS y" not in done.stdout:
        yield f"expected PASS, got {done.stdout[-300:]} {done.stderr[-300:]}"
    start, name, kernel = device.read_text(encoding="utf-8").partition("llvm.func @linear_0(")
    # What copies waits in its own place.
    late = re.sub(r"\n *nvvm\.griddepcontrol +wait", "", kernel, count=1)
    planted.write_text(start + name + late, encoding="utf-8")
    found = codes.run("block-run", planted, *run)
    if late == kernel or found.returncode != 1 or "griddepcontrol.wait" not in found.stderr + found.stdout:
        yield f"a wait behind the first read is not found: {found.stdout[-300:]} {found.stderr[-300:]}"


def check(folder, form, chip, rows):
    weights = write(folder, form, rows)
    yield from find_early_join(folder, chip, weights)
    if chip == "sm_90a":
        yield from find_late_wait(folder, weights)
    if FORMS[form] is not None:
        yield from codes.check(folder, (form.split()[0], FORMS[form], False, chip, "bf16", rows, (COLUMNS, [DEPTH])))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    faults = count = 0
    for case in tiers.take_turn(CASES, 11):
        count += 1
        for fault in check(folder, *case):
            faults += 1
            print(*case, fault)
    print(f"{count} products, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
