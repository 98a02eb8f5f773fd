#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeded random tensors in NumPy, element for element those of Parablock.

The recipe is written down in include/parablock/Support/SeededRandom.h. Run as
a program, it prints the values that the unit test of the C++ side holds:

    python3 test/golden/seeded.py SEED NAME COUNT
"""

import sys

import numpy as np

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _splitmix64(x):
    z = x + np.uint64(_GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _one(x):
    """An array of one: NumPy warns when a scalar wraps around, arrays do it silently."""
    return np.array([x & _MASK], dtype=np.uint64)


def fnv1a64(name):
    h = 0xCBF29CE484222325
    for byte in name.encode("utf-8"):
        h = ((h ^ byte) * 0x100000001B3) & _MASK
    return h


def values(seed, name, count):
    """The first `count` 64-bit integers of the stream."""
    state = _splitmix64(_splitmix64(_one(seed)) ^ _one(fnv1a64(name)))
    return _splitmix64(state + np.arange(count, dtype=np.uint64) * _one(_GOLDEN))


def uniform(seed, name, count):
    """float64 in (0, 1)."""
    return ((values(seed, name, count) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def normal(seed, name, count):
    """float64 with mean 0 and standard deviation 1."""
    u = uniform(seed, name, 2 * count)
    return np.sqrt(-2.0 * np.log(u[0::2])) * np.cos(2.0 * np.pi * u[1::2])


def main():
    seed, name, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    for k, (v, u, n) in enumerate(
        zip(values(seed, name, count), uniform(seed, name, count), normal(seed, name, count))
    ):
        print(f"{{{k}, {int(v):#018x}, {float(u).hex()}, {n!s}}},")


if __name__ == "__main__":
    main()
