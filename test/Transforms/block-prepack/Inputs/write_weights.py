# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file of numbers that are no whole ones: FILE NAME:DTYPE:SIZES..."""

import math
import random
import struct
import sys

import safetensors_io

FORMATS = {"f32": ("F32", "f"), "f16": ("F16", "e")}

path, *tensors = sys.argv[1:]
random.seed(1)
drawn = {}
for tensor in tensors:
    name, dtype, sizes = tensor.split(":")
    shape = [int(size) for size in sizes.split(",")]
    word, letter = FORMATS[dtype]
    count = math.prod(shape)
    drawn[name] = word, shape, struct.pack(f"<{count}{letter}", *(random.uniform(0.1, 2) for _ in range(count)))
safetensors_io.write_raw(path, drawn)
