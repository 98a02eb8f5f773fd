#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of real models' layers, through ptxas.

For each of a matrix of families, shapes, element types and chips: no spills, no
advice of ptxas, registers and shared memory within what the chip has, the unit
that a kernel's schedule names in its machine code, no device library, and no
assembly but that of lib/Conversion/TileToNVVM/Assembly.def, of which every row
must have come up in the end. With PARABLOCK_FULL set the matrix is the whole
product; otherwise every family is there, and every pair of a shape, an element
type and a chip.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import pairwise
import ptx_checks  # noqa: E402  (beside this folder)
import tiers

FAMILIES = ("gpt2", "gptj", "llama", "gpt-neox", "gemma2", "t5-encoder", "falcon-7b")
DTYPES = ("bf16", "f16", "f32")
CHIPS = ("sm_80", "sm_90a")
# Width, heads, tokens: whole tiles; no width a multiple of anything; one token.
SHAPES = {
    "tiles": (1024, 16, 512),
    "odd": (50, 5, 65),
    "token": (512, 2, 1),
}
MORE_SHAPES = {"odd-token": (50, 5, 1), "wide-heads": (512, 2, 300)}
# Attention by wgmma where nothing is a multiple of a tile, with padding or packed
# sequences: family, size of a head, heads, tokens. Small widths have products of one
# step.
ATTENTION = (
    ("llama", 16, 4, 33), ("bert", 64, 2, 300), ("mistral", 80, 2, 200), ("gpt-neox", 96, 2, 130),
    ("t5-encoder", 128, 2, 300), ("gemma2", 192, 2, 140), ("bloom", 256, 1, 300),
)

# What ptxas spills all the same, in full runs: masks of padding and biases of scores beside each other.
KNOWN = {
    "t5-encoder-heads-128x2-padded-bf16-sm_90a": [
        "sdpa_0: 4 bytes of spills, 4 bytes loaded", "sdpa_0: a stack of 8 bytes, expected at most 0"],
    "bloom-heads-128x2-padded-bf16-sm_90a": [
        "sdpa_0: 132 bytes of spills, 156 bytes loaded", "sdpa_0: a stack of 128 bytes, expected at most 0"],
}

# What machine code must have where the schedule multiplies by a unit.
OPCODES = {"wgmma": "HGMMA", "mma": "HMMA", "fma": "FFMA"}
MAX_REGISTERS = 255
REGISTERS_PER_CTA = 64 * 1024

ASSEMBLY_TABLE = os.path.join(ROOT, "lib", "Conversion", "TileToNVVM", "Assembly.def")
ASSEMBLY_ROW = re.compile(r'^TILE_ASSEMBLY\(\w+, "([^"]+)"\)$', re.MULTILINE)
ASSEMBLY = re.compile(r"// begin inline asm\n(.*?)// end inline asm", re.DOTALL)
KERNEL = re.compile(r"llvm\.func @(\w+)\(.*?#tile\.launch<.*?schedule = <(.*?)>(?:, shared_bytes = (\d+))?")


def choose_cases(full):
    """(family, shape, dtype, chip), pairwise."""
    cases = []
    for number, (shape, dtype) in enumerate(itertools.product(SHAPES, DTYPES)):
        cases.append((FAMILIES[(number + 3) % len(FAMILIES)], shape, dtype, CHIPS[(number + 1) % 2]))
    if not full:
        return cases, SHAPES
    shapes = {**SHAPES, **MORE_SHAPES}
    return list(dict.fromkeys([*cases, *pairwise.cover_pairs(FAMILIES, shapes, DTYPES, CHIPS)])), shapes


def check_pairs(cases):
    """Fails where a pair of the short matrix is missing."""
    for axis, other in ((FAMILIES, ("",)), (DTYPES, CHIPS), (tuple(SHAPES), DTYPES), (tuple(SHAPES), CHIPS)):
        for pair in itertools.product(axis, other):
            if not any(set(pair) <= {*case, ""} for case in cases):
                yield f"the matrix has no case of {' and '.join(pair)}"


