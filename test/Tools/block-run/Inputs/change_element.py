#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""change_element.py IN NAME INDEX OUT: adds 1 to one element of an F32 tensor."""

import json
import struct
import sys


def main():
    source, name, index, target = sys.argv[1:]
    with open(source, "rb") as file:
        content = bytearray(file.read())
    (size,) = struct.unpack_from("<Q", content)
    begin, _ = json.loads(content[8 : 8 + size])[name]["data_offsets"]
    place = 8 + size + begin + 4 * int(index)
    struct.pack_into("<f", content, place, struct.unpack_from("<f", content, place)[0] + 1)
    with open(target, "wb") as file:
        file.write(content)


main()
