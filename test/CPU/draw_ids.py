#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file with input_ids [2, 17] below 97."""

import json
import struct
import sys

ids = [(7 * i * i + 3 * i + 5) % 97 for i in range(34)]
data = struct.pack("<34q", *ids)
header = json.dumps(
    {"input_ids": {"dtype": "I64", "shape": [2, 17], "data_offsets": [0, len(data)]}}
).encode()
header += b" " * (-len(header) % 8)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + data)
