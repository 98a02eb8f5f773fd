#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts whose stacked matrices are codes, held against formulas in NumPy on the numbers of the codes.

usage: expert_codes.py reference|cpu|emulate [PROCESSOR...]

Every form of experts with every form of codes in turns, as [out, in] and transposed, rows that alternate, groups that
end behind the last column, one row to as many as are unpacked together, f32 and 16 bits. As a control, the codes of one
expert change the rows that choose it, and no others.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

import codes
import experts
import kept_code
import processor
import safetensors_io
import tools

# Form, group, the type of scales, and whether there are zero points.
CODES = [("int8", 0, "f32", False), ("int4", 32, "f32", False), ("mxfp4", 32, "i8", False), ("fp8", 0, "f32", False),
         ("int8", 32, "f32", True), ("int4", 16, "f16", True), ("fp8", 16, "f32", False), ("int4", 0, "f32", False),
         ("int8", 16, "bf16", False)]
ROWS = [1, 2, 5, 17, 90, 300]
SIZES = {"u": experts.WIDTH, "d": experts.HIDDEN}
PARTS = ("codes", "scales", "zeros")


def draw(random, case):
    """Tensors of a case, and the stacks that their codes stand for."""
    form, code, rows = case
    kind, has_bias = experts.FORMS[form][:2]
    wide = experts.HIDDEN * (1 if kind.get("layout") == "up" else 2)
    tensors = {"x": (random.integers(-32, 33, (1, rows, experts.WIDTH)) / 32).astype(np.float32)}
    shape = 1, rows, experts.SLOTS
    # No row chooses expert 2.
    tensors["i"] = random.choice([e for e in range(experts.EXPERTS) if e != 2], shape)
    tensors["w"] = (random.integers(1, 9, shape) / 16).astype(np.float32)
    numbers = {}
    for name, out in (("u", wide), ("d", experts.WIDTH)):
        found, matrix = codes.draw(random, *code, experts.EXPERTS * out, SIZES[name])
        # Products as large as what they read.
        size = 2.0 ** np.round(np.log2(SIZES[name] ** 0.5 * np.sqrt(np.mean(matrix**2))))
        if code[2] == "i8":
            found["scales"] = found["scales"] - np.int8(np.log2(size))
        else:
            found["scales"] = (found["scales"] / size).astype(np.float32)
        stack = (matrix / size).reshape(experts.EXPERTS, out, SIZES[name])
        numbers[name] = stack.swapaxes(1, 2) if kind.get("transposed") else stack
        tensors |= {f"{name}.{part}": array for part, array in found.items()}
    if has_bias:
        numbers["ub"] = tensors["ub"] = (random.integers(-8, 9, (experts.EXPERTS, wide)) / 16).astype(np.float32)
        numbers["db"] = tensors["db"] = (random.integers(-8, 9, (experts.EXPERTS, experts.WIDTH)) / 16).astype(np.float32)
    return tensors, numbers


def spell(shape, element):
    return f'tensor<{"x".join(map(str, shape))}x{element}>'


