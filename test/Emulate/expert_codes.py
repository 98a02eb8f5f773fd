#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts whose stacked matrices GPU kernels read as codes, on the emulator, held against the reference.

usage: expert_codes.py FOLDER

Every form of codes and every layout of matrices in turns, depths that are whole cells and others, one row to more than
a tile has. Each case is also held against weights with one defect, which have to be out of tolerance: those of codes.py
and scales of the neighbouring expert.
"""

import pathlib
import random
import sys

import codes
import safetensors_io
import tiers

EXPERTS, CHOSEN = 4, 2
ROWS = [1, 12, 40, 150]
# Attributes of #block.experts, and whether there are biases.
LAYOUTS = [("activation = silu", False), ("activation = silu, layout = interleaved, limit = 7.0, up_offset = 1.0", True),
           ("activation = gelu_tanh, layout = up", True), ("activation = quick_gelu, transposed = true", False)]
# The width of rows and of hidden values.
SIZES = [(256, 128), (176, 96), (80, 208)]


class Stack(codes.Weight):
    """Codes of all experts' matrices, one under the other, and smaller: a result of two products fits f16."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.scales = [scale - 3 if self.form == "mxfp4" else scale / 8 for scale in self.scales]

    def spoil(self, defect):
        if defect == "expert":
            self.scales = self.move(self.scales, len(self.scales) // EXPERTS)
        elif defect == "none":
            for end in range(1, EXPERTS + 1):
                self.codes[end * len(self.codes) // EXPERTS - 3] = 255
        else:
            return super().spoil(defect)
        return self


def has_gate(layout):
    return "layout = up" not in layout[0]


def list_stacks(case):
    """Names of stacks, with the rows and columns of a matrix."""
    layout, (width, hidden) = case[-2:]
    return {"u": (2 * hidden if has_gate(layout) else hidden, width), "d": (width, hidden)}


def write_model(path, case):
    form, group, has_zeros, _, element, rows, (attributes, has_bias), (width, _) = case
    scale, per_byte = "i8" if form == "mxfp4" else "f32", codes.FORMS[form][0]
    x, chosen = f"tensor<1x{rows}x{width}x{element}>", f"tensor<1x{rows}x{CHOSEN}x"
    arguments = [f'%x: {x} {{block.input = "x"}}', f'%l: tensor<1x{rows}x{EXPERTS}xf32> {{block.input = "l"}}']
    body = [f"%i, %w = block.route %l {{form = #block.routing<chosen = {CHOSEN}, score = softmax>}}"
            f" : (tensor<1x{rows}x{EXPERTS}xf32>) -> ({chosen}i64>, {chosen}f32>)"]
    stacks = []
    for name, (out, depth) in list_stacks(case).items():
        height, groups = EXPERTS * out, -(-depth // group) if group else 1
        types = [f"tensor<{height}x{-(-depth // per_byte)}xi8>", f"tensor<{height}x{groups}x{scale}>"]
        types += [f"tensor<{height}x{groups}xi8>"] if has_zeros else []
        parts = [f"%{name}{part}" for part in ("c", "s", "z")[:len(types)]]
        arguments += [f'{part}: {type} {{block.param = "{name}.{kind}"}}'
                      for part, type, kind in zip(parts, types, ("codes", "scales", "zeros"))]
        matrix, stack = f"tensor<{height}x{depth}x{element}>", f"tensor<{EXPERTS}x{out}x{depth}x{element}>"
        body += [f"%{name}m = block.unpack_weight {parts[0]}, {parts[1]}{f' zeros {parts[2]}' if has_zeros else ''}"
                 f" {{form = #block.code_form<{form}>, group = {group} : i64}} : ({', '.join(types)}) -> {matrix}",
                 f"%{name} = tensor.expand_shape %{name}m [[0, 1], [2]] output_shape [{EXPERTS}, {out}, {depth}]"
                 f" : {matrix} into {stack}"]
        if "transposed" in attributes:
            turned = f"tensor<{EXPERTS}x{depth}x{out}x{element}>"
            body += [f"%{name}e = tensor.empty() : {turned}",
                     f"%{name}t = linalg.transpose ins(%{name} : {stack}) outs(%{name}e : {turned}) permutation = [0, 2, 1]"]
            stacks.append((f"%{name}t", turned))
        else:
            stacks.append((f"%{name}", stack))
    types, biases = [x, f"{chosen}i64>", f"{chosen}f32>", *(type for _, type in stacks)], ""
    if has_bias:
        biases = " up_bias %a down_bias %b"
        for name, (out, _) in zip("ab", list_stacks(case).values()):
            types.append(f"tensor<{EXPERTS}x{out}x{element}>")
            arguments.append(f'%{name}: {types[-1]} {{block.param = "{name}"}}')
    body.append(f"%y = block.experts %x of %i by %w up {stacks[0][0]} down {stacks[1][0]}{biases}"
                f" {{form = #block.experts<{attributes}>}} : ({', '.join(types)}) -> {x}")
    path.write_text(f'func.func @main({", ".join(arguments)}) -> ({x} {{block.output = "y"}}) {{\n  '
                    + "\n  ".join(body) + f"\n  return %y : {x}\n}}\n", encoding="utf-8")


def write_weights(path, case, defect):
    form, group, has_zeros, *_, layout, _ = case
    weights = {}
    for seed, (name, (out, depth)) in enumerate(list_stacks(case).items()):
        weights |= Stack(EXPERTS * out, depth, form, group, has_zeros, seed).spoil(defect).write(name)
        if layout[1]:
            draw = random.Random(seed)
            values = [draw.randrange(1, 60) for _ in range(EXPERTS * out)]
            # Numbers from .125 to .2, by their bits in bf16 and f16: larger ones would hide the products.
            first = 0x3e00 if case[4] == "bf16" else 0x3000
            data = b"".join((first + value).to_bytes(2, "little") for value in values)
            weights["ab"[seed]] = ("BF16" if case[4] == "bf16" else "F16", [EXPERTS, out], data)
    safetensors_io.write_raw(path, weights)


def check(folder, case):
    """The faults of a case."""
    form, group, has_zeros, chip = case[:4]
    model, weights, spoilt, exact = (folder / name for name in
                                     ("m.mlir", "w.safetensors", "spoilt.safetensors", "exact.safetensors"))
    write_model(model, case)
    write_weights(weights, case, None)
    emulate = ["block-run", model, "--engine=emulate", f"--chip={chip}", "--seed=5"]
    done = codes.run(*emulate, f"--weights={weights}", f"--baseline={model}")
    if done.returncode or "PASS y" not in done.stdout:
        yield f"expected PASS, got {done.stdout[-300:]} {done.stderr[-600:]}"
        return
    device = codes.run("block-opt", model, f"--block-to-gpu=chip={chip}")
    stacks = list_stacks(case)
    if "unpack_weight" in device.stdout or not all(f"tensor<{EXPERTS * out // 2}x" in device.stdout
                                                   for out, _ in stacks.values()):
        yield f"expected codes in the order of lanes as operands, {device.stderr[-300:]}"
    codes.run("block-run", model, "--engine=reference", "--seed=5", f"--weights={weights}", f"--outputs={exact}")
    depths = [depth for _, depth in stacks.values()]
    for defect in [*codes.list_defects(form, group, has_zeros, depths), "expert"]:
        write_weights(spoilt, case, defect)
        other = codes.run(*emulate, f"--weights={spoilt}", f"--expect={exact}")
        if other.returncode != codes.DIFFERENT:
            yield f"a defect ({defect}) is not found: {other.stdout[-300:]} {other.stderr[-300:]}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = codes.choose(codes.list_forms(), codes.CHIPS, codes.TYPES, ROWS, LAYOUTS, SIZES)
    chosen = tiers.take_turn(cases, 800)
    faults = 0
    for case in chosen:
        for fault in check(folder, case):
            faults += 1
            print(*case, fault)
    print(f"{len(chosen)} experts, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
