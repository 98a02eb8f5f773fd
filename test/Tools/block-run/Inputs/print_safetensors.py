#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tensors of a safetensors file, one a line: name, dtype, shape, values."""

import json
import struct
import sys

FORMATS = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "BF16": "H"}


def main():
    with open(sys.argv[1], "rb") as file:
        content = file.read()
    (size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)
    for name in sorted(header):
        entry = header[name]
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        code = FORMATS[entry["dtype"]]
        values = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", content[begin:end])
        print(name, entry["dtype"], entry["shape"], *values)


main()
