#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights as products read them, held against NumPy's own, bit by bit.

usage: packing.py PROCESSOR...

Rows of an identity matrix give a packed weight back as it is, and a row of zeros
gives a bias, which is a sum over weights. Stored matrices lie both ways, whole, in
slices and side by side in each direction, in every float type, with gains, scales and
updates of rank one; sizes are below, at and beyond those of vectors and panels.
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

import processor
import safetensors_io
import tools

# Outputs and inputs: one after the other, of each processor and type.
SIZES = [(109, 37), (33, 64), (16, 70), (3, 8), (109, 12), (1, 1), (130, 33)]


def round_to(numbers, kind):
    """The nearest numbers that a type has, ties to even, in f32."""
    if kind == "f16":
        return numbers.astype(np.float16).astype(np.float32)
    if kind == "f32":
        return numbers
    bits = numbers.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def spell(shape, kind):
    return f"tensor<{'x'.join(map(str, shape))}x{kind}>"


class Weight:
    """A value of the model, and its numbers."""

    def __init__(self, name, numbers, kind):
        self.name, self.numbers, self.kind = name, numbers, kind
        self.type = spell(numbers.shape, kind)


class Model:
    """A function of weights, written line by line."""

    def __init__(self, kind):
        self.kind = kind
        self.random = np.random.Generator(np.random.PCG64(7))
        self.parameters, self.inputs, self.expected = {}, {}, {}
        self.lines, self.results = [], []

    def draw(self, *shape, kind=None):
        kind = kind or self.kind
        numbers = round_to(self.random.standard_normal(shape).astype(np.float32), kind)
        weight = Weight(f"%p{len(self.parameters)}", numbers, kind)
        self.parameters[weight.name[1:]] = weight
        return weight

    def add(self, numbers, kind, text):
        """A line of `text`, where {0} is the type of its result."""
        weight = Weight(f"%v{len(self.lines)}", np.ascontiguousarray(numbers), kind)
        self.lines.append(f"{weight.name} = {text.format(weight.type)}")
        return weight

    def turn(self, w):
        empty = self.add(w.numbers.T, w.kind, "tensor.empty() : {0}")
        text = f"linalg.transpose ins({w.name} : {w.type}) outs({empty.name} : {{0}}) permutation = [1, 0]"
        return self.add(w.numbers.T, w.kind, text)

    def cut(self, w, first, sizes):
        places = tuple(slice(f, f + s) for f, s in zip(first, sizes))
        ones = [1] * len(sizes)
        text = f"tensor.extract_slice {w.name}{list(first)} {list(sizes)} {ones} : {w.type} to {{0}}"
        return self.add(w.numbers[places], w.kind, text)

    def join(self, dim, *parts):
        names, types = ", ".join(p.name for p in parts), ", ".join(p.type for p in parts)
        numbers = np.concatenate([p.numbers for p in parts], axis=dim)
        return self.add(numbers, parts[0].kind, f"tensor.concat dim({dim}) {names} : ({types}) -> {{0}}")

    def cast(self, w, kind):
        op = "extf" if kind == "f32" else "truncf"
        return self.add(round_to(w.numbers, kind), kind, f"arith.{op} {w.name} : {w.type} to {{0}}")

    def gain(self, w, gamma, form="direct"):
        numbers = gamma.numbers + np.float32(form == "one_plus")
        norm = "{{form = #block.norm<kind = rms, eps = 1.0e-5, gamma_form = " + form + ">}}"
        text = f"block.fold_gain {w.name}, {gamma.name} {norm} : ({w.type}, {gamma.type}) -> {{0}}"
        return self.add(round_to(w.numbers * numbers, w.kind), w.kind, text)

    def scale(self, w, by):
        numbers = w.numbers * (by.numbers * np.float32(0.3))[:, None]
        text = f"block.fold_scale {w.name} by {by.name} {{{{factor = 0.3}}}} : ({w.type}, {by.type}) -> {{0}}"
        return self.add(round_to(numbers, w.kind), w.kind, text)

    def update(self, w, left, right):
        numbers = w.numbers + left.numbers[:, None] * np.float32(0.5) * right.numbers
        operands = f"to {w.name} of {left.name}, {right.name} {{{{factor = 0.5}}}}"
        text = f"block.outer_update {operands} : ({w.type}, {left.type}, {right.type}) -> {{0}}"
        return self.add(round_to(numbers, w.kind), w.kind, text)

    def sum(self, w):
        numbers = w.numbers.astype(np.float64).sum(axis=1).astype(np.float32)
        return self.add(numbers, "f32", f"block.weight_sums {w.name} : ({w.type}) -> {{0}}")

    def carry(self, w, beta, bias):
        sums = (w.numbers * beta.numbers).astype(np.float64).sum(axis=1)
        operands = f"{w.name} beta {beta.name} bias {bias.name}"
        types = f"{w.type}, {beta.type}, {bias.type}"
        text = f"block.fold_bias {operands} : ({types}) -> {{0}}"
        return self.add(sums.astype(np.float32) + bias.numbers, "f32", text)

    def read(self, x, w, bias=None):
        """The product of an input with a weight, which becomes a result."""
        name = f"x{len(self.inputs)}"
        kind, shape = w.kind, (1, len(x), len(w.numbers))
        self.inputs[name] = Weight(f"%{name}", x[None].astype(np.float32), kind)
        given = spell((1, *x.shape), kind)
        operands = f"%{name}, {w.name}" + (f" bias {bias.name}" if bias else "")
        types = ", ".join([given, w.type] + ([bias.type] if bias else []))
        line = f"%y{len(self.results)} = block.linear {operands} : ({types}) -> {spell(shape, kind)}"
        self.lines.append(line)
        self.results.append(spell(shape, kind))
        return f"y{len(self.results) - 1}"

    def show(self, what, w):
        self.expected[self.read(np.eye(w.numbers.shape[1]), w)] = (what, w.numbers.T[None], False)

    def show_sums(self, what, sums, w):
        if w.kind != "f32":
            w = self.cast(w, "f32")
        y = self.read(np.zeros((1, w.numbers.shape[1])), w, sums)
        self.expected[y] = (what, sums.numbers[None, None], True)

    def write(self, path):
        given = [
            f'{value.name}: {value.type} {{block.{use} = "{name}"}}'
            for use, values in (("input", self.inputs), ("param", self.parameters))
            for name, value in values.items()
        ]
        outputs = ", ".join(
            f"{kind} {{block.output = \"y{number}\"}}" for number, kind in enumerate(self.results)
        )
        names = ", ".join(f"%y{number}" for number in range(len(self.results)))
        body = "\n  ".join(self.lines)
        path.write_text(
            f"func.func @main({', '.join(given)})\n    -> ({outputs}) {{\n  {body}\n"
            f"  return {names} : {', '.join(self.results)}\n}}\n",
            encoding="utf-8",
        )


