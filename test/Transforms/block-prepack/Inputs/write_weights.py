# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file of numbers that are no whole ones: FILE NAME:DTYPE:SIZES..."""

import json
import math
import random
import struct
import sys

FORMATS = {"f32": ("F32", "f", 4), "f16": ("F16", "e", 2)}

path, *tensors = sys.argv[1:]
random.seed(1)
header, data = {}, b""
for tensor in tensors:
    name, dtype, sizes = tensor.split(":")
    shape = [int(size) for size in sizes.split(",")]
    word, letter, size = FORMATS[dtype]
    count = math.prod(shape)
    header[name] = {"dtype": word, "shape": shape, "data_offsets": [len(data), len(data) + size * count]}
    data += struct.pack(f"<{count}{letter}", *(random.uniform(0.1, 2) for _ in range(count)))
text = json.dumps(header).encode()
with open(path, "wb") as out:
    out.write(struct.pack("<Q", len(text)) + text + data)
