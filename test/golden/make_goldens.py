#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the golden vectors of the families named, or of all.

python3 test/golden/make_goldens.py [FAMILY...]
"""

import json
import sys

import golden


def main():
    for family in sys.argv[1:] or golden.families():
        text = json.dumps(golden.vector(family), indent=1) + "\n"
        path = golden.vector_path(family)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
