#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts tensors into one file in the order of a generated header.

    flatten.py HEADER OUT FILE.safetensors ...

Reads the names and the kinds from the header's enumerators, so that what stands
there is tested, too. Each tensor is its size in bytes, then its bytes.
"""

import re
import struct
import sys

import safetensors_io

ENTRY = re.compile(r"^  \w+?_(input|weight|output)_\w+, /\* (.+): (\w+) \[.*\] \*/$", re.MULTILINE)


def main():
    header, out, *files = sys.argv[1:]
    tensors = {}
    for path in files:
        tensors.update({name: data for name, (_, _, data) in safetensors_io.read_raw(path).items()})
    with open(header, encoding="utf-8") as file:
        entries = ENTRY.findall(file.read())
    with open(out, "wb") as file:
        for kind in ("input", "weight", "output"):
            for found, name, _ in entries:
                if found == kind:
                    file.write(struct.pack("<q", len(tensors[name])) + tensors[name])


if __name__ == "__main__":
    main()
