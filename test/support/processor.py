# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the processor at hand runs, by what Linux says of it."""

import pathlib
import re

# AVX-512 with pairs of bf16: what code on tiles takes beside them.
WIDE = {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_bf16"}


def choose(processors):
    """Those of these names for --cpu= that the processor at hand runs: one that has
    more than x86-64-v3, with functions in place of its tiles, takes all of WIDE."""
    narrow = ("native", "x86-64", "x86-64-v3")
    found = [name for name in processors if is_wide() or name.split()[0] in narrow]
    for name in processors:
        if name not in found:
            print(f"left out: {name}, which needs {', '.join(sorted(WIDE))}")
    return found


def is_wide():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    flags = re.search(r"^flags\s*: (.*)$", text, re.M)
    return bool(flags) and set(flags[1].split()) >= WIDE