def choose_attention(full):
    """The same for attention, in shapes of their own."""
    rows = ATTENTION[2::4]
    if full:
        rows = [(family, *row[1:]) for family in dict.fromkeys(row[0] for row in ATTENTION) for row in ATTENTION]
    cases, shapes = [], {}
    forms = {"padded": "--padding", "packed": "--varlen=3"}
    for number, (family, size, heads, tokens) in enumerate(rows):
        # In full runs by turns, so that each family and each size meet both; an odd number of sizes sees to that.
        form = list(forms)[number % 2 if full else size // 16 % 2]
        name = f"heads-{size}x{heads}-{form}"
        shapes[name] = (size * heads, heads, tokens, forms[form])
        cases.append((family, name, ("bf16", "f16")[size % 32 // 16], "sm_90a"))
    return cases, shapes


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()[:2000]}")


def compile_layer(folder, family, shape, dtype, chip):
    """(the device IR, the path of the PTX) of one layer."""
    width, heads, tokens, *more = shape
    model, kernels, device, ptx = (os.path.join(folder, name) for name in ("m.mlir", "k.mlir", "d.mlir", "k.ptx"))
    run(
        *f"block-gen --family={family} --layers=1 --width={width} --heads={heads} --vocab=97".split(),
        *f"--positions=512 --scope=block --seq={tokens} --dtype={dtype} -o {model}".split(),
        *more,
    )
    run("block-opt", model, f"--block-optimize=chip={chip}", "-o", kernels)
    run("block-opt", "--unbroken-lines", kernels, f"--block-to-gpu=chip={chip}", "-o", device)
    run("block-translate", "--block-to-ptx", f"--chip={chip}", device, "-o", ptx)
    with open(device, encoding="utf-8") as file:
        return file.read(), ptx


def check_text(text, rows, seen):
    """What the PTX itself may not have; rows of the table go to `seen`."""
    for word in ("__nv_", ".local", "__local_depot", ".func"):
        if re.search(rf"(?<![\w.]){re.escape(word)}", text):
            yield f"'{word}' in the PTX"
    for assembly in ASSEMBLY.findall(text):
        known = [row for row in rows if row in assembly]
        seen.update(known)
        if len(known) != 1:
            yield f"assembly of {len(known)} rows of the table: {' '.join(assembly.split())[:200]}"


def check_unit(kernel, schedule):
    unit = re.search(r"multiply = (\w+)", schedule)
    if unit and not kernel.instructions[OPCODES[unit.group(1)]]:
        yield f"{kernel.name}: multiplies by {unit.group(1)}, expected {OPCODES[unit.group(1)]} in its machine code"


def check_registers(kernel, schedule):
    warps = sum(int(count) for count in re.findall(r"\b(?:warps|producers) = (\d+)", schedule))
    if kernel.registers > MAX_REGISTERS:
        yield f"{kernel.name}: {kernel.registers} registers, expected at most {MAX_REGISTERS}"
    if kernel.registers * warps * 32 > REGISTERS_PER_CTA:
        yield f"{kernel.name}: {warps} warps of {kernel.registers} registers, expected {REGISTERS_PER_CTA} in a CTA"


def check_layer(device, ptx, chip, rows, seen):
    with open(ptx, encoding="utf-8") as file:
        yield from check_text(file.read(), rows, seen)
    kernels, advice = ptx_checks.measure(ptx, chip)
    facts = {name: (schedule, int(size or 0)) for name, schedule, size in KERNEL.findall(device)}
    if not kernels or set(facts) != set(kernels):
        yield f"kernels {sorted(kernels)} in machine code, and {sorted(facts)} in the IR"
        return
    dynamic = {name: size for name, (_, size) in facts.items()}
    yield from ptx_checks.check_resources(kernels, advice, dynamic, ptx_checks.SHARED_LIMIT[chip], max_stack=0)
    for kernel in kernels.values():
        yield from check_unit(kernel, facts[kernel.name][0])
        yield from check_registers(kernel, facts[kernel.name][0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default=ASSEMBLY_TABLE, help="a file of TILE_ASSEMBLY rows")
    parser.add_argument("--only", default="", help="cases with these words, such as gptj-tiles")
    options = parser.parse_args()
    with open(options.table, encoding="utf-8") as file:
        rows = ASSEMBLY_ROW.findall(file.read())

    cases, shapes = choose_cases(tiers.FULL)
    complaints = list(check_pairs(cases))
    attention, attention_shapes = choose_attention(tiers.FULL)
    cases += attention
    shapes = {**shapes, **attention_shapes}
    cases = [case for case in cases if options.only in "-".join(case)]
    seen = set()
    for family, shape, dtype, chip in cases:
        name = "-".join((family, shape, dtype, chip))
        with tempfile.TemporaryDirectory() as folder:
            try:
                device, ptx = compile_layer(folder, family, shapes[shape], dtype, chip)
            except RuntimeError as error:
                complaints.append(f"{name}: {error}")
                continue
            found, known = list(check_layer(device, ptx, chip, rows, seen)), KNOWN.get(name, [])
            complaints += [f"{name}: {line}" for line in found if line not in known]
            complaints += [f"{name}: no longer {line}" for line in known if line not in found]
    complaints += [f"no kernel has the assembly '{row}'" for row in rows if row not in seen]
    for complaint in complaints:
        print(complaint)
    print(f"{len(cases)} layers, {len(rows)} rows of assembly, {len(complaints)} complaints")
    sys.exit(1 if complaints or not cases else 0)


if __name__ == "__main__":
    main()
