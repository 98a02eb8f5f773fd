#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what block-weights says about damaged recipes.

    damage.py RECIPE

Each is written to RECIPE, refused, and described by the message behind the file's name.
"""

import json
import os
import subprocess
import sys

SOURCES = [
    {"name": "w", "dtype": "f32", "shape": [2, 3], "lost": "unread"},
    {"name": "v", "dtype": "f32", "shape": [3], "lost": "unread"},
    {"name": "n", "dtype": "i64", "shape": [3], "lost": "unread"},
]

CONSTANT = {"name": "c", "dtype": "f32", "shape": [3]}


def recipe(value, shape=(2, 3), **changes):
    packed = [{"name": "p", "dtype": "f32", "shape": list(shape), "value": value}]
    return {"schema": 1, "sources": SOURCES, "packed": packed, **changes}


def op(name, *operands, **fields):
    return {"op": name, "of": list(operands), **fields}


def with_source(**changes):
    return recipe("w", sources=[{**SOURCES[0], **changes}])


def nested(levels):
    value = "w"
    for _ in range(levels):
        value = op("reshape", value, shape=[2, 3])
    return value


def slice_of(offsets, sizes, strides):
    return op("slice", "w", offsets=offsets, sizes=sizes, strides=strides)


def damaged():
    yield recipe("w", schema=2)
    yield recipe("w", schema="one")
    yield recipe("w", sources={})
    yield recipe("w", sources=["w"])
    yield recipe("w", sources=[SOURCES[0], SOURCES[0]])
    yield with_source(dtype="f31")
    yield with_source(shape=[2.5])
    yield with_source(shape=[-1])
    yield recipe("w", sources=[{"name": "w", "dtype": "f32", "shape": [2, 3]}])
    yield recipe("x")
    yield recipe(7)
    yield recipe({"of": ["w"]})
    yield recipe(op("invert", "w"))
    yield recipe("w", shape=[3, 2])
    yield recipe(op("concat", dim=0))
    yield recipe(op("concat", "w", dim=2))
    yield recipe(op("concat", "w", "v", dim=0))
    yield recipe(op("concat", "w", None, dim=0))
    yield recipe(slice_of([0], [2, 3], [1, 1]))
    yield recipe(slice_of([0, 1], [2, 2], [1, 2]))
    yield recipe(op("reshape", "w", shape=[7]))
    yield recipe(op("transpose", "w", permutation=[0, 0]))
    yield recipe(op("broadcast", "v", shape=[2, 3], dims=[0]))
    yield recipe(op("broadcast", "w", shape=[3, 2], dims=[1, 0]))
    yield recipe(op("broadcast", "v", shape=[1 << 40, 3], dims=[1]))
    yield recipe(op("map", "w", function="arctan", dtype="f32"))
    yield recipe(op("map", "w", "v", function="add", dtype="f32"))
    yield recipe(op("map", "w", function="add", dtype="f32"))
    yield recipe(op("map", "w", "w", function="exp", dtype="f32"))
    yield recipe("w", constants=[CONSTANT])
    yield recipe("w", constants=[CONSTANT], constants_file={"file": "a/b", "sha256": "0"})
    yield recipe("w", constants=[SOURCES[0]], constants_file={"file": "b", "sha256": "0"})
    yield recipe(op("convert", "w", dtype="i32"))
    yield recipe(op("fold_gain", "w", "v"))
    yield recipe(op("fold_gain", "v", "v", one_plus=False))
    yield recipe(op("fold_gain", "w", "w", one_plus=False))
    yield recipe(op("fold_bias", "w", "v", None, None, dtype="f32"))
    yield recipe(op("fold_bias", "w", "v", "v", dtype="f32"))
    yield recipe(op("fold_scale", "w", "v", factor=1))
    yield recipe(op("fold_scale", "w"))
    yield recipe(op("bias_sum", "w", dtype="f32"))
    yield recipe(op("reparam", "w", skip=1, residual=1))
    yield recipe(op("reparam", "w", "v", skip=1, residual=1))
    yield recipe(op("weight_sums", "n", dtype="f32"))
    yield recipe(op("fold_scale", op("reshape", "w", shape=[2, 3, 1]), factor=1))
    yield recipe({"op": "splat", "dtype": "f32", "shape": [1], "value": "HUGE"})
    yield recipe({"op": "splat", "dtype": "f32", "shape": [2**40], "value": 1})
    yield recipe(nested(24))
    yield recipe(nested(40))


def main():
    path = sys.argv[1]
    for document in damaged():
        with open(path, "w", encoding="utf-8") as file:
            # JSON has no word for an infinite number, but numbers that are one.
            file.write(json.dumps(document).replace('"HUGE"', "1e999"))
        command = ["block-weights", f"--recipe={path}", os.devnull, "-o", os.devnull]
        child = subprocess.run(command, capture_output=True, text=True)
        if child.returncode != 1:
            sys.exit(f"exit {child.returncode} for {document}: {child.stderr}")
        print(child.stderr.strip().removeprefix(f"error: {path}: "))


main()
