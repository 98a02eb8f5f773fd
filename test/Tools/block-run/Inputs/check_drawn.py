#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks inputs that block-run drew against the recipe of SeededRandom.h, recomputed here.

    check_drawn.py SEED FILE NAME ids BOUND | targets BOUND | lengths TOKENS | normal MEAN

FILE holds the argument NAME as the output `NAME.out`.
"""

import math
import sys

import safetensors_io

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def splitmix64(x):
    z = (x + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    def __init__(self, seed, name):
        h = 0xCBF29CE484222325
        for byte in name.encode():
            h = ((h ^ byte) * 0x100000001B3) & MASK
        self.state = splitmix64(splitmix64(seed) ^ h)

    def value(self, k):
        return splitmix64((self.state + k * GOLDEN) & MASK)

    def uniform(self, k):
        return ((self.value(k) >> 11) + 0.5) * 2.0**-53

    def normal(self, i):
        radius = math.sqrt(-2 * math.log(self.uniform(2 * i)))
        return radius * math.cos(2 * math.pi * self.uniform(2 * i + 1))


def main():
    seed, path, name, kind, parameter = sys.argv[1:]
    got = safetensors_io.read(path)[name + ".out"].flatten().tolist()
    stream, count = Stream(int(seed), name), len(got)
    if kind == "ids":
        want = [stream.value(k) % int(parameter) for k in range(count)]
    elif kind == "lengths":
        want = [1 + stream.value(k) % int(parameter) for k in range(count)]
        want[stream.value(count) % count] = int(parameter)
    elif kind == "targets":
        want = [stream.value(k) % int(parameter) for k in range(count)]
        left = [k for k in range(count) if stream.value(count + 1 + k) % 8 == 0 and k != stream.value(count) % count]
        for k in left:
            want[k] = -100
        name += f" ({len(left)} left out)"
    else:
        want = [float(parameter) + stream.normal(i) for i in range(count)]
    for index, (g, w) in enumerate(zip(got, want)):
        if abs(g - w) > 1e-6 * max(1.0, abs(w)):
            sys.exit(f"{name}[{index}]: expected {w}, got {g}")
    print(name, "as drawn:", count, "values, least", min(got), "most", max(got))


main()
