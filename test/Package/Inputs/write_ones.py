# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file with one f32 tensor of ones: FILE NAME SIZES..."""

import json
import math
import struct
import sys

path, name, *sizes = sys.argv[1:]
shape = [int(size) for size in sizes]
count = math.prod(shape)
header = json.dumps({name: {"dtype": "F32", "shape": shape, "data_offsets": [0, 4 * count]}}).encode()
with open(path, "wb") as out:
    out.write(struct.pack("<Q", len(header)) + header + struct.pack(f"<{count}f", *[1.0] * count))
