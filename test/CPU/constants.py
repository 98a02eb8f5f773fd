# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a function gives of constants is what it gives of arguments, bit by bit: folding is no second way to compute it.

Of every float function of math and arith that has one, zeros of both signs, infinities, NaN and numbers below the
normal ones among what they are given. The reference engine has the same zeros, infinities and NaNs.
"""

import itertools
import pathlib
import sys

import numpy
import tools
from safetensors_io import read, write

UNARY = (
    "math.absf math.acos math.acosh math.asin math.asinh math.atan math.atanh math.cbrt math.ceil math.cos math.cosh"
    " math.erf math.erfc math.exp math.exp2 math.expm1 math.floor math.log math.log10 math.log1p math.log2 math.round"
    " math.roundeven math.rsqrt math.sin math.sinh math.sqrt math.tan math.tanh math.trunc arith.negf"
).split()
BINARY = (
    "math.atan2 math.copysign math.powf arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf"
    " arith.minimumf arith.maxnumf arith.minnumf"
).split()
#: Either zero is the larger one for these.
ANY_ZERO = ("arith.maxnumf", "arith.minnumf")
#: The functions that the reference engine lacks.
UNKNOWN = ("acos", "acosh", "asin", "asinh", "atanh")
LARGEST = 3.4028234663852886e38
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, 1e-45, -1e-40, LARGEST, -LARGEST, float("inf"), -float("inf"), float("nan"), 88.8, -104.0]


def make_module(names, operands, is_constant):
    type = f"tensor<{len(operands[0])}xf32>"
    # A device runs nothing without a kernel.
    lines, arguments = [f"  %more = arith.negf %z : {type}"], [f'%z: {type} {{block.input = "a0"}}']
    for number, values in enumerate(operands):
        if is_constant:
            lines.append(f'  %a{number} = arith.constant dense<"0x{values.tobytes().hex()}"> : {type}')
        elif number:
            arguments.append(f'%a{number}: {type} {{block.input = "a{number}"}}')
    given = ", ".join(f"%a{number}" if is_constant or number else "%z" for number in range(len(operands)))
    results = [f'{type} {{block.output = "{name}"}}' for name in (*names, "more")]
    lines += [f"  %r{number} = {name} {given} : {type}" for number, name in enumerate(names)]
    values = ", ".join([f"%r{number}" for number in range(len(names))] + ["%more"])
    lines.append(f"  return {values} : {', '.join([type] * len(results))}")
    return f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{\n" + "\n".join(lines) + "\n}\n"


def run(folder, names, operands, is_constant, *engine):
    model, inputs, outputs = (folder / name for name in ("m.mlir", "in.safetensors", "out.safetensors"))
    model.write_text(make_module(names, operands, is_constant))
    given = operands[:1] if is_constant else operands
    write(inputs, {f"a{number}": values for number, values in enumerate(given)})
    tools.require("block-run", model, *engine, f"--inputs={inputs}", f"--outputs={outputs}")
    return read(outputs)


def compare(kind, names, operands, got, expected, only_special):
    wrong = 0
    for name in names:
        a, b = got[name], expected[name]
        special = ~numpy.isfinite(b) | (b == 0) if only_special else numpy.full(b.shape, True)
        same = (a == b) & ((numpy.signbit(a) == numpy.signbit(b)) | (name in ANY_ZERO)) | (numpy.isnan(a) & numpy.isnan(b))
        for place in numpy.flatnonzero(special & ~same):
            given = ", ".join(str(values[place]) for values in operands)
            print(f"{kind}: {name}({given}) is {a[place]}, expected {b[place]}")
            wrong += 1
    return wrong


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    numbers = numpy.array(NUMBERS, numpy.float32)
    pairs = numpy.array(list(itertools.product(NUMBERS, NUMBERS)), numpy.float32).T.copy()
    wrong = 0
    for names, operands in ((UNARY, [numbers]), (BINARY, list(pairs))):
        arguments = run(folder, names, operands, False, "--engine=cpu")
        wrong += compare("constants", names, operands, run(folder, names, operands, True, "--engine=cpu"), arguments, False)
        known = [name for name in names if name.partition(".")[2] not in UNKNOWN]
        reference = run(folder, known, operands, False, "--engine=reference")
        wrong += compare("arguments", known, operands, arguments, reference, True)
    for chip in ("sm_80", "sm_90a"):
        emulator = ["--engine=emulate", f"--chip={chip}"]
        angle = ["math.atan2"]
        wrong += compare(chip, angle, list(pairs), run(folder, angle, list(pairs), True, *emulator), reference, True)
    print(f"{wrong} wrong")


if __name__ == "__main__":
    main()
