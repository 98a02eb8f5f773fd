# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO's ops on numbers where their meanings part, against NumPy: stablehlo_ops.py ENGINE.

What the specification leaves to whoever runs an op is what XLA gives. Floats must be
within two steps of their type, and have the same zeros, infinities and NaNs.
"""

import math
import pathlib
import sys
import tempfile

import numpy as np

import safetensors_io
import tools

NAN, INF = float("nan"), float("inf")
FLOATS = [0.0, -0.0, 1e-7, -1e-6, 3e-5, -3e-4, 1e-2, -0.1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 4.25, -4.25,
          9.0, -11.5, 88.0, -100.0, 6e4, INF, -INF, NAN]
PAIRS = [(0.0, -0.0), (-0.0, 0.0), (1.0, NAN), (NAN, 1.0), (-7.5, 2.0), (7.5, -2.0), (-2.0, 3.0), (2.0, 0.5),
         (INF, 1.0), (-INF, INF), (0.0, 0.0), (3.0, 4.0), (-3.0, -4.0), (-1.0, 0.0)]
LOWEST = {"i8": -(2**7), "i32": -(2**31)}
NUMBERS = [(7, 2), (-7, 2), (7, -2), (-7, -2), (5, 0), (-5, 0), (0, 0), ("lowest", -1), ("lowest", 0), (3, -1), (0, 5)]
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": np.float32, "i32": np.int32, "i8": np.int8}
STEPS = {"f32": (2.0**-23, 2.0**-126), "f16": (2.0**-10, 2.0**-24), "bf16": (2.0**-7, 2.0**-126)}
LARGEST = {"f32": 3.4028234663852886e38, "f16": 65504.0, "bf16": 3.3895313892515355e38}


def each(function):
    def safely(x):
        try:
            return function(x)
        except ValueError:
            return NAN
        except OverflowError:
            return INF

    return lambda x: np.array([safely(float(number)) for number in x])


def logistic(x):
    return 1 / (1 + np.exp(-x))


def away_from_zero(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def sign(x):
    return np.where(x == 0, x, np.sign(x))


UNARY = {
    "abs": np.abs, "negate": np.negative, "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log,
    "log_plus_one": np.log1p, "tanh": np.tanh, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt,
    "sine": np.sin, "cosine": np.cos, "tan": np.tan, "floor": np.floor, "ceil": np.ceil, "logistic": logistic,
    "round_nearest_even": np.rint, "round_nearest_afz": away_from_zero, "sign": sign,
    "erf": each(math.erf), "erfc": each(math.erfc), "square": np.square,
}
BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "remainder": np.fmod,
    "power": np.power, "atan2": np.arctan2,
    "maximum": lambda a, b: np.where((a == b) & (a == 0), a + b, np.maximum(a, b)),
    "minimum": lambda a, b: np.where((a == b) & (a == 0), -(-a - b), np.minimum(a, b)),
}
COMPARED = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater,
            "GE": np.greater_equal}


def cut(a, b):
    """Quotient and rest of Python's numbers, of any size."""
    quotient = abs(a) // abs(b)
    return (quotient, a - quotient * b) if (a < 0) == (b < 0) else (-quotient, a + quotient * b)


def wrap(number, dtype):
    span = -2 * LOWEST[dtype]
    return (number - LOWEST[dtype]) % span + LOWEST[dtype]


def whole(name, a, b, dtype):
    if name == "divide":
        return -1 if b == 0 else wrap(cut(a, b)[0], dtype)
    if name == "remainder":
        return a if b == 0 else cut(a, b)[1]
    return {"maximum": max(a, b), "minimum": min(a, b), "add": wrap(a + b, dtype), "multiply": wrap(a * b, dtype),
            "subtract": wrap(a - b, dtype)}[name]


def to_whole(x, dtype):
    if math.isnan(x):
        return 0
    return int(min(max(x, LOWEST[dtype]), -LOWEST[dtype] - 1))


class Function:
    """One function of many results, and what they have to be."""

    def __init__(self):
        self.inputs, self.lines, self.wanted = {}, [], []

    def argument(self, array, dtype):
        name = f"arg{len(self.inputs):02}"
        self.inputs[name] = (np.asarray(array, TYPES[dtype]), f"tensor<{len(array)}x{dtype}>")
        return "%" + name

    def result(self, text, kind, wanted, label, dtype):
        self.lines.append(f"  %r{len(self.wanted)} = {text}")
        self.wanted.append((kind, np.asarray(wanted), label, dtype))

    def text(self):
        arguments = ", ".join(f"%{name}: {kind}" for name, (_, kind) in self.inputs.items())
        kinds = ", ".join(kind for kind, *_ in self.wanted)
        names = ", ".join(f"%r{k}" for k in range(len(self.wanted)))
        return f"func.func @main({arguments}) -> ({kinds}) {{\n" + "\n".join(self.lines) + \
            f"\n  return {names} : {kinds}\n}}\n"


