#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of weights that GPU kernels read as codes, on the emulator, held against the reference.

usage: codes.py FOLDER

Weights have every code of their form, and scales that differ by more than the tolerance from row to row and from group
to group, and zero points. Rows, widths and depths are multiples of no tile. Each case is also held against weights with
one defect, which have to be out of tolerance: numbers of the neighbouring group's scale, of the neighbouring row's,
those less another zero point, of exchanged halves of bytes, and a code that is no number. In one case the emulator's
mutator leaves out a wait.
"""

import itertools
import pathlib
import random
import struct
import subprocess
import sys

import pairwise
import safetensors_io
import tiers

#: Codes of a byte, sizes of groups (0: a row), and whether there may be zero points.
FORMS = {"int8": (1, [0, 128, 32, 16], True), "int4": (2, [0, 256, 128, 64, 32, 16], True),
         "mxfp4": (2, [32, 128], False), "fp8": (1, [0, 128, 64], False)}
CHIPS = ["sm_80", "sm_90a"]
TYPES = ["bf16", "f16"]
ROWS = [1, 13, 64, 70, 131]
# Columns of the product and its depths: one, or the two of a sum; of whole cells of codes, and others.
SHAPES = [(176, [384]), (96, [128, 256]), (336, [512]), (96, [360]), (112, [200, 96])]
DIFFERENT = 3


class Weight:
    """Bytes of codes, all of which there are, scales, and zero points if there are any."""

    def __init__(self, rows, columns, form, group, has_zeros, seed):
        self.rows, self.per_byte, self.form = rows, FORMS[form][0], form
        self.bytes, self.groups = columns // self.per_byte, -(-columns // group) if group else 1
        order = random.Random(seed)
        # Two of E4M3 are no numbers.
        bytes_ = [code for code in range(256) if form != "fp8" or code & 127 != 127]
        self.codes = (bytes_ * (rows * self.bytes // len(bytes_) + 1))[:rows * self.bytes]
        order.shuffle(self.codes)
        places = [(row * 5 + part * 7) % 11 for row in range(rows) for part in range(self.groups)]
        divisor = {"int8": 500, "int4": 40, "fp8": 900}
        self.scales = [120 + place % 3 if form == "mxfp4" else (1 + place) / divisor[form] for place in places]
        self.zeros = [place * 5 % 17 - (40 if form == "int8" else 0) for place in places] if has_zeros else []

    def move(self, values, distance):
        return values[distance:] + values[:distance]

    def turn(self, values):
        """Those of the next group of the row."""
        return [values[i // self.groups * self.groups + (i + 1) % self.groups] for i in range(len(values))]

    def spoil(self, defect):
        """The same with one defect."""
        if defect == "halves":
            self.codes = [code >> 4 | (code & 15) << 4 for code in self.codes]
        elif defect == "row":
            self.scales = self.move(self.scales, self.groups)
        elif defect == "group":
            self.scales = self.turn(self.scales)
        elif defect == "zero":
            self.zeros = self.turn(self.zeros) if self.groups > 1 else self.move(self.zeros, 1)
        elif defect == "none":
            self.codes[-3] = 255
        return self

    def write(self, name):
        shape = [self.rows, self.groups]
        scales = ("I8", shape, bytes(self.scales)) if self.form == "mxfp4" else \
            ("F32", shape, struct.pack(f"<{len(self.scales)}f", *self.scales))
        tensors = {f"{name}.codes": ("I8", [self.rows, self.bytes], bytes(self.codes)), f"{name}.scales": scales}
        if self.zeros:
            tensors[f"{name}.zeros"] = ("I8", shape, struct.pack(f"{len(self.zeros)}b", *self.zeros))
        return tensors


def list_defects(form, group, has_zeros, depths):
    yield "row"
    if 0 < group < min(depths):
        yield "group"
    if FORMS[form][0] == 2:
        yield "halves"
    if has_zeros:
        yield "zero"
    if form == "fp8":
        yield "none"


def write_model(path, form, group, has_zeros, element, rows, columns, depths):
    """One product, or the sum of two."""
    parts = range(len(depths))
    inputs = [f'%x{i}: tensor<1x{rows}x{depths[i]}x{element}> {{block.input = "x{i}"}}' for i in parts]
    weights, body = [], []
    per_byte = FORMS[form][0]
    for i in parts:
        groups = -(-depths[i] // group) if group else 1
        scale = "i8" if form == "mxfp4" else "f32"
        codes, scales = f"tensor<{columns}x{depths[i] // per_byte}xi8>", f"tensor<{columns}x{groups}x{scale}>"
        zeros = f"tensor<{columns}x{groups}xi8>"
        result = f"tensor<{columns}x{depths[i]}x{element}>"
        weights += [f'%c{i}: {codes} {{block.param = "w{i}.codes"}}',
                    f'%s{i}: {scales} {{block.param = "w{i}.scales"}}']
        if has_zeros:
            weights.append(f'%z{i}: {zeros} {{block.param = "w{i}.zeros"}}')
        body.append(f"  %w{i} = block.unpack_weight %c{i}, %s{i} {f'zeros %z{i}' if has_zeros else ''}"
                    f" {{form = #block.code_form<{form}>, group = {group} : i64}}"
                    f" : {codes}, {scales}{f', {zeros}' if has_zeros else ''} -> {result}")
    result = f"tensor<1x{rows}x{columns}x{'f32' if len(depths) > 1 else element}>"
    if len(depths) == 1:
        body.append(f"  %y = block.linear %x0, %w0 : tensor<1x{rows}x{depths[0]}x{element}>"
                    f" -> {result}")
    else:
        body.append(f"  %y = block.linear_sum(%x0, %x1) weights(%w0, %w1)"
                    f" : tensor<1x{rows}x{depths[0]}x{element}>, tensor<1x{rows}x{depths[1]}x{element}> -> {result}")
    path.write_text(f'func.func @main({", ".join(inputs + weights)}) -> ({result} {{block.output = "y"}}) {{\n'
                    + "\n".join(body) + f"\n  return %y : {result}\n}}\n", encoding="utf-8")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def check(folder, case):
    """The faults of a case."""
    form, group, has_zeros, chip, element, rows, (columns, depths) = case
    model, codes = folder / "m.mlir", folder / "w.safetensors"
    write_model(model, form, group, has_zeros, element, rows, columns, depths)

    def write_weights(path, defect):
        weights = {}
        for i, depth in enumerate(depths):
            weights |= Weight(columns, depth, form, group, has_zeros, seed=i).spoil(defect).write(f"w{i}")
        safetensors_io.write_raw(path, weights)

    write_weights(codes, None)
    emulate = ["block-run", model, "--engine=emulate", f"--chip={chip}", "--seed=5"]
    done = run(*emulate, f"--weights={codes}", f"--baseline={model}")
    if done.returncode or "PASS y" not in done.stdout:
        yield f"expected PASS, got {done.stdout[-300:]} {done.stderr[-600:]}"
    device = run("block-opt", model, f"--block-to-gpu=chip={chip}")
    if f"tensor<{columns // 2}x" not in device.stdout or "unpack_weight" in device.stdout.split("@prepack")[-1]:
        yield f"expected codes in the order of lanes as an operand, {device.stderr[-300:]}"
    exact = folder / "exact.safetensors"
    for defect in list_defects(form, group, has_zeros, depths):
        write_weights(folder / "spoilt.safetensors", defect)
        run("block-run", model, "--engine=reference", "--seed=5", f"--weights={codes}", f"--outputs={exact}")
        spoilt = run(*emulate, f"--weights={folder / 'spoilt.safetensors'}", f"--expect={exact}")
        if spoilt.returncode != DIFFERENT:
            yield f"a defect ({defect}) is not found: {spoilt.stdout[-300:]} {spoilt.stderr[-300:]}"


def list_forms():
    """Each form of codes, with each size of a group, with zero points or without them."""
    return [(form, group, has_zeros) for form, (_, groups, may_have) in FORMS.items() for group in groups
            for has_zeros in ([False, True] if may_have else [False])]


def choose(forms, *factors):
    """All combinations, in an order that mixes them; in a full run those in which each two values meet."""
    if tiers.FULL:
        combinations = pairwise.cover_pairs(forms, *factors)
    else:
        combinations = list(itertools.product(forms, *factors))
        random.Random(len(factors)).shuffle(combinations)
    return [(*form, *rest) for form, *rest in combinations]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = choose(list_forms(), CHIPS, TYPES, ROWS, SHAPES)
    faults, count = 0, 0
    for case in tiers.take_turn(cases, 240):
        count += 1
        for fault in check(folder, case):
            faults += 1
            print(*case, fault)
    kind = "drop-object-wait" if case[3] == "sm_90a" else "drop-copy-wait"
    mutated = run("block-run", folder / "m.mlir", "--engine=emulate", f"--chip={case[3]}", "--seed=5",
                  f"--weights={folder / 'w.safetensors'}", f"--baseline={folder / 'm.mlir'}", f"--mutate={kind}:0")
    if mutated.returncode not in (1, DIFFERENT):
        faults += 1
        print(*case, f"a missing wait is not found: {mutated.stdout[-300:]} {mutated.stderr[-300:]}")
    print(f"{count} products, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
