#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tensors of a safetensors file, one a line: name, dtype, shape, values."""

import struct
import sys

import safetensors_io

FORMATS = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "BF16": "H"}


def main():
    for name, (kind, shape, data) in sorted(safetensors_io.read_raw(sys.argv[1]).items()):
        code = FORMATS[kind]
        print(name, kind, shape, *(value for (value,) in struct.iter_unpack(f"<{code}", data)))


main()
