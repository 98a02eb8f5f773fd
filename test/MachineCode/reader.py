#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what machine_code.py reads from a listing. usage: reader.py LISTING"""

import pathlib
import sys

import machine_code  # noqa: E402  (in the folder above)


def main():
    for code in machine_code.read(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")).values():
        print(f"{code.name}: {len(code.instructions)} instructions, {len(code.loops)} loops")
        for loop in code.loops:
            print(f"loop of {len(loop)}: {' '.join(i.name for i in loop.instructions)}")
        main_loop = code.main_loop
        print(f"main loop: {machine_code.order(main_loop)}")
        beside, all_ = machine_code.exponentials_beside_products(main_loop)
        print(f"exponentials beside products: {beside} of {all_}")
        print(f"barriers in loops: GPU {code.membars_in_loops('GPU')}, CTA {code.membars_in_loops('CTA')}")
        print(f"rows: {' '.join(str(len(loop)) for loop in code.row_loops) or 'none'}")


if __name__ == "__main__":
    main()
