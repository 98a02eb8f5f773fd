#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with weights of codes, held against NumPy's own reading of the codes.

usage: codes.py reference|cpu [PROCESSOR...]

Every form with and without zero points and groups, widths that are no multiples of groups, odd ones and ones of one
column, one row to as many as a panel is unpacked for, f32 and bf16 models; rows of very different sizes, of zeros, and
with an infinity; the largest codes and bytes of rows; processors take turns, of those that this one can stand in for,
with tiles too, by functions in place of their instructions. As a control, other codes of one row give another column,
and no others.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

import kept_code
import processor
import safetensors_io
import tools

# Form, group, the type of scales, and whether there are zero points.
FORMS = [
    ("int8", 0, "f32", False),
    ("int8", 32, "f32", True),
    ("int8", 48, "bf16", False),
    ("int4", 32, "f32", False),
    ("int4", 128, "f32", False),
    ("int4", 0, "f16", False),
    ("int4", 32, "f32", True),
    ("mxfp4", 32, "i8", False),
    ("fp8", 0, "f32", False),
    ("fp8", 32, "i8", False),
]
WIDTHS = [1, 31, 70, 128, 161]
ROWS = [1, 5, 16, 17, 40]
# Rows of bf16 that become digits, to be multiplied as bytes or as words: lines of quads
# alone, groups of one quad, a last group that is shorter, and the most rows.
DIGITS = [
    ("int8", 0, "f32", False, "bf16", 5, 70, 36),
    ("int8", 4, "f32", True, "bf16", 5, 33, 100),
    ("int8", 0, "f32", False, "bf16", 4, 70, 164),
    ("int8", 4, "f32", True, "bf16", 4, 33, 100),
    ("int8", 48, "bf16", False, "bf16", 4, 33, 128),
    ("int8", 48, "bf16", False, "bf16", 1, 70, 128),
    ("int4", 32, "f32", True, "bf16", 5, 33, 168),
    ("int4", 0, "f16", False, "bf16", 5, 70, 88),
    ("int4", 128, "f32", False, "bf16", 8, 70, 256),
]
# More rows than a block has, and more of the depth than a slice: for each processor.
BLOCKS = 4 * [("int8", 0, "f32", False, "bf16", 205, 70, 1540)]
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def decode(codes, form):
    """The numbers of unsigned codes, one each."""
    if form == "mxfp4":
        return np.where(codes & 8, -1, 1) * E2M1[codes & 7]
    if form != "fp8":
        return codes.astype(np.float64)
    exponent, mantissa = codes >> 3 & 15, codes & 7
    number = np.where(exponent, (8 + mantissa) * 2.0 ** (exponent - 10), mantissa * 2.0**-9)
    return np.where(codes & 128, -number, number)


