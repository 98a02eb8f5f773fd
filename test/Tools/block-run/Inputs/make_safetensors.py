#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small safetensors files.

    make_safetensors.py OUT NAME:DTYPE:SHAPE=VALUE[,VALUE...] ...

SHAPE is like 2x5, empty for a scalar. The values are repeated until the tensor is full.
"""

import itertools
import math
import struct
import sys

import safetensors_io

FORMATS = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "I32": "i", "I8": "b",
           "F8_E4M3": "B"}


def encode(dtype, values):
    if dtype == "BF16":  # cut, not rounded: give values that fit
        return b"".join(struct.pack("<f", float(v))[2:] for v in values)
    code = FORMATS[dtype]
    # Floats of 8 bits are given by their bits.
    number = float if code in "dfe" else int
    return b"".join(struct.pack("<" + code, number(v)) for v in values)


def main():
    path, *specs = sys.argv[1:]
    tensors = {}
    for spec in specs:
        declaration, values = spec.split("=")
        name, dtype, shape = declaration.split(":")
        shape = [int(n) for n in shape.split("x")] if shape else []
        values = itertools.islice(itertools.cycle(values.split(",")), math.prod(shape))
        tensors[name] = dtype, shape, encode(dtype, values)
    safetensors_io.write_raw(path, tensors)


main()