def write_model(path, case, dtype, tensors):
    form, (code, group, scales, _), rows = case
    kind, has_bias = experts.FORMS[form][:2]
    types = {"codes": "i8", "scales": scales, "zeros": "i8", "i": "i64", "w": "f32"}
    spelled = {name: spell(array.shape, types.get(name.split(".")[-1], dtype)) for name, array in tensors.items()}
    arguments = ", ".join(
        f'%{name.replace(".", "_")}: {type} {{block.{"input" if name in "xiw" else "param"} = "{name}"}}'
        for name, type in spelled.items())
    lines, stacks = [], {}
    for name, depth in SIZES.items():
        own = [f"{name}.{part}" for part in PARTS if f"{name}.{part}" in tensors]
        height = tensors[own[0]].shape[0]
        out = height // experts.EXPERTS
        matrix, stack = spell((height, depth), dtype), spell((experts.EXPERTS, out, depth), dtype)
        values = [f"%{each.replace('.', '_')}" for each in own]
        zeros = f" zeros {values[2]}" if len(values) == 3 else ""
        lines += [f"%{name}_m = block.unpack_weight {values[0]}, {values[1]}{zeros} {{form = #block.code_form<{code}>, "
                  f"group = {group}}} : ({', '.join(spelled[each] for each in own)}) -> {matrix}",
                  f"%{name}_s = tensor.expand_shape %{name}_m [[0, 1], [2]] output_shape [{experts.EXPERTS}, {out}, {depth}] "
                  f": {matrix} into {stack}"]
        stacks[name] = f"%{name}_s", stack
        if kind.get("transposed"):
            turned = spell((experts.EXPERTS, depth, out), dtype)
            lines += [f"%{name}_e = tensor.empty() : {turned}",
                      f"%{name}_t = linalg.transpose ins(%{name}_s : {stack}) outs(%{name}_e : {turned}) "
                      "permutation = [0, 2, 1]"]
            stacks[name] = f"%{name}_t", turned
    biases = " up_bias %ub down_bias %db" if has_bias else ""
    operands = [spelled["x"], spelled["i"], spelled["w"], stacks["u"][1], stacks["d"][1]]
    operands += [spelled["ub"], spelled["db"]] if has_bias else []
    result = spell((1, rows, experts.WIDTH), dtype)
    lines += [f"%y = block.experts %x of %i by %w up {stacks['u'][0]} down {stacks['d'][0]}{biases} "
              f"{{form = #block.experts<{experts.write_form(kind)}>}} : ({', '.join(operands)}) -> {result}",
              f"return %y : {result}"]
    body = "\n  ".join(lines)
    path.write_text(f'func.func @main({arguments}) -> ({result} {{block.output = "y"}}) {{\n  {body}\n}}\n', "utf-8")


def compute(folder, path, flags, tensors):
    given = {name: array for name, array in tensors.items() if name in "xiw"}
    safetensors_io.write(folder / "x.safetensors", given)
    safetensors_io.write(folder / "w.safetensors", {n: a for n, a in tensors.items() if n not in given})
    kept = kept_code.make_flags(folder / "codes") if "--engine=cpu" in flags else []
    tools.run("block-run", path, *flags, *kept, f"--inputs={folder / 'x.safetensors'}",
              f"--weights={folder / 'w.safetensors'}", f"--outputs={folder / 'y.safetensors'}")
    return safetensors_io.read(folder / "y.safetensors")["y"].astype(np.float64)


def check(case, dtype, flags):
    tensors, numbers = draw(np.random.Generator(np.random.PCG64(case[2])), case)
    form = experts.FORMS[case[0]][0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_model(folder / "m.mlir", case, dtype, tensors)
        found = compute(folder, folder / "m.mlir", flags, tensors)
        changed = dict(tensors)
        rows = tensors["d.codes"].shape[0] // experts.EXPERTS
        changed["d.codes"] = tensors["d.codes"].copy()
        changed["d.codes"][5 * rows : 6 * rows] ^= 4
        other = compute(folder, folder / "m.mlir", flags, changed)
    expected = experts.run_experts(form, {**{n: tensors[n] for n in "xiw"}, **numbers})
    limit = 1e-5 if dtype == "f32" else 2e-2 if dtype == "bf16" else 5e-3
    experts.require_close(found, expected, limit, "rows")
    chosen = (tensors["i"] == 5).any(axis=2)
    same = (found == other).all(axis=2)
    if not np.array_equal(same, ~chosen):
        raise tools.Failure(f"other codes of expert 5 left rows {np.nonzero(same & chosen)[1]} and changed "
                            f"{np.nonzero(~same & ~chosen)[1]}")
    return f"error {np.linalg.norm(found - expected) / np.linalg.norm(expected):.1e}"


def main():
    engine, *processors = sys.argv[1:]
    processors = processor.choose(processors)
    flags = itertools.cycle([[f"--engine={engine}", f"--cpu={one}", "--emulate-tiles"] for one in processors]
                            or [[f"--engine={engine}"] + (["--chip=sm_90a"] if engine == "emulate" else [])])
    rows, forms = itertools.cycle(ROWS[:4] if engine == "emulate" else ROWS), itertools.cycle(range(len(experts.FORMS)))
    types = itertools.cycle(["f32"] if engine == "reference" else ["f32", "bf16", "f32", "bf16", "f16"])
    named = []
    for code in CODES * (1 if engine != "cpu" else 2):
        case, dtype, own = (next(forms), code, next(rows)), next(types), next(flags)
        named.append((f"{' '.join(map(str, case))} {dtype} {' '.join(own)}", (case, dtype, own)))
    return tools.report(named, lambda both: check(*both))


if __name__ == "__main__":
    sys.exit(main())