def draw(random, form, group, scale_type, has_zeros, rows, columns, largest=False):
    """Tensors of a weight, and the weight itself; of int8 and int4 with the code of the
    largest magnitude alone."""
    groups = -(-columns // group) if group else 1
    column = np.arange(columns)
    at = column // group if group else 0 * column
    if form == "int8":
        stored = np.full((rows, columns), -128) if largest else random.integers(-128, 128, (rows, columns))
        numbers = stored.astype(np.float64)
    elif form == "fp8":
        stored = random.integers(0, 256, (rows, columns))
        stored[(stored & 127) == 127] = 126
        numbers = decode(stored, form)
    else:
        width = -(-columns // 2)
        stored = np.full((rows, width), 255) if largest else random.integers(0, 256, (rows, width))
        halves = np.stack([stored & 15, stored >> 4], axis=2).reshape(rows, -1)
        numbers = decode(halves[:, :columns], form)
    tensors = {"codes": stored.astype(np.uint8).view(np.int8) if form != "int8" else stored.astype(np.int8)}
    zeros = np.full((rows, groups), 8 if form == "int4" else 0)
    if has_zeros:
        zeros = random.integers(0, 16, (rows, groups))
        tensors["zeros"] = zeros.astype(np.int8)
    if scale_type == "i8":
        exponents = random.integers(118, 131, (rows, groups))
        scales = 2.0 ** (exponents - 127.0)
        tensors["scales"] = exponents.astype(np.uint8).view(np.int8)
    else:
        # Of few bits, so that every type holds them.
        scales = random.integers(1, 64, (rows, groups)) / 2048
        tensors["scales"] = scales.astype(np.float32)
    return tensors, (numbers - zeros[:, at]) * scales[:, at]


def write_model(path, case, tensors):
    form, group, scale_type, has_zeros, dtype, count, rows, columns = case
    types = {"codes": "i8", "scales": scale_type, "zeros": "i8"}
    arguments = "".join(
        f', %{name}: tensor<{"x".join(map(str, array.shape))}x{types[name]}> {{block.param = "{name}"}}'
        for name, array in tensors.items()
    )
    weight = f"tensor<{rows}x{columns}x{dtype}>"
    operands = ", ".join(f'tensor<{"x".join(map(str, tensors[n].shape))}x{types[n]}>' for n in
                         ("codes", "scales", "zeros") if n in tensors)
    path.write_text(
        f"""func.func @main(%x: tensor<1x{count}x{columns}x{dtype}> {{block.input = "x"}}{arguments})
    -> (tensor<1x{count}x{rows}x{dtype}> {{block.output = "y"}}) {{
  %w = block.unpack_weight %codes, %scales{' zeros %zeros' if has_zeros else ''}
      {{form = #block.code_form<{form}>, group = {group}}} : ({operands}) -> {weight}
  %y = block.linear %x, %w : (tensor<1x{count}x{columns}x{dtype}>, {weight}) -> tensor<1x{count}x{rows}x{dtype}>
  return %y : tensor<1x{count}x{rows}x{dtype}>
}}
""",
        encoding="utf-8",
    )


def compute(folder, path, flags, x, tensors):
    safetensors_io.write(folder / "x.safetensors", {"x": x})
    safetensors_io.write(folder / "w.safetensors", tensors)
    outputs = folder / "y.safetensors"
    # Codes are arguments: others are no other program.
    tools.run("block-run", path, *flags, *kept_code.make_flags(folder / "codes"), f"--inputs={folder / 'x.safetensors'}",
              f"--weights={folder / 'w.safetensors'}", f"--outputs={outputs}")
    return safetensors_io.read(outputs)["y"][0].astype(np.float64)


def check_largest(folder, path, flags, case, limit):
    """Codes and bytes of rows of the largest magnitude: no sum of their products is cut off."""
    form, group, scale_type, has_zeros, _, count, rows, columns = case
    random = np.random.Generator(np.random.PCG64(1))
    tensors, weight = draw(random, form, group, scale_type, has_zeros, rows, columns, largest=True)
    x = np.full((1, count, columns), 1, np.float32)
    # Beside elements of 22 bits, whose products add up to nothing, others are bytes of -128.
    x[0, :, 1] = -1
    for row, bits in enumerate((7, 10, 11, 15)):
        x[0, row, 2:] = 2.0 ** (bits - 21)
    found = compute(folder, path, flags, x, tensors)
    expected = x[0].astype(np.float64) @ weight.T
    error = np.abs(found - expected).max(axis=1)[:4] / np.abs(expected).max(axis=1)[:4]
    if not error.max() <= limit:
        raise tools.Failure(f"largest codes: errors {error}")


def check_sizes(folder, path, flags, tensors, x, weight, limit):
    """Rows that are small, zeros, of one large element, and then with an infinity in the last one."""
    x = x.copy()
    last = x.shape[1] - 1
    x[0, 1] *= 2.0**-40
    x[0, 2] = 0
    x[0, 3] *= 2.0**-12
    x[0, 3, 0] = 3
    for is_finite in (True, False):
        if not is_finite:
            x[0, last, -1] = np.inf
        found = compute(folder, path, flags, x, tensors)
        with np.errstate(invalid="ignore"):
            expected = x[0].astype(np.float64) @ weight.T
        for row in range(last + is_finite):
            error = np.linalg.norm(found[row] - expected[row])
            if not error <= limit * np.linalg.norm(expected[row]):
                raise tools.Failure(f"row {row}: error {error:.2e} of {np.linalg.norm(expected[row]):.2e}")
        if not is_finite and not np.array_equal(found[last], expected[last], equal_nan=True):
            raise tools.Failure(f"an infinity gave {found[last]}, expected {expected[last]}")


def check(case, flags):
    form, group, scale_type, has_zeros, dtype, count, rows, columns = case
    random = np.random.Generator(np.random.PCG64(columns + count))
    tensors, weight = draw(random, form, group, scale_type, has_zeros, rows, columns)
    # Of few bits too: the model's type holds them.
    x = (random.integers(-64, 65, (1, count, columns)) / 32).astype(np.float32)
    expected = x[0].astype(np.float64) @ weight.T
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "m.mlir"
        write_model(path, case, tensors)
        found = compute(folder, path, flags, x, tensors)
        tensors["codes"] = tensors["codes"].copy()
        tensors["codes"][0] ^= 4
        other = compute(folder, path, flags, x, tensors) if count in (4, 5) else None
        if count in (4, 5):
            tensors["codes"][0] ^= 4
            check_sizes(folder, path, flags, tensors, x, weight, 1e-5 if dtype == "f32" else 1e-2)
        if case in DIGITS and count >= 4:
            check_largest(folder, path, flags, case, 1e-2)
    size = np.linalg.norm(expected)
    error = np.linalg.norm(found - expected) / size
    limit = 1e-5 if dtype == "f32" else 1e-2
    if not error <= limit:
        raise tools.Failure(f"error {error:.2e}, limit {limit:.0e}")
    if other is not None and (
        np.array_equal(found[:, 0], other[:, 0]) or not np.array_equal(found[:, 1:], other[:, 1:])
    ):
        raise tools.Failure("expected the codes of a row to change its column alone")
    return f"error {error:.1e}"


def main():
    engine, *processors = sys.argv[1:]
    processors = processor.choose(processors)
    sizes = itertools.cycle(itertools.product(("f32", "bf16"), ROWS, WIDTHS))
    cases = []
    turns = 1 if engine == "reference" else 4
    for form in FORMS:
        # Types, rows and widths take turns, in steps that meet all of them.
        for _ in range(turns):
            dtype, count, width = next(sizes)
            cases.append((*form, dtype, count, 70 if width < 128 else 33, width))
            for _ in range(6):
                next(sizes)
    cases += DIGITS + (BLOCKS if engine == "cpu" else [])
    flags = itertools.cycle([[f"--cpu={one}", "--emulate-tiles"] for one in processors] or [["--threads=1"]])
    named = [
        (f"{' '.join(map(str, case))} {flag[0]}", (case, [f"--engine={engine}", *flag]))
        for case, flag in zip(cases, flags)
    ]
    return tools.report(named, lambda both: check(*both))


if __name__ == "__main__":
    sys.exit(main())
