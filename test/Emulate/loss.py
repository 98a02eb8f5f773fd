#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""block.cross_entropy and its gradients in every form, on the emulator, against the reference.

usage: loss.py FOLDER

Forms, types, chips, shapes, gradients and types of these meet in pairs, an eighth of the cases a day; with
PARABLOCK_FULL in the environment all of them. Numbers at the ends of their range have cases each day. The launches that
block-report counts are those that ran.
"""

import dataclasses
import json
import pathlib
import sys

import engine_cases
import numpy as np
import pairwise
import safetensors_io
import tiers
from tools import call as run

CHIPS = ["sm_80", "sm_90a"]
TYPES = ["f32", "bf16", "f16"]


@dataclasses.dataclass
class Form:
    """Attributes, whether there is a bias, and what divides: the number of targets, an input or a constant."""
    attributes: dict = dataclasses.field(default_factory=dict)
    has_bias: bool = False
    divisor: str = ""
    gradient: str = "input"
    #: Of the bias, and of gradients by weight and bias; empty for that of the rows.
    bias_type: str = ""
    wide: str = ""


@dataclasses.dataclass
class Shape:
    rows: tuple
    width: int
    vocabulary: int
    is_open: bool = False
    #: The share of targets that are ignored.
    ignored: float = 0.3
    #: Columns that targets have, if not all.
    real: int | None = None


FORMS = [
    Form(),
    Form(has_bias=True),
    Form({"scale": 0.5}, gradient="constant"),
    Form({"softcap": 3.0}),
    Form({"ignored": 7}, divisor="input"),
    Form({"scale": 0.25, "softcap": 2.0, "ignored": 0}, has_bias=True, divisor="constant", gradient="constant"),
]
# Several chunks of which the last is not full, several tiles of rows, copies that are not aligned, one chunk, and no
# target that counts.
SHAPES = [
    Shape((2, 17), 40, 301),
    Shape((1, 150), 64, 700),
    Shape((1, 5), 33, 270),
    Shape((3, 1), 16, 11),
    Shape((2, 33), 48, 513, is_open=True),
    Shape((1, 3), 24, 300, ignored=1),
]
WRT = [("input", "weight", "bias"), ("input",), ("weight", "bias"), ("input", "weight")]


def draw(seed, size, *shape):
    return (size * np.random.Generator(np.random.PCG64(seed)).standard_normal(shape)).astype(np.float32)


def give_padding():
    """Biases of a vocabulary that is padded, by whole tiles and by a column of one."""
    for real, size in ((512, 700), (256, 257)):
        bias = draw(1, 1, size)
        bias[real:] = -np.inf
        yield Shape((1, 5), 16, size, real=real), {"b": bias}


# Forms with numbers of inputs.
NUMBERS = [
    *((Form(has_bias=True), shape, "f32", tensors) for shape, tensors in give_padding()),
    (Form(), Shape((2, 9), 32, 300), "f32", {"g": np.float32(1e-36)}),
    (Form(), Shape((2, 9), 32, 300), "f16", {"g": np.float32(65536)}),
    (Form(), Shape((2, 3), 16, 300), "f32", {"x": draw(2, 1e36, 2, 3, 16)}),
    (Form(has_bias=True, bias_type="f32"), Shape((2, 9), 32, 300), "bf16", {}),
]


# What makes the factor of gradients infinite.
INFINITE = [{"n": np.float32(0)}, {"g": np.float32(np.inf)}]


def write(form, shape, dtype, wrt):
    sizes = "?x?" if shape.is_open else "x".join(map(str, shape.rows))
    x, w = f"tensor<{sizes}x{shape.width}x{dtype}>", f"tensor<{shape.vocabulary}x{shape.width}x{dtype}>"
    t, b, n = f"tensor<{sizes}xi64>", f"tensor<{shape.vocabulary}x{form.bias_type or dtype}>", "tensor<f32>"
    arguments = {"x": (x, "input"), "w": (w, "param"), "t": (t, "input")}
    constants, operands, types = [], f"%x, %w targets %t", [x, w, t]
    if form.has_bias:
        arguments["b"] = (b, "input")
        operands, types = operands + " bias %b", [*types, b]
    for name, kind, value in (("n", form.divisor, 5), ("g", form.gradient, 0.75)):
        if kind == "input":
            arguments[name] = (n, "input")
        elif kind:
            constants.append(f"  %{name} = arith.constant dense<{value:e}> : {n}\n")
    if form.divisor:
        operands, types = operands + " divisor %n", [*types, n]
    given = ", ".join(f'%{name}: {type} {{block.{kind} = "{name}"}}' for name, (type, kind) in arguments.items())
    wrt = [name for name in wrt if name != "bias" or form.has_bias]
    widened = {name: type.replace(dtype, form.wide or dtype) for name, type in (("weight", w), ("bias", b))}
    by = {"input": x} | widened
    results = {"loss": n} | {f"d{name}": by[name] for name in wrt}
    attributes = [f"{name} = {value}" for name, value in form.attributes.items()]
    forward = f" {{{', '.join(attributes)}}}" if attributes else ""
    names = ", ".join(f'"{name}"' for name in wrt)
    backward = ", ".join([f"wrt = [{names}]", *attributes])
    gradients = ", ".join(by[name] for name in wrt)
    returned = ", ".join(["%l", *(f"%r#{place}" for place in range(len(wrt)))])
    return (f"func.func @main({given}) -> ("
            + ", ".join(f'{type} {{block.output = "{name}"}}' for name, type in results.items()) + ") {\n"
            + "".join(constants)
            + f"  %l = block.cross_entropy {operands}{forward} : ({', '.join(types)}) -> {n}\n"
            f"  %r:{len(wrt)} = block.cross_entropy_grad %g of {operands} {{{backward}}}\n"
            f"    : ({', '.join([n, *types])}) -> ({gradients})\n"
            f"  return {returned} : {', '.join(results.values())}\n}}\n")


def write_targets(path, form, shape, seed, given):
    random = np.random.Generator(np.random.PCG64(seed))
    ignored = form.attributes.get("ignored", -100)
    real = shape.real or shape.vocabulary
    targets = random.integers(0, real, shape.rows)
    targets[random.random(shape.rows) < shape.ignored] = ignored
    if shape.ignored < 1:
        # The last column has its share in any case.
        targets.flat[0] = real - 1
    tensors = {"t": targets.astype(np.int64)}
    if form.divisor == "input":
        tensors["n"] = np.float32(6)
    safetensors_io.write(path, tensors | given)


def check(stem, text, form, shape, chip, given):
    """What went wrong, or an empty string."""
    module, targets = stem.with_suffix(".mlir"), stem.with_suffix(".safetensors")
    module.write_text(text, encoding="utf-8")
    write_targets(targets, form, shape, len(text), given)
    report, ran = stem.with_suffix(".report.json"), stem.with_suffix(".run.json")
    dims = ["--dims=" + ",".join(f"d{place}={size}" for place, size in enumerate(shape.rows))] if shape.is_open else []
    done = run("block-run", module, "--engine=emulate", f"--chip={chip}", "--seed=7", f"--inputs={targets}", *dims,
               f"--baseline={module}", f"--json={ran}")
    if done.returncode or "PASS loss" not in done.stdout or "FAIL" in done.stdout:
        return f"{text}\n{chip}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
    counted = run("block-opt", module, f"--block-report=format=json file={report}", "-o", "/dev/null")
    if counted.returncode:
        return counted.stderr
    launches = sum(kernel["count"] for kernel in json.loads(ran.read_text(encoding="utf-8"))["kernels"])
    expected = json.loads(report.read_text(encoding="utf-8"))["model"]["launches"]
    return "" if launches == expected else f"{text}\n{chip}: expected {expected} launches, got {launches}"


def check_ignored(stem, given, chip):
    """Gradients of ignored rows are 0, where those of others are not finite."""
    form, shape = Form(divisor="input"), Shape((2, 9), 32, 300)
    module, targets, out = (stem.with_suffix(kind) for kind in (".mlir", ".safetensors", ".out.safetensors"))
    module.write_text(write(form, shape, "f32", ("input", "weight")), encoding="utf-8")
    write_targets(targets, form, shape, 1, given)
    done = run("block-run", module, "--engine=emulate", f"--chip={chip}", "--seed=7", f"--inputs={targets}",
               f"--outputs={out}")
    if done.returncode:
        return done.stderr
    gradients, ids = safetensors_io.read(out)["dinput"], safetensors_io.read(targets)["t"]
    rows = [np.all(gradients[ids == -100] == 0), not np.isfinite(gradients[ids != -100]).any()]
    return "" if all(rows) and (ids == -100).any() else f"{given} {chip}: {rows}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    for form, shape, dtype, chip, wrt, wide in pairwise.cover_pairs(FORMS, SHAPES, TYPES, CHIPS, WRT, ["", "f32"]):
        form = dataclasses.replace(form, wide=wide)
        # Gradients of nothing are none.
        wrt = wrt if form.has_bias or wrt != ("weight", "bias") else ("weight",)
        cases.append((folder / str(len(cases)), write(form, shape, dtype, wrt), form, shape, chip, {}))
    turn = tiers.take_turn(cases, 8)
    for number, (form, shape, dtype, given) in enumerate(NUMBERS):
        text, chip = write(form, shape, dtype, WRT[0]), CHIPS[number % len(CHIPS)]
        turn.append((folder / f"numbers-{number}", text, form, shape, chip, given))
    for given, chip in zip(INFINITE, CHIPS, strict=True):
        if fault := check_ignored(folder / f"ignored-{chip}", given, chip):
            sys.exit(fault)
    return engine_cases.try_all(check, turn, "losses")


if __name__ == "__main__":
    sys.exit(main())