def add_floats(function, dtype):
    steps, limits = {"f32": np.float32, "f16": np.float16}, LARGEST[dtype]
    rounded = [x for x in FLOATS if not math.isfinite(x) or abs(x) <= limits]
    if dtype == "bf16":
        bits = np.asarray(rounded, np.float32).view(np.uint32)
        kept = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        x = np.where(np.isnan(rounded), NAN, kept.astype(np.uint32).view(np.float32)).astype(np.float64)
    else:
        x = np.asarray(rounded, steps[dtype]).astype(np.float64)
    name, kind = function.argument(x, dtype), f"tensor<{len(x)}x{dtype}>"
    for op, meaning in UNARY.items():
        dialect = "chlo" if op in ("erf", "erfc", "square") else "stablehlo"
        form = f"{kind} -> {kind}" if dialect == "chlo" else kind
        function.result(f"{dialect}.{op} {name} : {form}", kind, meaning(x), f"{op} {dtype}", dtype)
    truth = f"tensor<{len(x)}xi1>"
    function.result(f"stablehlo.is_finite {name} : ({kind}) -> {truth}", truth, np.isfinite(x), f"is_finite {dtype}", "i1")
    for integer in LOWEST:
        to = f"tensor<{len(x)}x{integer}>"
        function.result(f"stablehlo.convert {name} : ({kind}) -> {to}", to, [to_whole(number, integer) for number in x],
                        f"convert {dtype} {integer}", integer)
    a, b = (np.array(side) for side in zip(*PAIRS))
    pair, kind = (function.argument(a, dtype), function.argument(b, dtype)), f"tensor<{len(a)}x{dtype}>"
    for op, meaning in BINARY.items():
        function.result(f"stablehlo.{op} {pair[0]}, {pair[1]} : {kind}", kind, meaning(a, b), f"{op} {dtype}", dtype)
    for op, meaning in COMPARED.items():
        truth = f"tensor<{len(a)}xi1>"
        function.result(f"stablehlo.compare {op}, {pair[0]}, {pair[1]}, FLOAT : ({kind}, {kind}) -> {truth}", truth,
                        meaning(a, b), f"{op} {dtype}", "i1")
    low, high = function.argument([1.0] * len(a), dtype), function.argument([-1.0] * len(a), dtype)
    # The upper bound has the last word.
    function.result(f"stablehlo.clamp {low}, {pair[0]}, {high} : {kind}", kind,
                    np.where(np.isnan(a), NAN, -1.0), f"clamp {dtype}", dtype)


def add_integers(function, dtype):
    pairs = [(LOWEST[dtype] if a == "lowest" else a, b) for a, b in NUMBERS]
    a, b = zip(*pairs)
    names, kind = (function.argument(a, dtype), function.argument(b, dtype)), f"tensor<{len(a)}x{dtype}>"
    for op in ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"):
        wanted = [whole(op, *pair, dtype) for pair in pairs]
        function.result(f"stablehlo.{op} {names[0]}, {names[1]} : {kind}", kind, wanted, f"{op} {dtype}", dtype)
    for op, meaning in (("negate", lambda x: -x), ("abs", abs), ("not", lambda x: ~x)):
        function.result(f"stablehlo.{op} {names[0]} : {kind}", kind, [wrap(meaning(x), dtype) for x in a],
                        f"{op} {dtype}", dtype)


def is_right(got, wanted, dtype):
    if dtype not in STEPS:
        return np.array_equal(got.astype(np.int64), wanted.astype(np.int64))
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    relative, smallest = STEPS[dtype]
    # What the type rounds to infinity.
    wanted = np.where(np.abs(wanted) >= LARGEST[dtype] * (1 + relative / 4), np.copysign(INF, wanted), wanted)
    isSame = (got == wanted) & (np.signbit(got) == np.signbit(wanted))
    with np.errstate(invalid="ignore"):
        isNear = np.abs(got - wanted) <= 2 * relative * np.abs(wanted) + smallest
    return bool(np.all(isSame | (np.isnan(got) & np.isnan(wanted)) | (isNear & np.isfinite(wanted) & (wanted != 0))))


def check(engine, dtypes, folder):
    function = Function()
    with np.errstate(all="ignore"):
        for dtype in dtypes:
            (add_floats if dtype in STEPS else add_integers)(function, dtype)
    source, given, made = (folder / name for name in ("ops.mlir", "in.safetensors", "out.safetensors"))
    source.write_text(function.text(), encoding="utf-8")
    safetensors_io.write(given, {name: array for name, (array, _) in function.inputs.items()})
    tools.run("block-run", source, f"--engine={engine}", f"--inputs={given}", f"--outputs={made}")
    got, wrong = safetensors_io.read(made), []
    for number, (_, wanted, label, dtype) in enumerate(function.wanted):
        if not is_right(got[f"out{number}"], wanted, dtype):
            wrong.append(f"{label}: expected {wanted.tolist()}, got {got[f'out{number}'].tolist()}")
    print("\n".join([*wrong, f"{len(function.wanted)} results, {len(wrong)} wrong"]))
    return len(wrong)


def main():
    with tempfile.TemporaryDirectory() as folder:
        try:
            sys.exit(1 if check(sys.argv[1], sys.argv[2:], pathlib.Path(folder)) else 0)
        except tools.Failure as failure:
            sys.exit(str(failure))


main()