def fill(model, outs, ins):
    """Every form of one size."""
    kind, size = model.kind, f"{outs} x {ins}"
    beta, gamma = model.draw(ins, kind="f32"), model.draw(2 * ins)
    gamma = model.cut(gamma, (ins // 2,), (ins,))
    left, bias = model.draw(outs, kind="f32"), model.draw(outs, kind="f32")
    for way in ("as it is", "turned"):
        shape = (outs, ins) if way == "as it is" else (ins, outs)

        def lie(w):
            return w if way == "as it is" else model.turn(w)

        stored = lie(model.draw(*shape))
        folded = model.gain(stored, gamma)
        scaled = model.scale(model.gain(stored, beta, "one_plus"), left)
        other = lie(model.cast(model.draw(*shape, kind="bf16" if kind == "f32" else "f32"), kind))
        model.show(f"{size}, {way}", stored)
        model.show(f"{size}, {way}, with gains", folded)
        model.show(f"{size}, {way}, with gains from 1 on, scaled", scaled)
        model.show(f"{size}, {way}, updated", model.update(stored, left, beta))
        model.show(f"{size}, {way}, of another type", other)
        model.show(f"{size}, {way}, of another type, with gains", model.gain(other, gamma))
        model.show_sums(f"{size}, {way}, sums of gains folded", model.sum(folded), folded)
        model.show_sums(f"{size}, {way}, a bias", model.carry(stored, beta, bias), stored)
    parts = model.draw(ins, 3 * outs)
    cut = [model.cut(model.turn(parts), (n * outs, 0), (outs, ins)) for n in range(3)]
    other = model.draw(ins)
    model.show(f"{size}, three slices, one gain", model.join(0, *(model.gain(c, gamma) for c in cut)))
    model.show(f"{size}, three slices, other gains",
               model.join(0, *(model.gain(c, g) for c, g in zip(cut, (gamma, other, gamma)))))
    model.show(f"{size}, with gains and without", model.join(0, model.gain(cut[0], gamma), cut[1]))
    model.show(f"{size}, slices below each other, scaled",
               model.scale(model.join(0, cut[1], cut[2]), model.draw(2 * outs, kind="f32")))
    lying = model.draw(outs, ins)
    model.show(f"{size}, side by side", model.gain(model.join(1, lying, cut[2]), model.draw(2 * ins)))


def check(case):
    kind, flags, (outs, ins) = case
    model = Model(kind)
    fill(model, outs, ins)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model.write(folder / "m.mlir")
        for file, values in (("x", model.inputs), ("w", model.parameters)):
            numbers = {name: value.numbers for name, value in values.items()}
            safetensors_io.write(folder / f"{file}.safetensors", numbers)
        tools.run("block-run", folder / "m.mlir", "--engine=cpu", *flags,
                  f"--inputs={folder / 'x.safetensors'}", f"--weights={folder / 'w.safetensors'}",
                  f"--outputs={folder / 'y.safetensors'}")
        found = safetensors_io.read(folder / "y.safetensors")
    for name, (what, numbers, is_sum) in model.expected.items():
        # NumPy adds in another order; f64 shows that in no more than a last bit of f32.
        limit = np.spacing(np.abs(numbers)) if is_sum else 0
        distance = np.abs(found[name].astype(np.float32) - numbers)
        if found[name].shape != numbers.shape or not np.all(distance <= limit):
            raise tools.Failure(f"{what}: off by {distance.max()}")
    return f"{len(model.expected)} weights"


def main():
    processors = processor.choose(sys.argv[1:])
    cases = []
    for (name, kind), size in zip(itertools.product(processors, ("f32", "bf16", "f16")), itertools.cycle(SIZES)):
        flags = [f"--cpu={name}"] + ([] if name == "native" else ["--emulate-tiles"])
        cases.append((f"{kind} {name}", (kind, flags, size)))
    return tools.report(cases, check)


if __name__ == "__main__":
    sys.exit(main())
